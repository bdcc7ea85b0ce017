package toss

import (
	"encoding/json"
	"math"
	"strings"

	"lunchgo/app/payments"
)

const won = "KRW"

// status is how far a payment has come, by Toss' word.
type status string

// The statuses of a payment, as published.
const (
	ready           status = "READY"               // the window is open
	inProgress      status = "IN_PROGRESS"         // the diner is authenticated, the payment is not confirmed
	waiting         status = "WAITING_FOR_DEPOSIT" // a virtual account waits for its money
	done            status = "DONE"
	canceled        status = "CANCELED" // all of it went back
	partialCanceled status = "PARTIAL_CANCELED"
	aborted         status = "ABORTED" // refused, or failed
	expired         status = "EXPIRED" // not confirmed in time
)

// stands are the stands of payments by their statuses.
var stands = map[status]payments.Stand{
	ready: payments.StandPending, inProgress: payments.StandAuthorised, waiting: payments.StandPending,
	done: payments.StandCaptured, canceled: payments.StandCaptured, partialCanceled: payments.StandCaptured,
	aborted: payments.StandRefused, expired: payments.StandCancelled,
}

// payment is Toss' Payment, as far as it is read: nothing of a card is.
type payment struct {
	PaymentKey         string  `json:"paymentKey"`
	OrderID            string  `json:"orderId"`
	Status             status  `json:"status"`
	Currency           string  `json:"currency"`
	TotalAmount        float64 `json:"totalAmount"`
	BalanceAmount      float64 `json:"balanceAmount"`
	ApprovedAt         string  `json:"approvedAt"`
	LastTransactionKey string  `json:"lastTransactionKey"`
	Method             string  `json:"method"`
	EasyPay            struct {
		Provider string `json:"provider"`
	} `json:"easyPay"`
	Cancels []cancel `json:"cancels"`
	Failure struct {
		Code string `json:"code"`
	} `json:"failure"`
	Receipt struct {
		URL string `json:"url"`
	} `json:"receipt"`
}

type cancel struct {
	CancelReason string `json:"cancelReason"`
}

// stand returns how far the payment has come; pending for a status that is not published yet.
func (p payment) stand() payments.Stand {
	if p.Status == canceled && p.ApprovedAt == "" {
		return payments.StandCancelled // a virtual account that nobody paid into
	}
	if stand, ok := stands[p.Status]; ok {
		return stand
	}
	return payments.StandPending
}

func (p payment) report() payments.Report {
	r := payments.Report{PaymentID: p.OrderID, Reference: p.PaymentKey, Stand: p.stand(), Amount: amount(p.TotalAmount),
		Currency: p.Currency, Method: p.method(), Code: p.Failure.Code, Detail: p.detail()}
	if r.Stand == payments.StandCaptured {
		r.Returned = amount(p.TotalAmount - p.BalanceAmount)
	}
	return r
}

// detail is what an operator needs to find the payment at Toss.
func (p payment) detail() string {
	text, _ := json.Marshal(struct { // strings: it cannot fail
		Status      status `json:"status"`
		Transaction string `json:"transaction,omitempty"`
		Receipt     string `json:"receipt,omitempty"`
	}{p.Status, p.LastTransactionKey, p.Receipt.URL})
	return string(text)
}

// amount is a number of JSON as won.
func amount(number float64) int64 { return int64(math.Round(number)) }

// methods are the words of ours for Toss': https://docs.tosspayments.com/codes/enum-codes has both, Korean and English.
var methods = map[string]string{
	"카드": "card", "CARD": "card", "가상계좌": "virtual_account", "VIRTUAL_ACCOUNT": "virtual_account", "휴대폰": "mobile",
	"MOBILE_PHONE": "mobile", "계좌이체": "transfer", "TRANSFER": "transfer", "간편결제": "easy_pay", "EASY_PAY": "easy_pay",
	"토스페이": "tosspay", "네이버페이": "naverpay", "삼성페이": "samsungpay", "애플페이": "applepay", "엘페이": "lpay",
	"카카오페이": "kakaopay", "핀페이": "pinpay", "페이코": "payco", "SSG페이": "ssg",
}

// method returns what was paid with: the wallet, where one was.
func (p payment) method() string {
	name := p.Method
	if p.EasyPay.Provider != "" {
		name = p.EasyPay.Provider
	}
	if ours, ok := methods[name]; ok {
		return ours
	}
	return strings.ToLower(name)
}
