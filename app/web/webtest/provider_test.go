package webtest

import (
	"context"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"time"

	"lunchgo/app/payments"
	"lunchgo/app/program"
	"lunchgo/app/program/programtest"
)

// bank is a payment provider of a test's own, which answers what the test has it answer.
type bank struct {
	mu     sync.Mutex
	orders map[string]payments.Order
	stands map[string]payments.Stand
	fails  map[string]error // by call
	calls  map[string]int
}

var _ payments.Provider = (*bank)(nil)

// newBank returns a server whose payments go through a bank.
func newBank(t *testing.T) (*harness, *bank) {
	t.Helper()
	b := &bank{orders: map[string]payments.Order{}, stands: map[string]payments.Stand{}, fails: map[string]error{},
		calls: map[string]int{}}
	return newHarnessWith(t, programtest.Setup{Config: program.Config{
		Payments: program.PaymentsConfig{Provider: b, Grace: 3 * time.Minute}}}), b
}

// call counts a call and returns how it is to fail.
func (b *bank) call(name string) error {
	b.calls[name]++
	return b.fails[name]
}

// fail has a call fail from now on; nil has it work.
func (b *bank) fail(call string, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fails[call] = err
}

// decide has the diner do something in the payment window.
func (b *bank) decide(id string, stand payments.Stand) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stands[id] = stand
}

func (b *bank) order(id string) payments.Order {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.orders[id]
}

func (*bank) Name() string { return "bank" }

func (b *bank) Begin(_ context.Context, o payments.Order) (payments.Opened, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.call("begin"); err != nil {
		return payments.Opened{}, err
	}
	b.orders[o.ID], b.stands[o.ID] = o, payments.StandPending
	return payments.Opened{Reference: o.ID, CheckoutURL: "https://bank.example/pay/" + o.ID}, nil
}

func (*bank) Returned(url.Values) string { return "" }

func (b *bank) Find(_ context.Context, p payments.Payment) (payments.Report, error) {
	return b.moved("find", p, "")
}

func (b *bank) Capture(_ context.Context, p payments.Payment) (payments.Report, error) {
	return b.moved("capture", p, payments.StandCaptured)
}

func (b *bank) Cancel(_ context.Context, p payments.Payment) error {
	_, err := b.moved("cancel", p, payments.StandCancelled)
	return err
}

func (b *bank) Refund(_ context.Context, p payments.Payment, _ payments.Refund) (payments.Report, error) {
	return b.moved("refund", p, "")
}

func (b *bank) moved(call string, p payments.Payment, to payments.Stand) (payments.Report, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.call(call); err != nil {
		return payments.Report{}, err
	}
	if to != "" {
		b.stands[p.ID] = to
	}
	return payments.Report{PaymentID: p.ID, Reference: p.ID, Stand: b.stands[p.ID], Amount: b.orders[p.ID].Amount,
		Currency: "KRW", Method: "card"}, nil
}

func (*bank) Verify(_ context.Context, header http.Header, body []byte) (string, error) {
	if header.Get("Signature") != "the bank's" {
		return "", payments.ErrForged
	}
	return string(body), nil
}

func (*bank) List(context.Context, time.Time) ([]payments.Movement, error) { return nil, nil }

// report sends what the bank reports of a payment.
func (r *harness) report(t *testing.T, provider, id, signature string) answer {
	t.Helper()
	return r.do(t, call{method: http.MethodPost, path: "/hooks/payments/" + provider, body: id,
		headers: map[string]string{"Signature": signature, "Content-Type": "text/plain"}})
}
