package lineup

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/refusal"
	"lunchgo/app/waiting"
)

// recordedBookings is Bookings that notes what it is asked to serve: everybody gets a reservation, but for those who
// change one, who find it gone.
type recordedBookings struct {
	Bookings
	turns []booking.Turn
	runs  [][]booking.Request
	err   error
}

func (b *recordedBookings) FindRestaurant(context.Context, int64) (booking.Restaurant, error) {
	return booking.Restaurant{Settings: booking.Settings{PartyMin: 1, PartyMax: 8}}, nil
}

func (b *recordedBookings) Serve(_ context.Context, turn booking.Turn, run []booking.Request) ([]booking.Outcome,
	[]booking.Occupancy, error) {
	b.turns, b.runs = append(b.turns, turn), append(b.runs, run)
	var outcomes []booking.Outcome
	for _, req := range run {
		out := booking.Outcome{Request: req, ReservationID: "of-" + req.UserID}
		if req.Change != nil {
			out.Err = booking.ErrNotFound
		}
		outcomes = append(outcomes, out)
	}
	return outcomes, make([]booking.Occupancy, len(turn.Slots())), b.err
}

// A batch of a joint line, new reservations and changes in any mixture, is served by one call in the order of arrival,
// and closes the lines of the slots that are full.
func TestSlots_ServeAJointBatchAtOnce(t *testing.T) {
	t.Parallel()
	first := booking.SlotKey{RestaurantID: 7, Date: "2026-12-24", Time: "18:00"}
	stay := []booking.TimeOfDay{"19:00", "20:00"}
	var batch []waiting.QueuedRequest
	for i := range 64 {
		req := booking.Request{UserID: fmt.Sprint("u", i), IdempotencyKey: "k", Slot: first, Stay: stay, PartySize: 7}
		if i%3 == 0 {
			req.Change = &booking.Change{ReservationID: fmt.Sprint("r", i), From: []booking.SlotKey{first}}
		}
		queued, err := RequestFor(req)
		if err != nil {
			t.Fatal(err)
		}
		batch = append(batch, waiting.QueuedRequest{Request: queued, Ticket: fmt.Sprint("t", i), Arrival: int64(i)})
	}
	store := &recordedBookings{}
	turn := waiting.Turn{Line: OfStay(first.Slots(stay)), Fence: 9}
	results, closings, err := Slots{Bookings: store}.Serve(t.Context(), turn, batch)
	if err != nil || len(results) != len(batch) || len(closings) != 3 {
		t.Fatal(len(results), closings, err)
	}
	if len(store.runs) != 1 || len(store.runs[0]) != 64 || store.turns[0].Fence != 9 ||
		!slices.Equal(store.turns[0].Stay, stay) {
		t.Errorf("served by %d calls, turns %+v", len(store.runs), store.turns)
	}
	for i, result := range results {
		req := store.runs[0][i]
		if req.Arrival != int64(i) || req.Ticket != batch[i].Ticket {
			t.Errorf("request %d is %+v", i, req)
		}
		if changes := i%3 == 0; changes != (result.Code == refusal.NotFound.Code) ||
			changes == (result.State == waiting.Reserved) {
			t.Errorf("result %d is %+v", i, result)
		}
	}
	store.err = &booking.StaleFenceError{Stored: 10}
	if results, _, err := (Slots{Bookings: store}).Serve(t.Context(), turn, batch); len(results) != 0 ||
		!errors.Is(err, waiting.ErrOvertaken) {
		t.Errorf("an overtaken turn: %d results, %v", len(results), err)
	}
}
