package toss_test

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lunchgo/app/payments"
	"lunchgo/app/payments/providertest"
	"lunchgo/app/payments/toss"
	"lunchgo/app/payments/toss/tosstest"
)

// setup returns a bank with a provider that calls it over HTTP.
func setup(t *testing.T) (*tosstest.Bank, *providertest.Faults, *toss.Provider) {
	t.Helper()
	return setupAt(t, time.Now)
}

func setupAt(t *testing.T, now func() time.Time) (*tosstest.Bank, *providertest.Faults, *toss.Provider) {
	t.Helper()
	bank := tosstest.New()
	faults := &providertest.Faults{Handler: bank}
	server := httptest.NewServer(faults)
	t.Cleanup(server.Close)
	return bank, faults, toss.New(toss.Config{SecretKey: tosstest.Key, ClientKey: "test_ck_of_the_fake",
		BaseURL: server.URL, Now: now})
}

// All repeats at the same time are known by their idempotency keys. Those an hour later have other keys, and are known
// by what became of the payment.
func TestProvider(t *testing.T) {
	t.Parallel()
	t.Run("at once", func(t *testing.T) { runAt(t, time.Now) })
	t.Run("an hour apart", func(t *testing.T) {
		var hours atomic.Int64
		runAt(t, func() time.Time { return time.Now().Add(time.Duration(hours.Add(1)) * time.Hour) })
	})
}

func runAt(t *testing.T, now func() time.Time) {
	providertest.Run(t, func(t *testing.T) providertest.Bank {
		bank, faults, provider := setupAt(t, now)
		return providertest.Bank{
			Provider: provider,
			Pay: func(order payments.Order, _ payments.Opened) url.Values {
				return bank.Authenticate(bank.Open(provider.Window(order)), "").Query()
			},
			RefuseCapture: func(id string) { bank.Refuse(id, "REJECT_CARD_COMPANY") },
			Lapse:         func() { bank.Pass(time.Hour) },
			Fault:         faults.Next,
			Taken:         bank.Taken,
			Webhook:       func(id string) (http.Header, []byte) { return bank.Webhook(id, "IN_PROGRESS") },
			Forged:        func(id string) (http.Header, []byte) { return bank.Webhook(id, "DONE") },
		}
	})
}

// pay opens a window of 20,000 won and has the diner pay in it.
func pay(bank *tosstest.Bank, provider *toss.Provider, wallet string) payments.Payment {
	p := payments.Payment{ID: rand.Text(), Amount: 20000}
	key := bank.Open(provider.Window(payments.Order{ID: p.ID, Amount: p.Amount, Title: "예약금",
		ReturnURL: "https://lunchgo.example/return?a=1"}))
	p.Reference = provider.Returned(bank.Authenticate(key, wallet).Query())
	return p
}

// Each code is what Toss has decided, or not. None takes money.
func TestProvider_CaptureByCode(t *testing.T) {
	t.Parallel()
	for code, decides := range map[string]bool{ // in any order
		"REJECT_CARD_PAYMENT": true, "EXCEED_MAX_AMOUNT": true, "INVALID_STOPPED_CARD": true, "FDS_ERROR": true,
		"PROVIDER_ERROR": false, "FAILED_PAYMENT_INTERNAL_SYSTEM_PROCESSING": false,
		"FAILED_INTERNAL_SYSTEM_PROCESSING": false,
		"NOT_FOUND_PAYMENT_SESSION":         true, "NOT_FOUND_PAYMENT": false,
	} {
		bank, _, provider := setup(t)
		p := pay(bank, provider, "")
		bank.Refuse(p.ID, code)
		_, err := provider.Capture(t.Context(), p)
		var refused *payments.RefusedError
		if is := errors.As(err, &refused); is != decides || is == errors.Is(err, payments.ErrUnsure) {
			t.Errorf("%s: %v", code, err)
		}
		if decides && refused.Code != code {
			t.Errorf("%s is said to be %s", code, refused.Code)
		}
		if taken, _ := bank.Taken(p.ID); taken != 0 {
			t.Errorf("%s: %d won were taken", code, taken)
		}
	}
}

// A wrong key decides nothing about a payment: it is put right, and the payment goes on.
func TestProvider_WrongKey(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(tosstest.New())
	t.Cleanup(server.Close)
	provider := toss.New(toss.Config{SecretKey: "test_sk_of_another", BaseURL: server.URL})
	p := payments.Payment{ID: rand.Text(), Amount: 20000, Reference: "tk"}
	_, find := provider.Find(t.Context(), p)
	_, capture := provider.Capture(t.Context(), p)
	_, refund := provider.Refund(t.Context(), p, payments.Refund{ID: "r", Amount: 1})
	_, list := provider.List(t.Context(), time.Now())
	for _, err := range []error{find, capture, provider.Cancel(t.Context(), p), refund, list} {
		if !errors.Is(err, payments.ErrUnsure) || strings.Contains(err.Error(), "sk_of") {
			t.Errorf("the error is %v", err)
		}
	}
}

// A valid key of another shop, which knows nothing of a payment, refuses no refund.
func TestProvider_RefundByAnotherShop(t *testing.T) {
	t.Parallel()
	bank, _, provider := setup(t)
	p := pay(bank, provider, "")
	if _, err := provider.Capture(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	_, _, another := setup(t)
	_, err := another.Refund(t.Context(), p, payments.Refund{ID: "r", Amount: 1})
	var refused *payments.RefusedError
	if !errors.Is(err, payments.ErrUnsure) || errors.As(err, &refused) {
		t.Errorf("the error is %v", err)
	}
}

// An authorised payment is not refused because the key is another shop's for a while.
func TestProvider_CaptureByAnotherShop(t *testing.T) {
	t.Parallel()
	bank, _, provider := setup(t)
	p := pay(bank, provider, "")
	_, _, another := setup(t)
	_, err := another.Capture(t.Context(), p)
	var refused *payments.RefusedError
	if !errors.Is(err, payments.ErrUnsure) || errors.As(err, &refused) {
		t.Errorf("the error is %v", err)
	}
	if _, err := provider.Capture(t.Context(), p); err != nil {
		t.Error(err)
	}
}

// A refund of what went back by the dashboard counts as made: the money is where it is to go.
func TestProvider_RefundedByTheDashboard(t *testing.T) {
	t.Parallel()
	bank, _, provider := setup(t)
	p := pay(bank, provider, "")
	if _, err := provider.Capture(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"by the dashboard", "ours"} {
		if _, err := provider.Refund(t.Context(), p, payments.Refund{ID: id, Amount: p.Amount}); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
	if taken, returned := bank.Taken(p.ID); taken != p.Amount || returned != p.Amount {
		t.Errorf("%d won were taken, %d returned", taken, returned)
	}
}

// Another amount than that of the window is not taken.
func TestProvider_CaptureOfAnotherAmount(t *testing.T) {
	t.Parallel()
	bank, _, provider := setup(t)
	p := pay(bank, provider, "")
	p.Amount = 1
	if _, err := provider.Capture(t.Context(), p); err == nil {
		t.Error("it was captured")
	}
	if r, err := provider.Find(t.Context(), p); err != nil || r.Amount != 20000 || r.Stand != payments.StandAuthorised {
		t.Errorf("find: %+v, %v", r, err)
	}
}

// A capture whose answer was lost is known as such, also after the time for which an authenticated payment waits.
func TestProvider_LostCaptureLater(t *testing.T) {
	t.Parallel()
	bank, faults, provider := setup(t)
	p := pay(bank, provider, "")
	faults.Next(providertest.Lost)
	if _, err := provider.Capture(t.Context(), p); err != nil && !errors.Is(err, payments.ErrUnsure) {
		t.Fatal(err)
	}
	bank.Pass(24 * time.Hour)
	bank.Forget()
	if r, err := provider.Capture(t.Context(), p); err != nil || r.Stand != payments.StandCaptured {
		t.Errorf("captured again: %+v, %v", r, err)
	}
	if taken, _ := bank.Taken(p.ID); taken != 20000 {
		t.Errorf("%d won were taken", taken)
	}
}

// Reports name the wallet, and hold nothing of a card.
func TestProvider_Methods(t *testing.T) {
	t.Parallel()
	bank, _, provider := setup(t)
	for wallet, method := range map[string]string{ // in any order
		"": "card", "카카오페이": "kakaopay", "네이버페이": "naverpay", "APPLEPAY": "applepay", "토스페이": "tosspay"} {
		r, err := provider.Capture(t.Context(), pay(bank, provider, wallet))
		if err != nil || r.Method != method {
			t.Errorf("%s: %+v, %v", wallet, r, err)
		}
		if strings.Contains(r.Detail, "43301234") || !strings.Contains(r.Detail, `"status":"DONE"`) {
			t.Errorf("the detail is %s", r.Detail)
		}
	}
}

// What the card company refuses in the window is refused, with its code.
func TestProvider_RefusedInTheWindow(t *testing.T) {
	t.Parallel()
	bank, _, provider := setup(t)
	p := payments.Payment{ID: rand.Text(), Amount: 20000}
	bank.Abort(bank.Open(provider.Window(payments.Order{ID: p.ID, Amount: 20000})), "INVALID_CARD_EXPIRATION")
	r, err := provider.Find(t.Context(), p)
	if err != nil || r.Stand != payments.StandRefused || r.Code != "INVALID_CARD_EXPIRATION" {
		t.Errorf("find: %+v, %v", r, err)
	}
}

// A refund is found by its id in the reason, which may be long, after any time. The same amount for the same reason is
// another refund.
func TestProvider_RefundMuchLater(t *testing.T) {
	t.Parallel()
	bank, _, provider := setup(t)
	p := pay(bank, provider, "")
	if _, err := provider.Capture(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("긴 이유 ", 80)
	refunds := []payments.Refund{{ID: "a", Amount: 1000, Reason: long}, {ID: "aa", Amount: 1000, Reason: long},
		{ID: "b", Amount: 1000}}
	for range 2 {
		for _, refund := range refunds {
			if _, err := provider.Refund(t.Context(), p, refund); err != nil {
				t.Errorf("%s: %v", refund.ID, err)
			}
		}
		bank.Pass(20 * 24 * time.Hour)
		bank.Forget()
	}
	if _, back := bank.Taken(p.ID); back != 3000 {
		t.Errorf("%d won went back, want 3000", back)
	}
}

// A passing failure, which Toss repeats to its idempotency key, does not keep a payment from being captured.
func TestProvider_CaptureAfterAFailure(t *testing.T) {
	t.Parallel()
	now := time.Now()
	bank, _, provider := setupAt(t, func() time.Time { return now })
	p := pay(bank, provider, "")
	bank.Refuse(p.ID, "PROVIDER_ERROR")
	for range 2 {
		if _, err := provider.Capture(t.Context(), p); !errors.Is(err, payments.ErrUnsure) {
			t.Errorf("capture: %v", err)
		}
	}
	now = now.Add(time.Minute)
	if r, err := provider.Capture(t.Context(), p); err != nil || r.Stand != payments.StandCaptured {
		t.Errorf("a minute later: %+v, %v", r, err)
	}
}

// Pages of the books are put together, with the fee and the day of the payment.
func TestProvider_ListsPages(t *testing.T) {
	t.Parallel()
	bank, _, provider := setup(t)
	const many = 1203
	for range many {
		if _, err := provider.Capture(t.Context(), pay(bank, provider, "")); err != nil {
			t.Fatal(err)
		}
	}
	zone := time.FixedZone("KST", 9*60*60)
	moved, err := provider.List(t.Context(), time.Now().In(zone))
	if err != nil || len(moved) != many {
		t.Fatalf("%d movements, %v", len(moved), err)
	}
	for _, m := range moved {
		if m.Amount != 20000 || m.Fee != 600 || m.PaidOut.Sub(m.At) < 4*24*time.Hour {
			t.Fatalf("a movement is %+v", m)
		}
	}
}

// Other events than those about a payment are about nothing of ours.
func TestProvider_OtherWebhooks(t *testing.T) {
	t.Parallel()
	_, _, provider := setup(t)
	for _, body := range []string{`{"eventType":"PAYOUT_STATUS_CHANGED","data":{"orderId":"a"}}`,
		`{"eventType":"PAYMENT_STATUS_CHANGED"}`, `{}`} {
		if id, err := provider.Verify(context.Background(), nil, []byte(body)); id != "" || err != nil {
			t.Errorf("%s: %q, %v", body, id, err)
		}
	}
}
