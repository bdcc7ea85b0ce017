package db_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/payments"
	"lunchgo/app/payments/practice"
	"lunchgo/db"
	"lunchgo/db/audits"
	"lunchgo/db/backlog"
	"lunchgo/db/dbtest"
	"lunchgo/db/pg"
	"lunchgo/db/practicebank"
	"lunchgo/db/testkit"
)

// cashier is a harness whose diners pay through the practice bank.
type cashier struct {
	*harness
	store *db.PaymentStore
	bank  practice.Bank
	*payments.Service
}

// newCashier returns one whose calls to the bank pass through faults, if there are any.
func newCashier(t testing.TB, faults ...func(payments.Provider) payments.Provider) *cashier {
	t.Helper()
	h := setup(t)
	return h.cashier(t, h.Pool, faults...)
}

func (h *harness) cashier(t testing.TB, pool *pg.Pool, faults ...func(payments.Provider) payments.Provider) *cashier {
	t.Helper()
	c := &cashier{harness: h, store: db.NewPaymentStore(pool),
		bank: practice.Bank{Store: practicebank.NewStore(pool), BaseURL: "https://table.example"}}
	var provider payments.Provider = c.bank
	for _, faulty := range faults {
		provider = faulty(provider)
	}
	c.Service = payments.New(payments.Service{Provider: provider, Store: c.store, BaseURL: "https://table.example",
		Changes: turns{h,
			db.NewSlotStore(pool)}, Days: c.store, Zone: time.UTC, Now: time.Now,
		Grace: 3 * time.Minute, Refresh: func([]booking.SlotKey) {}, Log: slog.New(slog.DiscardHandler)})
	return c
}

func byCard(id, diner string, kind booking.PaymentKind, key string) booking.PaymentOrder {
	return booking.PaymentOrder{ReservationID: id, UserID: diner, Kind: kind, IdempotencyKey: key}
}

func (c *cashier) begin(t testing.TB, id, diner, key string) payments.Payment {
	t.Helper()
	p, err := c.Begin(t.Context(), byCard(id, diner, booking.Deposit, key), payments.Diner{Title: "Damdam"})
	dbtest.Must(t, err)
	return p
}

// press plays a result in the window of a payment.
func (c *cashier) press(t testing.TB, id string, result practice.Result) {
	t.Helper()
	if _, err := c.bank.Decide(t.Context(), id, result); err != nil {
		t.Fatal(err)
	}
}

func (c *cashier) mustSettle(t testing.TB, id string) payments.Payment {
	t.Helper()
	p, err := c.Settle(t.Context(), id, "")
	dbtest.Must(t, err)
	return p
}

// takeSteps runs the jobs that take steps, once each: look-ups first, since captures follow from them.
func (c *cashier) takeSteps(ctx context.Context) (int, error) {
	all := c.Jobs(time.Second)
	looked, err := all[1].Run(ctx)
	if err != nil {
		return looked, err
	}
	moved, err := all[0].Run(ctx)
	return looked + moved, err
}

// work runs the jobs until no step is due, though all that rest were due at once.
func (c *cashier) work(t testing.TB) {
	t.Helper()
	for round := range 100 {
		c.MustExec(t,
			`UPDATE payments SET due_at = now() WHERE due_at IS NOT NULL AND state NOT IN ('started', 'authorised')`)
		done, err := c.takeSteps(t.Context())
		switch {
		case err != nil:
			t.Fatal(err)
		case done == 0:
			return
		case round == 99:
			t.Fatal("the steps do not end")
		}
	}
}

func (c *cashier) state(t testing.TB, id string) payments.Payment {
	t.Helper()
	p, err := c.store.Find(t.Context(), id)
	dbtest.Must(t, err)
	return p
}

func (c *cashier) wants(t testing.TB, p payments.Payment, state payments.State, reservation booking.State, balance int64) {
	t.Helper()
	got := c.state(t, p.ID)
	r, err := c.harness.Reservations.Find(t.Context(), p.ReservationID)
	if err != nil || got.State != state || r.State != reservation {
		t.Errorf("the payment is %s (%s), its reservation %s, %v; want %s and %s", got.State, got.Code, r.State, err, state,
			reservation)
	}
	if left := c.balance(t, p.UserID); left != balance {
		t.Errorf("%d won are in the wallet, want %d", left, balance)
	}
	c.agree(t)
}

// atBank returns what the bank has taken of a payment and not given back.
func (c *cashier) atBank(t testing.TB, id string) (stand payments.Stand, won int64) {
	t.Helper()
	account, err := c.bank.Store.Find(t.Context(), id)
	dbtest.Must(t, err)
	if account.Stand == payments.StandCaptured {
		won = account.Amount - account.Returned
	}
	return account.Stand, won
}

// agree fails the test where payments, reservations, ledger and bank do not fit together.
func (c *cashier) agree(t testing.TB) {
	t.Helper()
	c.harness.CheckBooks(t)
	for _, problem := range c.problems(t) {
		t.Error(problem)
	}
}

// problems are payments that have taken money of a reservation that is not confirmed, or the other way round; what the
// bank does not have; and what the auditor finds.
func (c *cashier) problems(t testing.TB) (found []string) {
	t.Helper()
	err := c.SQL().SelectContext(t.Context(), &found, `
		SELECT 'reservation ' || r.id || ' is ' || r.state || ' with ' || count(*) FILTER (
				WHERE p.state IN ('capturing', 'paid', 'refunding', 'partly_refunded')) || ' payments that took money'
		FROM reservations r
		JOIN payments p ON p.reservation_id = r.id AND p.kind <> 'change'
		GROUP BY r.id
		HAVING (r.state IN ('confirmed', 'prepaid_confirmed')) <> (count(*) FILTER (
			WHERE p.state IN ('capturing', 'paid', 'refunding', 'partly_refunded')) = 1)
			AND r.state NOT IN ('refund_pending', 'refunded', 'cancelled')
			AND NOT EXISTS (SELECT FROM ledger_entries WHERE reservation_id = r.id AND kind IN ('deposit', 'prepay'))
		UNION ALL
		SELECT 'payment ' || p.id || ' is ' || p.state || ' (' || p.code || '), and its change is '
			|| CASE WHEN c.id IS NULL THEN 'not ' ELSE '' END || 'made'
		FROM payments p
		LEFT JOIN reservation_changes c ON c.user_id = p.user_id AND c.idempotency_key = p.idempotency_key
		WHERE p.kind = 'change' AND (c.id IS NOT NULL) <> (p.state NOT IN ('started', 'authorised', 'cancelled')
			OR p.code = 'returned') AND NOT (p.state = 'refused' AND c.id IS NULL)
		UNION ALL
		SELECT 'payment ' || p.id || ' is ' || p.state || ', at the bank ' || a.stand || ', ' || a.returned || ' returned of '
			|| p.returned
		FROM payments p
		JOIN practice_accounts a ON a.id = p.id
		WHERE p.due_at IS NULL AND (a.stand = 'captured') <> (p.state IN ('paid', 'partly_refunded', 'refunded'))
			OR p.due_at IS NULL AND a.returned <> CASE WHEN a.stand = 'captured' THEN p.returned ELSE 0 END`)
	dbtest.Must(t, err)
	report, err := audits.NewStore(c.Pool).Audit(t.Context())
	dbtest.Must(t, err)
	for _, check := range report.Checks {
		for _, finding := range check.Examples {
			found = append(found, fmt.Sprintf("%s: %s: %s", check.Check, finding.Subject, finding.Problem))
		}
	}
	return found
}

// A payment by card confirms the reservation, is captured once however often it is settled, and leaves the wallet as it
// was.
func TestPayments_PayByCard(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		balance, amount, left int64
		result                practice.Result
	}{
		"an empty wallet":                          {0, 20_000, 0, practice.Pay},
		"the wallet first":                         {5_000, 15_000, 0, practice.Twice},
		"a provider takes no less than it can":     {19_900, 1_000, 900, practice.Pay},
		"a wallet that would be enough for all of": {20_000, 0, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newCashier(t)
			diner := h.Diners(t, 1, c.balance)[0]
			id := h.Reserve(t, h.Request(diner, h.Slot("19:00")))
			if c.amount == 0 {
				_, err := h.Begin(t.Context(), byCard(id, diner, booking.Deposit, "pay"), payments.Diner{})
				if !errors.Is(err, payments.ErrWalletPays) {
					t.Errorf("%v, want %v", err, payments.ErrWalletPays)
				}
				return
			}
			before, _ := h.harness.Reservations.Find(t.Context(), id)
			p := h.begin(t, id, diner, "pay")
			if again := h.begin(t, id, diner, "pay"); again.ID != p.ID || p.Amount != c.amount || p.Total != 20_000 {
				t.Errorf("begun twice: %+v, %+v", p, again)
			}
			after, _ := h.harness.Reservations.Find(t.Context(), id)
			h.begin(t, id, diner, "another window") // prolongs nothing more
			last, _ := h.harness.Reservations.Find(t.Context(), id)
			if got := after.HoldExpiresAt.Sub(before.HoldExpiresAt); got != 3*time.Minute || p.ExpiresAt != after.HoldExpiresAt ||
				last.HoldExpiresAt != after.HoldExpiresAt {
				t.Errorf("the hold is prolonged by %s, then until %s", got, last.HoldExpiresAt)
			}
			h.press(t, p.ID, c.result)
			for range 3 {
				h.mustSettle(t, p.ID)
			}
			h.wants(t, p, payments.Capturing, booking.Confirmed, c.left)
			h.work(t)
			h.mustSettle(t, p.ID)
			h.wants(t, p, payments.Paid, booking.Confirmed, c.left)
			if stand, won := h.atBank(t, p.ID); won != c.amount {
				t.Errorf("the bank has %d won, %s", won, stand)
			}
		})
	}
}

// What a diner does in the window, or the bank, besides paying.
func TestPayments_NotPaid(t *testing.T) {
	t.Parallel()
	for result, want := range map[practice.Result]payments.State{practice.Refuse: payments.Refused,
		practice.Leave: payments.Cancelled, practice.Late: payments.Started} {
		t.Run(string(result), func(t *testing.T) {
			t.Parallel()
			h := newCashier(t)
			diner := h.Diners(t, 1, 0)[0]
			p := h.begin(t, h.Reserve(t, h.Request(diner, h.Slot("19:00"))), diner, "pay")
			h.press(t, p.ID, result)
			h.mustSettle(t, p.ID)
			h.work(t)
			h.wants(t, p, want, booking.Temporary, 0)
			again := h.begin(t, p.ReservationID, diner, "again")
			h.press(t, again.ID, practice.Pay)
			h.mustSettle(t, again.ID)
			h.work(t)
			h.wants(t, again, payments.Paid, booking.Confirmed, 0)
			if result != practice.Late {
				return
			}
			h.MustExec(t, `UPDATE practice_accounts SET known_at = now() WHERE id = $1`, p.ID)
			h.mustSettle(t, p.ID) // its authorisation has come after the other one's
			h.work(t)
			h.wants(t, p, payments.Cancelled, booking.Confirmed, 0)
			if stand, _ := h.atBank(t, p.ID); stand != payments.StandCancelled {
				t.Errorf("the bank keeps the second payment: %s", stand)
			}
		})
	}
}

// An authorisation after the hold takes the seats again if they are free; else nothing is charged.
func TestPayments_AfterTheHold(t *testing.T) {
	t.Parallel()
	for _, free := range []bool{true, false} {
		t.Run(fmt.Sprint("free ", free), func(t *testing.T) {
			t.Parallel()
			h := newCashier(t)
			diner, staff := h.Diners(t, 1, 3_000)[0], h.Diners(t, 1, 0)[0]
			p := h.begin(t, h.Reserve(t, h.Request(diner, h.Slot("19:00"))), diner, "pay")
			h.press(t, p.ID, practice.Pay)
			h.MustExec(t, `UPDATE reservations SET hold_expires_at = now()`)
			h.sweepHolds(t)
			want, reservation, balance := payments.Paid, booking.Confirmed, int64(0)
			if !free {
				dbtest.Must(t, h.SetCapacity(t, h.Slot("19:00"), 1, staff))
				want, reservation, balance = payments.Cancelled, booking.Expired, 3_000
			}
			h.mustSettle(t, p.ID)
			h.work(t)
			h.wants(t, p, want, reservation, balance)
			if _, won := h.atBank(t, p.ID); (won > 0) != free {
				t.Errorf("the bank has %d won", won)
			}
		})
	}
}

// A window that nobody comes back from is looked after, and closed when it can pay nothing any more.
func TestPayments_NobodyComesBack(t *testing.T) {
	t.Parallel()
	h := newCashier(t)
	diners := h.Diners(t, 2, 0)
	paid := h.begin(t, h.Reserve(t, h.Request(diners[0], h.Slot("19:00"))), diners[0], "pay")
	open := h.begin(t, h.Reserve(t, h.Request(diners[1], h.Slot("19:00"))), diners[1], "pay")
	h.press(t, paid.ID, practice.Pay)
	look := func() {
		t.Helper()
		h.MustExec(t, `UPDATE payments SET due_at = now() WHERE due_at IS NOT NULL`)
		if _, err := h.takeSteps(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	look()
	look()
	h.wants(t, paid, payments.Paid, booking.Confirmed, 0)
	h.wants(t, open, payments.Started, booking.Temporary, 0)
	h.MustExec(t, `UPDATE payments SET expires_at = now() - interval '10 minutes'`)
	look()
	look()
	h.wants(t, open, payments.Cancelled, booking.Temporary, 0)
	if stand, _ := h.atBank(t, open.ID); stand != payments.StandCancelled {
		t.Errorf("the window is open: %s", stand)
	}
}

// A capture that the bank refuses gives the seats back, and the wallet what it paid; the letter says so.
func TestPayments_CaptureRefused(t *testing.T) {
	t.Parallel()
	h := newCashier(t)
	diner := h.Diners(t, 1, 3_000)[0]
	h.MustExec(t, `UPDATE users SET email_confirmed_at = now()`)
	p := h.begin(t, h.Reserve(t, h.Request(diner, h.Slot("19:00"))), diner, "pay")
	h.press(t, p.ID, practice.Overdrawn)
	h.mustSettle(t, p.ID)
	h.wants(t, p, payments.Capturing, booking.Confirmed, 0)
	if waits, err := backlog.Read(t.Context(), h.Pool); err != nil || waits.Payments != 1 ||
		waits.PaymentsOldest <= 0 {
		t.Errorf("a capture waits: %+v, %v", waits, err)
	}
	h.work(t)
	h.wants(t, p, payments.Refused, booking.Refunded, 3_000)
	if waits, err := backlog.Read(t.Context(), h.Pool); err != nil || waits.Payments != 0 {
		t.Errorf("nothing waits: %+v, %v", waits, err)
	}
	if held := h.held(t, h.Slot("19:00")); held != 0 {
		t.Errorf("%d seats are held", held)
	}
	var kinds []string
	if err := h.SQL().Select(&kinds, `SELECT kind FROM mails ORDER BY id`); err != nil ||
		!slices.Equal(kinds, []string{"confirmed", "payment_refused"}) {
		t.Errorf("letters %v, %v", kinds, err)
	}
}

// A capture that is refused after the diner has cancelled pays nothing out: what the wallet paid is there again.
func TestPayments_CaptureRefusedAfterACancellation(t *testing.T) {
	t.Parallel()
	h := newCashier(t)
	diner := h.Diners(t, 1, 3_000)[0]
	p := h.begin(t, h.Reserve(t, h.Request(diner, h.Slot("19:00"))), diner, "pay")
	h.press(t, p.ID, practice.Overdrawn)
	h.mustSettle(t, p.ID)
	h.MustCancel(t, p.ReservationID, diner)
	h.work(t)
	h.settle(t)
	h.work(t)
	h.wants(t, p, payments.Refused, booking.Refunded, 3_000)
}

// reporting is a bank whose look-ups report something else than is so.
type reporting struct {
	payments.Provider
	edit func(*payments.Report)
}

func (r reporting) Find(ctx context.Context, p payments.Payment) (payments.Report, error) {
	report, err := r.Provider.Find(ctx, p)
	r.edit(&report)
	return report, err
}

// A report of another amount or currency, or of another payment, confirms nothing, and what was paid is let go of.
func TestPayments_ReportsOfSomethingElse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edit        func(*payments.Report)
		state       payments.State
		reservation booking.State
		code        string
	}{
		"as it is": {func(*payments.Report) {}, payments.Paid, booking.Confirmed, ""}, // the control
		"less": {func(r *payments.Report) { r.Amount = 100 }, payments.Cancelled, booking.Temporary,
			payments.CodeMismatch},
		"more": {func(r *payments.Report) { r.Amount = 20_001 }, payments.Cancelled, booking.Temporary,
			payments.CodeMismatch},
		"dollars": {func(r *payments.Report) { r.Currency = "USD" }, payments.Cancelled, booking.Temporary,
			payments.CodeMismatch},
		"no currency": {func(r *payments.Report) { r.Currency = "" }, payments.Cancelled, booking.Temporary,
			payments.CodeMismatch},
		"another payment": {func(r *payments.Report) { r.PaymentID = "another" }, payments.Cancelled, booking.Temporary,
			payments.CodeMismatch},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newCashier(t, func(p payments.Provider) payments.Provider { return reporting{p, c.edit} })
			diner := h.Diners(t, 1, 0)[0]
			p := h.begin(t, h.Reserve(t, h.Request(diner, h.Slot("19:00"))), diner, "pay")
			h.press(t, p.ID, practice.Pay)
			h.mustSettle(t, p.ID)
			h.work(t)
			h.wants(t, p, c.state, c.reservation, 0)
			if code := h.state(t, p.ID).Code; code != c.code {
				t.Errorf("its code is %q, want %q", code, c.code)
			}
		})
	}
}

// A window at another price than the reservation has by now pays nothing.
func TestPayments_PriceChangedMeanwhile(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int{"dearer": 3, "cheaper": 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newCashier(t)
			diner := h.Diners(t, 1, 0)[0]
			p := h.begin(t, h.Reserve(t, h.Request(diner, h.Slot("19:00"))), diner, "pay")
			if _, err := h.Change(t, p.ReservationID, testkit.Party(size)); err != nil {
				t.Fatal(err)
			}
			h.press(t, p.ID, practice.Pay)
			h.mustSettle(t, p.ID)
			h.work(t)
			h.wants(t, p, payments.Cancelled, booking.Temporary, 0)
		})
	}
}
