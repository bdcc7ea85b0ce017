package db_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/db/audits"
	"lunchgo/db/dbtest"
)

// at returns a request for named seats.
func (h *harness) at(diner string, slot booking.SlotKey, seats ...int64) booking.Request {
	req := h.Request(diner, slot)
	req.SeatIDs, req.PartySize = seats, h.Restaurant.Seats.Places(seats)
	return req
}

// takenSeats are the seats that are held in a slot.
func (h *harness) takenSeats(t testing.TB, slot booking.SlotKey) booking.TakenSeats {
	t.Helper()
	known, err := h.Slots.ListOccupancy(t.Context(), slot.RestaurantID, slot.Date, slot.Date)
	dbtest.Must(t, err)
	return known[slot].Seats
}

// A restaurant's floor and seats are stored and brought up to date.
func TestSeating_StoresRoom(t *testing.T) {
	t.Parallel()
	h := setup(t)
	first := h.OpenRoom(t)
	counter, _ := h.Restaurant.Seats.Find(first["C2"])
	want := booking.Seat{ID: first["C2"], Label: "C2", Kind: booking.CounterSeat, Places: 1, MinParty: 1,
		Area: booking.Area{X: 200, Y: 50, Width: 60, Height: 60}, Partners: []int64{first["C1"], first["C3"]}}
	if !reflect.DeepEqual(counter, want) {
		t.Errorf("stored %+v, want %+v", counter, want)
	}
	if h.Restaurant.Floor.Width != 1_000 || len(h.Restaurant.Floor.Fixtures) != 1 || len(h.Restaurant.Seats) != 7 {
		t.Errorf("stored %+v with %d seats", h.Restaurant.Floor, len(h.Restaurant.Seats))
	}
	h.Restaurant.Seats = slices.DeleteFunc(h.Restaurant.Seats, func(s booking.Seat) bool { return s.Label == "C2" })
	h.PutRoom(t)
	alone, _ := h.Restaurant.Seats.Find(first["C1"])
	if _, found := h.Restaurant.Seats.Find(first["C2"]); found || len(alone.Partners) != 0 {
		t.Errorf("a seat that is gone is still in %+v", h.Restaurant.Seats)
	}
	if again := h.OpenRoom(t); !reflect.DeepEqual(again, first) {
		t.Errorf("the seats came back as %v, were %v", again, first)
	}
}

func TestServe_StoresSeats(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ids, slot, diners := h.OpenRoom(t), h.Slot("19:00"), h.Diners(t, 4, 0)
	chosen := h.at(diners[0], slot, ids["C2"], ids["C3"])
	rival := h.at(diners[1], slot, ids["C3"], ids["C4"])
	outcomes, after, err := h.Slots.Serve(t.Context(), h.Turn(slot, 10, 0),
		[]booking.Request{chosen, rival, h.Request(diners[2], slot)})
	var gone *booking.SeatTakenError
	if err != nil || !errors.As(outcomes[1].Err, &gone) || !slices.Equal(gone.Taken, []int64{ids["C3"]}) {
		t.Fatalf("got %+v, %v", outcomes, err)
	}
	want := booking.TakenSeats{{ID: ids["C2"], OnHold: true}, {ID: ids["C3"], OnHold: true},
		{ID: ids["T1"], OnHold: true}}
	if !reflect.DeepEqual(after[0].Seats, want) || !reflect.DeepEqual(h.takenSeats(t, slot), want) {
		t.Errorf("returned %+v, listed %+v, want %+v", after[0].Seats, h.takenSeats(t, slot), want)
	}
	for id, seats := range map[string][]booking.ReservedSeat{
		outcomes[0].ReservationID: {{ID: ids["C2"], Label: "C2", Chosen: true},
			{ID: ids["C3"], Label: "C3", Chosen: true}},
		outcomes[2].ReservationID: {{ID: ids["T1"], Label: "T1"}},
	} {
		if r, err := h.Reservations.Find(t.Context(), id); err != nil || !reflect.DeepEqual(r.Seats, seats) {
			t.Errorf("the reservation has %+v, %v, want %+v", r.Seats, err, seats)
		}
	}
	next := h.at(diners[3], slot, ids["C2"])
	if out := h.serveOne(t, next); !errors.As(out.Err, &gone) || !slices.Equal(gone.Instead, []int64{ids["C1"]}) {
		t.Errorf("a later turn says %v", out.Err)
	}
	if out := h.serveOne(t, h.at(diners[3], h.Slot("20:00"), ids["C2"])); !out.Reserves() {
		t.Errorf("the seat at another hour: %v", out.Err)
	}
}

// Whatever ends a reservation, its seats are free for the next one; until then they are not.
func TestSeating_FreesSeats(t *testing.T) {
	t.Parallel()
	h := setup(t)
	seat := h.OpenRoom(t)["T1"]
	staff := h.Diners(t, 1, 0)[0]
	hours := []booking.TimeOfDay{"11:00", "12:00", "13:00", "14:00", "15:00", "16:00", "17:00"}
	for name, end := range map[string]func(id, diner string) error{
		"cancelled": func(id, diner string) error {
			_, err := h.Reservations.Cancel(t.Context(), id, reserve.Canceller{UserID: diner})
			return err
		},
		"expired": func(id, _ string) error {
			h.MustExec(t, `UPDATE reservations SET hold_expires_at = now() - interval '1 second' WHERE id = $1`, id)
			h.sweepHolds(t)
			return nil
		},
		"refunded": func(id, diner string) error {
			_, payErr := h.Pay(t, id, diner, booking.Deposit, "pay")
			_, err := h.Reservations.Cancel(t.Context(), id, reserve.Canceller{UserID: diner})
			if taken := h.Count(t, `SELECT count(*) FROM reservation_seats WHERE reservation_id = $1 AND held`,
				id); taken != 1 {
				t.Error("a refund that is pending holds its seat no more")
			}
			h.settle(t)
			return errors.Join(payErr, err)
		},
		"cancelled by staff": func(id, _ string) error {
			_, err := h.Reservations.CancelByStaff(t.Context(), id, staff, "")
			return err
		},
		"completed": func(id, diner string) error {
			_, payErr := h.Pay(t, id, diner, booking.Deposit, "pay")
			h.Mark(t, id, booking.Arrived, booking.Seated)
			if taken := h.Count(t, `SELECT count(*) FROM reservation_seats WHERE reservation_id = $1 AND held`,
				id); taken != 1 {
				t.Error("a party that sits there holds its seat no more")
			}
			h.Mark(t, id, booking.Completed)
			return payErr
		},
		"no-show": func(id, diner string) error {
			_, payErr := h.Pay(t, id, diner, booking.Deposit, "pay")
			h.Mark(t, id, booking.NoShow)
			return payErr
		},
		"freed after a load test": func(id, _ string) error {
			h.MustExec(t, `UPDATE restaurants SET shadow = true`)
			return h.Seeds.FreeShadow(t.Context(), h.Restaurant.ID)
		},
	} {
		slot := h.Slot(hours[0])
		hours = hours[1:]
		diner := h.Diners(t, 1, 100_000)[0]
		id := h.Reserve(t, h.at(diner, slot, seat))
		if out := h.serveOne(t, h.at(h.Diners(t, 1, 0)[0], slot, seat)); out.Reserves() {
			t.Errorf("%s: the seat was given twice", name)
		}
		if err := end(id, diner); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if taken := h.takenSeats(t, slot); len(taken) != 0 {
			t.Errorf("%s: still taken: %+v", name, taken)
		}
		if out := h.serveOne(t, h.at(h.Diners(t, 1, 0)[0], slot, seat)); !out.Reserves() {
			t.Errorf("%s: the seat is not given again: %v", name, out.Err)
		}
		h.MustExec(t, `UPDATE restaurants SET shadow = false`)
	}
	checkBalances(t, h)
}

func TestPayLate_NamedSeats(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ids := h.OpenRoom(t)
	for at, rival := range map[booking.TimeOfDay]int64{"18:00": 0, "19:00": ids["C4"], "20:00": ids["C2"]} {
		slot, diner := h.Slot(at), h.Diners(t, 1, 100_000)[0]
		req := h.at(diner, slot, ids["C2"], ids["C3"])
		req.HoldTime = 0
		id := h.Reserve(t, req)
		h.sweepHolds(t)
		if rival != 0 {
			h.Reserve(t, h.at(h.Diners(t, 1, 0)[0], slot, rival))
		}
		got, err := h.Pay(t, id, diner, booking.Deposit, "pay")
		if gone := rival == ids["C2"]; gone != errors.Is(err, booking.ErrReturned) ||
			!gone && (err != nil || got.State != booking.Confirmed) {
			t.Errorf("with %d taken: %s, %v", rival, got.State, err)
		}
		if want := map[booking.TimeOfDay]int{"18:00": 2, "19:00": 3,
			"20:00": 1}[at]; len(h.takenSeats(t, slot)) != want {
			t.Errorf("with %d taken: %+v is held, want %d seats", rival, h.takenSeats(t, slot), want)
		}
	}
	checkBalances(t, h)
}

func TestSeating_HoldsSeatsForStay(t *testing.T) {
	t.Parallel()
	h := setup(t)
	table := h.OpenRoom(t)["T3"]
	first, next, before := h.Slot("18:00"), h.Slot("19:00"), h.Slot("17:00")
	diners := h.Diners(t, 4, 0)
	long := h.at(diners[0], first, table)
	long.Stay = []booking.TimeOfDay{next.Time}
	turn := h.Turn(first, 20, 0)
	turn.Stay = long.Stay
	outcomes, _, err := h.Slots.Serve(t.Context(), turn, []booking.Request{long})
	if err != nil || !outcomes[0].Reserves() {
		t.Fatalf("got %+v, %v", outcomes, err)
	}
	for _, slot := range []booking.SlotKey{first, next} {
		if !h.takenSeats(t, slot).Has(table) || h.serveOne(t, h.at(diners[1], slot, table)).Reserves() {
			t.Errorf("the table can be had at %s", slot.Time)
		}
	}
	h.Reserve(t, h.at(diners[1], before, table))
	overlapping := h.at(diners[2], before, table)
	turn.Slot, turn.Stay = before, []booking.TimeOfDay{first.Time}
	overlapping.Stay = turn.Stay
	var gone *booking.SeatTakenError
	if outcomes, _, err := h.Slots.Serve(t.Context(), turn, []booking.Request{overlapping}); err != nil ||
		!errors.As(outcomes[0].Err, &gone) {
		t.Errorf("a stay into the table's next party: %+v, %v", outcomes, err)
	}
	report, err := audits.NewStore(h.Pool).Audit(t.Context())
	if err != nil || report.Found() != 0 {
		t.Errorf("the auditor finds %+v, %v", report.Wrong(), err)
	}
	h.MustCancel(t, outcomes[0].ReservationID, diners[0])
	h.Reserve(t, h.at(diners[2], first, table))
	h.Reserve(t, h.at(diners[3], next, table))
}

// The plan that a turn goes by may be older than the restaurant's; the database lets nobody sit elsewhere.
func TestSeating_RefusesOtherRestaurantsSeat(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ids := h.OpenRoom(t)
	foreign := h.AnotherRestaurant(t)
	h.MustExec(t, `INSERT INTO seats (restaurant_id, position, label, kind, places, map_x, map_y, map_width, map_height)
		VALUES ($1, 1, 'X', 'table', 2, 0, 0, 1, 1)`, foreign)
	var id int64
	dbtest.Must(t, h.SQL().Get(&id, `SELECT id FROM seats WHERE label = 'X'`))
	h.Restaurant.Seats = append(h.Restaurant.Seats, // joined as T1 is, which comes first for who chooses none
		booking.Seat{ID: id, Label: "X", Kind: booking.TableSeat, Places: 2, Partners: []int64{ids["T3"]}})
	slot, diners := h.Slot("19:00"), h.Diners(t, 2, 0)
	run := []booking.Request{h.at(diners[0], slot, id), h.Request(diners[1], slot)}
	outcomes, _, err := h.Slots.Serve(t.Context(), h.Turn(slot, 10, 1), run)
	if err != nil || outcomes[0].Err == nil || !outcomes[1].Reserves() {
		t.Errorf("got %+v, %v", outcomes, err)
	}
}
