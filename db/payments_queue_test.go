package db_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"lunchgo/app/jobs"
	"lunchgo/app/payments"
	"lunchgo/app/payments/practice"
)

// silentToLookUps is a bank that answers no look-up until it has captured something.
type silentToLookUps struct {
	payments.Provider
	asked    chan struct{} // receives each look-up
	captured chan struct{}
}

func (s silentToLookUps) Find(ctx context.Context, p payments.Payment) (payments.Report, error) {
	select { // the test reads as many as it waits for
	case s.asked <- struct{}{}:
	default:
	}
	select {
	case <-s.captured:
		return s.Provider.Find(ctx, p)
	case <-ctx.Done():
		return payments.Report{}, payments.ErrUnsure
	}
}

func (s silentToLookUps) Capture(ctx context.Context, p payments.Payment) (payments.Report, error) {
	defer close(s.captured)
	return s.Provider.Capture(ctx, p)
}

// Money is captured though the bank leaves more look-ups without an answer than two jobs make at once, and those were
// due before.
func TestPayments_LookUpsDelayNoCapture(t *testing.T) {
	t.Parallel()
	const windows = 70
	h := newCashier(t)
	diners := h.Diners(t, windows+1, 0)
	for _, diner := range diners[1:] {
		h.begin(t, h.Reserve(t, h.Request(diner, h.Slot("19:00"))), diner, "pay")
	}
	paid := h.begin(t, h.Reserve(t, h.Request(diners[0], h.Slot("19:00"))), diners[0], "pay")
	h.press(t, paid.ID, practice.Pay)
	h.mustSettle(t, paid.ID)
	h.MustExec(t, `UPDATE payments SET due_at = now() - interval '1 minute' WHERE state = 'started'`)
	silent := silentToLookUps{h.bank, make(chan struct{}, windows+1), make(chan struct{})}
	at := h.cashier(t, h.Pool, func(payments.Provider) payments.Provider { return silent })
	run := func(job jobs.Job) {
		if _, err := job.Run(t.Context()); err != nil {
			t.Errorf("%s: %v", job.Name, err)
		}
	}
	all := at.Jobs(time.Second)
	var both sync.WaitGroup
	both.Go(func() { run(all[1]) })
	for range 32 {
		<-silent.asked
	}
	both.Go(func() { run(all[0]) })
	both.Wait()
	if p := h.state(t, paid.ID); p.State != payments.Paid {
		t.Errorf("the payment is %s", p.State)
	}
	if n := h.Count(t, `SELECT count(*) FROM payment_answers WHERE call = 'find' AND error <> ''`); n != 0 {
		t.Errorf("the capture waited until %d look-ups were given up", n)
	}
}
