package db

import (
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/wallet"
)

// instances opens the fixture's database as so many processes of the product do.
func (f *fixture) instances(t testing.TB, n int) []*ReservationStore {
	t.Helper()
	var stores []*ReservationStore
	for range n {
		db := openTest(t, Config{URL: f.url, QueryTimeout: time.Minute, MaxConns: 3})
		stores = append(stores, NewReservationStore(db))
	}
	return stores
}

// sweepAtOnce lets four instances sweep until done says that nothing is left, and returns how often each slot was told.
func sweepAtOnce(t *testing.T, f *fixture, sweep func(*ReservationStore) ([]booking.SlotKey, error), left string) map[booking.SlotKey]int {
	t.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	told := map[booking.SlotKey]int{}
	for _, store := range f.instances(t, 4) {
		wg.Go(func() {
			for f.count(t, left) > 0 {
				slots, err := sweep(store)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				for _, slot := range slots {
					told[slot]++
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return told
}

func checkToldOnce(t *testing.T, told map[booking.SlotKey]int, want int) {
	t.Helper()
	if len(told) != want {
		t.Errorf("%d slots were told, want %d", len(told), want)
	}
	for slot, times := range told {
		if times != 1 {
			t.Errorf("%v was told %d times", slot, times)
		}
	}
}

// Four sweepers expire each hold once.
func TestExpireHolds_FourSweepers(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("four sweepers after 120 holds take a second")
	}
	f := setup(t)
	for i, diner := range f.diners(t, 120, 0) {
		req := f.request(diner, f.slot(booking.TimeOfDay(twoDigits(10+i/60)+":"+twoDigits(i%60))))
		req.HoldTime = 0
		f.reserve(t, req)
	}
	keep := f.reserve(t, f.request(f.diners(t, 1, 0)[0], f.slot("09:00")))
	told := sweepAtOnce(t, f, func(s *ReservationStore) ([]booking.SlotKey, error) { return s.ExpireHolds(t.Context(), 7) },
		`SELECT count(*) FROM reservations WHERE state = 'temporary' AND hold_expires_at < now()`)
	checkToldOnce(t, told, 120)
	if r, err := f.reservations.Find(t.Context(), keep); err != nil || r.State != booking.Temporary {
		t.Errorf("a hold that has not ended: %+v, %v", r.State, err)
	}
	if held := f.held(t, f.slot("10:00")); held != 0 {
		t.Errorf("%d seats are held after the expiry", held)
	}
}

// Four sweepers refund each reservation once.
func TestSettleRefunds_FourSweepers(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("sixty reservations are made, paid and cancelled")
	}
	f := setup(t)
	diners := f.diners(t, 4, 1_000_000) // several refunds of one diner at once
	for i := range 60 {
		req := f.request(diners[i%4], f.slot(booking.TimeOfDay("12:"+twoDigits(i))))
		if i%10 == 9 {
			req.Policy = booking.Policy{} // nothing comes back
		}
		id := f.reserve(t, req)
		if _, err := f.pay(t, id, req.UserID, booking.Deposit, "pay-"+id); err != nil {
			t.Fatal(err)
		}
		if _, err := f.reservations.Cancel(t.Context(), id, reserve.Canceller{UserID: req.UserID}); err != nil {
			t.Fatal(err)
		}
	}
	if held := f.held(t, f.slot("12:00")); held != 2 {
		t.Errorf("%d seats are held before the refund, want 2", held)
	}
	told := sweepAtOnce(t, f, func(s *ReservationStore) ([]booking.SlotKey, error) { return s.SettleRefunds(t.Context(), 5) },
		`SELECT count(*) FROM reservations WHERE state = 'refund_pending'`)
	checkToldOnce(t, told, 60)
	if n := f.count(t, `SELECT count(*) FROM ledger_entries WHERE kind = $1 AND amount = 20000`, string(wallet.KindRefund)); n != 54 {
		t.Errorf("%d refunds in the ledger, want 54", n)
	}
	if n := f.count(t, `SELECT sum(balance) FROM accounts`); n != 4*1_000_000-6*20_000 {
		t.Errorf("%d won in all wallets, want %d", n, 4*1_000_000-6*20_000)
	}
	if held := f.held(t, f.slot("12:00")); held != 0 {
		t.Errorf("%d seats are held after the refund", held)
	}
	checkBooks(t, f)
}

// Sweepers change nothing when nothing is due.
func TestSweep_NothingDue(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.confirmed(t, f.slot("19:00"))
	if slots, err := f.reservations.ExpireHolds(t.Context(), 10); err != nil || len(slots) != 0 {
		t.Errorf("expired %v, %v", slots, err)
	}
	if slots, err := f.reservations.SettleRefunds(t.Context(), 10); err != nil || len(slots) != 0 {
		t.Errorf("settled %v, %v", slots, err)
	}
}
