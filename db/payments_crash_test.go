package db_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/payments"
	"lunchgo/app/payments/practice"
	"lunchgo/app/reserve"
	"lunchgo/db/dbtest"
	"lunchgo/db/pg"
)

// life is of a process that ends at one of its steps: before the step takes effect, or after it and before the process
// knows. Nothing that it does later takes effect.
type life struct {
	steps, last int
	after       bool
	over        bool
}

var errDead = errors.New("the process has ended")

// step does what a living process does.
func (l *life) step(do func() error) error {
	if l.over {
		return errDead
	}
	l.steps++
	if l.steps != l.last {
		return do()
	}
	if l.over = true; l.after {
		_ = do()
	}
	return errDead
}

// mortalStore and mortalBank are what a process with such a life works with.
type mortalStore struct {
	payments.Store
	*life
}

func (m mortalStore) Begin(ctx context.Context, n payments.NewPayment) (p payments.Payment, err error) {
	err = m.step(func() (err error) { p, err = m.Store.Begin(ctx, n); return err })
	return p, err
}

func (m mortalStore) Open(ctx context.Context, id string, o payments.Opened) error {
	return m.step(func() error { return m.Store.Open(ctx, id, o) })
}

func (m mortalStore) Note(ctx context.Context, a payments.Answer) error {
	return m.step(func() error { return m.Store.Note(ctx, a) })
}

func (m mortalStore) Authorise(ctx context.Context, p payments.Payment, r payments.Report) (res booking.Reservation,
	err error) {
	err = m.step(func() (err error) { res, err = m.Store.Authorise(ctx, p, r); return err })
	return res, err
}

func (m mortalStore) Ready(ctx context.Context, p payments.Payment, r payments.Report) error {
	return m.step(func() error { return m.Store.Ready(ctx, p, r) })
}

func (m mortalStore) RefuseCapture(ctx context.Context, id, code string) (slots []booking.SlotKey, err error) {
	err = m.step(func() (err error) { slots, err = m.Store.RefuseCapture(ctx, id, code); return err })
	return slots, err
}

// mortalTurns are the turns that such a process serves.
type mortalTurns struct {
	payments.Changes
	*life
}

func (m mortalTurns) MakePaid(ctx context.Context, order booking.PaymentOrder) (made bool, err error) {
	err = m.step(func() (err error) { made, err = m.Changes.MakePaid(ctx, order); return err })
	return made && err == nil, err
}

func (m mortalStore) Claim(ctx context.Context, kind payments.Step, n int, lease time.Duration) (due []payments.Due,
	err error) {
	err = m.step(func() (err error) { due, err = m.Store.Claim(ctx, kind, n, lease); return err })
	return due, err
}

func (m mortalStore) Captured(ctx context.Context, id string, r payments.Report) error {
	return m.step(func() error { return m.Store.Captured(ctx, id, r) })
}

func (m mortalStore) Refunded(ctx context.Context, id string, refund payments.Refund) error {
	return m.step(func() error { return m.Store.Refunded(ctx, id, refund) })
}

func (m mortalStore) End(ctx context.Context, id string, end payments.End) error {
	return m.step(func() error { return m.Store.End(ctx, id, end) })
}

func (m mortalStore) Rest(ctx context.Context, p payments.Due, after time.Duration) error {
	return m.step(func() error { return m.Store.Rest(ctx, p, after) })
}

func (m mortalStore) Uncaptured(ctx context.Context, id string) error {
	return m.step(func() error { return m.Store.Uncaptured(ctx, id) })
}

func (m mortalStore) RefuseRefund(ctx context.Context, id string, refund payments.Refund, code string) error {
	return m.step(func() error { return m.Store.RefuseRefund(ctx, id, refund, code) })
}

type mortalBank struct {
	payments.Provider
	*life
}

func (m mortalBank) Begin(ctx context.Context, o payments.Order) (opened payments.Opened, err error) {
	err = m.step(func() (err error) { opened, err = m.Provider.Begin(ctx, o); return err })
	return opened, err
}

func (m mortalBank) Find(ctx context.Context, p payments.Payment) (r payments.Report, err error) {
	err = m.step(func() (err error) { r, err = m.Provider.Find(ctx, p); return err })
	return r, err
}

func (m mortalBank) Capture(ctx context.Context, p payments.Payment) (r payments.Report, err error) {
	err = m.step(func() (err error) { r, err = m.Provider.Capture(ctx, p); return err })
	return r, err
}

func (m mortalBank) Cancel(ctx context.Context, p payments.Payment) error {
	return m.step(func() error { return m.Provider.Cancel(ctx, p) })
}

func (m mortalBank) Refund(ctx context.Context, p payments.Payment, refund payments.Refund) (r payments.Report,
	err error) {
	err = m.step(func() (err error) { r, err = m.Provider.Refund(ctx, p, refund); return err })
	return r, err
}

// dying returns a cashier whose process has that life.
func (h *harness) dying(t testing.TB, l *life, faults ...func(payments.Provider) payments.Provider) *cashier {
	t.Helper()
	c := h.cashier(t, h.Pool, append(faults, func(p payments.Provider) payments.Provider { return mortalBank{p, l} })...)
	c.Service.Store, c.Changes = mortalStore{c.store, l}, mortalTurns{c.Changes, l}
	return c
}

// keeping is a bank that gives nothing back.
type keeping struct{ payments.Provider }

func (keeping) Refund(context.Context, payments.Payment, payments.Refund) (payments.Report, error) {
	return payments.Report{}, &payments.RefusedError{Code: "kept"}
}

func keeps(p payments.Provider) payments.Provider { return keeping{p} }

// visit is what becomes of a deposit by card that a diner pays and gets back.
type visit struct {
	result practice.Result
	faults []func(payments.Provider) payments.Provider
	early  bool // it goes back before it is taken
	given  bool // staff give it back, and the reservation stays
	ends   payments.State
	kept   int64 // won at the bank, which are in the wallet too
	steps  int   // at least
}

var visits = map[string]visit{
	"refunded":                      {result: practice.Pay, ends: payments.Refunded, steps: 15},
	"refunded before it is taken":   {result: practice.Pay, early: true, ends: payments.Cancelled, steps: 10},
	"given back before it is taken": {result: practice.Pay, early: true, given: true, ends: payments.Cancelled, steps: 10},
	"the capture is refused":        {result: practice.Overdrawn, ends: payments.Refused, steps: 9},
	"the refund is refused": {result: practice.Pay, kept: 20_000, ends: payments.Paid, steps: 15,
		faults: []func(payments.Provider) payments.Provider{keeps}},
}

// visit has a diner pay at a process, and the money go back, as far as it comes.
func (c *cashier) visit(t testing.TB, id, diner string, v visit) {
	t.Helper()
	p, err := c.Begin(t.Context(), byCard(id, diner, booking.Deposit, "pay"), payments.Diner{})
	if err != nil {
		return
	}
	_, _ = c.bank.Decide(t.Context(), p.ID, v.result)
	_, _ = c.Settle(t.Context(), p.ID, "")
	if !v.early {
		c.due(t)
	}
	if v.given {
		_, _ = c.harness.Reservations.GiveBack(t.Context(), booking.GiveBack{ReservationID: id, StaffID: diner, Key: id,
			Amount: 20_000, Reason: "The soup was cold"})
	} else {
		_, _ = c.harness.Reservations.Cancel(t.Context(), id, reserve.Canceller{UserID: diner})
	}
	c.settle(t)
	c.due(t)
}

// due runs the job once, with every step due.
func (c *cashier) due(t testing.TB) {
	t.Helper()
	c.MustExec(t, `UPDATE payments SET due_at = now() WHERE due_at IS NOT NULL`)
	_, _ = c.takeSteps(t.Context())
}

// A process that ends at any step leaves a payment that another one brings to the same end. Without another one most
// are left on their way.
func TestPayments_ProcessEndsAtAnyStep(t *testing.T) {
	t.Parallel()
	for name, v := range visits { // in any order
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			steps, underWay := 0, 0
			for {
				steps++
				before, ok := h.endAt(t, life{last: steps}, v)
				after, _ := h.endAt(t, life{last: steps, after: true}, v)
				if underWay += before + after; !ok {
					break
				}
			}
			if steps < v.steps || underWay < steps {
				t.Errorf("the visit takes %d steps only, and %d payments were left on their way", steps, underWay)
			}
			h.cashier(t, h.Pool).agree(t)
		})
	}
}

// endAt has a visit's process end at a step, and another one go on. It returns how many payments were on their way
// between, and false if the visit has fewer steps.
func (h *harness) endAt(t *testing.T, l life, v visit) (underWay int, ended bool) {
	t.Helper()
	diner := h.Diners(t, 1, 0)[0]
	slot := h.Slot("19:00")
	slot.Date = slot.Date.AddDays(l.last)
	id := h.Reserve(t, h.Request(diner, slot))
	h.dying(t, &l, v.faults...).visit(t, id, diner, v)
	underWay = h.Count(t, `SELECT count(*) FROM payments WHERE due_at IS NOT NULL`)
	c := h.cashier(t, h.Pool, v.faults...)
	c.visit(t, id, diner, v)
	c.work(t)
	var ids []string
	if err := h.SQL().Select(&ids, `SELECT id FROM payments WHERE reservation_id = $1`, id); err != nil ||
		len(ids) != 1 {
		t.Fatalf("step %d: %v, %v", l.last, ids, err)
	}
	p, wallet := c.state(t, ids[0]), h.balance(t, diner)
	_, won := c.atBank(t, p.ID)
	r, err := h.Reservations.Find(t.Context(), id)
	dbtest.Must(t, err)
	neither := l.over && won == 0 && wallet == 0 &&
		(p.State == payments.Cancelled || v.early && p.State == payments.Refunded)
	if ended := p.State == v.ends && won == v.kept && wallet == v.kept; !ended && !neither ||
		r.State.IsConfirmed() != v.given {
		t.Errorf("step %d (after: %v): the payment is %s (%s), with %d won at the bank and %d in the wallet; %s",
			l.last,
			l.after, p.State, p.Code, won, wallet, r.State)
	}
	return underWay, l.over
}

// enlarge has a diner change to a party of four by card at a process, as far as it comes, and the bank play a result.
func (c *cashier) enlarge(t testing.TB, order booking.PaymentOrder, result practice.Result) {
	t.Helper()
	p, err := c.Begin(t.Context(), order, payments.Diner{})
	if err != nil {
		return
	}
	_, _ = c.bank.Decide(t.Context(), p.ID, result)
	_, _ = c.Settle(t.Context(), p.ID, "")
	c.due(t)
	c.due(t)
}

// A process that ends at any step of a paid change leaves it paid and changed, or neither, once another one has gone on.
func TestPaidChange_ProcessEndsAtAnyStep(t *testing.T) {
	t.Parallel()
	for result, want := range map[practice.Result]struct {
		state payments.State
		party int
		won   int64
	}{practice.Pay: {payments.Paid, 4, 15_000}, practice.Overdrawn: {payments.Refused, 2, 0}} {
		t.Run(string(result), func(t *testing.T) {
			t.Parallel()
			h := newCashier(t)
			steps := 0
			for last := 1; ; last++ {
				for _, after := range []bool{false, true} {
					slot := h.Slot("18:00")
					slot.Date = slot.Date.AddDays(last)
					id, diner := h.paid(t, slot, 5_000)
					order := h.toChange(t, id, "change", 4, "19:00")
					l := &life{last: last, after: after}
					h.dying(t, l).enlarge(t, order, result)
					if !l.over {
						if steps < 9 {
							t.Errorf("a paid change takes %d steps only", steps)
						}
						return
					}
					steps = l.steps
					c := h.cashier(t, h.Pool)
					c.enlarge(t, order, result)
					c.work(t)
					var made []string
					err := h.SQL().Select(&made, `SELECT id FROM payments WHERE reservation_id = $1`, id)
					if err != nil || len(made) != 1 {
						t.Fatalf("step %d: %v, %v", last, made, err)
					}
					p, left := c.state(t, made[0]), h.balance(t, diner)
					r, _ := c.harness.Reservations.Find(t.Context(), id)
					_, won := c.atBank(t, made[0])
					changed := r.PartySize == 4 && r.PaidAmount == 40_000 && left == 0
					same := r.PartySize == 2 && r.PaidAmount == 20_000 && left == 5_000
					if p.State != want.state || won != want.won || want.party == 4 && !changed || want.party == 2 && !same {
						t.Errorf("step %d (after: %v): the payment is %s (%s), %d won at the bank, %d come for %d, %d won left",
							last, after, p.State, p.Code, won, r.PartySize, r.PaidAmount, left)
					}
					c.agree(t)
				}
			}
		})
	}
}

// slow is a bank that takes its time. Of 20 calls of a kind it refuses to answer one, and loses the answer to another.
type slow struct {
	payments.Provider
	takes time.Duration
	mu    *sync.Mutex
	calls map[string]int
}

func (s slow) answer(call string, do func() error) error {
	time.Sleep(s.takes)
	s.mu.Lock()
	s.calls[call]++
	n := s.calls[call] % 20
	s.mu.Unlock()
	switch n {
	case 10:
		return fmt.Errorf("%w: 503", payments.ErrUnsure)
	case 0:
		return errors.Join(do(), fmt.Errorf("%w: the answer was lost", payments.ErrUnsure))
	}
	return do()
}

func (s slow) Begin(ctx context.Context, o payments.Order) (opened payments.Opened, err error) {
	err = s.answer("begin", func() (err error) { opened, err = s.Provider.Begin(ctx, o); return err })
	return opened, err
}

func (s slow) Find(ctx context.Context, p payments.Payment) (r payments.Report, err error) {
	err = s.answer("find", func() (err error) { r, err = s.Provider.Find(ctx, p); return err })
	return r, err
}

func (s slow) Capture(ctx context.Context, p payments.Payment) (r payments.Report, err error) {
	err = s.answer("capture", func() (err error) { r, err = s.Provider.Capture(ctx, p); return err })
	return r, err
}

// payAtOnce has n diners pay at once through a slow bank, each trying again as a browser's user does. Every payment is
// taken once, though the bank was asked to take some again.
func payAtOnce(t testing.TB, n int, takes time.Duration) {
	t.Helper()
	bank := slow{takes: takes, mu: new(sync.Mutex), calls: map[string]int{}}
	h := newCashier(t, func(p payments.Provider) payments.Provider {
		bank.Provider = p
		return bank
	})
	var rush sync.WaitGroup
	for i, diner := range h.Diners(t, n, 0) {
		slot := h.Slot("19:00")
		slot.Date = slot.Date.AddDays(i / 400)
		id := h.Reserve(t, h.Request(diner, slot))
		rush.Go(func() {
			var p payments.Payment
			err := error(payments.ErrAway)
			for errors.Is(err, payments.ErrAway) {
				p, err = h.Begin(t.Context(), byCard(id, diner, booking.Deposit, "pay"), payments.Diner{})
			}
			if err == nil {
				_, err = h.bank.Decide(t.Context(), p.ID, practice.Pay)
			}
			if err != nil {
				t.Error(err)
			}
			_, _ = h.Settle(t.Context(), p.ID, "") // else the job does
		})
	}
	rush.Wait()
	for h.Count(t, `SELECT count(*) FROM payments WHERE state <> 'paid'`) > 0 {
		h.due(t)
	}
	h.agree(t)
	captured := h.Count(t, `SELECT count(*) FROM practice_accounts WHERE stand = 'captured'`)
	if asked := bank.calls["capture"]; captured != n || asked < n+n/10 {
		t.Errorf("%d of %d are captured, and %d captures were asked for", captured, n, asked)
	}
}

// Many payments at once through a slow bank that answers badly all end right, and none twice.
func TestPayments_ManyAtOnce(t *testing.T) {
	t.Parallel()
	payAtOnce(t, 100, 20*time.Millisecond)
}

// BenchmarkPayments_ThousandAtOnce lets a thousand pay at once through a bank that takes 200 ms for each answer.
func BenchmarkPayments_ThousandAtOnce(b *testing.B) {
	for b.Loop() {
		payAtOnce(b, 1_000, 200*time.Millisecond)
	}
}

// watching is a bank that looks how many connections of the database are in use while it is asked.
type watching struct {
	payments.Provider
	db    *pg.Pool
	held  *int
	calls map[string]int
}

func (w watching) look(call string) {
	*w.held += w.db.SQL().Stats().InUse
	w.calls[call]++
}

func (w watching) Begin(ctx context.Context, o payments.Order) (payments.Opened, error) {
	w.look("begin")
	return w.Provider.Begin(ctx, o)
}

func (w watching) Find(ctx context.Context, p payments.Payment) (payments.Report, error) {
	w.look("find")
	return w.Provider.Find(ctx, p)
}

func (w watching) Capture(ctx context.Context, p payments.Payment) (payments.Report, error) {
	w.look("capture")
	return w.Provider.Capture(ctx, p)
}

func (w watching) Refund(ctx context.Context, p payments.Payment, r payments.Refund) (payments.Report, error) {
	w.look("refund")
	return w.Provider.Refund(ctx, p, r)
}

func (w watching) Cancel(ctx context.Context, p payments.Payment) error {
	w.look("cancel")
	return w.Provider.Cancel(ctx, p)
}

// Nobody waits for the bank with a connection of the database in hand.
func TestPayments_NoConnectionWhileTheBankIsAsked(t *testing.T) {
	t.Parallel()
	h := setup(t)
	held, calls := 0, map[string]int{}
	var watched payments.Provider
	c := h.cashier(t, h.Pool, func(p payments.Provider) payments.Provider {
		watched = watching{p, h.Pool, &held, calls}
		return watched
	})
	diners := h.Diners(t, 2, 0)
	c.visit(t, h.Reserve(t, h.Request(diners[0], h.Slot("19:00"))), diners[0], visits["refunded"])
	late := c.begin(t, h.Reserve(t, h.Request(diners[1], h.Slot("19:00"))), diners[1], "pay")
	if _, _, err := c.Look(t.Context(), late.ID, ""); err != nil {
		t.Fatal(err)
	}
	h.MustExec(t, `UPDATE payments SET expires_at = now() - interval '10 minutes' WHERE id = $1`, late.ID)
	c.due(t)
	c.due(t)
	if held != 0 {
		t.Errorf("%d connections were held", held)
	}
	for _, call := range []string{"begin", "find", "capture", "cancel", "refund"} {
		if calls[call] == 0 {
			t.Errorf("the bank was not asked to %s: that says nothing", call)
		}
	}
	_ = h.InTx(t.Context(), func(ctx context.Context, _ *pg.Tx) error { // the control
		_, err := watched.Find(ctx, late)
		return err
	})
	if held != 1 {
		t.Errorf("%d connections were held in a transaction that asks the bank: that says nothing", held)
	}
}
