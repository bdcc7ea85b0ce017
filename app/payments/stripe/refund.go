package stripe

import (
	"cmp"
	"context"

	api "github.com/stripe/stripe-go/v85"

	"lunchgo/app/payments"
)

// Refund gives money back. The refund's id is its idempotency key, for at least a day, and stands in its metadata, by
// which a repeat finds it at any time.
func (p *Provider) Refund(ctx context.Context, of payments.Payment, refund payments.Refund) (payments.Report, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	found, err := p.existing(ctx, of)
	if err != nil {
		return payments.Report{}, err
	}
	if found.stand() != payments.StandCaptured {
		return payments.Report{}, &payments.RefusedError{Code: unexpectedState}
	}
	made, err := p.findRefund(ctx, found.intent.ID, refund.ID)
	if err == nil && made != nil {
		return found.afterRefund(made)
	}
	if err != nil {
		return payments.Report{}, unsure(err)
	}
	params := &api.RefundCreateParams{PaymentIntent: api.String(found.intent.ID), Amount: api.Int64(refund.Amount),
		Reason:   api.String("requested_by_customer"),
		Metadata: map[string]string{metaPayment: of.ID, metaRefund: refund.ID, "reason": refund.Reason}}
	params.AddExpand("charge")
	params.SetIdempotencyKey("refund-" + refund.ID)
	made, err = p.api.V1Refunds.Create(ctx, params)
	switch {
	case codeOf(err) == string(api.ErrorCodeChargeAlreadyRefunded): // in the dashboard: all of the money is back
		return found.report(), nil
	case err != nil:
		return payments.Report{}, decided(err)
	}
	if made.Charge != nil {
		found.intent.LatestCharge = made.Charge
	}
	return found.afterRefund(made)
}

// findRefund returns the refund of an intent with an id of ours; nil if there is none.
func (p *Provider) findRefund(ctx context.Context, intent, id string) (found *api.Refund, err error) {
	params := &api.RefundListParams{PaymentIntent: api.String(intent)}
	params.Limit = api.Int64(100)
	for r, err := range p.api.V1Refunds.List(ctx, params).All(ctx) {
		if err != nil {
			return nil, err
		}
		if r.Metadata[metaRefund] == id {
			return r, nil
		}
	}
	return nil, nil
}

// afterRefund returns what a refund came to. One that is pending will be made; its money counts as returned.
func (f *payment) afterRefund(made *api.Refund) (payments.Report, error) {
	if made.Status == api.RefundStatusFailed || made.Status == api.RefundStatusCanceled {
		code := cmp.Or(string(made.FailureReason), string(made.Status))
		return payments.Report{}, &payments.RefusedError{Code: code}
	}
	return f.report(), nil
}
