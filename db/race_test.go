package db

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
)

// lockSlotUnguarded reads the slots as lockSlot does, but neither locks them nor looks at the fence. The rows must be there.
const lockSlotUnguarded = `
	SELECT id, capacity, closed
	FROM slots
	WHERE restaurant_id = $1 AND service_date = $2::date AND service_time = ANY ($3::time[])
		AND $4::integer IS NOT NULL AND $5::bigint IS NOT NULL
	ORDER BY service_time`

// contend lets every diner ask for two seats of a slot at the same moment, in runs of the sizes in turn, and returns how
// many got a reservation. Everybody else must be told that the slot is sold out.
func contend(t *testing.T, f *fixture, slot booking.SlotKey, diners []string, sizes ...int) int {
	t.Helper()
	turn := f.turn(slot, f.restaurant.Capacity, 1)
	var mu sync.Mutex
	var wg sync.WaitGroup
	reserved := 0
	start := make(chan struct{})
	for i := 0; len(diners) > 0; i++ {
		size := min(sizes[i%len(sizes)], len(diners))
		var run []booking.Request
		for _, id := range diners[:size] {
			run = append(run, f.request(id, slot))
		}
		diners = diners[size:]
		wg.Go(func() {
			<-start
			outcomes, _, err := f.slots.Serve(t.Context(), turn, run)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			for _, out := range outcomes {
				var soldOut *booking.SoldOutError
				if out.Reserves() {
					reserved++
				} else if !errors.As(out.Err, &soldOut) {
					t.Errorf("got %v, want a seat or sold out", out.Err)
				}
			}
		})
	}
	close(start)
	wg.Wait()
	return reserved
}

func (f *fixture) held(t testing.TB, slot booking.SlotKey) int {
	t.Helper()
	slots, err := f.slots.ListOccupancy(t.Context(), slot.RestaurantID, slot.Date, slot.Date)
	if err != nil {
		t.Fatal(err)
	}
	return slots[slot].Held
}

func TestAThousandContendersNeverOversell(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("four crowds of a thousand take seconds")
	}
	f := setup(t)
	diners := f.diners(t, 1_000, 0)
	cases := map[booking.TimeOfDay][]int{"18:00": {1}, "18:15": {64}, "18:30": {1, 64}, "18:45": {64, 1}}
	for at, sizes := range cases {
		slot := f.slot(at)
		reserved := contend(t, f, slot, diners, sizes...)
		if held := f.held(t, slot); reserved != 5 || held != 10 {
			t.Errorf("runs of %v: %d reserved and %d seats held, want 5 and 10", sizes, reserved, held)
		}
	}
}

func TestWithoutTheRowLockItOversells(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the race with the guard off goes with the one with it on")
	}
	for name, sizes := range map[string][]int{"runs of 1": {1}, "runs of 64": {64}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			f.mustMakeSlots(t, 20, f.restaurant.Capacity)
			f.weakenGuard(lockSlots, instead(lockSlotUnguarded))
			diners := f.diners(t, 256, 0)
			for minute := range 20 {
				slot := f.slot(booking.TimeOfDay("12:" + twoDigits(minute)))
				if contend(t, f, slot, diners, sizes...) > 5 && f.held(t, slot) > 10 {
					return
				}
			}
			t.Error("20 slots were contended for without the lock, and none was oversold: the test above proves nothing")
		})
	}
}

func twoDigits(n int) string { return string(rune('0'+n/10)) + string(rune('0'+n%10)) }

// crowd lets one diner ask for the same slot under many keys at once, without the slot's lock, and returns how many
// reservations are live then.
func crowd(t *testing.T, f *fixture, slot booking.SlotKey, userID string) int {
	t.Helper()
	turn := f.turn(slot, 1_000, 0)
	others := f.diners(t, 12, 0)
	var wg sync.WaitGroup
	for _, other := range others {
		run := []booking.Request{f.request(other, slot), f.request(userID, slot)}
		wg.Go(func() {
			outcomes, _, err := f.slots.Serve(t.Context(), turn, run)
			switch {
			case err != nil:
				t.Error(err)
			case !outcomes[0].Reserves():
				t.Errorf("another diner of the run got %v", outcomes[0].Err)
			case !outcomes[1].Reserves() && !errors.Is(outcomes[1].Err, booking.ErrDuplicate):
				t.Errorf("got %v, want a reservation or %v", outcomes[1].Err, booking.ErrDuplicate)
			}
		})
	}
	wg.Wait()
	return f.count(t, `
		SELECT count(*)
		FROM reservations
		WHERE user_id = $1 AND slot_id = (SELECT id FROM slots WHERE service_time = $2::time)`, userID, string(slot.Time))
}

func TestOneLiveReservationPerDinerAndSlot(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.mustMakeSlots(t, 12, 1_000)
	f.weakenGuard(lockSlots, instead(lockSlotUnguarded)) // so that the index alone decides
	for minute := range 12 {
		slot, userID := f.slot(booking.TimeOfDay("12:"+twoDigits(minute))), f.diners(t, 1, 0)[0]
		if live := crowd(t, f, slot, userID); live != 1 {
			t.Errorf("%d live reservations, want 1", live)
		}
	}
}

func TestWithoutTheIndexADinerSitsTwice(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.mustMakeSlots(t, 20, 1_000)
	f.weakenGuard(lockSlots, instead(lockSlotUnguarded))
	f.mustExec(t, `DROP INDEX reservations_one_live`)
	for minute := range 20 {
		slot, userID := f.slot(booking.TimeOfDay("12:"+twoDigits(minute))), f.diners(t, 1, 0)[0]
		if crowd(t, f, slot, userID) > 1 {
			return
		}
	}
	t.Error("no diner got two reservations without the index: the test above proves nothing")
}

// mustMakeSlots makes the rows of n slots from 12:00 on, one a minute, which lockSlotUnguarded needs.
func (f *fixture) mustMakeSlots(t testing.TB, n, capacity int) {
	t.Helper()
	for minute := range n {
		turn := f.turn(f.slot(booking.TimeOfDay("12:"+twoDigits(minute))), capacity, 0)
		if _, _, err := f.slots.Serve(t.Context(), turn, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSameKeyInTwoSlotsAtOnce lets one diner use a key in two slots at the same moment, each in a run with others.
func TestSameKeyInTwoSlotsAtOnce(t *testing.T) {
	t.Parallel()
	f := setup(t)
	for round := range 20 {
		diners := f.diners(t, 5, 0)
		key := "key-of-round-" + twoDigits(round)
		var wg sync.WaitGroup
		won := make(chan bool, 2)
		for i, at := range []string{"12:", "13:"} {
			slot := f.slot(booking.TimeOfDay(at + twoDigits(round)))
			run := []booking.Request{f.request(diners[2*i], slot), f.request(diners[4], slot), f.request(diners[2*i+1], slot)}
			run[1].IdempotencyKey = key
			wg.Go(func() {
				outcomes, _, err := f.slots.Serve(t.Context(), f.turn(slot, 20, 1), run)
				if err != nil {
					t.Error(err)
					return
				}
				if !outcomes[0].Reserves() || !outcomes[2].Reserves() {
					t.Errorf("others of the run got %v and %v", outcomes[0].Err, outcomes[2].Err)
				}
				if !outcomes[1].Reserves() && !errors.Is(outcomes[1].Err, booking.ErrKeyReused) {
					t.Errorf("got %v, want a reservation or %v", outcomes[1].Err, booking.ErrKeyReused)
				}
				won <- outcomes[1].Reserves()
			})
		}
		wg.Wait()
		if first, second := <-won, <-won; first == second {
			t.Errorf("round %d: the key won in both slots or in none: %v", round, first)
		}
	}
}

// Between reading a reservation and changing it lies a moment, in which some of these let others come in.
var (
	changeSlowly     = replacing("AND state = $2", "AND state = $2 AND pg_sleep(0.03) IS NOT NULL")
	inAnyState       = replacing("AND state = $2", "AND $2::text IS NOT NULL")
	slowlyInAnyState = replacing("AND state = $2", "AND $2::text IS NOT NULL AND pg_sleep(0.03) IS NOT NULL")
	unlocked         = replacing("FOR UPDATE OF r", "")
)

// payAgainstExpiry pays for a reservation whose hold ends while the payment is made and a sweeper looks for such, and
// returns whether it was paid and whether it was expired. The slot is closed, so that what has expired is not had again.
func payAgainstExpiry(t *testing.T, f *fixture, userID string, round int) (paid, expired bool) {
	t.Helper()
	req := f.request(userID, f.slot(booking.TimeOfDay("12:"+twoDigits(round))))
	req.HoldTime = time.Duration(round%15) * 3 * time.Millisecond
	id := f.reserve(t, req)
	f.mustExec(t, `UPDATE slots SET closed = true`)
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		defer stop()
		_, err := f.reservations.Pay(t.Context(), booking.PaymentOrder{
			ReservationID: id, UserID: userID, Kind: booking.Deposit, IdempotencyKey: "pay-" + id,
		})
		if paid = err == nil; !paid && !errors.Is(err, booking.ErrReturned) {
			t.Errorf("pay: %v", err)
		}
	})
	for !expired && ctx.Err() == nil {
		slots, err := f.reservations.ExpireHolds(t.Context(), 10)
		if err != nil {
			t.Error(err)
			break
		}
		expired = len(slots) > 0
	}
	wg.Wait()
	for !paid && !expired { // it came too late, before the sweeper saw it
		slots, err := f.reservations.ExpireHolds(t.Context(), 10)
		if err != nil {
			t.Fatal(err)
		}
		expired = len(slots) > 0
	}
	return paid, expired
}

func TestAHoldIsPaidOrExpiredNeverBoth(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the race is run many times")
	}
	f := setup(t)
	f.weakenGuard(updateState, changeSlowly)
	diner := f.diners(t, 1, 10_000_000)[0]
	paidRounds := 0
	for round := range 60 {
		if round == 30 { // the other half at full speed
			f.weaken = nil
		}
		paid, expired := payAgainstExpiry(t, f, diner, round)
		if paid == expired {
			t.Fatalf("round %d: paid %v, expired %v", round, paid, expired)
		}
		if paid {
			paidRounds++
		}
	}
	if paidRounds == 0 || paidRounds == 60 {
		t.Errorf("%d of 60 were paid: one side was never in time", paidRounds)
	}
	account, err := f.wallets.Find(t.Context(), diner)
	if err != nil || account.Balance != int64(10_000_000-20_000*paidRounds) {
		t.Errorf("balance %d after %d payments, %v", account.Balance, paidRounds, err)
	}
	if n := f.count(t, `SELECT count(*) FROM reservations WHERE state = 'confirmed' AND paid_amount = 20000`); n != paidRounds {
		t.Errorf("%d confirmed, want %d", n, paidRounds)
	}
}

func TestWithoutCompareAndSetAHoldIsBoth(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the race is run many times")
	}
	f := setup(t)
	f.weakenGuard(lockReservation, unlocked)
	f.weakenGuard(updateState, slowlyInAnyState)
	diner := f.diners(t, 1, 10_000_000)[0]
	for round := range 60 {
		if paid, expired := payAgainstExpiry(t, f, diner, round); paid && expired {
			return
		}
	}
	t.Error("no hold was both paid and expired without the guards: the test above proves nothing")
}
