package providertest

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lunchgo/app/payments"
)

// A payment that was begun is pending, and to begin it again opens the same window.
func testBegin(t *testing.T, c *counter) {
	order, opened, p := c.begin()
	c.stands(p, payments.StandPending, 0)
	again, err := c.Provider.Begin(c.ctx(), order)
	if err != nil || again != opened {
		t.Errorf("begun again: %+v, %v; want %+v", again, err, opened)
	}
	c.moved(p, 0, 0)
}

// What the diner has paid in the window is authorised, and nothing is taken of it.
func testAuthorised(t *testing.T, c *counter) {
	p := c.authorised()
	if r := c.stands(p, payments.StandAuthorised, 0); r.Method == "" || r.Reference == "" {
		t.Errorf("the report has no method or reference: %+v", r)
	}
	c.moved(p, 0, 0)
}

// Capture takes the money, once however often it is called.
func testCapture(t *testing.T, c *counter) {
	p := c.captured()
	c.stands(p, payments.StandCaptured, 0)
	r, err := c.Provider.Capture(c.ctx(), p)
	if err != nil {
		t.Fatal(err)
	}
	c.reports(p, r, payments.StandCaptured, 0)
	c.moved(p, price, 0)
}

// Captures at the same moment take the money once. One of them at least knows so.
func testCaptureAtOnce(t *testing.T, c *counter) {
	p := c.authorised()
	c.atOnce(func() (payments.Report, error) { return c.Provider.Capture(t.Context(), p) })
	c.moved(p, price, 0)
}

// Nothing is captured of what the diner has not paid.
func testCaptureTooSoon(t *testing.T, c *counter) {
	_, _, p := c.begin()
	if r, err := c.Provider.Capture(c.ctx(), p); err == nil {
		t.Errorf("capture: %+v", r)
	}
	c.moved(p, 0, 0)
}

// atOnce does a call several times at the same moment. All have taken effect, or are unsure; one of them at least has.
func (c *counter) atOnce(call func() (payments.Report, error)) {
	c.t.Helper()
	var knows atomic.Bool
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			r, err := call()
			if err == nil && r.Stand == payments.StandCaptured {
				knows.Store(true)
			} else if !errors.Is(err, payments.ErrUnsure) {
				c.t.Errorf("a call among others: %+v, %v", r, err)
			}
		})
	}
	all.Wait()
	if !knows.Load() {
		c.t.Error("no call knows that it took effect")
	}
}

// A refused capture takes nothing, also when it is repeated.
func testRefused(t *testing.T, c *counter) {
	p := c.authorised()
	c.RefuseCapture(p.ID)
	for range 2 {
		_, err := c.Provider.Capture(c.ctx(), p)
		c.refused(err)
	}
	r, err := c.Provider.Find(c.ctx(), p)
	if err != nil || r.Stand != payments.StandRefused && r.Stand != payments.StandCancelled {
		t.Errorf("find: %+v, %v", r, err)
	}
	c.moved(p, 0, 0)
}

func (c *counter) refused(err error) {
	c.t.Helper()
	var refused *payments.RefusedError
	if !errors.As(err, &refused) || refused.Code == "" || errors.Is(err, payments.ErrUnsure) {
		c.t.Errorf("the error is %v, want a refusal with a code", err)
	}
}

// Cancel lets go of what was paid in the window or not, once or twice; nothing is taken then or later. Of what was
// never begun there is nothing to cancel.
func testCancel(t *testing.T, c *counter) {
	_, _, pending := c.begin()
	for _, p := range []payments.Payment{pending, c.authorised(), {ID: c.order().ID, Amount: price}} {
		for range 2 {
			if err := c.Provider.Cancel(c.ctx(), p); err != nil {
				t.Errorf("cancel: %v", err)
			}
		}
		c.moved(p, 0, 0)
	}
	c.Lapse()
	if r, err := c.Provider.Find(c.ctx(), pending); err != nil || r.Stand == payments.StandAuthorised ||
		r.Stand == payments.StandCaptured {
		t.Errorf("find: %+v, %v", r, err)
	}
	c.moved(pending, 0, 0)
}

// What was captured is not cancelled but refunded.
func testCancelTooLate(_ *testing.T, c *counter) {
	p := c.captured()
	c.refused(c.Provider.Cancel(c.ctx(), p))
	c.stands(p, payments.StandCaptured, 0)
	c.moved(p, price, 0)
}

// What nobody captures in time is over.
func testLapse(t *testing.T, c *counter) {
	p := c.authorised()
	c.Lapse()
	c.stands(p, payments.StandCancelled, 0)
	_, err := c.Provider.Capture(c.ctx(), p)
	c.refused(err)
	c.moved(p, 0, 0)
}

// Each refund gives its money back once, part after part.
func testRefund(t *testing.T, c *counter) {
	p := c.captured()
	first, second := c.refund(5000), c.refund(5000)
	returned := int64(0)
	for _, step := range []struct {
		refund payments.Refund
		adds   int64
	}{{first, 5000}, {first, 0}, {second, 5000}, {first, 0}, {c.refund(10000), 10000}, {second, 0}} {
		r, err := c.Provider.Refund(c.ctx(), p, step.refund)
		if err != nil {
			t.Fatal(err)
		}
		returned += step.adds
		c.reports(p, r, payments.StandCaptured, returned)
		c.moved(p, price, returned)
	}
	c.stands(p, payments.StandCaptured, price)
}

// A refund that is asked for several times at the same moment is made once, and is refused to nobody.
func testRefundAtOnce(t *testing.T, c *counter) {
	for _, amount := range []int64{5000, price} {
		p := c.captured()
		refund := c.refund(amount)
		c.atOnce(func() (payments.Report, error) { return c.Provider.Refund(t.Context(), p, refund) })
		c.moved(p, price, amount)
	}
}

// More than was taken does not go back, and nothing of what was not taken.
func testRefundTooMuch(_ *testing.T, c *counter) {
	p := c.captured()
	_, err := c.Provider.Refund(c.ctx(), p, c.refund(price+1))
	c.refused(err)
	c.moved(p, price, 0)
	uncaptured := c.authorised()
	_, err = c.Provider.Refund(c.ctx(), uncaptured, c.refund(price))
	c.refused(err)
	c.moved(uncaptured, 0, 0)
}

// A webhook says which payment it is about. One that is forged is found out, or changes nothing.
func testWebhook(t *testing.T, c *counter) {
	p := c.authorised()
	header, body := c.Webhook(p.ID)
	if id, err := c.Provider.Verify(c.ctx(), header, body); err != nil || id != p.ID {
		t.Errorf("the webhook is about %q, %v", id, err)
	}
	header, body = c.Forged(p.ID)
	id, err := c.Provider.Verify(c.ctx(), header, body)
	if err == nil && id != "" && id != p.ID || err != nil && !errors.Is(err, payments.ErrForged) {
		t.Errorf("a forged webhook: %q, %v", id, err)
	}
	c.stands(p, payments.StandAuthorised, 0)
	for _, garbage := range []string{"", "{", `"text"`} {
		if _, err := c.Provider.Verify(c.ctx(), header, []byte(garbage)); !errors.Is(err, payments.ErrForged) {
			t.Errorf("a webhook %q: %v", garbage, err)
		}
	}
}

// Who comes back with the reference of another payment does not pay with that: the report says whose it is. A reference
// that means nothing does not lead elsewhere.
func testOthers(t *testing.T, c *counter) {
	paid := c.authorised()
	_, _, mine := c.begin()
	mine.Reference = paid.Reference
	r, err := c.Provider.Find(c.ctx(), mine)
	if err == nil && r.PaymentID == mine.ID && r.Stand != payments.StandPending {
		t.Errorf("another payment is reported as this one: %+v", r)
	}
	for _, reference := range []string{"../../v1/settlements", "cs_test_none", "none", "?"} {
		mine.Reference = reference
		if r, err = c.Provider.Find(c.ctx(), mine); err != nil || r.Stand != payments.StandPending {
			t.Errorf("the reference %q: %+v, %v", reference, r, err)
		}
	}
}

// List has each payment and each refund of a day, and nothing of another day.
func testList(t *testing.T, c *counter) {
	zone := c.Zone
	if zone == nil {
		zone = time.FixedZone("KST", 9*60*60)
	}
	begun := time.Now().In(zone)
	paid, returned := c.captured(), c.captured()
	c.authorised()
	if _, err := c.Provider.Refund(c.ctx(), returned, c.refund(5000)); err != nil {
		t.Fatal(err)
	}
	moved := c.list(begun)
	if now := time.Now().In(zone); now.Day() != begun.Day() {
		moved = append(moved, c.list(now)...)
	}
	sums := map[string][]int64{}
	for _, m := range moved {
		sums[m.PaymentID] = append(sums[m.PaymentID], m.Amount)
	}
	if a, b := sums[paid.ID], sums[returned.ID]; len(moved) != 3 || len(a) != 1 || a[0] != price ||
		len(b) != 2 || b[0]+b[1] != price-5000 {
		t.Errorf("the list is %+v", moved)
	}
	if moved := c.list(begun.AddDate(0, 0, -2)); len(moved) != 0 {
		t.Errorf("two days ago: %+v", moved)
	}
}

// list lists a day and checks that all of it happened then, and that fees go with the money.
func (c *counter) list(day time.Time) []payments.Movement {
	c.t.Helper()
	moved, err := c.Provider.List(c.ctx(), day)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, m := range moved {
		if m.Fee*m.Amount < 0 || m.At.In(day.Location()).Format(time.DateOnly) != day.Format(time.DateOnly) {
			c.t.Errorf("a movement of %s is %+v", day, m)
		}
	}
	return moved
}
