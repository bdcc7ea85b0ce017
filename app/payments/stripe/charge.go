package stripe

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	api "github.com/stripe/stripe-go/v85"

	"lunchgo/app/payments"
)

// unexpectedState is Stripe's code for what a payment is too far for, or not far enough.
const unexpectedState = string(api.ErrorCodePaymentIntentUnexpectedState)

// errMissing says that Stripe does not know a payment that it has authorised: the key is another account's, or for
// tests.
var errMissing = fmt.Errorf("%w: stripe: no such payment in this account", payments.ErrUnsure)

// Find looks a payment up by its reference, without which nobody can have paid: the answer of Begin has it, together
// with the address of the window.
func (p *Provider) Find(ctx context.Context, of payments.Payment) (payments.Report, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	found, err := p.look(ctx, of.Reference)
	if err != nil {
		return payments.Report{}, err
	}
	if found == nil {
		return payments.Report{PaymentID: of.ID, Stand: payments.StandPending, Amount: of.Amount,
			Currency: strings.ToUpper(krw)}, nil
	}
	return found.report(), nil
}

// existing looks up a payment that Stripe has authorised. Returns errMissing.
func (p *Provider) existing(ctx context.Context, of payments.Payment) (*payment, error) {
	found, err := p.look(ctx, of.Reference)
	if err == nil && found == nil {
		err = errMissing
	}
	return found, err
}

// Capture takes all of an authorised payment. Stripe does so once, whatever the idempotency key. That one changes by
// the minute, since Stripe repeats its first answer to a key for a day, a failure of its own too.
func (p *Provider) Capture(ctx context.Context, of payments.Payment) (payments.Report, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	found, err := p.existing(ctx, of)
	if err != nil {
		return payments.Report{}, err
	}
	if found.stand() != payments.StandAuthorised {
		return found.afterCapture(nil)
	}
	params := &api.PaymentIntentCaptureParams{AmountToCapture: api.Int64(of.Amount)}
	params.AddExpand("latest_charge")
	params.SetIdempotencyKey(p.key("capture", of))
	intent, err := p.api.V1PaymentIntents.Capture(ctx, found.intent.ID, params)
	if err == nil {
		found.intent = intent
		return found.afterCapture(nil)
	}
	if !refuses(err) {
		return payments.Report{}, unsure(err)
	}
	again, lookErr := p.look(ctx, of.Reference) // another call may have taken the money at the same moment
	if lookErr != nil || again == nil {
		return payments.Report{}, unsure(err)
	}
	return again.afterCapture(err)
}

// key returns an idempotency key for this minute.
func (p *Provider) key(step string, of payments.Payment) string {
	return fmt.Sprintf("%s-%s-%d", step, of.ID, p.now().Unix()/60)
}

// afterCapture returns what a capture came to; said is with what Stripe refused it, nil if it did not.
func (f *payment) afterCapture(said error) (payments.Report, error) {
	switch f.stand() {
	case payments.StandCaptured:
		return f.report(), nil
	case payments.StandCancelled:
		code := cmp.Or(codeOf(said), f.report().Code, string(api.PaymentIntentStatusCanceled))
		return payments.Report{}, &payments.RefusedError{Code: code}
	}
	if said != nil {
		return payments.Report{}, decided(said)
	}
	return payments.Report{}, unsure(fmt.Errorf("stripe: a payment to be captured is %s", f.detail()))
}

// Cancel closes the window of what is not paid, and lets go of what is not captured. What was captured is refused.
func (p *Provider) Cancel(ctx context.Context, of payments.Payment) error {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	var err error
	for range 2 { // the diner may pay between look and call, or another call be faster
		var found *payment
		if found, err = p.look(ctx, of.Reference); err != nil || found == nil {
			return err
		}
		switch found.stand() {
		case payments.StandCaptured:
			return &payments.RefusedError{Code: unexpectedState}
		case payments.StandCancelled:
			return nil
		}
		if err = p.release(ctx, of, found); err == nil {
			return nil
		}
	}
	return unsure(err) // it is not cancelled yet, whatever Stripe says
}

// release cancels the intent, or expires a session whose window is open, which cancels its intent.
func (p *Provider) release(ctx context.Context, of payments.Payment, found *payment) error {
	if s := found.session; s != nil && s.Status == api.CheckoutSessionStatusOpen {
		params := &api.CheckoutSessionExpireParams{}
		params.SetIdempotencyKey(p.key("expire", of))
		_, err := p.api.V1CheckoutSessions.Expire(ctx, s.ID, params)
		return err
	}
	if found.intent == nil {
		return fmt.Errorf("stripe: a payment to be cancelled has no intent")
	}
	params := &api.PaymentIntentCancelParams{CancellationReason: api.String("abandoned")}
	params.SetIdempotencyKey(p.key("cancel", of))
	_, err := p.api.V1PaymentIntents.Cancel(ctx, found.intent.ID, params)
	return err
}
