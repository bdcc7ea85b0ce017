package db_test

import (
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/mail"
	"lunchgo/app/payments"
	"lunchgo/app/payments/practice"
	"lunchgo/db"
	"lunchgo/db/dbtest"
)

// ask returns a request of a host for a caller who is asked for the deposit.
func (h *harness) ask(t testing.TB, host string, slot booking.SlotKey, within time.Duration) booking.Request {
	t.Helper()
	req := h.Guest(host, slot)
	req.DepositAmount, req.HoldTime = 20_000, within
	g := req.Guest
	g.State, g.Account = booking.Temporary, rand.Text()
	g.Email = strings.ToLower(g.Account) + "@example.com"
	dbtest.Must(t, h.Users.IntroduceGuest(t.Context(), identity.User{ID: g.Account, Email: g.Email, Name: g.Name,
		Phone: g.Phone}))
	return req
}

// paidAgainstSweepers has a guest's payment settle at two instances while its hold ends and both look for such, and
// returns whether it took money and whether the seats were given back. The slot is closed: what is given back is not
// had again.
func (c *cashier) paidAgainstSweepers(t *testing.T, other *cashier, req booking.Request) (paid, expired bool) {
	t.Helper()
	id := c.Reserve(t, req)
	p := c.begin(t, id, req.Guest.Account, "pay")
	c.press(t, p.ID, practice.Pay)
	c.MustExec(t, `UPDATE slots SET closed = true`)
	c.MustExec(t, `
		UPDATE reservations
		SET hold_expires_at = clock_timestamp() + $2 * interval '1 microsecond'
		WHERE id = $1`, id, req.HoldTime.Microseconds())
	if req.HoldTime == 0 { // else it is paid in time until a sweeper has seen it
		c.expire(t)
	}
	over := make(chan struct{})
	var settling, sweeping sync.WaitGroup
	for _, at := range []*cashier{c, other} {
		settling.Go(func() {
			if _, err := at.Settle(t.Context(), p.ID, ""); err != nil {
				t.Error(err)
			}
		})
		sweeper := db.NewReservationStore(at.store.Pool())
		sweeping.Go(func() {
			for {
				if _, err := sweeper.ExpireHolds(t.Context(), 10); err != nil {
					t.Error(err)
				}
				select {
				case <-over:
					return
				default:
				}
			}
		})
	}
	settling.Wait()
	close(over)
	sweeping.Wait()
	c.work(t)
	p = c.state(t, p.ID)
	if paid = p.State == payments.Paid; !paid { // it came too late, perhaps before the sweepers saw it
		if p.State != payments.Cancelled {
			t.Fatalf("the payment is %s", p.State)
		}
		c.expire(t)
	}
	return paid, slices.Contains(c.Letters(t, req.Guest.Account), mail.Unpaid)
}

// What a guest pays by the link while the time for it ends is paid, or given back: never both, whichever of two
// instances settles it or sweeps.
func TestAsked_PaidOrGivenBackNeverBoth(t *testing.T) {
	t.Parallel()
	c := newCashier(t)
	other := c.cashier(t, c.Instance(t))
	host, paidRounds := c.Host(t), 0
	c.Weaken(db.UpdateState, changeSlowly)
	const rounds = 20
	for round := range rounds {
		if round == rounds/2 { // the other half at full speed
			c.Weakening.Store(nil)
		}
		slot := c.Slot("12:00")
		slot.Date = slot.Date.AddDays(round)
		req := c.ask(t, host, slot, []time.Duration{0, time.Minute, 3 * time.Millisecond, 9 * time.Millisecond,
			27 * time.Millisecond}[round%5])
		paid, expired := c.paidAgainstSweepers(t, other, req)
		if paid == expired || req.HoldTime == 0 && paid || req.HoldTime == time.Minute && expired {
			t.Fatalf("round %d: a hold of %v: paid %v, given back %v", round, req.HoldTime, paid, expired)
		}
		if paid {
			paidRounds++
		}
	}
	if paidRounds == 0 || paidRounds == rounds {
		t.Errorf("%d of %d were paid: one side was never in time", paidRounds, rounds)
	}
	n := c.Count(t, `SELECT count(*) FROM reservations WHERE state = 'confirmed' AND paid_amount = 20000`)
	if n != paidRounds {
		t.Errorf("%d confirmed, want %d", n, paidRounds)
	}
	c.agree(t)
}

// Control: without lock and compare-and-set a guest pays, and reads that nobody paid in time.
func TestAsked_WithoutGuardsIsBoth(t *testing.T) {
	t.Parallel()
	c := newCashier(t)
	sweeper := db.NewReservationStore(c.Instance(t))
	req := c.ask(t, c.Host(t), c.Slot("12:00"), time.Minute)
	id := c.Reserve(t, req)
	p := c.begin(t, id, req.Guest.Account, "pay")
	c.press(t, p.ID, practice.Pay)
	c.Weaken(db.LockReservation, unlocked)
	c.Weaken(db.UpdateState, func(query string) string {
		c.MustExec(t, `UPDATE reservations SET hold_expires_at = clock_timestamp() WHERE id = $1`, id)
		if _, err := sweeper.ExpireHolds(t.Context(), 10); err != nil {
			t.Error(err)
		}
		return inAnyState(query)
	})
	p = c.mustSettle(t, p.ID)
	if letters := c.Letters(t, req.Guest.Account); !p.State.TakesMoney() || !slices.Contains(letters, mail.Unpaid) {
		t.Errorf("without the guards it is %s, with the letters %v: the test above proves nothing", p.State, letters)
	}
}

// Staff decide about what awaits a deposit; what is decided stays. The guest hears of it, and waits for no turn of
// theirs.
func TestAsked_StaffDecide(t *testing.T) {
	t.Parallel()
	h := setup(t)
	host, slot := h.Host(t), h.Slot("12:00")
	req := h.ask(t, host, slot, time.Hour)
	req.Arrival = time.Now().Add(-time.Minute).UnixMicro()
	id := h.Reserve(t, req)
	later, err := h.Reservations.Postpone(t.Context(), id, host, booking.ThreeHours)
	if err != nil || time.Until(later.HoldExpiresAt) < 2*time.Hour {
		t.Errorf("until %v, %v", later.HoldExpiresAt, err)
	}
	var invalid *booking.InvalidError
	if _, err := h.Reservations.Postpone(t.Context(), id, host, booking.AnHour); !errors.As(err, &invalid) {
		t.Errorf("to an earlier time: %v", err)
	}
	waived, err := h.Reservations.Waive(t.Context(), id, host)
	if err != nil || waived.State != booking.Confirmed {
		t.Errorf("%+v, %v", waived, err)
	}
	if stored, err := h.Reservations.Find(t.Context(), id); err != nil || stored.State != booking.Confirmed ||
		stored.DepositToPay() != 0 || stored.ConfirmedAt.IsZero() {
		t.Errorf("stored: %+v, %v", stored, err)
	}
	for range 2 {
		if _, err := h.Reservations.Waive(t.Context(), id, host); !errors.Is(err, booking.ErrWrongState) {
			t.Errorf("again: %v", err)
		}
	}
	if got := h.Letters(t, req.Guest.Account); !slices.Equal(got,
		[]mail.Kind{mail.PaymentLink, mail.PaymentLink, mail.Confirmed}) {
		t.Errorf("letters: %v", got)
	}
	if n := h.Count(t, `SELECT count(*) FROM audit_log WHERE reservation_id = $1`, id); n != 3 {
		t.Errorf("%d acts are in the log", n)
	}
	own := h.Reserve(t, h.Request(h.Diners(t, 1, 0)[0], h.Slot("13:00")))
	if _, err := h.Reservations.Waive(t.Context(), own, host); !errors.Is(err, booking.ErrWrongState) {
		t.Errorf("a diner's: %v", err)
	}
	h.CheckBooks(t)
}

// The guest hears that the restaurant has cancelled, whether it says why or not; of their own cancelling they know.
func TestAsked_CancelledByStaffIsHeardOf(t *testing.T) {
	t.Parallel()
	h := setup(t)
	host := h.Host(t)
	byStaff, byGuest := h.ask(t, host, h.Slot("12:00"), time.Hour), h.ask(t, host, h.Slot("13:00"), time.Hour)
	if _, err := h.Reservations.CancelByStaff(t.Context(), h.Reserve(t, byStaff), host, ""); err != nil {
		t.Fatal(err)
	}
	h.MustCancel(t, h.Reserve(t, byGuest), byGuest.Guest.Account)
	for account, want := range map[string][]mail.Kind{ // in any order
		byStaff.Guest.Account: {mail.PaymentLink, mail.Cancelled}, byGuest.Guest.Account: {mail.PaymentLink},
	} {
		if got := h.Letters(t, account); !slices.Equal(got, want) {
			t.Errorf("letters: %v, want %v", got, want)
		}
	}
}

// A hold ends with the start of the slot at the latest, also of a slot that its guest moves to.
func TestAsked_HoldEndsWithTheStartOfItsSlot(t *testing.T) {
	t.Parallel()
	h := setup(t)
	late, early := h.Slot("20:00"), h.Slot("12:00")
	start, err := h.Restaurant.Start(early.Date, early.Time)
	dbtest.Must(t, err)
	req := h.ask(t, h.Host(t), late, time.Until(start.Add(time.Hour)))
	id := h.Reserve(t, req)
	if out, _ := h.Serve(t, h.Wanting(t, id, func(req *booking.Request) { req.Slot = early })); out.Err != nil {
		t.Fatal(out.Err)
	}
	if r, err := h.Reservations.Find(t.Context(), id); err != nil || !r.HoldExpiresAt.Equal(start) {
		t.Errorf("the hold ends at %s, %v; the slot begins at %s", r.HoldExpiresAt, err, start)
	}
}
