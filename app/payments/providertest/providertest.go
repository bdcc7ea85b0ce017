// Package providertest says what a payment provider has to do, as tests that every adapter passes.
package providertest

import (
	"context"
	"crypto/rand"
	"net/http"
	"net/url"
	"testing"
	"time"

	"lunchgo/app/payments"
)

// Bank is a provider together with what happens on its side of the counter: at its window, in its books, on the way.
type Bank struct {
	Provider payments.Provider
	// Pay has the diner pay in the window, and returns the query with which the browser comes back.
	Pay func(order payments.Order, opened payments.Opened) url.Values
	// RefuseCapture has the next capture refused for good.
	RefuseCapture func(paymentID string)
	// Lapse lets so much time pass that what was not captured is over.
	Lapse func()
	// Fault strikes the next call that changes something; nil for a bank without a network between.
	Fault func(Fault)
	// Taken returns the won that the bank took for a payment in all, and gave back.
	Taken func(paymentID string) (taken, back int64)
	// Webhook returns what the bank sends about a payment.
	Webhook func(paymentID string) (http.Header, []byte)
	// Forged returns what somebody else sends, which says that the payment was paid.
	Forged func(paymentID string) (http.Header, []byte)
	// Zone is that of the days of List; nil: Seoul's.
	Zone *time.Location
}

const (
	price = 20000
	// silence is how long a call waits for a bank that does not answer.
	silence = 300 * time.Millisecond
)

// Run runs all tests, each with a bank of its own.
func Run(t *testing.T, open func(t *testing.T) Bank) {
	for name, test := range map[string]func(*testing.T, *counter){ // in any order
		"Begin":          testBegin,
		"Authorised":     testAuthorised,
		"Capture":        testCapture,
		"CaptureAtOnce":  testCaptureAtOnce,
		"CaptureTooSoon": testCaptureTooSoon,
		"Refused":        testRefused,
		"Cancel":         testCancel,
		"CancelTooLate":  testCancelTooLate,
		"Lapse":          testLapse,
		"Refund":         testRefund,
		"RefundAtOnce":   testRefundAtOnce,
		"RefundTooMuch":  testRefundTooMuch,
		"Faults":         testFaults,
		"Webhook":        testWebhook,
		"Others":         testOthers,
		"List":           testList,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, &counter{Bank: open(t), t: t})
		})
	}
}

// counter is a bank and what tests do there.
type counter struct {
	Bank
	t *testing.T
}

// order returns an order of price won.
func (c *counter) order() payments.Order {
	id := rand.Text()
	return payments.Order{ID: id, Amount: price, Title: "점심 예약금", Email: "diner@example.com", Name: "김점심",
		Lang: "ko", ReturnURL: "https://lunchgo.example/payments/" + id + "/return",
		LeaveURL: "https://lunchgo.example/payments/" + id + "/leave", Until: time.Now().Add(10 * time.Minute)}
}

// begin begins a payment and returns it as it is stored.
func (c *counter) begin() (payments.Order, payments.Opened, payments.Payment) {
	c.t.Helper()
	order := c.order()
	opened, err := c.Provider.Begin(c.ctx(), order)
	if err != nil || opened.CheckoutURL == "" {
		c.t.Fatalf("begin: %+v, %v", opened, err)
	}
	return order, opened, payments.Payment{ID: order.ID, Provider: c.Provider.Name(), Amount: order.Amount,
		Reference: opened.Reference, CheckoutURL: opened.CheckoutURL, ExpiresAt: order.Until}
}

// authorised begins a payment that its diner then pays.
func (c *counter) authorised() payments.Payment {
	c.t.Helper()
	order, opened, p := c.begin()
	if reference := c.Provider.Returned(c.Pay(order, opened)); reference != "" {
		p.Reference = reference
	}
	c.stands(p, payments.StandAuthorised, 0)
	return p
}

// captured begins a payment, whose diner pays and whose money is taken.
func (c *counter) captured() payments.Payment {
	c.t.Helper()
	p := c.authorised()
	r, err := c.Provider.Capture(c.ctx(), p)
	if err != nil {
		c.t.Fatalf("capture: %v", err)
	}
	c.reports(p, r, payments.StandCaptured, 0)
	return p
}

// stands finds a payment and checks the report.
func (c *counter) stands(p payments.Payment, stand payments.Stand, returned int64) payments.Report {
	c.t.Helper()
	r, err := c.Provider.Find(c.ctx(), p)
	if err != nil {
		c.t.Fatalf("find: %v", err)
	}
	c.reports(p, r, stand, returned)
	return r
}

// reports checks a report of a payment of price won.
func (c *counter) reports(p payments.Payment, r payments.Report, stand payments.Stand, returned int64) {
	c.t.Helper()
	if r.PaymentID != p.ID || r.Stand != stand || r.Amount != price || r.Returned != returned || r.Currency != "KRW" {
		c.t.Errorf("the report is %+v, want %s of %d won, %d returned", r, stand, price, returned)
	}
}

// moved checks what the bank took and gave back.
func (c *counter) moved(p payments.Payment, taken, back int64) {
	c.t.Helper()
	if gotTaken, gotBack := c.Taken(p.ID); gotTaken != taken || gotBack != back {
		c.t.Errorf("the bank took %d and gave back %d, want %d and %d", gotTaken, gotBack, taken, back)
	}
}

func (c *counter) ctx() context.Context { return c.t.Context() }

// refund returns one that is new.
func (c *counter) refund(amount int64) payments.Refund {
	return payments.Refund{ID: rand.Text(), Amount: amount, Reason: "예약 취소"}
}
