package providertest

import (
	"context"
	"errors"
	"testing"

	"lunchgo/app/payments"
)

// A call that ends without an answer, or with one that does not decide, is unsure; its repeat succeeds, and it takes
// effect once in all.
func testFaults(t *testing.T, c *counter) {
	if c.Fault == nil {
		t.Skip("there is no network on which something could go wrong")
	}
	for _, fault := range []Fault{Busy, Limited, Lost, Silent} {
		t.Run("begin "+fault.String(), func(t *testing.T) { c.with(t).beginAgain(fault) })
		t.Run("capture "+fault.String(), func(t *testing.T) { c.with(t).captureAgain(fault) })
		t.Run("cancel "+fault.String(), func(t *testing.T) { c.with(t).cancelAgain(fault) })
		t.Run("refund "+fault.String(), func(t *testing.T) { c.with(t).refundAgain(fault) })
	}
}

func (c *counter) with(t *testing.T) *counter { return &counter{Bank: c.Bank, t: t} }

// struck does a call that a fault strikes, which may pass unnoticed where the call does not change anything, or where
// the client has repeated it.
func (c *counter) struck(fault Fault, call func(ctx context.Context) error) {
	c.t.Helper()
	ctx := c.ctx()
	if fault == Silent {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, silence)
		defer cancel()
	}
	c.Fault(fault)
	defer c.Fault(0)
	err := call(ctx)
	var refused *payments.RefusedError
	if err != nil && (!errors.Is(err, payments.ErrUnsure) || errors.As(err, &refused)) {
		c.t.Errorf("a struck call: %v", err)
	}
}

func (c *counter) beginAgain(fault Fault) {
	order := c.order()
	c.struck(fault, func(ctx context.Context) error {
		_, err := c.Provider.Begin(ctx, order)
		return err
	})
	opened, err := c.Provider.Begin(c.ctx(), order)
	if err != nil {
		c.t.Fatal(err)
	}
	p := payments.Payment{ID: order.ID, Amount: price, Reference: opened.Reference}
	if reference := c.Provider.Returned(c.Pay(order, opened)); reference != "" {
		p.Reference = reference
	}
	c.stands(p, payments.StandAuthorised, 0)
}

func (c *counter) captureAgain(fault Fault) {
	p := c.authorised()
	c.struck(fault, func(ctx context.Context) error {
		_, err := c.Provider.Capture(ctx, p)
		if err == nil && fault != Lost {
			c.t.Error("the fault passed unnoticed")
		}
		return err
	})
	r, err := c.Provider.Capture(c.ctx(), p)
	if err != nil {
		c.t.Fatal(err)
	}
	c.reports(p, r, payments.StandCaptured, 0)
	c.moved(p, price, 0)
}

func (c *counter) cancelAgain(fault Fault) {
	p := c.authorised()
	c.struck(fault, func(ctx context.Context) error { return c.Provider.Cancel(ctx, p) })
	if err := c.Provider.Cancel(c.ctx(), p); err != nil {
		c.t.Fatal(err)
	}
	c.moved(p, 0, 0)
}

func (c *counter) refundAgain(fault Fault) {
	p := c.captured()
	refund := c.refund(5000)
	c.struck(fault, func(ctx context.Context) error {
		_, err := c.Provider.Refund(ctx, p, refund)
		if err == nil && fault != Lost {
			c.t.Error("the fault passed unnoticed")
		}
		return err
	})
	r, err := c.Provider.Refund(c.ctx(), p, refund)
	if err != nil {
		c.t.Fatal(err)
	}
	c.reports(p, r, payments.StandCaptured, 5000)
	c.moved(p, price, 5000)
}
