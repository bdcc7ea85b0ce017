package db_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"lunchgo/app/payments"
	"lunchgo/app/payments/practice"
	"lunchgo/app/reports"
	"lunchgo/db/backlog"
	"lunchgo/db/dbtest"
	dbreports "lunchgo/db/reports"
)

// What the bank lists of a day is set against the payments; a planted difference, either way, is found and counted.
func TestPayments_CompareDay(t *testing.T) {
	t.Parallel()
	h := newCashier(t)
	diners := h.Diners(t, 3, 0)
	var paid []payments.Payment
	for _, diner := range diners {
		p := h.begin(t, h.Reserve(t, h.Request(diner, h.Slot("19:00"))), diner, "pay")
		h.press(t, p.ID, practice.Pay)
		h.mustSettle(t, p.ID)
		paid = append(paid, p)
	}
	h.work(t)
	h.MustCancel(t, paid[0].ReservationID, diners[0])
	h.settle(t)
	h.work(t)
	compare := func(day string) []payments.Difference {
		t.Helper()
		for _, column := range []string{"payments SET paid_at", "practice_accounts SET taken_at",
			"payment_refunds SET answered_at", "practice_refunds SET created_at"} {
			h.MustExec(t, `UPDATE `+column+` = '`+day+` 12:00+00'`)
		}
		date, err := time.Parse(time.DateOnly, day)
		dbtest.Must(t, err)
		if done, err := h.CompareDay(t.Context(), date); !done || err != nil {
			t.Fatalf("%v, %v", done, err)
		}
		if again, err := h.CompareDay(t.Context(), date); again || err != nil {
			t.Errorf("compared twice: %v", err)
		}
		var found []byte
		dbtest.Must(t, h.SQL().Get(&found, `SELECT differences FROM payment_days WHERE day = $1::date`, day))
		var differences []payments.Difference
		dbtest.Must(t, json.Unmarshal(found, &differences))
		return differences
	}
	if found := compare("2040-05-01"); len(found) > 0 {
		t.Errorf("differences %+v", found)
	}
	if n := h.Count(t, `SELECT count(*) FROM payment_movements`); n != 4 {
		t.Errorf("%d movements, want 4", n)
	}
	h.MustExec(t, `UPDATE payment_movements SET fee = 560, paid_out_on = '2040-05-03' WHERE amount > 0`)
	payouts := func() []reports.Payout {
		t.Helper()
		list, err := dbreports.NewStore(h.Pool).ListPayouts(t.Context(), h.Restaurant,
			reports.Period{From: "2040-05-01", To: "2040-05-01"})
		dbtest.Must(t, err)
		return list
	}
	want := reports.Payout{Date: "2040-05-01", Payments: 3, Refunds: 1, Taken: 60_000, Returned: 20_000, Fees: 1_680}
	if list := payouts(); len(list) != 1 || list[0] != want {
		t.Errorf("payouts %+v", list)
	}
	h.MustExec(t, `UPDATE payment_movements SET paid_out_on = '2040-05-04' WHERE amount < 0`)
	want.PaidOut = "2040-05-04"
	if list := payouts(); len(list) != 1 || list[0] != want {
		t.Errorf("payouts %+v", list)
	}
	h.MustExec(t, `DELETE FROM practice_refunds`)
	h.MustExec(t, `UPDATE payments SET amount = amount - 1 WHERE id = $1`, paid[1].ID)
	found := compare("2040-05-02")
	var missing []string
	for _, d := range found {
		missing = append(missing, fmt.Sprint(d.Missing, d.Amount))
	}
	slices.Sort(missing)
	if !slices.Equal(missing, []string{"here20000", "provider-20000", "provider19999"}) {
		t.Errorf("missing %v", missing)
	}
	if backlog, err := backlog.Read(t.Context(), h.Pool); err != nil || backlog.Differences != 3 {
		t.Errorf("%+v, %v", backlog, err)
	}
}

// listless is a bank that lists nothing for a while.
type listless struct {
	payments.Provider
	away *bool
}

var errNoList = errors.New("the bank lists nothing")

func (l listless) List(ctx context.Context, day time.Time) ([]payments.Movement, error) {
	if *l.away {
		return nil, errNoList
	}
	return l.Provider.List(ctx, day)
}

// A provider that tells the time in seconds lists equal refunds of one second: each counts, also when they are listed
// again.
func TestPayments_EqualRefundsOfASecond(t *testing.T) {
	t.Parallel()
	h := newCashier(t)
	at := time.Date(2040, 5, 1, 12, 0, 0, 0, time.UTC)
	back := payments.Movement{PaymentID: "p", Amount: -5_000, At: at}
	for range 2 {
		dbtest.Must(t, h.store.EndDay(t.Context(), payments.Compared{Provider: "practice", Day: at,
			Listed: []payments.Movement{back, back}}))
	}
	if n := h.Count(t, `SELECT count(*) FROM payment_movements`); n != 2 {
		t.Errorf("%d movements, want 2", n)
	}
}

// A day whose list failed is compared again with the job's next run, and does not keep other days from being compared;
// one that was compared is not.
func TestPayments_CompareDayAgain(t *testing.T) {
	t.Parallel()
	away := true
	h := newCashier(t, func(p payments.Provider) payments.Provider { return listless{p, &away} })
	job := h.Jobs(time.Second)[2]
	run := func(want int, fails bool) {
		t.Helper()
		if compared, err := job.Run(t.Context()); compared != want || errors.Is(err, errNoList) != fails {
			t.Errorf("%d days compared, %v; want %d", compared, err, want)
		}
	}
	pass := func(d time.Duration) {
		h.MustExec(t, `UPDATE payment_days SET due_at = due_at - make_interval(secs => $1)`, d.Seconds())
	}
	run(0, true)
	if n := h.Count(t, `SELECT count(*) FROM payment_days`); n != 8 {
		t.Errorf("%d days were tried, want 8", n)
	}
	away = false
	run(0, false) // another instance keeps off
	pass(job.Every)
	run(8, false)
	pass(job.Every)
	run(0, false)
	pass(6 * time.Hour)
	run(8, false)
}
