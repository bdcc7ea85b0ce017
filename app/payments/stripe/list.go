package stripe

import (
	"context"
	"fmt"
	"math"
	"time"

	api "github.com/stripe/stripe-go/v85"

	"lunchgo/app/payments"
)

// List returns the balance transactions of the day that belong to payments: charges, refunds, and what disputes take.
func (p *Provider) List(ctx context.Context, day time.Time) (moved []payments.Movement, err error) {
	ctx, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	year, month, date := day.Date()
	from := time.Date(year, month, date, 0, 0, 0, 0, day.Location())
	params := &api.BalanceTransactionListParams{CreatedRange: &api.RangeQueryParams{
		GreaterThanOrEqual: from.Unix(), LesserThan: from.AddDate(0, 0, 1).Unix()}}
	params.Limit = api.Int64(100)
	params.AddExpand("data.source")
	for t, err := range p.api.V1BalanceTransactions.List(ctx, params).All(ctx) {
		if err != nil {
			return nil, unsure(fmt.Errorf("stripe: list: %w", err))
		}
		if t.Source == nil {
			continue
		}
		id, amount, err := p.source(ctx, t.Source)
		if err != nil {
			return nil, unsure(fmt.Errorf("stripe: list: %w", err))
		}
		if id != "" {
			moved = append(moved, movement(t, id, amount))
		}
	}
	return moved, nil
}

// source returns the id of the payment that money belongs to, and how many won it is; an empty id for money that is not
// ours. A refund or dispute that Stripe's own pages began has the id in its charge only.
func (p *Provider) source(ctx context.Context, s *api.BalanceTransactionSource) (id string, amount int64, err error) {
	var charge *api.Charge
	switch {
	case s.Charge != nil && s.Charge.Currency == krw:
		return s.Charge.Metadata[metaPayment], s.Charge.AmountCaptured, nil
	case s.Refund != nil && s.Refund.Currency == krw:
		id, amount, charge = s.Refund.Metadata[metaPayment], s.Refund.Amount, s.Refund.Charge
	case s.Dispute != nil && s.Dispute.Currency == krw:
		amount, charge = s.Dispute.Amount, s.Dispute.Charge
	}
	if id != "" || charge == nil {
		return id, amount, nil
	}
	found, err := p.api.V1Charges.Retrieve(ctx, charge.ID, nil)
	if err != nil {
		return "", 0, err
	}
	return found.Metadata[metaPayment], amount, nil
}

// movement returns a balance transaction in won. An account that is paid out in another currency has both amount and
// fee in that one.
func movement(t *api.BalanceTransaction, id string, amount int64) payments.Movement {
	m := payments.Movement{PaymentID: id, Amount: amount, Fee: t.Fee, At: time.Unix(t.Created, 0),
		PaidOut: time.Unix(t.AvailableOn, 0)}
	if t.Amount < 0 {
		m.Amount = -amount
	}
	if t.Currency != krw && t.Amount != 0 {
		m.Fee = int64(math.Round(float64(t.Fee) * float64(m.Amount) / float64(t.Amount)))
	}
	return m
}
