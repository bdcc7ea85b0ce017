package db_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/payments"
	"lunchgo/app/payments/practice"
	"lunchgo/app/reserve"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/testkit"
)

// losing is a bank that does what it is asked and loses the answer, once for each call of each payment.
type losing struct {
	payments.Provider
	mu   sync.Mutex
	lost map[string]bool
}

func lossy(p payments.Provider) payments.Provider {
	return &losing{Provider: p, lost: map[string]bool{}}
}

func (l *losing) lose(call string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lost[call] {
		return nil
	}
	l.lost[call] = true
	return fmt.Errorf("%w: the answer was lost", payments.ErrUnsure)
}

func (l *losing) Begin(ctx context.Context, o payments.Order) (payments.Opened, error) {
	opened, err := l.Provider.Begin(ctx, o)
	return opened, errors.Join(err, l.lose("begin"+o.ID))
}

func (l *losing) Find(ctx context.Context, p payments.Payment) (payments.Report, error) {
	r, err := l.Provider.Find(ctx, p)
	return r, errors.Join(err, l.lose("find"+p.ID))
}

func (l *losing) Capture(ctx context.Context, p payments.Payment) (payments.Report, error) {
	r, err := l.Provider.Capture(ctx, p)
	return r, errors.Join(err, l.lose("capture"+p.ID))
}

func (l *losing) Cancel(ctx context.Context, p payments.Payment) error {
	return errors.Join(l.Provider.Cancel(ctx, p), l.lose("cancel"+p.ID))
}

func (l *losing) Refund(ctx context.Context, p payments.Payment, refund payments.Refund) (payments.Report, error) {
	r, err := l.Provider.Refund(ctx, p, refund)
	return r, errors.Join(err, l.lose("refund"+refund.ID))
}

// Every answer of the bank is lost once; the payment is taken once, and goes back once.
func TestPayments_LostAnswers(t *testing.T) {
	t.Parallel()
	h := newCashier(t, lossy)
	diner := h.Diners(t, 1, 0)[0]
	id := h.Reserve(t, h.Request(diner, h.Slot("19:00")))
	begin := func() (payments.Payment, error) {
		return h.Begin(t.Context(), byCard(id, diner, booking.Deposit, "pay"), payments.Diner{})
	}
	if _, err := begin(); !errors.Is(err, payments.ErrAway) {
		t.Fatalf("%v, want %v", err, payments.ErrAway)
	}
	p, err := begin()
	if err != nil || p.CheckoutURL == "" {
		t.Fatalf("%+v, %v", p, err)
	}
	h.press(t, p.ID, practice.Pay)
	if _, err := h.Settle(t.Context(), p.ID, ""); !errors.Is(err, payments.ErrUnsure) {
		t.Fatalf("%v, want %v", err, payments.ErrUnsure)
	}
	h.mustSettle(t, p.ID)
	h.work(t)
	h.wants(t, p, payments.Paid, booking.Confirmed, 0)
	h.MustCancel(t, id, diner)
	h.settle(t)
	h.work(t)
	h.wants(t, p, payments.Refunded, booking.Refunded, 0)
	if n := h.Count(t, `SELECT count(*) FROM payment_answers WHERE error <> ''`); n != 4 {
		t.Errorf("%d lost answers are in the record, want 4", n)
	}
}

// rushOfPayments has many diners pay at two instances while windows are left, doubled and closed, holds end, and
// reservations are changed and cancelled, by their diners and by staff. Every payment ends.
func rushOfPayments(t *testing.T, h *cashier, n int) {
	t.Helper()
	other := h.cashier(t, h.Instance(t), lossy)
	slot, diners := h.Slot("19:00"), h.Diners(t, n, 0)
	results := []practice.Result{practice.Pay, practice.Pay, practice.Twice, practice.Refuse, practice.Leave,
		practice.Overdrawn}
	var rush sync.WaitGroup
	var windows atomic.Int64
	for i, diner := range diners {
		id := h.Reserve(t, h.Request(diner, slot))
		first, second := h.begin(t, id, diner, "one"), h.begin(t, id, diner, "two")
		windows.Add(2)
		h.press(t, first.ID, results[i%len(results)])
		h.press(t, second.ID, results[(i/2)%len(results)])
		for _, p := range []payments.Payment{first, second} {
			for _, at := range []*cashier{h, other} {
				rush.Go(func() { _, _ = at.Settle(context.WithoutCancel(t.Context()), p.ID, "") })
			}
			rush.Go(func() { // its time is over
				_ = h.store.End(context.WithoutCancel(t.Context()), p.ID,
					payments.End{State: payments.Cancelled, Code: payments.CodeExpired, Release: true})
			})
		}
		smaller, ctx := h.Wanting(t, id, testkit.Party(1)), context.WithoutCancel(t.Context())
		rush.Go([]func(){
			func() { _, _ = h.harness.Reservations.Cancel(ctx, id, reserve.Canceller{UserID: diner}) },
			func() { _, _ = h.harness.Reservations.CancelByStaff(ctx, id, diner, "closed") },
			func() { _, _, _ = h.Slots.Serve(ctx, h.TurnOf(smaller, 10, 0), []booking.Request{smaller}) },
			func() {
				_, _ = h.SQL().ExecContext(ctx, `UPDATE reservations SET hold_expires_at = now() WHERE id = $1`, id)
				_, _ = h.harness.Reservations.ExpireHolds(ctx, n)
			},
		}[i/6%4])
	}
	rush.Wait()
	for range 3 {
		var at sync.WaitGroup
		for _, c := range []*cashier{h, other} {
			at.Go(func() {
				if _, err := c.takeSteps(context.WithoutCancel(t.Context())); err != nil {
					t.Error(err)
				}
			})
		}
		at.Wait()
		h.settle(t)
		h.work(t)
	}
	if left := h.Count(t,
		`SELECT count(*) FROM payments WHERE state IN ('authorised', 'capturing', 'refunding')`); left != 0 {
		t.Errorf("%d of %d payments have not ended", left, windows.Load())
	}
}

// Whatever happens at once, money is taken for confirmed reservations only, and once.
func TestPayments_Race(t *testing.T) {
	t.Parallel()
	h := newCashier(t)
	rushOfPayments(t, h, 60)
	h.agree(t)
}

// Without the guard a payment that was let go of is captured after all, or the other way round.
func TestPayments_RaceWithoutStates(t *testing.T) {
	t.Parallel()
	h := newCashier(t)
	diner := h.Diners(t, 1, 0)[0]
	p := h.begin(t, h.Reserve(t, h.Request(diner, h.Slot("19:00"))), diner, "pay")
	h.press(t, p.ID, practice.Pay)
	h.Weaken(db.MovesPayment, dbtest.Replacing("AND state = ANY ($2::text[])", "AND $2::text[] IS NOT NULL"))
	h.mustSettle(t, p.ID)
	dbtest.Must(t, h.store.End(t.Context(), p.ID, payments.End{State: payments.Cancelled, Release: true}))
	h.work(t)
	if len(h.problems(t)) == 0 {
		t.Error("a confirmed reservation whose payment was let go of is not noticed: the test above proves nothing")
	}
}
