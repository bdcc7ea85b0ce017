package db_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/testkit"
)

// TestChange_MovesStay changes parties that stay for several slots, some of which they keep.
func TestChange_MovesStay(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diner := h.Diners(t, 1, 100_000)[0]
	long := h.Request(diner, h.Slot("18:00"))
	long.Stay = []booking.TimeOfDay{"19:00"}
	outcomes, _, err := h.Slots.Serve(t.Context(), h.TurnOf(long, 10, 0), []booking.Request{long})
	if err != nil || !outcomes[0].Reserves() {
		t.Fatal(outcomes, err)
	}
	id := outcomes[0].ReservationID
	rival := h.Reserve(t, h.Request(h.Diners(t, 1, 0)[0], h.Slot("20:00")))
	h.MustExec(t, `UPDATE slots SET capacity = 4`)
	stay := func(at booking.TimeOfDay, persons int, stay ...booking.TimeOfDay) func(*booking.Request) {
		return func(req *booking.Request) {
			testkit.Party(persons)(req)
			req.Slot.Time, req.Stay = at, stay
		}
	}
	seats := func(want ...int) {
		t.Helper()
		for i, at := range []booking.TimeOfDay{"17:00", "18:00", "19:00", "20:00"} {
			if held := h.held(t, h.Slot(at)); held != want[i] {
				t.Errorf("%s: %d seats held, want %d", at, held, want[i])
			}
		}
	}
	var full *booking.SoldOutError
	if _, err := h.Change(t, id, stay("19:00", 3, "20:00")); !errors.As(err, &full) || full.Remaining != 2 {
		t.Errorf("a further slot without as many seats: %v", err)
	}
	seats(0, 2, 2, 2)
	if r, err := h.Change(t, id, stay("19:00", 2, "20:00")); err != nil ||
		!slices.Equal(r.Stay, []booking.TimeOfDay{"20:00"}) {
		t.Errorf("an hour later: %+v, %v", r, err)
	}
	seats(0, 0, 2, 4)
	if _, err := h.Change(t, id, stay("20:00", 2)); err != nil {
		t.Errorf("one slot of the two: %v", err)
	}
	seats(0, 0, 0, 4)
	if _, err := h.Change(t, id, stay("17:00", 4, "18:00", "19:00")); err != nil {
		t.Errorf("three earlier ones: %v", err)
	}
	seats(4, 4, 4, 2)
	if _, err := h.Change(t, rival, stay("19:00", 1, "20:00")); !errors.As(err, &full) || full.Remaining != 0 {
		t.Errorf("where another stays: %v", err)
	}
	if _, err := h.Change(t, id, func(req *booking.Request) { req.Note, req.Stay = "x", nil }); err != nil {
		t.Errorf("a note: %v", err)
	}
	seats(4, 4, 4, 2)
	checkBalances(t, h)
}

func TestChange_RetainsSeatsThatFit(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ids, slot, other, diners := h.OpenRoom(t), h.Slot("18:00"), h.Slot("19:00"), h.Diners(t, 3, 100_000)
	id := h.Reserve(t, h.at(diners[0], slot, ids["T1"]))
	h.Reserve(t, h.at(diners[1], other, ids["T1"]))
	seats := func(what string, err error, slot booking.SlotKey, labels ...string) {
		t.Helper()
		r, findErr := h.Reservations.Find(t.Context(), id)
		var has []string
		for _, seat := range r.Seats {
			has = append(has, seat.Label)
		}
		held := 0
		for _, use := range h.takenSeats(t, slot) {
			if slices.Contains(r.SeatIDs(), use.ID) {
				held++
			}
		}
		if err != nil || findErr != nil || !slices.Equal(has, labels) || held != len(labels) {
			t.Errorf("%s: at %v, of which %d are held, %v", what, has, held, err)
		}
	}
	_, err := h.Change(t, id, testkit.Party(1))
	seats("one of two", err, slot, "T1")
	_, err = h.Change(t, id, testkit.Party(3))
	seats("three of one", err, slot, "C1", "C2", "C3")
	_, err = h.Change(t, id, func(req *booking.Request) { req.SeatIDs = []int64{ids["T1"], ids["T2"]} })
	seats("others of the same slot, its own among them", err, slot, "T1", "T2")
	_, err = h.Change(t, id, at(other))
	seats("a slot in which one of them is taken", err, other, "C1", "C2", "C3")
	var gone *booking.SeatTakenError
	_, err = h.Change(t, id, func(req *booking.Request) { testkit.Party(2)(req); req.SeatIDs = []int64{ids["T1"]} })
	if !errors.As(err, &gone) || !slices.Equal(gone.Instead, []int64{ids["T2"]}) {
		t.Errorf("a seat of another: %v", err)
	}
	seats("as before", nil, other, "C1", "C2", "C3")
	if taken := h.takenSeats(t, slot); len(taken) != 0 {
		t.Errorf("it left %+v behind", taken)
	}
	checkBalances(t, h)
}

func TestChange_BehindWaitlist(t *testing.T) {
	t.Parallel()
	w := newWaitlist(t, setup(t), "19:00")
	large := w.join(t, 6)
	guest := w.Diners(t, 1, 0)[0]
	away := w.Reserve(t, w.Request(guest, w.harness.Slot("20:00")))
	small := w.join(t, 2)
	w.cancel(t, 0)
	var full *booking.SoldOutError
	if _, err := w.Change(t, away, at(w.slot)); !errors.As(err, &full) || full.Remaining != 0 {
		t.Errorf("seats that are the waitlist's: %v", err)
	}
	if _, err := w.Change(t, w.held[1], testkit.Party(3)); !errors.As(err, &full) || full.Remaining != 2 {
		t.Errorf("one more than it has: %v", err)
	}
	if _, err := w.Change(t, w.held[1], func(req *booking.Request) { req.Items = nil }); err != nil {
		t.Errorf("another menu: %v", err)
	}
	if r, err := w.Change(t, w.held[1], testkit.Party(1)); err != nil || r.PartySize != 1 {
		t.Errorf("one less: %v", err)
	}
	w.offer(t)
	w.is(t, small, booking.EntryOffered)
	w.cancel(t, 2)
	if _, err := w.Change(t, away, at(w.slot)); err != nil {
		t.Errorf("seats that are too few for who waits: %v", err)
	}
	if e := w.is(t, large, booking.EntryWaiting); e.Passes != 2 {
		t.Errorf("passed %d times, want 2", e.Passes)
	}
	if _, err := w.Change(t, away, at(w.harness.Slot("20:00"))); err != nil {
		t.Errorf("and back: %v", err)
	}
	checkBalances(t, w.harness)
}

// sweepGate is the advisory lock that a sweeper waits for between the moment that its statement sees and its locks.
const sweepGate = 77

var expireLater = dbtest.Replacing("WHERE state = 'temporary'", fmt.Sprintf(
	"WHERE (SELECT pg_advisory_xact_lock_shared(%d)) IS NOT NULL AND state = 'temporary'", sweepGate))

// changeAgainstExpiry changes the dishes of a hold, as somebody who is in time but whose change is stored only after
// the hold has ended and a sweeper has begun to look for such. It returns how many portions are left of 10 once all is
// over.
func changeAgainstExpiry(t *testing.T, h *harness, sweep func(string) string) int {
	t.Helper()
	h.Limit(t, h.Menu[0], 10)
	id := h.Reserve(t, h.Request(h.Diners(t, 1, 0)[0], h.Slot("18:00")))
	change := h.Wanting(t, id, func(req *booking.Request) { req.Items[0].Quantity = 5 })
	gate := h.SQL().MustBeginTx(t.Context(), nil)
	defer gate.Rollback()
	gate.MustExec(`SELECT pg_advisory_xact_lock($1)`, sweepGate)
	swept := make(chan error, 1)
	h.Weaken(db.ExpireHolds, sweep)
	h.Weaken(db.ReadSlots, func(query string) string {
		h.MustExec(t,
			`SELECT pg_sleep(extract(epoch FROM hold_expires_at - clock_timestamp())) FROM reservations WHERE id = $1`,
			id)
		go func() {
			_, err := h.Reservations.ExpireHolds(context.Background(), 10)
			swept <- err
		}()
		dbtest.AwaitLocks(t, h.SQL(), 1)
		return query
	})
	h.MustExec(t, `UPDATE reservations SET hold_expires_at = clock_timestamp() + interval '1 second' WHERE id = $1`, id)
	if out, _ := h.Serve(t, change); out.Err != nil {
		t.Fatal(out.Err)
	}
	dbtest.Must(t, errors.Join(gate.Commit(), <-swept))
	h.Weakening.Store(nil)
	h.sweepHolds(t)
	return h.Left(t, h.Slot("18:00"))[h.Menu[0].ID]
}

// A sweeper returns the dishes that a reservation has after its change.
func TestExpireHolds_ReturnsChangedDishes(t *testing.T) {
	t.Parallel()
	h := setup(t)
	if left := changeAgainstExpiry(t, h, expireLater); left != 10 {
		t.Errorf("%d portions are left of 10", left)
	}
	checkBalances(t, h)
}

// Control: a sweeper that does not look for changes returns the wrong dishes.
func TestExpireHolds_WithoutChangeCheck(t *testing.T) {
	t.Parallel()
	unguarded := func(query string) string {
		return dbtest.Replacing("AND seen.changes = due.changes", "")(expireLater(query))
	}
	if left := changeAgainstExpiry(t, setup(t), unguarded); left == 10 {
		t.Error("the dishes add up: the test above proves nothing")
	}
}
