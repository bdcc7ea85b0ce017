package db_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/rowlock"
)

// contendForReturnedSeats lets everybody in a full slot cancel while four workers make offers, and diners press. It
// returns how many of those who pressed got seats.
func contendForReturnedSeats(t *testing.T, w *waitlist, pressers int) (slipped int) {
	t.Helper()
	var wg sync.WaitGroup
	start := make(chan struct{})
	for n := range w.held {
		wg.Go(func() {
			<-start
			w.cancel(t, n)
		})
	}
	for range 4 {
		wg.Go(func() {
			<-start
			for range 4 {
				w.offer(t)
			}
		})
	}
	var seated atomic.Int64
	for _, id := range w.Diners(t, pressers, 0) {
		wg.Go(func() {
			<-start
			if w.press(t, id) {
				seated.Add(1)
			}
		})
	}
	close(start)
	wg.Wait()
	w.offer(t) // what the last to cancel left
	return int(seated.Load())
}

// press asks for seats past the waitlist, and returns whether the diner got some. If not, it is because the slot is
// sold out.
func (w *waitlist) press(t *testing.T, diner string) bool {
	t.Helper()
	outcomes, _, err := w.Slots.Serve(t.Context(), w.Turn(w.slot, 10, 1), []booking.Request{w.Request(diner, w.slot)})
	if err != nil {
		t.Error(err)
		return false
	}
	var full *booking.SoldOutError
	if !outcomes[0].Reserves() && !errors.As(outcomes[0].Err, &full) {
		t.Errorf("got %v, want sold out", outcomes[0].Err)
	}
	return outcomes[0].Reserves()
}

// emptied is a full slot for which twelve parties wait, and in which everybody has cancelled.
func emptied(t *testing.T, h *harness) *waitlist {
	t.Helper()
	w := newWaitlist(t, h, "12:00")
	for range 12 {
		w.join(t, 2)
	}
	for n := range w.held {
		w.cancel(t, n)
	}
	return w
}

// offered is how many live reservations there are for those who wait, and how many seats of the slot are held.
func (w *waitlist) offered(t *testing.T) (live, held int) {
	t.Helper()
	return w.Count(t, `
		SELECT count(*)
		FROM reservations
		WHERE idempotency_key LIKE 'offer-%' AND state = 'temporary' AND slot_id =
			(SELECT id FROM slots WHERE service_time = $1::time)`, string(w.slot.Time)), w.harness.held(t, w.slot)
}

func TestWaitlist_OffersOnceInOrder(t *testing.T) {
	t.Parallel()
	const rounds = 3
	h := setup(t)
	for round := range rounds {
		w := newWaitlist(t, h, booking.TimeOfDay("12:"+twoDigits(round)))
		var entries []booking.Entry
		for range 12 {
			entries = append(entries, w.join(t, 2))
		}
		slipped := contendForReturnedSeats(t, w, 8)
		if live, held := w.offered(t); live != 5 || held != 10 || slipped != 0 {
			t.Errorf("round %d: %d offers, %d seats held, %d slipped in; want 5, 10 and 0", round, live, held, slipped)
		}
		for n, e := range entries {
			w.is(t, e, map[bool]booking.EntryState{true: booking.EntryOffered, false: booking.EntryWaiting}[n < 5])
		}
	}
	checkBalances(t, h)
}

// TestWaitlist_WithoutLock has two workers read the same free seats before either offers them.
func TestWaitlist_WithoutLock(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.MustExec(t, `DROP INDEX reservations_one_live`)
	w := emptied(t, h)
	meet := dbtest.Meeting(2)
	h.Weaken(db.LockSlotsOfWaitlist, dbtest.Replacing("FOR NO KEY UPDATE", ""))
	h.Weaken(rowlock.LockUsers, unlockedUsers)
	h.Weaken(db.ClaimEntries, func(query string) string {
		return meet(dbtest.Replacing("AND w.state = 'waiting'", "")(query))
	})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { w.offer(t) })
	}
	wg.Wait()
	if live, held := w.offered(t); live <= 5 || held <= 10 {
		t.Errorf("%d offers and %d seats held without the lock: the test above proves nothing", live, held)
	}
}

// Control: a turn that does not read the waitlist gives its seats away.
func TestWaitlist_WithoutReadingIt(t *testing.T) {
	t.Parallel()
	h := setup(t)
	w := emptied(t, h)
	h.Weaken(db.ReadSlots, dbtest.Replacing(db.SomebodyWaits, "false"))
	if !w.press(t, h.Diners(t, 1, 0)[0]) {
		t.Error("nobody who pressed was before those who wait: the test above proves nothing")
	}
}
