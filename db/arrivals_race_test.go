package db_test

import (
	"errors"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/testkit"
)

// arriving is how many people begin their stay in a slot.
func (h *harness) arriving(t testing.TB, slot booking.SlotKey) int {
	t.Helper()
	return h.Count(t, `
		SELECT COALESCE(sum(r.party_size), 0)
		FROM reservations r
		JOIN slots s ON s.id = r.slot_id
		WHERE s.restaurant_id = $1 AND s.service_date = $2::date AND s.service_time = $3::time
			AND r.state = 'temporary'`,
		slot.RestaurantID, string(slot.Date), string(slot.Time))
}

// paced is a restaurant with more seats than people who may arrive in one slot.
func paced(t *testing.T, capacity, arrivals int) *harness {
	t.Helper()
	h := setup(t)
	h.Restaurant.Capacity, h.Restaurant.ArrivalsPerSlot = capacity, arrivals
	h.MustExec(t, `UPDATE restaurants SET capacity = $2, arrivals_per_slot = $3 WHERE id = $1`, h.Restaurant.ID,
		capacity, arrivals)
	return h
}

// Diners who arrive in the same slot, in its own line and in those of several stays, never are more than may arrive.
func TestArrivals_NeverBeyondTheLimit(t *testing.T) {
	t.Parallel()
	h := paced(t, 60, 6)
	var requests []booking.Request
	for i, diner := range h.Diners(t, 60, 0) {
		from := i % 3
		requests = append(requests, h.staying(diner, eveningTimes[from], 1+i%2, 1+i/3%(3-from)))
	}
	contendForTheEvening(t, h, requests)
	for _, at := range eveningTimes {
		if n := h.arriving(t, h.Slot(at)); n != 6 {
			t.Errorf("%d people arrive at %s, and 6 may", n, at)
		}
	}
	checkBalances(t, h)
}

// Control: two diners who read at the same moment that two more may arrive.
func TestArrivals_WithoutLocks(t *testing.T) {
	t.Parallel()
	h := paced(t, 60, 6)
	diners := h.Diners(t, 4, 0)
	for _, diner := range diners[:2] {
		h.Reserve(t, h.staying(diner, eveningTimes[0], 2, 2))
	}
	h.Weaken(db.LockSlots, dbtest.Instead(lockSlotUnguarded))
	h.Weaken(db.InsertReservations, dbtest.Meeting(2))
	contendForTheEvening(t, h, []booking.Request{h.staying(diners[2], eveningTimes[0], 2, 1),
		h.staying(diners[3], eveningTimes[0], 2, 2)})
	if n := h.arriving(t, h.Slot(eveningTimes[0])); n <= 6 {
		t.Errorf("%d arrive without locks: the test above proves nothing", n)
	}
}

// Staff book beyond the limit, and diners do not: not by a new reservation, nor by moving one or adding people. Who
// arrives there already may change the rest.
func TestArrivals_SoftForStaff(t *testing.T) {
	t.Parallel()
	h := paced(t, 20, 4)
	diners := h.Diners(t, 4, 0)
	first := h.staying(diners[0], "18:00", 4, 2)
	id := h.Reserve(t, first)
	serve := func(req booking.Request) booking.Outcome {
		t.Helper()
		outcomes, _, err := h.Slots.Serve(t.Context(), h.TurnOf(req, 20, 0), []booking.Request{req})
		if err != nil {
			t.Fatal(err)
		}
		return outcomes[0]
	}
	if out := serve(h.staying(diners[1], "18:00", 1, 1)); !errors.Is(out.Err, booking.ErrSoldOut) {
		t.Errorf("one more diner: %v", out.Err)
	}
	if out := serve(h.staying(diners[1], "19:00", 3, 1)); !out.Reserves() {
		t.Errorf("a diner where another party stays on: %v", out.Err)
	}
	if out := serve(testkit.WalkIn(h.Guest(diners[3], h.Slot("18:00")), booking.Confirmed)); !out.Reserves() {
		t.Errorf("a walk-in: %v", out.Err)
	}
	change := func(party int, at booking.TimeOfDay) error {
		res, err := h.Reservations.Find(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		req := h.staying(diners[0], at, party, 2)
		req.Change = &booking.Change{ReservationID: id, Number: res.Changes, From: res.Slots(),
			FromParty: res.PartySize,
			Quoted:    1_000_000}
		return serve(req).Err
	}
	if err := change(5, "18:00"); !errors.Is(err, booking.ErrSoldOut) {
		t.Errorf("one more person: %v", err)
	}
	if err := change(3, "18:00"); err != nil {
		t.Errorf("one person less: %v", err)
	}
	if err := change(3, "19:00"); !errors.Is(err, booking.ErrSoldOut) {
		t.Errorf("to a slot in which three of four arrive: %v", err)
	}
	if n := h.arriving(t, h.Slot("18:00")); n != 3 {
		t.Errorf("%d diners arrive at 18:00", n)
	}
}
