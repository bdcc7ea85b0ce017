package db_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/db/columns"
	"lunchgo/db/dbtest"
)

func TestServe_StoresDecisions(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot := h.Slot("19:00")
	diners := h.Diners(t, 4, 0)
	run := make([]booking.Request, 0, len(diners))
	for i, id := range diners {
		req := h.Request(id, slot)
		req.PartySize, req.Arrival = 4, int64(100+i)
		run = append(run, req)
	}
	run[3].PartySize = 2
	outcomes, after, err := h.Slots.Serve(t.Context(), h.Turn(slot, 10, 1), run)
	dbtest.Must(t, err)
	if want := (booking.Occupancy{Capacity: 10, Held: 10, OnHold: 10, Arriving: 10}); !reflect.DeepEqual(after[0],
		want) {
		t.Errorf("occupancy %+v, want %+v", after, want)
	}
	var soldOut *booking.SoldOutError
	if !errors.As(outcomes[2].Err, &soldOut) || soldOut.Remaining != 2 {
		t.Errorf("the third party of 4 got %v, want sold out with 2 left", outcomes[2].Err)
	}
	arrivals, err := h.Slots.ListArrivals(t.Context(), slot)
	dbtest.Must(t, err)
	var numbers []int64
	for _, a := range arrivals {
		numbers = append(numbers, a.Number)
	}
	if want := []int64{100, 101, 103}; !reflect.DeepEqual(numbers, want) {
		t.Errorf("decided in the order %v, want %v", numbers, want)
	}
	got, err := h.Reservations.FindByTicket(t.Context(), run[1].Ticket)
	dbtest.Must(t, err)
	if left := time.Until(got.HoldExpiresAt); left < 6*time.Minute || left > 7*time.Minute {
		t.Errorf("the hold ends in %v, want 7 minutes", left)
	}
	want := booking.Reservation{
		ID: outcomes[1].ReservationID, RestaurantID: slot.RestaurantID, Slot: slot, UserID: diners[1], PartySize: 4,
		SlotMinutes: 60,
		State:       booking.Temporary, Source: booking.Web, Items: run[1].Items, DepositAmount: 20_000,
		MenuAmount:     64_000,
		Policy:         run[1].Policy,
		IdempotencyKey: run[1].IdempotencyKey, HoldExpiresAt: got.HoldExpiresAt, CreatedAt: got.CreatedAt,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("stored\n%+v, want\n%+v", got, want)
	}
}

// A turn with a stale fence is refused.
func TestServe_StaleFence(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot := h.Slot("19:00")
	diners := h.Diners(t, 2, 0)
	serve := func(fence int64, userID string) error {
		_, _, err := h.Slots.Serve(t.Context(), h.Turn(slot, 10, fence), []booking.Request{h.Request(userID, slot)})
		return err
	}
	dbtest.Must(t, serve(7, diners[0]))
	var stale *booking.StaleFenceError
	if err := serve(6, diners[1]); !errors.As(err, &stale) || stale.Stored != 7 {
		t.Errorf("fence 6 after 7: %v, want the stored one", err)
	}
	if n := h.Count(t, `SELECT count(*) FROM reservations`); n != 1 {
		t.Errorf("%d reservations, want 1", n)
	}
	if err := serve(7, diners[1]); err != nil {
		t.Errorf("the same fence again: %v", err)
	}
}

// A repeat finds its reservation.
func TestServe_Repeat(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot := h.Slot("19:00")
	req := h.Request(h.Diners(t, 1, 0)[0], slot)
	id := h.Reserve(t, req)
	serve := func(req booking.Request) booking.Outcome {
		outcomes, _, err := h.Slots.Serve(t.Context(), h.Turn(req.Slot, 10, 0), []booking.Request{req})
		dbtest.Must(t, err)
		return outcomes[0]
	}
	if out := serve(req); out.Existing == nil || out.ReservationID != id || out.Existing.State != booking.Temporary {
		t.Errorf("the same key again: %+v, want %s again", out, id)
	}
	other := req
	other.PartySize, other.Ticket = 3, "other"
	if out := serve(other); !errors.Is(out.Err, booking.ErrKeyReused) {
		t.Errorf("the key for another party: %v, want %v", out.Err, booking.ErrKeyReused)
	}
	elsewhere := req
	elsewhere.Slot, elsewhere.Ticket = h.Slot("20:00"), "elsewhere"
	if out := serve(elsewhere); !errors.Is(out.Err, booking.ErrKeyReused) {
		t.Errorf("the key in another slot: %v, want %v", out.Err, booking.ErrKeyReused)
	}
	second := h.Request(req.UserID, slot)
	if out := serve(second); !errors.Is(out.Err, booking.ErrDuplicate) || out.ReservationID != id {
		t.Errorf("another key: %+v, want %v and %s", out, booking.ErrDuplicate, id)
	}
}

func TestServe_RefusedDataFailOneRequest(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot := h.Slot("19:00")
	var run []booking.Request
	for _, id := range h.Diners(t, 7, 0) {
		run = append(run, h.Request(id, slot))
	}
	run[2].UserID = "nobody"
	run[4].Note = "\x00"
	outcomes, after, err := h.Slots.Serve(t.Context(), h.Turn(slot, 10, 1), run)
	dbtest.Must(t, err)
	if after[0].Held != 10 {
		t.Errorf("%d seats held, want 10", after[0].Held)
	}
	for i, out := range outcomes {
		if refused := i == 2 || i == 4; out.Reserves() == refused || out.Request.UserID != run[i].UserID {
			t.Errorf("request %d: %+v", i, out)
		}
	}
	if !errors.Is(outcomes[2].Err, identity.ErrInvalidSession) {
		t.Errorf("an unknown person got %v, want %v", outcomes[2].Err, identity.ErrInvalidSession)
	}
}

// A turn at an unknown restaurant is refused.
func TestServe_UnknownRestaurant(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot := booking.SlotKey{RestaurantID: 999, Date: "2040-05-07", Time: "19:00"}
	_, _, err := h.Slots.Serve(t.Context(), h.Turn(slot, 10, 1), []booking.Request{h.Request("x", slot)})
	if !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("got %v, want %v", err, booking.ErrNotFound)
	}
}

func TestHoldingStates_AreTheDomains(t *testing.T) {
	t.Parallel()
	sql := "("
	for i, state := range booking.HoldingStates {
		if i > 0 {
			sql += ", "
		}
		sql += "'" + string(state) + "'"
	}
	if sql += ")"; sql != columns.HoldingStates {
		t.Errorf("the store counts %s, the domain %s", columns.HoldingStates, sql)
	}
}
