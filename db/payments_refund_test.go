package db_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"errors"
	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/app/mail"
	"lunchgo/app/payments"
	"lunchgo/app/payments/practice"
	"lunchgo/app/reports"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/letters"
	"lunchgo/db/pg"
	dbreports "lunchgo/db/reports"
	"lunchgo/db/testkit"
)

// What comes back of a payment by card goes back there, in part or whole, before it was captured or after, by a
// cancellation or a change; what the bank refuses to take back is in the wallet.
func TestPayments_Refund(t *testing.T) {
	t.Parallel()
	cancel := func(t *testing.T, h *cashier, p payments.Payment) {
		h.MustCancel(t, p.ReservationID, p.UserID)
		h.settle(t)
	}
	half := func(t *testing.T, h *cashier, p payments.Payment) {
		h.MustExec(t, `UPDATE reservations SET policy = '{"tiers": [{"hoursBefore": 1, "percent": 50}]}'`)
		cancel(t, h, p)
	}
	smaller := func(t *testing.T, h *cashier, p payments.Payment) {
		if _, err := h.Change(t, p.ReservationID, testkit.Party(1)); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		captured    bool
		back        func(t *testing.T, h *cashier, p payments.Payment)
		refused     bool
		state       payments.State
		reservation booking.State
		wallet      int64
		bank        int64
	}{
		"whole":                        {true, cancel, false, payments.Refunded, booking.Refunded, 5_000, 0},
		"before it was captured":       {false, cancel, false, payments.Cancelled, booking.Refunded, 5_000, 0},
		"half":                         {true, half, false, payments.PartlyRefunded, booking.Refunded, 0, 5_000},
		"half, before it was captured": {false, half, false, payments.PartlyRefunded, booking.Refunded, 0, 5_000},
		"a smaller party":              {true, smaller, false, payments.PartlyRefunded, booking.Confirmed, 0, 5_000},
		"refused by the bank":          {true, cancel, true, payments.Paid, booking.Refunded, 20_000, 15_000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newCashier(t)
			diner := h.Diners(t, 1, 5_000)[0]
			p := h.begin(t, h.Reserve(t, h.Request(diner, h.Slot("19:00"))), diner, "pay")
			h.press(t, p.ID, practice.Pay)
			h.mustSettle(t, p.ID)
			if c.captured {
				h.work(t)
			}
			if c.refused { // it has no money of it left
				h.MustExec(t, `UPDATE practice_accounts SET amount = amount + 1, returned = 5000`)
			}
			c.back(t, h, p)
			h.work(t)
			if c.refused {
				h.MustExec(t, `UPDATE practice_accounts SET amount = amount - 1, returned = 0`)
			}
			h.wants(t, p, c.state, c.reservation, c.wallet)
			if _, won := h.atBank(t, p.ID); won != c.bank {
				t.Errorf("the bank has %d won, want %d", won, c.bank)
			}
			h.wantsByMethod(t, c.bank)
			h.wantsLetterOfRefusedRefund(t, diner, c.refused)
		})
	}
}

// wantsLetterOfRefusedRefund looks for the letter that says what is in the wallet because the bank does not take it
// back.
func (c *cashier) wantsLetterOfRefusedRefund(t testing.TB, diner string, wanted bool) {
	t.Helper()
	letters, err := letters.NewMailStore(c.Pool).ListMails(t.Context(), diner, keyset.Request{})
	dbtest.Must(t, err)
	at := slices.IndexFunc(letters.Items, func(l mail.Note) bool { return l.Kind == mail.CardRefundRefused })
	if (at >= 0) != wanted || wanted && letters.Items[at].Given.Amount != 15_000 {
		t.Errorf("letters %+v, one of a refused refund wanted: %v", letters, wanted)
	}
}

// figures returns those of the day of the harness' slots.
func (c *cashier) figures(t testing.TB) reports.Figures {
	t.Helper()
	f := reports.Filter{Period: reports.Last(1, c.Slot("19:00").Date), Weekday: -1}
	facts, err := dbreports.NewStore(c.Pool).ReadFacts(t.Context(), c.Restaurant, f)
	dbtest.Must(t, err)
	return reports.Build(c.Restaurant, f, facts).Total
}

// wantsByMethod holds the reports to what is left at the bank, and to their own sums.
func (c *cashier) wantsByMethod(t testing.TB, bank int64) {
	t.Helper()
	f := c.figures(t)
	wallet, card := f.ByMethod()[0], f.ByMethod()[1]
	if card.Net() != bank || wallet.Net()+bank != f.Revenue() || wallet.Paid+card.Paid != f.Deposits+f.Prepaid ||
		wallet.Paid < 0 || wallet.Refunded < 0 || card.Refunded < 0 {
		t.Errorf("by wallet %+v, by card %+v of %+v; the bank has %d", wallet, card, f, bank)
	}
}

// A refund that is due is of the method that it will go back by.
func TestReports_MoneyByMethod(t *testing.T) {
	t.Parallel()
	h := newCashier(t)
	diners := append(h.Diners(t, 1, 5_000), h.Diners(t, 1, 20_000)...)
	var paid []string
	for _, diner := range diners {
		paid = append(paid, h.Reserve(t, h.Request(diner, h.Slot("19:00"))))
	}
	p := h.begin(t, paid[0], diners[0], "pay")
	h.press(t, p.ID, practice.Pay)
	h.mustSettle(t, p.ID)
	if _, err := h.harness.Reservations.Pay(t.Context(), byCard(paid[1], diners[1], booking.Deposit,
		"wallet")); err != nil {
		t.Fatal(err)
	}
	wants := func(when string, wallet, card reports.Money) {
		t.Helper()
		wallet.Method, card.Method = reports.ByWallet, reports.ByCard
		if got := h.figures(t).ByMethod(); got[0] != wallet || got[1] != card {
			t.Errorf("%s: %+v", when, got)
		}
	}
	wants("both paid", reports.Money{Paid: 25_000}, reports.Money{Paid: 15_000})
	h.MustExec(t, `UPDATE reservations SET policy = '{"tiers": [{"hoursBefore": 1, "percent": 90}]}'`)
	for i, id := range paid {
		h.MustCancel(t, id, diners[i])
	}
	wallet, card := reports.Money{Paid: 25_000, Refunded: 21_000}, reports.Money{Paid: 15_000, Refunded: 15_000}
	wants("both to be refunded", wallet, card)
	h.settle(t)
	wants("both refunded", wallet, card)
	h.work(t)
	wants("the bank has answered", wallet, card)
}

// staffGiveBackDuringARefund has staff give the rest of a payment back at the moment at which the job, which has made
// the first refund, has read that no other is asked for. It returns what the bank still has, and how many refunds
// nobody makes any more.
func staffGiveBackDuringARefund(t *testing.T, lock string) (won int64, left int) {
	t.Helper()
	g := newGiver(t)
	p := g.paid(t, 0)
	g.work(t)
	g.mustGive(t, g.give(p.ReservationID, "a", 8_000))

	job := g.Instance(t)
	var once sync.Once
	given := make(chan error, 1)
	weaken := pg.Weakening(func(guard pg.Guard, query string) string {
		switch guard {
		case db.LockRefunding:
			return lock
		case db.MovesPayment:
			once.Do(func() {
				go func() {
					_, err := g.harness.Reservations.GiveBack(context.WithoutCancel(t.Context()),
						g.give(p.ReservationID, "b", 12_000))
					given <- err
				}()
				dbtest.AwaitLockOr(t, g.SQL(), func() bool { return len(given) > 0 })
			})
		}
		return query
	})
	job.Weakening.Store(&weaken)
	g.cashier.harness.cashier(t, job).work(t)
	dbtest.Must(t, <-given)
	g.work(t)
	_, won = g.atBank(t, p.ID)
	return won, g.Count(t, `SELECT count(*) FROM payment_refunds refund JOIN payments p ON p.id = refund.payment_id
		WHERE refund.state = 'asked' AND p.due_at IS NULL`)
}

func TestPayments_RefundAskedForDuringAnother(t *testing.T) {
	t.Parallel()
	if won, left := staffGiveBackDuringARefund(t, `SELECT FROM payments WHERE id = $1 FOR UPDATE`); won != 0 || left != 0 {
		t.Errorf("the bank keeps %d won, %d refunds are forgotten", won, left)
	}
}

func TestPayments_RefundAskedForDuringAnotherUnguarded(t *testing.T) {
	t.Parallel()
	if won, left := staffGiveBackDuringARefund(t, `SELECT FROM payments WHERE id = $1`); won != 12_000 || left != 1 {
		t.Errorf("without the lock the bank keeps %d won, %d refunds are forgotten: want the second one", won, left)
	}
}

// Who has money on its way stays: it may come back to the wallet.
func TestDeleteAccount_MoneyUnderWay(t *testing.T) {
	t.Parallel()
	h := newCashier(t)
	diner := h.Diners(t, 1, 0)[0]
	p := h.begin(t, h.Reserve(t, h.Request(diner, h.Slot("19:00"))), diner, "pay")
	stays := func(while payments.State) {
		t.Helper()
		if state := h.state(t, p.ID).State; state != while {
			t.Errorf("the payment is %s, want %s", state, while)
		}
		if err := h.DeleteAccount(t, diner); !errors.Is(err, identity.ErrReservationsLeft) {
			t.Errorf("while the payment is %s: %v", while, err)
		}
	}
	h.MustExec(t, `UPDATE reservations SET hold_expires_at = now()`)
	h.sweepHolds(t)
	stays(payments.Started)
	h.press(t, p.ID, practice.Pay)
	h.mustSettle(t, p.ID)
	h.work(t)
	h.MustCancel(t, p.ReservationID, diner)
	h.settle(t)
	stays(payments.Refunding)
	h.work(t)
	dbtest.Must(t, h.DeleteAccount(t, diner))
}
