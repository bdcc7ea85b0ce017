package tosstest

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"unicode/utf8"
)

// answer is what an idempotency key was answered.
type answer struct {
	done   bool // false while the first request is served
	status int
	body   []byte
}

// ServeHTTP checks who asks, and repeats the first answer to an idempotency key.
func (b *Bank) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	user, password, ok := r.BasicAuth()
	switch {
	case !ok:
		refuse(w, http.StatusForbidden, "INCORRECT_BASIC_AUTH_FORMAT")
		return
	case user != Key || password != "":
		refuse(w, http.StatusUnauthorized, "UNAUTHORIZED_KEY")
		return
	}
	key := r.Header.Get("Idempotency-Key")
	if r.Method != http.MethodPost || key == "" {
		b.mux.ServeHTTP(w, r)
		return
	}
	if utf8.RuneCountInString(key) > 300 {
		refuse(w, http.StatusBadRequest, "INVALID_IDEMPOTENCY_KEY")
		return
	}
	b.once(w, r, r.URL.Path+" "+key)
}

// once serves the first request with a key.
func (b *Bank) once(w http.ResponseWriter, r *http.Request, key string) {
	b.mu.Lock()
	first := b.answers[key]
	if first == nil {
		b.answers[key] = &answer{}
	}
	b.mu.Unlock()
	switch {
	case first == nil:
		recorded := httptest.NewRecorder()
		b.mux.ServeHTTP(recorded, r)
		b.mu.Lock()
		first = &answer{done: true, status: recorded.Code, body: recorded.Body.Bytes()}
		b.answers[key] = first
		b.mu.Unlock()
	case !first.done:
		refuse(w, http.StatusConflict, "IDEMPOTENT_REQUEST_PROCESSING")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(first.status)
	_, _ = w.Write(first.body)
}

func refuse(w http.ResponseWriter, status int, code string) {
	give(w, status, failure{Code: code, Message: "오류입니다."})
}

func give(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// read decodes a body, which has to be JSON without members that the contract does not have.
func read(r *http.Request, to any) bool {
	body, err := io.ReadAll(r.Body)
	if err != nil || !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		return false
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	return decoder.Decode(to) == nil
}

func (b *Bank) show(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.find(r)
	if p == nil {
		refuse(w, http.StatusNotFound, "NOT_FOUND_PAYMENT")
		return
	}
	give(w, http.StatusOK, p)
}

var isOrderID = regexp.MustCompile(`^[A-Za-z0-9\-_=.@]{6,64}$`)

func (b *Bank) confirm(w http.ResponseWriter, r *http.Request) {
	var body struct {
		PaymentKey string `json:"paymentKey"`
		OrderID    string `json:"orderId"`
		Amount     int64  `json:"amount"`
	}
	if !read(r, &body) || !isOrderID.MatchString(body.OrderID) || body.Amount < 1 {
		refuse(w, http.StatusBadRequest, "INVALID_REQUEST")
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	r.SetPathValue("key", body.PaymentKey)
	p := b.find(r)
	status, code := b.mayConfirm(p, body.OrderID, body.Amount)
	if code != "" {
		refuse(w, status, code)
		return
	}
	approved := b.stamp()
	p.Status, p.ApprovedAt = "DONE", &approved
	p.taken += p.TotalAmount
	b.move(p, p.TotalAmount)
	p.Receipt = &link{URL: "https://dashboard.tosspayments.com/receipt/" + p.PaymentKey}
	give(w, http.StatusOK, p)
}

// mayConfirm returns why a payment is not confirmed, and aborts it where that is for good. The caller holds mu.
func (b *Bank) mayConfirm(p *Payment, orderID string, amount int64) (status int, code string) {
	switch {
	case p == nil || p.OrderID != orderID:
		return http.StatusNotFound, "NOT_FOUND_PAYMENT"
	case p.Status == "EXPIRED":
		return http.StatusNotFound, "NOT_FOUND_PAYMENT_SESSION"
	case p.Status == "READY":
		return http.StatusBadRequest, "UNAPPROVED_ORDER_ID"
	case p.Status != "IN_PROGRESS":
		return http.StatusBadRequest, "ALREADY_PROCESSED_PAYMENT"
	case p.TotalAmount != amount:
		return http.StatusForbidden, "FORBIDDEN_REQUEST"
	}
	code = b.refusals[orderID]
	delete(b.refusals, orderID)
	switch {
	case code == "":
		return 0, ""
	case code == "NOT_FOUND_PAYMENT":
		return http.StatusNotFound, code
	case code == "PROVIDER_ERROR":
		return http.StatusBadRequest, code
	case strings.HasPrefix(code, "FAILED_"):
		return http.StatusInternalServerError, code
	}
	p.Status, p.Failure = "ABORTED", &failure{Code: code, Message: "거절되었습니다."}
	return http.StatusForbidden, code
}

func (b *Bank) cancel(w http.ResponseWriter, r *http.Request) {
	var body struct {
		CancelReason     string `json:"cancelReason"`
		CancelAmount     *int64 `json:"cancelAmount"`
		RefundableAmount *int64 `json:"refundableAmount"`
	}
	if !read(r, &body) || body.CancelReason == "" || utf8.RuneCountInString(body.CancelReason) > 200 {
		refuse(w, http.StatusBadRequest, "INVALID_REQUEST")
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.find(r)
	status, code := mayCancel(p, body.CancelAmount, body.RefundableAmount)
	if code != "" {
		refuse(w, status, code)
		return
	}
	amount := p.BalanceAmount
	if body.CancelAmount != nil {
		amount = *body.CancelAmount
	}
	p.BalanceAmount -= amount
	if p.Status = "CANCELED"; p.BalanceAmount > 0 {
		p.Status = "PARTIAL_CANCELED"
	}
	b.move(p, amount)
	p.Cancels = append(p.Cancels, Cancel{CancelAmount: amount, CancelReason: body.CancelReason,
		RefundableAmount: p.BalanceAmount, CanceledAt: b.stamp(), TransactionKey: *p.LastTransactionKey})
	give(w, http.StatusOK, p)
}

// mayCancel returns why a payment is not cancelled.
func mayCancel(p *Payment, amount, refundable *int64) (status int, code string) {
	switch {
	case p == nil:
		return http.StatusNotFound, "NOT_FOUND_PAYMENT"
	case p.Status == "CANCELED":
		return http.StatusBadRequest, "ALREADY_CANCELED_PAYMENT"
	case p.Status != "DONE" && p.Status != "PARTIAL_CANCELED":
		return http.StatusForbidden, "NOT_CANCELABLE_PAYMENT"
	case refundable != nil && *refundable != p.BalanceAmount:
		return http.StatusBadRequest, "NOT_MATCHES_REFUNDABLE_AMOUNT"
	case amount != nil && (*amount < 1 || *amount > p.BalanceAmount):
		return http.StatusForbidden, "NOT_CANCELABLE_AMOUNT"
	}
	return 0, ""
}

// move adds a transaction of a payment to the books. The caller holds mu.
func (b *Bank) move(p *Payment, amount int64) {
	key := rand.Text()
	p.LastTransactionKey = &key
	b.moved = append(b.moved, transaction{MID: p.MID, TransactionKey: key, PaymentKey: p.PaymentKey, OrderID: p.OrderID,
		Method: p.Method, Status: p.Status, TransactionAt: b.stamp(), Currency: p.Currency, Amount: amount})
}
