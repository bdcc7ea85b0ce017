package db_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/payments"
	"lunchgo/app/payments/practice"
	"lunchgo/app/reserve"
	"lunchgo/app/wallet"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/testkit"
)

// paying is a reservation whose payment by card is to be settled, and what rivals make use of.
type paying struct {
	payments.Payment
	second  payments.Payment // of another window, paid too
	smaller booking.Request
	others  booking.Request // for all seats but one
}

// outcome is what became of a payment, of its reservation and of its diner's wallet, and whether the books agree and
// the reservation costs what was paid.
type outcome struct {
	payment     payments.State
	reservation booking.State
	wallet      int64
	agree       bool
}

// rivals are what another instance may do to a reservation while its payment is settled, and what comes of both.
var rivals = map[string]struct {
	act  func(ctx context.Context, at *cashier, p paying) error
	want outcome
}{
	"its diner cancels": {func(ctx context.Context, at *cashier, p paying) error {
		_, err := at.harness.Reservations.Cancel(ctx, p.ReservationID, reserve.Canceller{UserID: p.UserID})
		return err
	}, outcome{payments.Cancelled, booking.Refunded, 0, true}},
	"staff cancel": {func(ctx context.Context, at *cashier, p paying) error {
		_, err := at.harness.Reservations.CancelByStaff(ctx, p.ReservationID, p.UserID, "closed")
		return err
	}, outcome{payments.Cancelled, booking.Refunded, 0, true}},
	"its hold ends, and others want its seats": {func(ctx context.Context, at *cashier, p paying) error {
		_, err := at.SQL().ExecContext(ctx, `UPDATE reservations SET hold_expires_at = now()`)
		if err == nil {
			_, err = at.harness.Reservations.ExpireHolds(ctx, 10)
		}
		if err == nil {
			_, _, err = at.Slots.Serve(ctx, at.TurnOf(p.others, 10, 0), []booking.Request{p.others})
		}
		return err
	}, outcome{payments.Paid, booking.Confirmed, 0, true}},
	"its party changes": {func(ctx context.Context, at *cashier, p paying) error {
		_, _, err := at.Slots.Serve(ctx, at.TurnOf(p.smaller, 10, 0), []booking.Request{p.smaller})
		return err
	}, outcome{payments.PartlyRefunded, booking.Confirmed, 0, true}},
	"another window is paid": {func(ctx context.Context, at *cashier, p paying) error {
		_, err := at.Settle(ctx, p.second.ID, "")
		return err
	}, outcome{payments.Paid, booking.Confirmed, 0, true}},
	"the wallet pays": {func(ctx context.Context, at *cashier, p paying) error {
		_, _, err := at.Wallets.Charge(ctx, wallet.Charge{UserID: p.UserID, Amount: 20_000, IdempotencyKey: "charge"})
		if err == nil {
			_, err = at.harness.Reservations.Pay(ctx, byCard(p.ReservationID, p.UserID, booking.Deposit, "wallet"))
		}
		if errors.Is(err, booking.ErrAlreadyPaid) {
			err = nil
		}
		return err
	}, outcome{payments.Paid, booking.Confirmed, 20_000, true}},
}

// settleAgainst settles a payment, and has a rival act when the reservation was read and is not written yet.
func settleAgainst(t *testing.T, h *cashier, act func(context.Context, *cashier, paying) error,
	write func(string) string) outcome {
	t.Helper()
	elsewhere := newHarness(h.Instance(t), h.URL)
	elsewhere.Restaurant, elsewhere.Menu = h.Restaurant, h.Menu
	at := elsewhere.cashier(t, elsewhere.Pool)
	elsewhere.Weakening.Store(nil)
	diners := h.Diners(t, 2, 0)
	id := h.Reserve(t, h.Request(diners[0], h.Slot("19:00")))
	p := paying{h.begin(t, id, diners[0], "pay"), h.begin(t, id, diners[0], "again"),
		h.Wanting(t, id, testkit.Party(1)),
		h.Request(diners[1], h.Slot("19:00"))}
	testkit.Party(9)(&p.others)
	h.MustExec(t, `UPDATE slots SET capacity = 10`)
	h.press(t, p.ID, practice.Pay)
	h.press(t, p.second.ID, practice.Pay)
	over := make(chan error, 1)
	done := make(chan struct{})
	var once sync.Once
	h.Weaken(db.UpdateState, func(query string) string {
		once.Do(func() {
			go func() {
				defer close(done)
				over <- act(context.WithoutCancel(t.Context()), at, p)
			}()
			dbtest.AwaitLockOr(t, h.SQL(), dbtest.Closed(done))
		})
		return write(query)
	})
	_, _ = h.Settle(t.Context(), p.ID, "")
	dbtest.Must(t, <-over)
	h.Weakening.Store(nil)
	h.settle(t)
	h.work(t)
	r, err := h.harness.Reservations.Find(t.Context(), id)
	dbtest.Must(t, err)
	fits := !r.State.IsConfirmed() || r.PaidAmount == r.DepositAmount
	return outcome{h.state(t, p.ID).State, r.State, h.balance(t, diners[0]), fits && len(h.problems(t)) == 0}
}

// Whatever happens to a reservation while its payment is settled comes before or after.
func TestPayments_AgainstRivals(t *testing.T) {
	t.Parallel()
	for name, rival := range rivals { // in any order
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := settleAgainst(t, newCashier(t), rival.act, dbtest.Intact); got != rival.want {
				t.Errorf("%+v, want %+v", got, rival.want)
			}
		})
	}
}

// Control: where the payment neither locks the reservation nor looks at its state when it writes, both take effect.
func TestPayments_AgainstRivalsUnguarded(t *testing.T) {
	t.Parallel()
	for name, rival := range rivals { // in any order
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newCashier(t)
			h.Weaken(db.LockReservation, unlocked)
			if got := settleAgainst(t, h, rival.act, inAnyState); got == rival.want {
				t.Errorf("%+v as with the guards: the test above proves nothing", got)
			}
		})
	}
}

// late is a bank that answers the first look-up when the test says so, by what the test says.
type late struct {
	payments.Provider
	once          *sync.Once
	asked, answer chan struct{}
	stand         payments.Stand
}

func (l late) Find(ctx context.Context, p payments.Payment) (r payments.Report, err error) {
	r, err = l.Provider.Find(ctx, p)
	l.once.Do(func() {
		close(l.asked)
		<-l.answer
		r.Stand = l.stand
	})
	return r, err
}

// settleLate settles a payment twice: the answer to the first question comes last. Between, meanwhile happens.
func settleLate(t *testing.T, h *cashier, stand payments.Stand, meanwhile func(p payments.Payment)) payments.Payment {
	t.Helper()
	l := late{h.bank, new(sync.Once), make(chan struct{}), make(chan struct{}), stand}
	slow := h.cashier(t, h.Pool, func(payments.Provider) payments.Provider { return l })
	diner := h.Diners(t, 1, 0)[0]
	p := h.begin(t, h.Reserve(t, h.Request(diner, h.Slot("19:00"))), diner, "pay")
	done := make(chan error)
	h.press(t, p.ID, practice.Pay)
	go func() {
		_, err := slow.Settle(t.Context(), p.ID, "")
		done <- err
	}()
	<-l.asked
	meanwhile(p)
	close(l.answer)
	dbtest.Must(t, <-done)
	h.work(t)
	return p
}

// Answers of the bank that come out of order change nothing that was decided by then.
func TestPayments_AnswersOutOfOrder(t *testing.T) {
	t.Parallel()
	for _, stand := range []payments.Stand{payments.StandPending, payments.StandRefused, payments.StandCancelled} {
		t.Run("paid, then "+string(stand), func(t *testing.T) {
			t.Parallel()
			h := newCashier(t)
			p := settleLate(t, h, stand, func(p payments.Payment) { h.mustSettle(t, p.ID) })
			h.wants(t, p, payments.Paid, booking.Confirmed, 0)
		})
	}
	for name, end := range map[string]payments.End{
		"its time is over, then authorised": {State: payments.Cancelled, Code: payments.CodeExpired, Release: true},
		"left, then authorised":             {State: payments.Cancelled, Code: payments.CodeLeft},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newCashier(t)
			p := settleLate(t, h, payments.StandAuthorised, func(p payments.Payment) {
				dbtest.Must(t, h.store.End(t.Context(), p.ID, end))
			})
			h.wants(t, p, payments.Cancelled, booking.Temporary, 0)
			if stand, _ := h.atBank(t, p.ID); stand != payments.StandCancelled {
				t.Errorf("the bank keeps the money: %s", stand)
			}
		})
	}
}

// Control: without the states what was so overwrites what is.
func TestPayments_AnswersOutOfOrderUnguarded(t *testing.T) {
	t.Parallel()
	h := newCashier(t)
	settleLate(t, h, payments.StandCancelled, func(p payments.Payment) {
		h.mustSettle(t, p.ID)
		h.Weaken(db.MovesPayment, dbtest.Replacing("AND state = ANY ($2::text[])", "AND $2::text[] IS NOT NULL"))
	})
	if len(h.problems(t)) == 0 {
		t.Error("a confirmed reservation whose payment was let go of is not noticed: the test above proves nothing")
	}
}

// The wallet may pay while a window is open, under its key too: what is paid there afterwards is let go of, and the
// same key finds the reservation.
func TestPayments_WalletPaysWhileAWindowIsOpen(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"pay", "another"} {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			h := newCashier(t)
			diner := h.Diners(t, 1, 0)[0]
			p := h.begin(t, h.Reserve(t, h.Request(diner, h.Slot("19:00"))), diner, "pay")
			_, _, err := h.Wallets.Charge(t.Context(), wallet.Charge{UserID: diner, Amount: 25_000,
				IdempotencyKey: "charge"})
			dbtest.Must(t, err)
			h.MustPay(t, p.ReservationID, diner, booking.Deposit, key)
			if _, err := h.Begin(t.Context(), byCard(p.ReservationID, diner, booking.Deposit, key),
				payments.Diner{}); !errors.Is(err, booking.ErrAlreadyPaid) {
				t.Errorf("begun again: %v", err)
			}
			h.press(t, p.ID, practice.Pay)
			h.mustSettle(t, p.ID)
			h.work(t)
			h.wants(t, p, payments.Cancelled, booking.Confirmed, 5_000)
			if stand, _ := h.atBank(t, p.ID); stand != payments.StandCancelled ||
				h.state(t, p.ID).Code != booking.ErrAlreadyPaid.Code {
				t.Errorf("%s at the bank, %s", stand, h.state(t, p.ID).Code)
			}
		})
	}
}

// A window stays open for as long as the hold lasts that its diner or staff prolong.
func TestPayments_ProlongedHold(t *testing.T) {
	t.Parallel()
	h := newCashier(t)
	diner := h.Diners(t, 1, 0)[0]
	req := h.Request(diner, h.Slot("19:00"))
	req.Policy = h.Restaurant.Terms(2)
	p := h.begin(t, h.Reserve(t, req), diner, "pay")
	r, err := h.harness.Reservations.Extend(t.Context(), p.ReservationID, diner)
	dbtest.Must(t, err)
	if until := h.state(t, p.ID).ExpiresAt; !until.Equal(r.HoldExpiresAt) || !until.After(p.ExpiresAt) {
		t.Errorf("the window is open until %s, the hold lasts until %s", until, r.HoldExpiresAt)
	}
	later := h.begin(t, p.ReservationID, diner, "another window")
	if !later.ExpiresAt.Equal(r.HoldExpiresAt) {
		t.Errorf("another window is open until %s", later.ExpiresAt)
	}
}
