package db_test

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"sync"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/payments"
	"lunchgo/app/payments/practice"
	"lunchgo/app/reserve"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/testkit"
)

// turns serves each paid change at once, as the line of its slots does when nobody waits there.
type turns struct {
	*harness
	slots *db.SlotStore
}

func (l turns) MakePaid(ctx context.Context, order booking.PaymentOrder) (made bool, err error) {
	if order.Change == nil {
		return false, booking.ErrChangedMeanwhile
	}
	r, err := db.NewReservationStore(l.slots.Pool()).Find(ctx, order.ReservationID)
	if err != nil {
		return false, err
	}
	draft := order.Change.Draft
	asked := draft.Draft(r)
	req := booking.Request{UserID: order.UserID, IdempotencyKey: order.IdempotencyKey, Ticket: rand.Text(), Slot: r.Slot,
		Stay: r.Stay, PartySize: asked.PartySize, Items: r.Items, Note: asked.Note, Allergies: asked.Allergies,
		CouponID: r.Discount.CouponID, DepositAmount: int64(asked.PartySize) * 10_000, Policy: l.Restaurant.Policy,
		Change: &booking.Change{ReservationID: r.ID, Number: order.Change.Number, From: r.Slots(), FromParty: r.PartySize,
			Quoted: *order.Quoted, PaymentID: order.PaymentID}}
	req.Slot.Time = booking.TimeOfDay(asked.Time)
	outcomes, _, err := l.slots.Serve(ctx, l.TurnOf(req, 10, 0), []booking.Request{req})
	if err == nil {
		err = outcomes[0].Err
	}
	return err == nil, err
}

// paid makes a reservation for two, whose deposit the wallet has paid; balance is what it has besides.
func (c *cashier) paid(t testing.TB, slot booking.SlotKey, balance int64) (id, diner string) {
	t.Helper()
	diner = c.Diners(t, 1, 20_000+balance)[0]
	id = c.Reserve(t, c.Request(diner, slot))
	c.MustPay(t, id, diner, booking.Deposit, "deposit")
	return id, diner
}

// toChange is an order for a change by card to another party and time, which costs so much more.
func (c *cashier) toChange(t testing.TB, id, key string, party int, at booking.TimeOfDay) booking.PaymentOrder {
	t.Helper()
	r, err := c.harness.Reservations.Find(t.Context(), id)
	dbtest.Must(t, err)
	when, amount := string(at), int64(party-r.PartySize)*10_000
	return booking.PaymentOrder{ReservationID: id, UserID: r.UserID, Kind: booking.ForChange, IdempotencyKey: key,
		Quoted: &amount, Change: &booking.PaidChange{Number: r.Changes,
			Draft: booking.ChangeDraft{PartySize: &party, Time: &when, Quoted: amount}}}
}

func (c *cashier) beginChange(t testing.TB, order booking.PaymentOrder) payments.Payment {
	t.Helper()
	p, err := c.Begin(t.Context(), order, payments.Diner{})
	dbtest.Must(t, err)
	return p
}

// wantsParty fails the test where a reservation is not of that party, at that time, for that money.
func (c *cashier) wantsParty(t testing.TB, id string, party int, at booking.TimeOfDay, paid int64) {
	t.Helper()
	r, err := c.harness.Reservations.Find(t.Context(), id)
	if err != nil || r.PartySize != party || r.Slot.Time != at || r.PaidAmount != paid {
		t.Errorf("%d come at %s for %d won, %v; want %d at %s for %d", r.PartySize, r.Slot.Time, r.PaidAmount, err, party, at,
			paid)
	}
}

// A change by card is made in its turn, captured once however often it is settled, and leaves the wallet as it was.
func TestPaidChange_PayAndChange(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ balance, amount, left int64 }{
		"an empty wallet":                      {0, 20_000, 0},
		"the wallet first":                     {5_000, 15_000, 0},
		"a provider takes no less than it can": {19_900, 1_000, 900},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newCashier(t)
			id, _ := h.paid(t, h.Slot("18:00"), c.balance)
			order := h.toChange(t, id, "change", 4, "19:00")
			p := h.beginChange(t, order)
			if again := h.beginChange(t, order); again.ID != p.ID || p.Amount != c.amount || p.Total != 20_000 {
				t.Errorf("begun twice: %+v, %+v", p, again)
			}
			h.wantsParty(t, id, 2, "18:00", 20_000)
			h.press(t, p.ID, practice.Pay)
			for range 3 {
				h.mustSettle(t, p.ID)
			}
			h.wants(t, p, payments.Capturing, booking.Confirmed, c.left)
			h.wantsParty(t, id, 4, "19:00", 40_000)
			h.work(t)
			h.mustSettle(t, p.ID)
			h.wants(t, p, payments.Paid, booking.Confirmed, c.left)
			if _, won := h.atBank(t, p.ID); won != c.amount {
				t.Errorf("the bank has %d won", won)
			}
			if n := h.Count(t, `SELECT count(*) FROM payments WHERE change IS NOT NULL OR before IS NOT NULL`); n != 0 {
				t.Errorf("%d payments keep what is decided", n)
			}
		})
	}
}

// What cannot be paid for is not begun.
func TestPaidChange_NotBegun(t *testing.T) {
	t.Parallel()
	h := newCashier(t)
	id, _ := h.paid(t, h.Slot("18:00"), 20_000)
	poor, _ := h.paid(t, h.Slot("18:00"), 0)
	held := h.Reserve(t, h.Request(h.Diners(t, 1, 0)[0], h.Slot("18:00")))
	stale := h.toChange(t, poor, "stale", 4, "18:00")
	stale.Change.Number++
	others := h.toChange(t, poor, "others", 4, "18:00")
	others.UserID = h.Diners(t, 1, 0)[0]
	nothing, free := h.toChange(t, held, "hold", 4, "18:00"), int64(0)
	nothing.Quoted = &free
	again := h.toChange(t, poor, "again", 4, "18:00")
	h.beginChange(t, again)
	more := 5
	again.Change = &booking.PaidChange{Draft: booking.ChangeDraft{PartySize: &more, Quoted: again.Change.Draft.Quoted}}
	for name, c := range map[string]struct {
		order booking.PaymentOrder
		want  error
	}{
		"the wallet has enough":        {h.toChange(t, id, "rich", 4, "18:00"), payments.ErrWalletPays},
		"a hold costs nothing":         {nothing, payments.ErrWalletPays},
		"changed meanwhile":            {stale, booking.ErrChangedMeanwhile},
		"of another diner":             {others, booking.ErrNotFound},
		"the key of another change":    {again, booking.ErrKeyReused},
		"the key of another's payment": {h.toChange(t, id, "deposit", 9, "18:00"), nil},
	} {
		if _, err := h.Begin(t.Context(), c.order, payments.Diner{}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// A change that does not fit any more when its money is ready, or costs another amount, is not made, and nothing is
// charged.
func TestPaidChange_NotMade(t *testing.T) {
	t.Parallel()
	cancel := func(t *testing.T, h *cashier, p payments.Payment) {
		_, err := h.harness.Reservations.Cancel(t.Context(), p.ReservationID, reserve.Canceller{UserID: p.UserID})
		dbtest.Must(t, err)
		h.settle(t)
	}
	for name, c := range map[string]struct {
		meanwhile   func(t *testing.T, h *cashier, p payments.Payment)
		reservation booking.State
		code        string
		wallet      int64
	}{
		"the seats are gone": {func(t *testing.T, h *cashier, _ payments.Payment) {
			for range 4 {
				h.Reserve(t, h.Request(h.Diners(t, 1, 0)[0], h.Slot("19:00")))
			}
			h.MustExec(t, `UPDATE slots SET capacity = 10`)
		}, booking.Confirmed, "sold_out", 5_000},
		"cancelled": {cancel, booking.Refunded, "wrong_state", 25_000},
		"changed in another window": {func(t *testing.T, h *cashier, p payments.Payment) {
			if _, err := h.Change(t, p.ReservationID, testkit.Party(1)); err != nil {
				t.Fatal(err)
			}
		}, booking.Confirmed, "changed_meanwhile", 15_000},
		"it costs less": {func(t *testing.T, h *cashier, p payments.Payment) {
			h.MustExec(t, `UPDATE payments SET total = 21000`)
		}, booking.Confirmed, "amount_changed", 5_000},
		"it costs more": {func(t *testing.T, h *cashier, p payments.Payment) {
			h.MustExec(t, `UPDATE payments SET total = 19000`)
		}, booking.Confirmed, "amount_changed", 5_000},
		"the wallet was used": {func(t *testing.T, h *cashier, p payments.Payment) {
			if _, err := h.Change(t, h.reserveMore(t, p.UserID), testkit.Party(2)); err == nil {
				t.Fatal("nothing was paid")
			}
		}, booking.Confirmed, "balance_too_low", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newCashier(t)
			id, _ := h.paid(t, h.Slot("18:00"), 5_000)
			p := h.beginChange(t, h.toChange(t, id, "change", 4, "19:00"))
			h.press(t, p.ID, practice.Pay)
			c.meanwhile(t, h, p)
			h.mustSettle(t, p.ID)
			h.work(t)
			h.wants(t, p, payments.Cancelled, c.reservation, c.wallet)
			if got := h.state(t, p.ID).Code; got != c.code {
				t.Errorf("the payment's code is %q, want %q", got, c.code)
			}
			if stand, won := h.atBank(t, p.ID); won != 0 || stand != payments.StandCancelled {
				t.Errorf("the bank has %d won, %s", won, stand)
			}
		})
	}
}

// reserveMore has a diner spend 5,000 won on another reservation, and returns that.
func (h *harness) reserveMore(t *testing.T, diner string) string {
	t.Helper()
	req := h.Request(diner, h.Slot("12:00"))
	req.PartySize, req.DepositAmount = 1, 5_000
	id := h.Reserve(t, req)
	h.MustPay(t, id, diner, booking.Deposit, "more")
	return id
}

// A line that stands still keeps the payment's change waiting; it is made when the line goes on.
func TestPaidChange_Paused(t *testing.T) {
	t.Parallel()
	h := newCashier(t)
	id, _ := h.paid(t, h.Slot("18:00"), 0)
	h.Reserve(t, h.Request(h.Diners(t, 1, 0)[0], h.Slot("19:00")))
	h.MustExec(t, `UPDATE slots SET paused = true WHERE service_time = '19:00'`)
	p := h.beginChange(t, h.toChange(t, id, "change", 4, "19:00"))
	h.press(t, p.ID, practice.Pay)
	order := p.Order()
	dbtest.Must(t, h.store.Ready(t.Context(), p, payments.Report{}))
	if _, err := h.Changes.MakePaid(t.Context(), order); !errors.Is(err, booking.ErrPaused) {
		t.Errorf("%v, want %v", err, booking.ErrPaused)
	}
	h.wants(t, p, payments.Authorised, booking.Confirmed, 0)
	h.MustExec(t, `UPDATE slots SET paused = false`)
	h.mustSettle(t, p.ID)
	h.work(t)
	h.wants(t, p, payments.Paid, booking.Confirmed, 0)
}

// A capture that the bank refuses takes the change back; where the old seats are gone, the reservation is cancelled, and
// what was paid comes back. The letter says which.
func TestPaidChange_CaptureRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		meanwhile   func(t *testing.T, h *cashier, id string)
		reservation booking.State
		wallet      int64
		party       int
		at          booking.TimeOfDay
		paid        int64
		letters     []string
	}{
		"it is what it was": {func(*testing.T, *cashier, string) {}, booking.Confirmed, 5_000, 2, "18:00", 20_000,
			[]string{"confirmed", "change_refused"}},
		"the seats are gone": {func(t *testing.T, h *cashier, _ string) {
			for range 5 {
				h.Reserve(t, h.Request(h.Diners(t, 1, 0)[0], h.Slot("18:00")))
			}
			h.MustExec(t, `UPDATE slots SET capacity = 10`)
		}, booking.Refunded, 25_000, 4, "19:00", 40_000, []string{"confirmed", "changed", "change_refused"}},
		"changed again": {func(t *testing.T, h *cashier, id string) {
			if _, err := h.Change(t, id, testkit.Party(3)); err != nil {
				t.Fatal(err)
			}
		}, booking.Refunded, 25_000, 3, "19:00", 30_000, []string{"confirmed", "changed", "changed", "change_refused"}},
		"cancelled": {func(t *testing.T, h *cashier, id string) {
			r, _ := h.harness.Reservations.Find(t.Context(), id)
			_, err := h.harness.Reservations.Cancel(t.Context(), id, reserve.Canceller{UserID: r.UserID})
			dbtest.Must(t, err)
		}, booking.Refunded, 25_000, 4, "19:00", 40_000, []string{"confirmed", "changed", "cancelled", "change_refused"}},
		"cancelled for half": {func(t *testing.T, h *cashier, id string) {
			r, _ := h.harness.Reservations.Find(t.Context(), id)
			h.MustExec(t,
				`UPDATE reservations SET policy = '{"tiers": [{"hoursBefore": 1, "percent": 50}]}' WHERE id = $1`, id)
			_, err := h.harness.Reservations.Cancel(t.Context(), id, reserve.Canceller{UserID: r.UserID})
			dbtest.Must(t, err)
		}, booking.Refunded, 12_500, 4, "19:00", 40_000, []string{"confirmed", "changed", "cancelled", "change_refused"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newCashier(t)
			id, diner := h.paid(t, h.Slot("18:00"), 5_000)
			h.MustExec(t, `UPDATE users SET email_confirmed_at = now()`)
			p := h.beginChange(t, h.toChange(t, id, "change", 4, "19:00"))
			h.press(t, p.ID, practice.Overdrawn)
			h.mustSettle(t, p.ID)
			h.wants(t, p, payments.Capturing, booking.Confirmed, 0)
			c.meanwhile(t, h, id)
			h.work(t)
			h.wants(t, p, payments.Refused, c.reservation, c.wallet)
			h.wantsParty(t, id, c.party, c.at, c.paid)
			var letters []string
			err := h.SQL().Select(&letters, `SELECT kind FROM mails WHERE user_id = $1 ORDER BY id`, diner)
			if err != nil || !slices.Equal(letters, c.letters) {
				t.Errorf("letters %v, %v, want %v", letters, err, c.letters)
			}
			if _, won := h.atBank(t, p.ID); won != 0 {
				t.Errorf("the bank has %d won", won)
			}
		})
	}
}

// What comes back of a reservation that two cards have paid goes to the last one first.
func TestPaidChange_RefundsOfTwoCards(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		back          func(t *testing.T, h *cashier, id, diner string)
		first, second payments.State
		left          [2]int64
	}{
		"whole": {func(t *testing.T, h *cashier, id, diner string) {
			h.MustCancel(t, id, diner)
			h.settle(t)
		}, payments.Refunded, payments.Refunded, [2]int64{0, 0}},
		"a part of the last": {func(t *testing.T, h *cashier, id, _ string) {
			if _, err := h.Change(t, id, testkit.Party(3)); err != nil {
				t.Fatal(err)
			}
		}, payments.Paid, payments.PartlyRefunded, [2]int64{20_000, 10_000}},
		"more than the last": {func(t *testing.T, h *cashier, id, _ string) {
			if _, err := h.Change(t, id, testkit.Party(1)); err != nil {
				t.Fatal(err)
			}
		}, payments.PartlyRefunded, payments.Refunded, [2]int64{10_000, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newCashier(t)
			diner := h.Diners(t, 1, 0)[0]
			first := h.begin(t, h.Reserve(t, h.Request(diner, h.Slot("18:00"))), diner, "pay")
			h.press(t, first.ID, practice.Pay)
			h.mustSettle(t, first.ID)
			second := h.beginChange(t, h.toChange(t, first.ReservationID, "change", 4, "18:00"))
			h.press(t, second.ID, practice.Pay)
			h.mustSettle(t, second.ID)
			h.work(t)
			c.back(t, h, first.ReservationID, diner)
			h.work(t)
			for i, p := range []payments.Payment{first, second} {
				want := []payments.State{c.first, c.second}[i]
				if _, won := h.atBank(t, p.ID); won != c.left[i] || h.state(t, p.ID).State != want {
					t.Errorf("card %d: %s with %d won at the bank, want %s with %d", i+1, h.state(t, p.ID).State, won, want,
						c.left[i])
				}
			}
			if left := h.balance(t, diner); left != 0 {
				t.Errorf("%d won are in the wallet", left)
			}
			h.agree(t)
		})
	}
}

// rushOfPaidChanges has diners pay for changes in two windows at two instances, while the same reservations are
// cancelled by them and by staff and changed from the wallet, and returns how many changes by card were made.
func rushOfPaidChanges(t *testing.T, h *cashier, n int) (made int) {
	t.Helper()
	other := h.cashier(t, h.Instance(t), lossy)
	ctx := context.WithoutCancel(t.Context())
	results := []practice.Result{practice.Pay, practice.Twice, practice.Pay, practice.Overdrawn, practice.Refuse}
	var rush sync.WaitGroup
	for i := range n {
		slot := h.Slot("18:00")
		slot.Date = slot.Date.AddDays(i % 3)
		id, diner := h.paid(t, slot, 5_000)
		windows := []payments.Payment{h.beginChange(t, h.toChange(t, id, "one", 4, "19:00")),
			h.beginChange(t, h.toChange(t, id, "two", 3, "18:00"))}
		smaller := h.Wanting(t, id, testkit.Party(1))
		for w, p := range windows {
			h.press(t, p.ID, results[(i+w)%len(results)])
			for _, at := range []*cashier{h, other} {
				rush.Go(func() { _, _ = at.Settle(ctx, p.ID, "") })
			}
		}
		switch i % 4 {
		case 0:
			rush.Go(func() { _, _ = h.harness.Reservations.Cancel(ctx, id, reserve.Canceller{UserID: diner}) })
		case 1:
			rush.Go(func() { _, _ = h.harness.Reservations.CancelByStaff(ctx, id, diner, "closed") })
		case 2:
			rush.Go(func() { _, _, _ = h.Slots.Serve(ctx, h.TurnOf(smaller, 10, 0), []booking.Request{smaller}) })
		}
	}
	for _, at := range []*cashier{h, other} {
		rush.Go(func() { _, _ = at.takeSteps(ctx) })
	}
	rush.Wait()
	h.MustExec(t, `UPDATE payments SET due_at = now() WHERE due_at IS NOT NULL`)
	for range 3 {
		h.settle(t)
		h.work(t)
	}
	return h.Count(t, `SELECT count(*) FROM payments WHERE kind = 'change' AND paid_at IS NOT NULL`)
}

// Whatever happens at once, each change is paid and made, or neither.
func TestPaidChange_Race(t *testing.T) {
	t.Parallel()
	h := newCashier(t)
	const diners = 24
	if made := rushOfPaidChanges(t, h, diners); made == 0 {
		t.Error("no change was made")
	}
	if open := h.Count(t,
		`SELECT count(*) FROM payments WHERE state IN ('authorised', 'capturing', 'refunding')`); open != 0 {
		t.Errorf("%d payments have not ended", open)
	}
	h.agree(t)
}

// windowCloses has the time of a payment be over while the turn makes its change, and returns what became of both.
func windowCloses(t *testing.T, h *cashier) (state payments.State, changes int) {
	t.Helper()
	id, _ := h.paid(t, h.Slot("18:00"), 0)
	p := h.beginChange(t, h.toChange(t, id, "change", 4, "19:00"))
	h.press(t, p.ID, practice.Pay)
	other := db.NewPaymentStore(h.Instance(t))
	over := make(chan struct{})
	h.Weaken(db.UpdateTerms, func(query string) string {
		go func() {
			defer close(over)
			_ = other.End(context.WithoutCancel(t.Context()), p.ID,
				payments.End{State: payments.Cancelled, Code: payments.CodeExpired, Release: true})
		}()
		dbtest.AwaitLockOr(t, h.SQL(), dbtest.Closed(over))
		return query
	})
	_, _ = h.Settle(t.Context(), p.ID, "")
	<-over
	h.Weakening.Store(nil)
	h.work(t)
	return h.state(t, p.ID).State, h.Count(t, `SELECT count(*) FROM reservation_changes`)
}

// A payment that is let go of while its change is made waits for the turn, and is captured.
func TestPaidChange_HoldsItsPayment(t *testing.T) {
	t.Parallel()
	h := newCashier(t)
	if state, changes := windowCloses(t, h); state != payments.Paid || changes != 1 {
		t.Errorf("the payment is %s, and %d changes are made", state, changes)
	}
	h.agree(t)
}

// Control: without the lock the payment is let go of first, and the change fails with it.
func TestPaidChange_WithoutLockOfItsPayment(t *testing.T) {
	t.Parallel()
	h := newCashier(t)
	h.Weaken(db.LockPaidChanges, dbtest.Replacing("FOR UPDATE", ""))
	if state, changes := windowCloses(t, h); state == payments.Paid || changes != 0 {
		t.Errorf("the payment is %s, and %d changes are made: the test above proves nothing", state, changes)
	}
}

// Control: without the states a payment is let go of whose change is made.
func TestPaidChange_RaceWithoutStates(t *testing.T) {
	t.Parallel()
	h := newCashier(t)
	id, _ := h.paid(t, h.Slot("18:00"), 0)
	p := h.beginChange(t, h.toChange(t, id, "change", 4, "19:00"))
	h.press(t, p.ID, practice.Pay)
	h.mustSettle(t, p.ID)
	h.Weaken(db.MovesPayment, dbtest.Replacing("AND state = ANY ($2::text[])", "AND $2::text[] IS NOT NULL"))
	dbtest.Must(t, h.store.End(t.Context(), p.ID, payments.End{State: payments.Cancelled, Release: true}))
	h.work(t)
	if len(h.problems(t)) == 0 {
		t.Error("a change whose payment was let go of is not noticed: the race test proves nothing")
	}
}
