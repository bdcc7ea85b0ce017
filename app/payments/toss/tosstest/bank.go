// Package tosstest is a fake of Toss Payments, held to its published contract: authentication, idempotency keys, the
// statuses of a payment over time, and the codes of what it refuses.
package tosstest

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"lunchgo/app/payments/toss"
)

// Key is the secret key that the bank knows.
const Key = "test_sk_of_the_fake"

// Bank is the fake. It is safe for concurrent use.
type Bank struct {
	mux *http.ServeMux

	mu       sync.Mutex
	passed   time.Duration // beyond the real time
	byKey    map[string]*Payment
	byOrder  map[string]*Payment // the last one of an order
	refusals map[string]string   // codes of the next confirmations, by order
	answers  map[string]*answer  // by idempotency key
	moved    []transaction
}

// New returns a bank without payments.
func New() *Bank {
	b := &Bank{mux: http.NewServeMux(), byKey: map[string]*Payment{}, byOrder: map[string]*Payment{},
		refusals: map[string]string{}, answers: map[string]*answer{}}
	b.mux.HandleFunc("POST /v1/payments/confirm", b.confirm)
	b.mux.HandleFunc("GET /v1/payments/{key}", b.show)
	b.mux.HandleFunc("GET /v1/payments/orders/{order}", b.show)
	b.mux.HandleFunc("POST /v1/payments/{key}/cancel", b.cancel)
	b.mux.HandleFunc("GET /v1/transactions", b.transactions)
	b.mux.HandleFunc("GET /v1/settlements", b.settlements)
	return b
}

// Payment is Toss' Payment, with what a card shows of itself, so that tests see that nobody keeps it.
type Payment struct {
	Version            string   `json:"version"`
	PaymentKey         string   `json:"paymentKey"`
	Type               string   `json:"type"`
	OrderID            string   `json:"orderId"`
	OrderName          string   `json:"orderName"`
	MID                string   `json:"mId"`
	Currency           string   `json:"currency"`
	Method             string   `json:"method"`
	TotalAmount        int64    `json:"totalAmount"`
	BalanceAmount      int64    `json:"balanceAmount"`
	Status             string   `json:"status"`
	RequestedAt        string   `json:"requestedAt"`
	ApprovedAt         *string  `json:"approvedAt"`
	LastTransactionKey *string  `json:"lastTransactionKey"`
	Cancels            []Cancel `json:"cancels"`
	IsPartialCancel    bool     `json:"isPartialCancelable"`
	Card               *card    `json:"card"`
	EasyPay            *easyPay `json:"easyPay"`
	Failure            *failure `json:"failure"`
	Receipt            *link    `json:"receipt"`
	Checkout           *link    `json:"checkout"`

	successURL    string
	authenticated time.Time
	taken         int64
}

// Cancel is a cancellation.
type Cancel struct {
	CancelAmount     int64  `json:"cancelAmount"`
	CancelReason     string `json:"cancelReason"`
	RefundableAmount int64  `json:"refundableAmount"`
	CanceledAt       string `json:"canceledAt"`
	TransactionKey   string `json:"transactionKey"`
}

type card struct {
	Number     string `json:"number"`
	ApproveNo  string `json:"approveNo"`
	IssuerCode string `json:"issuerCode"`
}

type easyPay struct {
	Provider string `json:"provider"`
}

type failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

type link struct {
	URL string `json:"url"`
}

// sessionTime is how long an authenticated payment waits for its confirmation.
const sessionTime = 10 * time.Minute

func (b *Bank) now() time.Time { return time.Now().Add(b.passed) }

func (b *Bank) stamp() string { return b.now().In(kst).Format("2006-01-02T15:04:05-07:00") }

var kst = time.FixedZone("KST", 9*60*60)

// Open opens the payment window, as the SDK does, and returns the paymentKey.
func (b *Bank) Open(w toss.Window) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := &Payment{Version: "2022-11-16", PaymentKey: "tk" + rand.Text(), Type: "NORMAL", OrderID: w.OrderID,
		OrderName: w.OrderName, MID: "tlunchgo", Currency: w.Amount.Currency, TotalAmount: w.Amount.Value,
		BalanceAmount: w.Amount.Value, Status: "READY", RequestedAt: b.stamp(), IsPartialCancel: true,
		successURL: w.SuccessURL}
	p.Checkout = &link{URL: "https://api.tosspayments.com/v1/payments/" + p.PaymentKey + "/checkout"}
	b.byKey[p.PaymentKey], b.byOrder[p.OrderID] = p, p
	return p.PaymentKey
}

// Authenticate has the diner finish in the window, with a card or, if it is named, a wallet. It returns the address to
// which the browser goes.
func (b *Bank) Authenticate(paymentKey, wallet string) *url.URL {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.byKey[paymentKey]
	p.Status, p.authenticated, p.Method = "IN_PROGRESS", b.now(), "카드"
	p.Card = &card{Number: "43301234****123*", ApproveNo: "00000000", IssuerCode: "71"}
	if wallet != "" {
		p.Method, p.EasyPay = "간편결제", &easyPay{Provider: wallet}
	}
	to, _ := url.Parse(p.successURL)
	query := to.Query()
	query.Set("paymentKey", paymentKey)
	query.Set("orderId", p.OrderID)
	query.Set("amount", strconv.FormatInt(p.TotalAmount, 10))
	query.Set("paymentType", "NORMAL")
	to.RawQuery = query.Encode()
	return to
}

// Abort has the card company refuse the diner in the window.
func (b *Bank) Abort(paymentKey, code string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.byKey[paymentKey]
	p.Status, p.Failure = "ABORTED", &failure{Code: code, Message: "카드사에서 거절했습니다."}
}

// Refuse has the next confirmation of an order answered with a code. After one that refuses, the payment is ABORTED.
func (b *Bank) Refuse(orderID, code string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refusals[orderID] = code
}

// Pass lets time pass.
func (b *Bank) Pass(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.passed += d
}

// Forget forgets the idempotency keys, as Toss does after 15 days.
func (b *Bank) Forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.answers)
}

// Taken returns what was taken for an order, and what of it went back, in won.
func (b *Bank) Taken(orderID string) (taken, back int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.byKey { // in any order
		if p.OrderID == orderID {
			taken += p.taken
			for _, c := range p.Cancels {
				back += c.CancelAmount
			}
		}
	}
	return taken, back
}

// Webhook returns PAYMENT_STATUS_CHANGED about an order, with a status that need not be true: nobody signs it.
func (b *Bank) Webhook(orderID, status string) (http.Header, []byte) {
	body, _ := json.Marshal(map[string]any{"eventType": "PAYMENT_STATUS_CHANGED",
		"createdAt": time.Now().Format("2006-01-02T15:04:05.000000"),
		"data":      map[string]any{"orderId": orderID, "paymentKey": "tk" + rand.Text(), "status": status}})
	return http.Header{"Content-Type": {"application/json"}}, body
}

// find returns a payment as it is now. The caller holds mu.
func (b *Bank) find(r *http.Request) *Payment {
	p := b.byOrder[r.PathValue("order")]
	if key := r.PathValue("key"); key != "" {
		p = b.byKey[key]
	}
	if p != nil && p.Status == "IN_PROGRESS" && b.now().Sub(p.authenticated) > sessionTime {
		p.Status = "EXPIRED"
	}
	return p
}
