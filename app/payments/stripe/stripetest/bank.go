// Package stripetest is a fake of Stripe for what its own stripe-mock cannot play: the states of a payment over time,
// idempotency keys, and books.
package stripetest

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/stripe/stripe-go/v85/webhook"
)

// What the bank and its customer know.
const (
	Key     = "sk_test_of_the_fake"
	Signing = "whsec_of_the_fake"
)

// Bank is the fake. It is safe for concurrent use.
type Bank struct {
	mux *http.ServeMux

	mu       sync.Mutex
	passed   time.Duration // beyond the real time
	sessions map[string]*session
	intents  map[string]*intent
	charges  map[string]*charge
	refunds  []*refund
	moved    []*movement
	empty    bool               // the account has no money for refunds
	dollars  bool               // the account is paid out in US dollars
	declines map[string]bool    // intents whose capture is declined
	answers  map[string]*answer // by idempotency key
}

// New returns a bank without payments.
func New() *Bank {
	b := &Bank{mux: http.NewServeMux(), sessions: map[string]*session{}, intents: map[string]*intent{},
		charges: map[string]*charge{}, declines: map[string]bool{}, answers: map[string]*answer{}}
	for pattern, serve := range map[string]func(*http.Request) (any, *failure){ // in any order
		"POST /v1/checkout/sessions":             b.open,
		"GET /v1/checkout/sessions/{id}":         b.showSession,
		"POST /v1/checkout/sessions/{id}/expire": b.expire,
		"GET /v1/payment_intents/{id}":           b.showIntent,
		"POST /v1/payment_intents/{id}/capture":  b.capture,
		"POST /v1/payment_intents/{id}/cancel":   b.cancel,
		"GET /v1/charges/{id}":                   b.showCharge,
		"POST /v1/refunds":                       b.refund,
		"GET /v1/refunds":                        b.listRefunds,
		"GET /v1/balance_transactions":           b.listMoved,
		"/":                                      missing,
	} {
		b.mux.HandleFunc(pattern, b.serve(serve))
	}
	return b
}

type session struct {
	ID                string            `json:"id"`
	Object            string            `json:"object"`
	Status            string            `json:"status"`
	AmountTotal       int64             `json:"amount_total"`
	Currency          string            `json:"currency"`
	ClientReferenceID string            `json:"client_reference_id"`
	Metadata          map[string]string `json:"metadata"`
	URL               string            `json:"url"`
	ExpiresAt         int64             `json:"expires_at"`
	SuccessURL        string            `json:"success_url"`
	PaymentIntent     any               `json:"payment_intent"` // its id, or the intent where that is asked for

	intent   *intent
	intended map[string]string // metadata of the intent to come
}

type intent struct {
	ID                 string            `json:"id"`
	Object             string            `json:"object"`
	Status             string            `json:"status"`
	Amount             int64             `json:"amount"`
	Currency           string            `json:"currency"`
	Metadata           map[string]string `json:"metadata"`
	CancellationReason string            `json:"cancellation_reason,omitempty"`
	LastPaymentError   *failure          `json:"last_payment_error"`
	LatestCharge       *charge           `json:"latest_charge"`

	authorised time.Time
}

type charge struct {
	ID             string            `json:"id"`
	Object         string            `json:"object"`
	Amount         int64             `json:"amount"`
	AmountCaptured int64             `json:"amount_captured"`
	AmountRefunded int64             `json:"amount_refunded"`
	Currency       string            `json:"currency"`
	Metadata       map[string]string `json:"metadata"`
	Details        map[string]any    `json:"payment_method_details"`
}

type refund struct {
	ID       string            `json:"id"`
	Object   string            `json:"object"`
	Amount   int64             `json:"amount"`
	Currency string            `json:"currency"`
	Status   string            `json:"status"`
	Metadata map[string]string `json:"metadata"`
	Charge   any               `json:"charge"`

	intent string
}

type movement struct {
	ID          string `json:"id"`
	Object      string `json:"object"`
	Amount      int64  `json:"amount"`
	Fee         int64  `json:"fee"`
	Currency    string `json:"currency"`
	Created     int64  `json:"created"`
	AvailableOn int64  `json:"available_on"`
	Source      any    `json:"source"`
}

// How long Stripe waits for a capture.
const captureTime = 7 * 24 * time.Hour

func (b *Bank) now() time.Time { return time.Now().Add(b.passed) }

func newID(prefix string) string { return prefix + "_test_" + strings.ToLower(rand.Text()) }

// Pay has the diner pay in a window, with a method by Stripe's word: card, kakao_pay. It returns the address to which
// the browser goes.
func (b *Bank) Pay(sessionID, method string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.sessions[sessionID]
	b.attempt(s)
	c := &charge{ID: newID("ch"), Object: "charge", Amount: s.AmountTotal, Currency: s.Currency,
		Metadata: s.intent.Metadata, Details: map[string]any{"type": method}}
	if method == "card" {
		c.Details["card"] = map[string]any{"last4": "4242", "wallet": nil}
	}
	b.charges[c.ID] = c
	s.Status = "complete"
	s.intent.Status, s.intent.LatestCharge, s.intent.authorised = "requires_capture", c, b.now()
	s.intent.LastPaymentError = nil
	return strings.ReplaceAll(s.SuccessURL, "{CHECKOUT_SESSION_ID}", s.ID)
}

// Decline has the diner try a card that is declined; the window stays open.
func (b *Bank) Decline(sessionID string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.sessions[sessionID]
	b.attempt(s)
	s.intent.Status, s.intent.LastPaymentError = "requires_payment_method", declined
}

var declined = &failure{status: http.StatusPaymentRequired, Type: "card_error", Code: "card_declined",
	DeclineCode: "insufficient_funds"}

// attempt makes the intent of a session. The caller holds mu.
func (b *Bank) attempt(s *session) {
	if s.intent == nil {
		s.intent = &intent{ID: newID("pi"), Object: "payment_intent", Amount: s.AmountTotal, Currency: s.Currency,
			Metadata: s.intended}
		b.intents[s.intent.ID] = s.intent
	}
}

// DeclineCapture has the next capture of a payment declined, after which the authorisation is void.
func (b *Bank) DeclineCapture(paymentID string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.declines[b.intentOf(paymentID).ID] = true
}

// intentOf returns the intent of a payment of ours. The caller holds mu.
func (b *Bank) intentOf(paymentID string) *intent {
	for _, i := range b.intents { // in any order: a payment has one
		if i.Metadata["payment"] == paymentID {
			return i
		}
	}
	return nil
}

// Empty says whether the account has no money for refunds.
func (b *Bank) Empty(empty bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.empty = empty
}

// PayOutInDollars has the account paid out in US dollars, at 10 won a cent.
func (b *Bank) PayOutInDollars() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.dollars = true
}

// Pass lets time pass.
func (b *Bank) Pass(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.passed += d
}

// Forget forgets the idempotency keys, as Stripe does after a day.
func (b *Bank) Forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.answers)
}

// Taken returns what was taken for a payment, and what of it went back, in won.
func (b *Bank) Taken(paymentID string) (taken, back int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.charges { // in any order
		if c.Metadata["payment"] == paymentID {
			taken += c.AmountCaptured
		}
	}
	for _, r := range b.refunds {
		if i := b.intents[r.intent]; i != nil && i.Metadata["payment"] == paymentID {
			back += r.Amount
		}
	}
	return taken, back
}

// Webhook returns what Stripe sends of a payment whose window was paid in, signed with a secret.
func (b *Bank) Webhook(paymentID, secret string) (http.Header, []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	body, _ := json.Marshal(map[string]any{"id": newID("evt"), "object": "event", "api_version": "2020-08-27",
		"type": "payment_intent.amount_capturable_updated", "created": time.Now().Unix(),
		"data": map[string]any{"object": b.intentOf(paymentID)}})
	signed := webhook.GenerateTestSignedPayload(&webhook.UnsignedPayload{Payload: body, Secret: secret})
	return http.Header{"Stripe-Signature": {signed.Header}}, body
}
