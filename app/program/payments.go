package program

import (
	"context"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/payments"
	"lunchgo/app/payments/practice"
	"lunchgo/app/reserve"
	"lunchgo/app/waiting"
)

// addPayments adds payments through a provider, where there is one. What the bank of demos decides settles the payment
// as a provider's webhook does.
func (p *Program) addPayments(zone *time.Location) {
	c := p.config.Payments
	provider := c.Provider
	if c.Practice {
		p.Bank = &practice.Bank{Store: p.Stores.PracticeBank, BaseURL: p.config.Web.BaseURL, Notify: p.settle}
		provider = p.Bank
	}
	switch {
	case p.config.Web.NoLetters:
		p.Bookings.CannotAsk = "no_letters"
	case provider == nil:
		p.Bookings.CannotAsk = "no_card_payments"
	}
	p.Payments = payments.New(payments.Service{Provider: provider, Store: p.Stores.Payments,
		Days: p.Stores.Payments, Changes: changes{p.Bookings}, BaseURL: p.config.Web.BaseURL, Grace: c.Grace,
		Refresh: p.refresh,
		Observe: p.paid.Called, Zone: zone, Now: p.config.Now, Log: p.log})
}

func (p *Program) settle(ctx context.Context, paymentID string) {
	if err := p.Payments.Reported(ctx, paymentID); err != nil {
		p.log.WarnContext(ctx, "settle payment failed", "payment", paymentID, "error", err)
	}
}

func (p *Program) refresh(slots []booking.SlotKey) {
	for _, slot := range slots {
		p.Availability.Changed(slot)
	}
}

// changes makes the changes that payments pay for; it implements payments.Changes.
type changes struct{ bookings *reserve.Service }

func (c changes) MakePaid(ctx context.Context, order booking.PaymentOrder) (made bool, err error) {
	watch, err := c.bookings.ChangePaid(ctx, order)
	if err != nil {
		return false, err
	}
	defer watch.Close()
	status := watch.Status()
	if status.State == waiting.Left {
		return false, payments.ErrLeft
	}
	return status.State == waiting.Reserved, status.Result.Err()
}
