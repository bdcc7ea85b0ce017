// Package stripe takes payments through Stripe Checkout: the diner pays on Stripe's page, Stripe authorises, and
// Capture takes the money (https://docs.stripe.com/payments/place-a-hold-on-a-payment-method).
//
// The reference of a payment is its Checkout Session, since Stripe's search by metadata is not immediate. What belongs
// to a payment has its id in the metadata.
package stripe

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	api "github.com/stripe/stripe-go/v85"
	"github.com/stripe/stripe-go/v85/webhook"

	"lunchgo/app/payments"
)

// Name is the value of PAYMENTS that chooses Stripe.
const Name = "stripe"

// API is the published address of the API.
const API = api.APIURL

// Members of the metadata.
const (
	metaPayment = "payment" // the id of ours
	metaRefund  = "refund"  // likewise
)

const (
	krw = "krw" // has no smaller unit: amounts are won
	// sessionID is the parameter of the address to which the browser comes back.
	sessionID = "session_id"
)

// How long a window is open: Stripe takes no less than 30 minutes and no more than a day.
const (
	shortest = 31 * time.Minute
	longest  = 23 * time.Hour
)

// Config is what a Provider is made of.
type Config struct {
	SecretKey     string // sk_test_… or sk_live_…
	SigningSecret string // of the endpoint for webhooks: whsec_…
	BaseURL       string // without a slash at its end; empty: API
	Client        *http.Client
	Now           func() time.Time // nil: the real time
}

// Provider is Stripe. It is safe for concurrent use.
type Provider struct {
	api     *api.Client
	signing string
	now     func() time.Time
}

// New returns the provider. Without a client it uses one of its own, which follows no redirect.
func New(c Config) *Provider {
	if c.Client == nil {
		c.Client = payments.NewClient()
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	backends := api.NewBackendsWithConfig(&api.BackendConfig{
		HTTPClient:        c.Client,
		LeveledLogger:     &api.LeveledLogger{Level: api.LevelNull}, // an error is logged where it stops
		MaxNetworkRetries: api.Int64(0),                             // the caller repeats
		URL:               api.String(cmp.Or(c.BaseURL, API)),
	})
	return &Provider{api: api.NewClient(c.SecretKey, api.WithBackends(backends)), signing: c.SigningSecret, now: c.Now}
}

// Name returns "stripe".
func (p *Provider) Name() string { return Name }

// Begin opens a Checkout Session. Repeats with the same order return the same one.
func (p *Provider) Begin(ctx context.Context, order payments.Order) (payments.Opened, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	params := p.sessionOf(order)
	params.SetIdempotencyKey("begin-" + order.ID + "-" + digest(params)) // Stripe refuses a key with another request
	session, err := p.api.V1CheckoutSessions.Create(ctx, params)
	if err != nil {
		return payments.Opened{}, decided(err)
	}
	return payments.Opened{Reference: session.ID, CheckoutURL: session.URL}, nil
}

// digest tells requests apart.
func digest(params *api.CheckoutSessionCreateParams) string {
	text, _ := json.Marshal(params) // of a struct of strings and numbers: it cannot fail
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

func (p *Provider) sessionOf(order payments.Order) *api.CheckoutSessionCreateParams {
	meta := map[string]string{metaPayment: order.ID}
	params := &api.CheckoutSessionCreateParams{
		Mode:              api.String("payment"),
		ClientReferenceID: api.String(order.ID),
		Metadata:          meta,
		SuccessURL:        api.String(withSession(order.ReturnURL)),
		CancelURL:         api.String(order.LeaveURL),
		Locale:            api.String(order.Lang),
		// nobody is shown another currency than that which is taken
		AdaptivePricing: &api.CheckoutSessionCreateAdaptivePricingParams{Enabled: api.Bool(false)},
		PaymentIntentData: &api.CheckoutSessionCreatePaymentIntentDataParams{
			CaptureMethod: api.String("manual"), Metadata: meta, Description: api.String(order.Title)},
		LineItems: []*api.CheckoutSessionCreateLineItemParams{{Quantity: api.Int64(1),
			PriceData: &api.CheckoutSessionCreateLineItemPriceDataParams{
				Currency: api.String(krw), UnitAmount: api.Int64(order.Amount),
				ProductData: &api.CheckoutSessionCreateLineItemPriceDataProductDataParams{Name: api.String(order.Title)}}}},
	}
	if order.Email != "" {
		params.CustomerEmail = api.String(order.Email)
	}
	// Cancel closes the window when the hold ends; this is for when nobody does. It goes by the order, not by the time
	// of the call, so that a repeat is the same request.
	if closes := order.Until.Add(shortest); closes.Sub(p.now()) < longest {
		params.ExpiresAt = api.Int64(closes.Unix())
	}
	return params
}

// withSession adds the parameter that Stripe fills in.
func withSession(address string) string {
	sign := "?"
	if strings.Contains(address, "?") {
		sign = "&"
	}
	return address + sign + sessionID + "={CHECKOUT_SESSION_ID}"
}

// Returned reads session_id.
func (p *Provider) Returned(query url.Values) string {
	id := query.Get(sessionID)
	if !strings.HasPrefix(id, sessionPrefix) {
		return ""
	}
	return id
}

// Verify checks Stripe's signature, which has to be less than five minutes old, and returns the id in the metadata of
// what the event is about. Endpoints may have another version of Stripe's API than this program.
func (p *Provider) Verify(_ context.Context, header http.Header, body []byte) (string, error) {
	event, err := webhook.ConstructEventWithOptions(body, header.Get("Stripe-Signature"), p.signing,
		webhook.ConstructEventOptions{IgnoreAPIVersionMismatch: true})
	if err != nil {
		return "", fmt.Errorf("%w: %w", payments.ErrForged, err)
	}
	var about struct {
		Metadata map[string]string `json:"metadata"`
	}
	if event.Data == nil || json.Unmarshal(event.Data.Raw, &about) != nil {
		return "", nil
	}
	return about.Metadata[metaPayment], nil
}
