//go:build !nosite

package db_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/payments"
	"lunchgo/app/payments/providertest"
	"lunchgo/app/payments/stripe"
	"lunchgo/app/payments/stripe/stripetest"
	"lunchgo/app/payments/toss"
	"lunchgo/app/payments/toss/tosstest"
	"lunchgo/app/reserve"
)

// rushed is how many pay at once. A thousand end as well, in a minute.
const rushed = 60

// These tests are built with the site only (serve): no race asks for a provider's client.

// acquirer is a provider behind a bad network, with what happens at its window.
type acquirer struct {
	payments.Provider
	pay   func(p payments.Payment) url.Values // the query with which the browser comes back
	taken func(paymentID string) (taken, back int64)
}

// acquirers are the real providers' adapters with fakes of the providers, whose answers take 200 ms; one of 20 is a
// failure, and one of 20 is lost after the call has taken effect.
func acquirers(t *testing.T) map[string]acquirer {
	t.Helper()
	serve := func(bank http.Handler) string {
		server := httptest.NewServer(&providertest.Faults{Handler: bank, Latency: 200 * time.Millisecond,
			Choose: func(*http.Request) providertest.Fault {
				switch rand.IntN(20) {
				case 0:
					return providertest.Busy
				case 1:
					return providertest.Lost
				}
				return 0
			}})
		t.Cleanup(server.Close)
		return server.URL
	}
	atToss, atStripe := tosstest.New(), stripetest.New()
	byToss := toss.New(toss.Config{SecretKey: tosstest.Key, ClientKey: "test_ck", BaseURL: serve(atToss)})
	byStripe := stripe.New(stripe.Config{SecretKey: stripetest.Key, BaseURL: serve(atStripe)})
	return map[string]acquirer{
		toss.Name: {byToss, func(p payments.Payment) url.Values {
			window := byToss.Window(payments.Order{ID: p.ID, Amount: p.Amount, ReturnURL: "https://table.example/"})
			return atToss.Authenticate(atToss.Open(window), "카카오페이").Query()
		}, atToss.Taken},
		stripe.Name: {byStripe, func(p payments.Payment) url.Values {
			returned, err := url.Parse(atStripe.Pay(p.Reference, "card"))
			if err != nil {
				t.Error(err)
			}
			return returned.Query()
		}, atStripe.Taken},
	}
}

// Whoever pays at a real provider, over a network that fails, pays once for a confirmed reservation, and gets back once
// what goes back.
func TestPayments_RushThroughProviders(t *testing.T) {
	t.Parallel()
	for name, acquirer := range acquirers(t) { // in any order
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := func(payments.Provider) payments.Provider { return acquirer.Provider }
			h := newCashier(t, at)
			paid := h.payAtOnce(t, acquirer)
			h.workBeside(t, h.cashier(t, h.Instance(t), at))
			for _, p := range paid {
				if state := h.state(t, p.ID); state.State != payments.Paid {
					t.Errorf("a payment is %s (%s)", state.State, state.Code)
				}
				if taken, back := acquirer.taken(p.ID); taken != p.Amount || back != 0 {
					t.Errorf("the bank took %d of %d won, and gave %d back", taken, p.Amount, back)
				}
			}
			h.agree(t)
			h.giveBackAtOnce(t, acquirer, paid)
			h.agree(t)
		})
	}
}

// payAtOnce has diners pay at the same moment. The browsers of some do not come back.
func (c *cashier) payAtOnce(t *testing.T, at acquirer) []payments.Payment {
	t.Helper()
	diners := c.Diners(t, rushed, 0)
	paid := make([]payments.Payment, rushed)
	var rush sync.WaitGroup
	for i, diner := range diners {
		id := c.Reserve(t, c.Request(diner, c.Slot(booking.TimeOfDay(fmt.Sprintf("%02d:00", 11+i%10)))))
		rush.Go(func() {
			p, err := c.Begin(t.Context(), byCard(id, diner, booking.Deposit, "pay"), payments.Diner{Title: "예약금"})
			for errors.Is(err, payments.ErrAway) { // the diner presses again
				p, err = c.Begin(t.Context(), byCard(id, diner, booking.Deposit, "pay"), payments.Diner{Title: "예약금"})
			}
			if err != nil {
				t.Error(err)
				return
			}
			query := at.pay(p)
			paid[i] = p
			if i%5 == 0 {
				c.MustExec(t, `UPDATE payments SET due_at = now() WHERE id = $1`, p.ID)
				return
			}
			_, err = c.Settle(t.Context(), p.ID, at.Returned(query))
			for errors.Is(err, payments.ErrUnsure) { // the page asks again
				_, err = c.Settle(t.Context(), p.ID, at.Returned(query))
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	rush.Wait()
	return paid
}

// workBeside takes the steps of payments at two instances, as long as there are some, with no pause between.
func (c *cashier) workBeside(t *testing.T, other *cashier) {
	t.Helper()
	for range 100 {
		c.MustExec(t, `UPDATE payments SET due_at = now() WHERE due_at IS NOT NULL`)
		var both sync.WaitGroup
		for _, at := range []*cashier{c, other} {
			both.Go(func() {
				if _, err := at.takeSteps(context.WithoutCancel(t.Context())); err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
		if c.Count(t, `SELECT count(*) FROM payments WHERE due_at IS NOT NULL`) == 0 {
			return
		}
	}
	t.Error("the steps do not end")
}

// giveBackAtOnce cancels all reservations at the same moment.
func (c *cashier) giveBackAtOnce(t *testing.T, at acquirer, paid []payments.Payment) {
	t.Helper()
	var rush sync.WaitGroup
	for _, p := range paid {
		rush.Go(func() {
			canceller := reserve.Canceller{UserID: p.UserID}
			if _, err := c.harness.Reservations.Cancel(t.Context(), p.ReservationID, canceller); err != nil {
				t.Error(err)
			}
		})
	}
	rush.Wait()
	c.settle(t)
	c.work(t)
	for _, p := range paid {
		if state := c.state(t, p.ID); state.State != payments.Refunded {
			t.Errorf("a payment is %s (%s)", state.State, state.Code)
		}
		if taken, back := at.taken(p.ID); taken != p.Amount || back != p.Amount {
			t.Errorf("the bank took %d of %d won, and gave %d back", taken, p.Amount, back)
		}
	}
}
