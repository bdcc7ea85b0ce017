package db_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/db"
	"lunchgo/db/dbtest"
)

// lockSlotUnguarded reads the slots as lockTurn does, but locks neither them nor accounts, nor looks at the fence. The
// rows must be there.
const lockSlotUnguarded = `
	SELECT id, capacity, closed
	FROM slots
	WHERE restaurant_id = $1 AND service_date = $2::date AND service_time = ANY ($3::time[])
		AND $4::integer IS NOT NULL AND $5::bigint IS NOT NULL AND COALESCE($6::text[], '{}') IS NOT NULL
	ORDER BY service_time`

// contend lets every diner ask for two seats of a slot at the same moment, in runs of the sizes in turn, and returns
// how many got a reservation. Everybody else must get the answer that the slot is sold out.
func contend(t *testing.T, h *harness, slot booking.SlotKey, diners []string, sizes ...int) int {
	t.Helper()
	turn := h.Turn(slot, h.Restaurant.Capacity, 1)
	var mu sync.Mutex
	var wg sync.WaitGroup
	reserved := 0
	start := make(chan struct{})
	for i := 0; len(diners) > 0; i++ {
		size := min(sizes[i%len(sizes)], len(diners))
		var run []booking.Request
		for _, id := range diners[:size] {
			run = append(run, h.Request(id, slot))
		}
		diners = diners[size:]
		wg.Go(func() {
			<-start
			outcomes, _, err := h.Slots.Serve(t.Context(), turn, run)
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

func (h *harness) held(t testing.TB, slot booking.SlotKey) int {
	t.Helper()
	slots, err := h.Slots.ListOccupancy(t.Context(), slot.RestaurantID, slot.Date, slot.Date)
	dbtest.Must(t, err)
	return slots[slot].Held
}

// A thousand diners who ask at once, in runs of any size, never oversell a slot.
func TestServe_ThousandNeverOversell(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diners := h.Diners(t, 1_000, 0)
	cases := map[booking.TimeOfDay]struct {
		day   int
		sizes []int
		crowd int
	}{"18:00": {0, []int{1}, 250}, "18:15": {1, []int{64}, 1_000}, "18:30": {2, []int{1, 64}, 1_000},
		"18:45": {3, []int{64, 1}, 250}}
	for at, c := range cases {
		slot, sizes := h.Slot(at), c.sizes
		slot.Date = slot.Date.AddDays(c.day)
		reserved := contend(t, h, slot, diners[:c.crowd], sizes...)
		if held := h.held(t, slot); reserved != 5 || held != 10 {
			t.Errorf("runs of %v: %d reserved and %d seats held, want 5 and 10", sizes, reserved, held)
		}
	}
}

// TestServe_WithoutLockOversells holds turns that have read the seats until others have, before any writes.
func TestServe_WithoutLockOversells(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.mustMakeSlots(t, 2, h.Restaurant.Capacity)
	h.Weaken(db.LockSlots, dbtest.Instead(lockSlotUnguarded))
	for at, c := range map[booking.TimeOfDay]struct {
		size, crowd int
		turns       int64 // which read before one writes: so many oversell ten seats
	}{"12:00": {1, 24, 6}, "12:01": {64, 128, 2}} {
		slot := h.Slot(at)
		h.Weaken(db.InsertReservations, dbtest.Meeting(c.turns))
		if reserved := contend(t, h, slot, h.Diners(t, c.crowd, 0), c.size); reserved <= 5 || h.held(t, slot) <= 10 {
			t.Errorf("runs of %d: %d reserved and %d seats held without the lock: the test above proves nothing",
				c.size, reserved, h.held(t, slot))
		}
	}
}

// unlockedUsers leaves the accounts of diners unlocked, in which their limits are decided.
var unlockedUsers = dbtest.Replacing("FOR NO KEY UPDATE", "")

func twoDigits(n int) string { return string(rune('0'+n/10)) + string(rune('0'+n%10)) }

// crowd lets one diner ask for the same slot under many keys at once, without the slot's lock, and returns how many
// reservations are live then.
func crowd(t *testing.T, h *harness, slot booking.SlotKey, userID string) int {
	t.Helper()
	turn := h.Turn(slot, 1_000, 0)
	others := h.Diners(t, 12, 0)
	var wg sync.WaitGroup
	for _, other := range others {
		run := []booking.Request{h.Request(other, slot), h.Request(userID, slot)}
		wg.Go(func() {
			outcomes, _, err := h.Slots.Serve(t.Context(), turn, run)
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
	return h.Count(t, `
		SELECT count(*)
		FROM reservations
		WHERE user_id = $1 AND slot_id = (SELECT id FROM slots WHERE service_time = $2::time)`, userID, string(slot.Time))
}

// A diner has at most one live reservation in a slot: the index decides.
func TestServe_OneLiveReservation(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.mustMakeSlots(t, 4, 1_000)
	h.Weaken(db.LockSlots, dbtest.Instead(lockSlotUnguarded)) // so that the index alone decides
	for minute := range 4 {
		slot, userID := h.Slot(booking.TimeOfDay("12:"+twoDigits(minute))), h.Diners(t, 1, 0)[0]
		h.Weaken(db.InsertReservations, dbtest.Meeting(6))
		if live := crowd(t, h, slot, userID); live != 1 {
			t.Errorf("%d live reservations, want 1", live)
		}
	}
}

// Control: without the index a diner has two live reservations in a slot.
func TestServe_WithoutIndexTwoLiveReservations(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.mustMakeSlots(t, 1, 1_000)
	h.Weaken(db.LockSlots, dbtest.Instead(lockSlotUnguarded))
	h.Weaken(db.InsertReservations, dbtest.Meeting(2))
	h.MustExec(t, `DROP INDEX reservations_one_live`)
	if live := crowd(t, h, h.Slot("12:00"), h.Diners(t, 1, 0)[0]); live < 2 {
		t.Errorf("%d live reservations without the index: the test above proves nothing", live)
	}
}

// mustMakeSlots makes the rows of n slots from 12:00 on, one a minute, which lockSlotUnguarded needs.
func (h *harness) mustMakeSlots(t testing.TB, n, capacity int) {
	t.Helper()
	for minute := range n {
		turn := h.Turn(h.Slot(booking.TimeOfDay("12:"+twoDigits(minute))), capacity, 0)
		if _, _, err := h.Slots.Serve(t.Context(), turn, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// TestServe_SameKeyInTwoSlots lets one diner use a key in two slots at the same moment, each in a run with others.
func TestServe_SameKeyInTwoSlots(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for round := range 8 {
		diners := h.Diners(t, 5, 0)
		key := "key-of-round-" + twoDigits(round)
		var wg sync.WaitGroup
		won := make(chan bool, 2)
		for i, at := range []string{"12:", "13:"} {
			slot := h.Slot(booking.TimeOfDay(at + twoDigits(round)))
			run := []booking.Request{h.Request(diners[2*i], slot), h.Request(diners[4], slot),
				h.Request(diners[2*i+1], slot)}
			run[1].IdempotencyKey = key
			wg.Go(func() {
				outcomes, _, err := h.Slots.Serve(t.Context(), h.Turn(slot, 20, 1), run)
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
	changeSlowly = dbtest.Replacing("AND state = $2", "AND state = $2 AND pg_sleep(0.03) IS NOT NULL")
	inAnyState   = dbtest.Replacing("AND state = $2", "AND $2::text IS NOT NULL")
	unlocked     = dbtest.Replacing("FOR UPDATE OF r", "")
)

// payAgainstExpiry pays for a reservation whose hold ends while the payment is made and a sweeper looks for such, and
// returns whether it was paid and whether it was expired. The slot is closed, so that what has expired is not had
// again.
func payAgainstExpiry(t *testing.T, h *harness, req booking.Request) (paid, expired bool) {
	t.Helper()
	id := h.Reserve(t, req)
	h.MustExec(t, `UPDATE slots SET closed = true`)
	if req.HoldTime == 0 {
		expired = len(h.expire(t)) > 0
	}
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		defer stop()
		_, err := h.Pay(t, id, req.UserID, booking.Deposit, "pay-"+id)
		if paid = err == nil; !paid && !errors.Is(err, booking.ErrReturned) {
			t.Errorf("pay: %v", err)
		}
	})
	for !expired && ctx.Err() == nil {
		expired = len(h.expire(t)) > 0
	}
	wg.Wait()
	for !paid && !expired { // it came too late, before the sweeper saw it
		expired = len(h.expire(t)) > 0
	}
	return paid, expired
}

// expire ends holds and returns the slots in which some ended.
func (h *harness) expire(t testing.TB) []booking.SlotKey {
	t.Helper()
	slots, err := h.Reservations.ExpireHolds(t.Context(), 10)
	if err != nil {
		t.Error(err)
	}
	return slots
}

// TestHold_PaidOrExpiredNeverBoth has holds that are over when they are paid for, some that are not, and some that end
// in the same moments.
func TestHold_PaidOrExpiredNeverBoth(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Weaken(db.UpdateState, changeSlowly)
	diner := h.Diners(t, 1, 10_000_000)[0]
	const rounds = 30
	paidRounds := 0
	for round := range rounds {
		if round == rounds/2 { // the other half at full speed
			h.Weakening.Store(nil)
		}
		slot := h.Slot("12:00")
		slot.Date = slot.Date.AddDays(round)
		req := h.Request(diner, slot)
		req.HoldTime = []time.Duration{0, time.Minute, 3 * time.Millisecond, 9 * time.Millisecond,
			27 * time.Millisecond}[round%5]
		paid, expired := payAgainstExpiry(t, h, req)
		if paid == expired || req.HoldTime == 0 && paid || req.HoldTime == time.Minute && expired {
			t.Fatalf("round %d: a hold of %v: paid %v, expired %v", round, req.HoldTime, paid, expired)
		}
		if paid {
			paidRounds++
		}
	}
	if paidRounds == 0 || paidRounds == rounds {
		t.Errorf("%d of %d were paid: one side was never in time", paidRounds, rounds)
	}
	if balance := h.balance(t, diner); balance != int64(10_000_000-20_000*paidRounds) {
		t.Errorf("balance %d after %d payments", balance, paidRounds)
	}
	if n := h.Count(t,
		`SELECT count(*) FROM reservations WHERE state = 'confirmed' AND paid_amount = 20000`); n != paidRounds {
		t.Errorf("%d confirmed, want %d", n, paidRounds)
	}
}

// payWhileItEnds pays for a hold that ends, and is looked for by a sweeper, after the payment has read it and before it
// writes. It returns whether it was paid and whether it was expired.
func payWhileItEnds(t *testing.T, h *harness, write func(string) string) (paid, expired bool) {
	t.Helper()
	req := h.Request(h.Diners(t, 1, 100_000)[0], h.Slot("12:00"))
	req.HoldTime = time.Second
	id := h.Reserve(t, req)
	h.Weaken(db.UpdateState, func(query string) string {
		h.MustExec(t, `
			SELECT pg_sleep(greatest(0.01, extract(epoch FROM hold_expires_at - clock_timestamp())))
			FROM reservations
			WHERE id = $1`, id)
		expired = len(h.expire(t)) > 0
		return write(query)
	})
	_, err := h.Pay(t, id, req.UserID, booking.Deposit, "pay-"+id)
	return err == nil, expired
}

// A hold that ends while its payment is made is paid: the sweeper passes over it.
func TestHold_EndsDuringPayment(t *testing.T) {
	t.Parallel()
	if paid, expired := payWhileItEnds(t, setup(t), dbtest.Intact); !paid || expired {
		t.Errorf("paid %v, expired %v", paid, expired)
	}
}

// Control: without compare-and-set a hold is both paid and expired.
func TestHold_WithoutCompareAndSetIsBoth(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Weaken(db.LockReservation, unlocked)
	if paid, expired := payWhileItEnds(t, h, inAnyState); !paid || !expired {
		t.Errorf("without the guards it was paid: %v, and expired: %v: the tests above prove nothing", paid, expired)
	}
}
