package stripe

import (
	"context"
	"encoding/json"
	"strings"

	api "github.com/stripe/stripe-go/v85"

	"lunchgo/app/payments"
)

// What the ids of Stripe's begin with.
const (
	sessionPrefix = "cs_"
	intentPrefix  = "pi_"
)

// payment is what Stripe has of a payment: a session, an intent, or both. The session gets its intent when the diner
// first tries to pay.
type payment struct {
	session *api.CheckoutSession
	intent  *api.PaymentIntent
}

// look asks for a payment by its reference. It returns nil without one, and for one that Stripe does not know.
func (p *Provider) look(ctx context.Context, reference string) (*payment, error) {
	var found payment
	var err error
	switch {
	case strings.HasPrefix(reference, sessionPrefix):
		params := &api.CheckoutSessionRetrieveParams{}
		params.AddExpand("payment_intent.latest_charge")
		if found.session, err = p.api.V1CheckoutSessions.Retrieve(ctx, reference, params); err == nil {
			found.intent = found.session.PaymentIntent
		}
	case strings.HasPrefix(reference, intentPrefix):
		params := &api.PaymentIntentRetrieveParams{}
		params.AddExpand("latest_charge")
		found.intent, err = p.api.V1PaymentIntents.Retrieve(ctx, reference, params)
	default:
		return nil, nil
	}
	if isMissing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, unsure(err)
	}
	return &found, nil
}

// stand returns how far the payment has come. A declined card leaves it pending: Stripe's page asks for another one.
func (f *payment) stand() payments.Stand {
	if f.intent != nil {
		switch f.intent.Status {
		case api.PaymentIntentStatusRequiresCapture:
			return payments.StandAuthorised
		case api.PaymentIntentStatusSucceeded:
			return payments.StandCaptured
		case api.PaymentIntentStatusCanceled:
			return payments.StandCancelled
		}
	}
	if f.session != nil && f.session.Status == api.CheckoutSessionStatusExpired {
		return payments.StandCancelled
	}
	return payments.StandPending
}

func (f *payment) report() payments.Report {
	r := payments.Report{Stand: f.stand()}
	if f.intent != nil {
		r.Reference, r.PaymentID = f.intent.ID, f.intent.Metadata[metaPayment]
		r.Amount, r.Currency = f.intent.Amount, strings.ToUpper(string(f.intent.Currency))
		r.Code = f.code()
		if charge := f.intent.LatestCharge; charge != nil {
			r.Method = methodOf(charge)
			if r.Stand == payments.StandCaptured { // Stripe counts what is let go of as refunded, too
				r.Returned = charge.AmountRefunded
			}
		}
	}
	if f.session != nil {
		r.Reference, r.PaymentID = f.session.ID, f.session.ClientReferenceID
		if f.intent == nil {
			r.Amount, r.Currency = f.session.AmountTotal, strings.ToUpper(string(f.session.Currency))
		}
	}
	r.Detail = f.detail()
	return r
}

// code returns why the payment is not to be had, or why its last try failed.
func (f *payment) code() string {
	if f.intent.Status == api.PaymentIntentStatusCanceled {
		return string(f.intent.CancellationReason)
	}
	return codeOf(asError(f.intent.LastPaymentError))
}

// asError returns nil for none, instead of an interface that holds nil.
func asError(err *api.Error) error {
	if err == nil {
		return nil
	}
	return err
}

// detail is what an operator needs to find the payment at Stripe.
func (f *payment) detail() string {
	var d struct { // of strings: it cannot fail to be written
		Intent string `json:"intent,omitempty"`
		Status string `json:"status,omitempty"`
		Charge string `json:"charge,omitempty"`
	}
	if f.intent != nil {
		d.Intent, d.Status = f.intent.ID, string(f.intent.Status)
		if f.intent.LatestCharge != nil {
			d.Charge = f.intent.LatestCharge.ID
		}
	}
	text, _ := json.Marshal(d)
	return string(text)
}

// methodOf returns what was paid with: card, kakaopay, applepay.
func methodOf(charge *api.Charge) string {
	details := charge.PaymentMethodDetails
	if details == nil {
		return ""
	}
	name := string(details.Type)
	if details.Card != nil && details.Card.Wallet != nil {
		name = string(details.Card.Wallet.Type)
	}
	if name == "kr_card" {
		name = "card"
	}
	return strings.ReplaceAll(name, "_pay", "pay")
}
