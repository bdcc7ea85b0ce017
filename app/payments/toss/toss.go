// Package toss takes payments through Toss Payments, whose payment window brings cards, KakaoPay, NaverPay, Apple Pay
// and others. It follows the core API in the version 2022-11-16, https://docs.tosspayments.com/reference.
//
// Toss knows no capture of its own. Who has finished in the payment window is authenticated for ten minutes, and the
// confirmation takes the money: here, what is authenticated is Authorised, and Capture confirms it. What nobody
// confirms runs out by itself and costs nobody anything.
package toss

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"lunchgo/app/payments"
)

// Name is the value of PAYMENTS that chooses Toss Payments.
const Name = "toss"

// API is the published address of the core API.
const API = "https://api.tosspayments.com"

// maxKey is the longest paymentKey, in characters.
const maxKey = 200

// Config is what a Provider is made of.
type Config struct {
	SecretKey string // test_sk_… or live_sk_…
	ClientKey string // test_ck_… or live_ck_…, of the same set; browsers see it
	BaseURL   string // without a slash at its end; empty: API
	Client    *http.Client
	Now       func() time.Time // nil: the real time
}

// Provider is Toss Payments. It is safe for concurrent use.
type Provider struct {
	secretKey, clientKey, base string
	http                       *http.Client
	now                        func() time.Time
}

// New returns the provider. Without a client it uses one of its own, which follows no redirect.
func New(c Config) *Provider {
	p := &Provider{secretKey: c.SecretKey, clientKey: c.ClientKey, base: cmp.Or(c.BaseURL, API), http: c.Client,
		now: c.Now}
	if p.http == nil {
		p.http = payments.NewClient()
	}
	if p.now == nil {
		p.now = time.Now
	}
	return p
}

// Name returns "toss".
func (p *Provider) Name() string { return Name }

// Begin sends the diner to a page of ours, which opens the payment window with what Window returns: Toss expects a
// payment when the browser opens its window, and not before.
func (p *Provider) Begin(_ context.Context, order payments.Order) (payments.Opened, error) {
	return payments.Opened{CheckoutURL: "/payments/" + url.PathEscape(order.ID)}, nil
}

// Window is what a page needs to open the payment window: TossPayments(ClientKey) and payment({customerKey}) of the SDK
// at SDK, then requestPayment with the rest.
type Window struct {
	ClientKey     string `json:"clientKey"`
	CustomerKey   string `json:"customerKey"` // nobody in particular: no card is kept for later
	Method        string `json:"method"`      // CARD: cards and all wallets
	Target        string `json:"windowTarget"`
	Amount        Amount `json:"amount"`
	OrderID       string `json:"orderId"`
	OrderName     string `json:"orderName"` // at most 100 characters
	SuccessURL    string `json:"successUrl"`
	FailURL       string `json:"failUrl"`
	CustomerEmail string `json:"customerEmail,omitempty"`
	CustomerName  string `json:"customerName,omitempty"`
}

// Amount is money as the SDK takes it.
type Amount struct {
	Currency string `json:"currency"`
	Value    int64  `json:"value"`
}

// SDK is the script that opens the payment window.
const SDK = "https://js.tosspayments.com/v2/standard"

// anonymous is TossPayments.ANONYMOUS of the SDK.
const anonymous = "@@ANONYMOUS"

// self has the browser go to the payment window, on every device. In a frame, as desktops have it else, it would go on
// to pages of card companies and wallets, whose hosts nobody publishes and the content security policy refuses.
const self = "self"

// Window returns what opens the payment window for an order.
func (p *Provider) Window(order payments.Order) Window {
	return Window{ClientKey: p.clientKey, CustomerKey: anonymous, Method: "CARD", Target: self,
		Amount: Amount{Currency: won, Value: order.Amount}, OrderID: order.ID, OrderName: order.Title,
		SuccessURL: order.ReturnURL, FailURL: order.LeaveURL, CustomerEmail: order.Email, CustomerName: order.Name}
}

// OpenWindow implements payments.Windowed.
func (p *Provider) OpenWindow(order payments.Order) payments.Window {
	return payments.Window{Script: SDK, Hosts: []string{"https://js.tosspayments.com", "https://*.tosspayments.com"},
		Data: p.Window(order)}
}

// Returned reads paymentKey.
func (p *Provider) Returned(query url.Values) string {
	key := query.Get("paymentKey")
	if len(key) > maxKey || strings.ContainsFunc(key, notInKey) {
		return ""
	}
	return key
}

func notInKey(r rune) bool {
	return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '-' || r == '_')
}

// Verify returns the order id of PAYMENT_STATUS_CHANGED. Toss does not sign it: nothing else of it is read.
func (p *Provider) Verify(_ context.Context, _ http.Header, body []byte) (string, error) {
	var event struct {
		EventType string `json:"eventType"`
		Data      struct {
			OrderID string `json:"orderId"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &event); err != nil {
		return "", fmt.Errorf("%w: %w", payments.ErrForged, err)
	}
	if event.EventType != "PAYMENT_STATUS_CHANGED" {
		return "", nil
	}
	return event.Data.OrderID, nil
}
