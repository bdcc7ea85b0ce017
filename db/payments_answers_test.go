package db_test

import (
	"testing"
	"time"

	"lunchgo/app/payments"
	"lunchgo/app/payments/practice"
	"lunchgo/db/dbtest"
)

// What is found as it was is written once, however often it is asked for; what differs is written, and what was so
// before and is so again.
func TestPayments_AnswersThatAreNew(t *testing.T) {
	t.Parallel()
	h := newCashier(t)
	diner := h.Diners(t, 1, 0)[0]
	p := h.begin(t, h.Reserve(t, h.Request(diner, h.Slot("19:00"))), diner, "pay")
	answers := func() int {
		return h.Count(t, `SELECT count(*) FROM payment_answers WHERE payment_id = $1 AND call = 'find'`, p.ID)
	}
	for range 3 {
		h.mustSettle(t, p.ID)
	}
	if n := answers(); n != 1 {
		t.Errorf("%d answers are kept of a window that is open, want 1", n)
	}
	for _, why := range []string{"", "timeout", "timeout", ""} {
		dbtest.Must(t, h.store.Note(t.Context(), payments.Answer{PaymentID: p.ID, Call: "find",
			Report: payments.Report{PaymentID: p.ID, Stand: payments.StandPending, Amount: 1}, Error: why}))
	}
	if n := answers(); n != 4 {
		t.Errorf("%d answers are kept, want 4", n)
	}
	h.press(t, p.ID, practice.Pay)
	h.mustSettle(t, p.ID)
	if n := answers(); n != 5 {
		t.Errorf("%d answers are kept, want 5", n)
	}
	for range 2 { // each try of what changes something is kept
		dbtest.Must(t, h.store.Note(t.Context(), payments.Answer{PaymentID: p.ID, Call: "capture", Error: "lost"}))
	}
	if n := h.Count(t, `SELECT count(*) FROM payment_answers WHERE call = 'capture'`); n != 2 {
		t.Errorf("%d tries are kept, want 2", n)
	}
}

// Nobody changes what a provider answered.
func TestPayments_AnswersStay(t *testing.T) {
	t.Parallel()
	h := newCashier(t)
	diner := h.Diners(t, 1, 0)[0]
	h.begin(t, h.Reserve(t, h.Request(diner, h.Slot("19:00"))), diner, "pay")
	for _, change := range []string{`UPDATE payment_answers SET stand = 'captured'`, `DELETE FROM payment_answers`,
		`TRUNCATE payment_answers`} {
		if _, err := h.SQL().ExecContext(t.Context(), change); err == nil {
			t.Errorf("%s is allowed", change)
		}
	}
	if n := h.Count(t, `SELECT count(*) FROM payment_answers`); n != 1 {
		t.Errorf("%d answers are left, want 1", n)
	}
}

// A report that comes while the provider may not be asked has the job ask soon, and delays no step that is due before.
func TestPayments_Hasten(t *testing.T) {
	t.Parallel()
	h := newCashier(t)
	diner := h.Diners(t, 1, 0)[0]
	p := h.begin(t, h.Reserve(t, h.Request(diner, h.Slot("19:00"))), diner, "pay")
	hasten := func() {
		t.Helper()
		dbtest.Must(t, h.store.Hasten(t.Context(), p.ID, time.Second))
	}
	hasten()
	if n := h.Count(t,
		`SELECT count(*) FROM payments WHERE due_at <= clock_timestamp() + interval '1 second'`); n != 1 {
		t.Error("the job does not ask soon")
	}
	h.MustExec(t, `UPDATE payments SET due_at = '2020-01-01'`)
	hasten()
	if n := h.Count(t, `SELECT count(*) FROM payments WHERE due_at = '2020-01-01'`); n != 1 {
		t.Error("a step that was due waits")
	}
	claimed, err := h.store.Claim(t.Context(), payments.LookUps, 1, time.Minute)
	if err != nil || len(claimed) != 1 {
		t.Fatal(claimed, err)
	}
	hasten()
	dbtest.Must(t, h.store.Rest(t.Context(), claimed[0], time.Minute))
	if n := h.Count(t,
		`SELECT count(*) FROM payments WHERE due_at <= clock_timestamp() + interval '1 second'`); n != 1 {
		t.Error("what was reported while a step was taken is not asked about soon")
	}
	h.MustExec(t, `UPDATE payments SET state = 'cancelled', due_at = NULL`)
	hasten()
	if n := h.Count(t, `SELECT count(*) FROM payments WHERE due_at IS NOT NULL`); n != 1 {
		t.Error("what is reported of a cancelled payment is forgotten")
	}
}
