package db_test

import (
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/wallet"
	"lunchgo/db"
	"lunchgo/db/pg"
	"lunchgo/db/testkit"
)

// instances opens the fixture's database as so many processes of the product do.
func (h *harness) instances(t testing.TB, n int) []*db.ReservationStore {
	t.Helper()
	var stores []*db.ReservationStore
	for range n {
		pool := testkit.OpenAt(t, pg.Config{URL: h.URL, QueryTimeout: time.Minute, MaxConns: 3})
		stores = append(stores, db.NewReservationStore(pool))
	}
	return stores
}

// sweepAtOnce lets four instances sweep until done says that nothing is left, and returns how often each slot was
// listed.
func sweepAtOnce(t *testing.T, h *harness, sweep func(*db.ReservationStore) ([]booking.SlotKey, error),
	left string) map[booking.SlotKey]int {
	t.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	listed := map[booking.SlotKey]int{}
	for _, store := range h.instances(t, 4) {
		wg.Go(func() {
			for h.Count(t, left) > 0 {
				slots, err := sweep(store)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				for _, slot := range slots {
					listed[slot]++
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return listed
}

func checkListedOnce(t *testing.T, listed map[booking.SlotKey]int, want int) {
	t.Helper()
	if len(listed) != want {
		t.Errorf("%d slots were listed, want %d", len(listed), want)
	}
	for slot, times := range listed {
		if times != 1 {
			t.Errorf("%v was listed %d times", slot, times)
		}
	}
}

func TestExpireHolds_FourSweepers(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for i, diner := range h.Diners(t, 120, 0) {
		req := h.Request(diner, h.Slot(booking.TimeOfDay(twoDigits(10+i/60)+":"+twoDigits(i%60))))
		req.HoldTime = 0
		h.Reserve(t, req)
	}
	keep := h.Reserve(t, h.Request(h.Diners(t, 1, 0)[0], h.Slot("09:00")))
	listed := sweepAtOnce(t, h, func(s *db.ReservationStore) ([]booking.SlotKey, error) {
		return s.ExpireHolds(t.Context(), 7)
	},
		`SELECT count(*) FROM reservations WHERE state = 'temporary' AND hold_expires_at < now()`)
	checkListedOnce(t, listed, 120)
	if r, err := h.Reservations.Find(t.Context(), keep); err != nil || r.State != booking.Temporary {
		t.Errorf("a hold that has not ended: %+v, %v", r.State, err)
	}
	if held := h.held(t, h.Slot("10:00")); held != 0 {
		t.Errorf("%d seats are held after the expiry", held)
	}
}

func TestSettleRefunds_FourSweepers(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diners := h.Diners(t, 4, 1_000_000) // several refunds of one diner at once
	for i := range 60 {
		req := h.Request(diners[i%4], h.Slot(booking.TimeOfDay("12:"+twoDigits(i))))
		if i%10 == 9 {
			req.Policy = booking.Policy{} // nothing comes back
		}
		id := h.Reserve(t, req)
		h.MustPay(t, id, req.UserID, booking.Deposit, "pay-"+id)
		h.MustCancel(t, id, req.UserID)
	}
	if held := h.held(t, h.Slot("12:00")); held != 2 {
		t.Errorf("%d seats are held before the refund, want 2", held)
	}
	listed := sweepAtOnce(t, h, func(s *db.ReservationStore) ([]booking.SlotKey, error) {
		return s.SettleRefunds(t.Context(), 5)
	},
		`SELECT count(*) FROM reservations WHERE state = 'refund_pending'`)
	checkListedOnce(t, listed, 60)
	if n := h.Count(t, `SELECT count(*) FROM ledger_entries WHERE kind = $1 AND amount = 20000`,
		string(wallet.KindRefund)); n != 54 {
		t.Errorf("%d refunds in the ledger, want 54", n)
	}
	if n := h.Count(t, `SELECT sum(balance) FROM accounts`); n != 4*1_000_000-6*20_000 {
		t.Errorf("%d won in all wallets, want %d", n, 4*1_000_000-6*20_000)
	}
	if held := h.held(t, h.Slot("12:00")); held != 0 {
		t.Errorf("%d seats are held after the refund", held)
	}
	h.CheckBooks(t)
}

func TestSweep_NothingDue(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Confirmed(t, h.Slot("19:00"))
	if slots, err := h.Reservations.ExpireHolds(t.Context(), 10); err != nil || len(slots) != 0 {
		t.Errorf("expired %v, %v", slots, err)
	}
	if slots, err := h.Reservations.SettleRefunds(t.Context(), 10); err != nil || len(slots) != 0 {
		t.Errorf("settled %v, %v", slots, err)
	}
}
