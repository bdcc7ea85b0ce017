package db

import (
	"errors"
	"sync"
	"testing"

	"lunchgo/app/booking"
)

// scramble lets everybody in a full slot cancel while four workers make offers, and diners press. It returns how many of
// those who pressed got seats.
func scramble(t *testing.T, w *waitlist, pressers int) (slipped int) {
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
	var mu sync.Mutex
	for _, id := range w.diners(t, pressers, 0) {
		wg.Go(func() {
			<-start
			outcomes, _, err := w.slots.Serve(t.Context(), w.turn(w.slot, 10, 1), []booking.Request{w.request(id, w.slot)})
			var full *booking.SoldOutError
			switch {
			case err != nil:
				t.Error(err)
			case outcomes[0].Reserves():
				mu.Lock()
				defer mu.Unlock()
				slipped++
			case !errors.As(outcomes[0].Err, &full):
				t.Errorf("got %v, want sold out", outcomes[0].Err)
			}
		})
	}
	close(start)
	wg.Wait()
	w.offer(t) // what the last to cancel left
	return slipped
}

// offered is how many live reservations there are for those who wait, and how many seats of the slot are held.
func (w *waitlist) offered(t *testing.T) (live, held int) {
	t.Helper()
	return w.count(t, `
		SELECT count(*)
		FROM reservations
		WHERE idempotency_key LIKE 'offer-%' AND state = 'temporary' AND slot_id =
			(SELECT id FROM slots WHERE service_time = $1::time)`, string(w.slot.Time)), w.fixture.held(t, w.slot)
}

func TestReturnedSeatsGoToTheWaitlistOnceAndInOrder(t *testing.T) {
	t.Parallel()
	rounds := 3
	if testing.Short() {
		rounds = 1
	}
	f := setup(t)
	for round := range rounds {
		w := newWaitlist(t, f, booking.TimeOfDay("12:"+twoDigits(round)))
		var entries []booking.Entry
		for range 12 {
			entries = append(entries, w.join(t, 2))
		}
		slipped := scramble(t, w, 8)
		if live, held := w.offered(t); live != 5 || held != 10 || slipped != 0 {
			t.Errorf("round %d: %d offers, %d seats held, %d slipped in; want 5, 10 and 0", round, live, held, slipped)
		}
		for n, e := range entries {
			w.is(t, e, map[bool]booking.EntryState{true: booking.EntryOffered, false: booking.EntryWaiting}[n < 5])
		}
	}
	f.balances(t)
}

func TestWithoutTheSlotsLockSeatsAreOfferedTwice(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the race with the guard off goes with the whole one with it on")
	}
	f := setup(t)
	f.weakenGuard(lockSlotsOfWaitlist, replacing("FOR NO KEY UPDATE", ""))
	f.weakenGuard(claimEntries, replacing("AND w.state = 'waiting'", "AND pg_sleep(0.02) IS NOT NULL"))
	f.mustExec(t, `DROP INDEX reservations_one_live`)
	for round := range 20 {
		w := newWaitlist(t, f, booking.TimeOfDay("12:"+twoDigits(round)))
		for range 12 {
			w.join(t, 2)
		}
		scramble(t, w, 0)
		if live, held := w.offered(t); live > 5 && held > 10 {
			return
		}
	}
	t.Error("in 20 slots no seat was offered twice without the lock: the test above proves nothing")
}

func TestWithoutTheListATurnLetsPressersSlipIn(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.weakenGuard(readSlots, replacing(waitlistInto, "SELECT NULL::json"))
	for round := range 20 {
		w := newWaitlist(t, f, booking.TimeOfDay("12:"+twoDigits(round)))
		for range 12 {
			w.join(t, 2)
		}
		if scramble(t, w, 8) > 0 {
			return
		}
	}
	t.Error("in 20 slots nobody who pressed was before those who wait: the test above proves nothing")
}
