package stripe_test

import (
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
	"lunchgo/app/payments/stripe"
	"lunchgo/app/payments/stripe/stripetest"
)

// setup returns a bank with a provider that calls it over HTTP.
func setup(t *testing.T) (*stripetest.Bank, *providertest.Faults, *stripe.Provider) {
	t.Helper()
	return setupAt(t, time.Now)
}

func setupAt(t *testing.T, now func() time.Time) (*stripetest.Bank, *providertest.Faults, *stripe.Provider) {
	t.Helper()
	bank := stripetest.New()
	faults := &providertest.Faults{Handler: bank}
	server := httptest.NewServer(faults)
	t.Cleanup(server.Close)
	return bank, faults, stripe.New(stripe.Config{SecretKey: stripetest.Key, SigningSecret: stripetest.Signing,
		BaseURL: server.URL, Now: now})
}

// All repeats at the same time are known by their idempotency keys. Those a while later have other keys, and are known
// by what became of the payment.
func TestProvider(t *testing.T) {
	t.Parallel()
	t.Run("at once", func(t *testing.T) { runAt(t, time.Now) })
	t.Run("minutes apart", func(t *testing.T) {
		var minutes atomic.Int64
		runAt(t, func() time.Time { return time.Now().Add(time.Duration(minutes.Add(1)) * time.Minute) })
	})
}

func runAt(t *testing.T, now func() time.Time) {
	providertest.Run(t, func(t *testing.T) providertest.Bank {
		bank, faults, provider := setupAt(t, now)
		return providertest.Bank{
			Provider: provider,
			Pay: func(_ payments.Order, opened payments.Opened) url.Values {
				returned, err := url.Parse(bank.Pay(opened.Reference, "card"))
				if err != nil {
					t.Error(err)
				}
				return returned.Query()
			},
			RefuseCapture: bank.DeclineCapture,
			Lapse:         func() { bank.Pass(8 * 24 * time.Hour) },
			Fault:         faults.Next,
			Taken:         bank.Taken,
			Webhook:       func(id string) (http.Header, []byte) { return bank.Webhook(id, stripetest.Signing) },
			Forged:        func(id string) (http.Header, []byte) { return bank.Webhook(id, "whsec_of_another") },
		}
	})
}

// begin opens a window of 20,000 won.
func begin(t *testing.T, provider *stripe.Provider) payments.Payment {
	t.Helper()
	p := payments.Payment{ID: rand.Text(), Amount: 20000}
	opened, err := provider.Begin(t.Context(), orderOf(p))
	if err != nil {
		t.Fatal(err)
	}
	p.Reference = opened.Reference
	return p
}

func orderOf(p payments.Payment) payments.Order {
	return payments.Order{ID: p.ID, Amount: p.Amount, Title: "예약금", Lang: "ko",
		ReturnURL: "https://lunchgo.example/return?a=1", LeaveURL: "https://lunchgo.example/leave",
		Until: time.Now().Add(10 * time.Minute)}
}

// captured has the diner pay and the money taken.
func captured(t *testing.T, bank *stripetest.Bank, provider *stripe.Provider, method string) (payments.Payment,
	payments.Report) {
	t.Helper()
	p := begin(t, provider)
	bank.Pay(p.Reference, method)
	r, err := provider.Capture(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return p, r
}

// The same order opens the same window. One that was changed in between, such as to another language, opens another.
func TestProvider_BeginOfAChangedOrder(t *testing.T) {
	t.Parallel()
	_, _, provider := setup(t)
	order := orderOf(payments.Payment{ID: rand.Text(), Amount: 20000})
	first, err := provider.Begin(t.Context(), order)
	if err != nil {
		t.Fatal(err)
	}
	order.Title, order.Lang = "Deposit", "en"
	second, err := provider.Begin(t.Context(), order)
	if err != nil || second.Reference == first.Reference {
		t.Errorf("the changed order: %+v, %v", second, err)
	}
}

// The browser comes back with the session, beside what the address had before.
func TestProvider_Returned(t *testing.T) {
	t.Parallel()
	bank, _, provider := setup(t)
	p := begin(t, provider)
	returned, err := url.Parse(bank.Pay(p.Reference, "card"))
	if err != nil || provider.Returned(returned.Query()) != p.Reference || returned.Query().Get("a") != "1" {
		t.Errorf("the browser comes back to %v, %v", returned, err)
	}
	if got := provider.Returned(url.Values{"session_id": {"pi_other"}}); got != "" {
		t.Errorf("the reference is %q", got)
	}
}

// A window may be open for a day at most, whenever the hold ends.
func TestProvider_LongHold(t *testing.T) {
	t.Parallel()
	_, _, provider := setup(t)
	for _, until := range []time.Duration{0, time.Hour, 23 * time.Hour, 24 * time.Hour, 30 * 24 * time.Hour} {
		order := orderOf(payments.Payment{ID: rand.Text(), Amount: 20000})
		order.Until = time.Now().Add(until)
		if _, err := provider.Begin(t.Context(), order); err != nil {
			t.Errorf("a hold of %s: %v", until, err)
		}
	}
}

// What Stripe cannot take is refused with its code.
func TestProvider_BeginRefused(t *testing.T) {
	t.Parallel()
	_, _, provider := setup(t)
	_, err := provider.Begin(t.Context(), orderOf(payments.Payment{ID: rand.Text(), Amount: 1}))
	var refused *payments.RefusedError
	if !errors.As(err, &refused) || refused.Code != "amount_too_small" {
		t.Errorf("begin: %v", err)
	}
}

// A declined card leaves the window open for another one.
func TestProvider_DeclinedInTheWindow(t *testing.T) {
	t.Parallel()
	bank, _, provider := setup(t)
	p := begin(t, provider)
	bank.Decline(p.Reference)
	r, err := provider.Find(t.Context(), p)
	if err != nil || r.Stand != payments.StandPending || r.Code != "insufficient_funds" {
		t.Errorf("find: %+v, %v", r, err)
	}
	bank.Pay(p.Reference, "card")
	if r, err = provider.Find(t.Context(), p); err != nil || r.Stand != payments.StandAuthorised || r.Code != "" {
		t.Errorf("find: %+v, %v", r, err)
	}
	other := begin(t, provider)
	bank.Decline(other.Reference)
	if err := provider.Cancel(t.Context(), other); err != nil {
		t.Error(err)
	}
	if r, err := provider.Find(t.Context(), other); err != nil || r.Stand != payments.StandCancelled {
		t.Errorf("find: %+v, %v", r, err)
	}
}

// A diner who pays while the window is being closed does not pay: the money is let go of.
func TestProvider_CancelWhilePaying(t *testing.T) {
	t.Parallel()
	bank, faults, provider := setup(t)
	p := begin(t, provider)
	faults.Choose = func(r *http.Request) providertest.Fault {
		if strings.HasSuffix(r.URL.Path, "/expire") {
			bank.Pay(p.Reference, "card")
		}
		return 0
	}
	if err := provider.Cancel(t.Context(), p); err != nil {
		t.Error(err)
	}
	if r, err := provider.Find(t.Context(), p); err != nil || r.Stand != payments.StandCancelled {
		t.Errorf("find: %+v, %v", r, err)
	}
}

// An account that has no money for a refund makes it later.
func TestProvider_RefundWithoutMoney(t *testing.T) {
	t.Parallel()
	bank, _, provider := setup(t)
	p, _ := captured(t, bank, provider, "card")
	refund := payments.Refund{ID: rand.Text(), Amount: 1000}
	bank.Empty(true)
	if _, err := provider.Refund(t.Context(), p, refund); !errors.Is(err, payments.ErrUnsure) {
		t.Errorf("refund: %v", err)
	}
	bank.Empty(false)
	bank.Forget()
	if r, err := provider.Refund(t.Context(), p, refund); err != nil || r.Returned != 1000 {
		t.Errorf("refund: %+v, %v", r, err)
	}
}

// A refund of what went back by the dashboard counts as made: the money is where it is to go.
func TestProvider_RefundedByTheDashboard(t *testing.T) {
	t.Parallel()
	bank, _, provider := setup(t)
	p, _ := captured(t, bank, provider, "card")
	for range 2 {
		if _, err := provider.Refund(t.Context(), p, payments.Refund{ID: rand.Text(), Amount: 20000}); err != nil {
			t.Error(err)
		}
	}
	if taken, back := bank.Taken(p.ID); taken != 20000 || back != 20000 {
		t.Errorf("%d won were taken, %d returned", taken, back)
	}
}

// A payment is found by its intent, too.
func TestProvider_FindByIntent(t *testing.T) {
	t.Parallel()
	bank, _, provider := setup(t)
	p, r := captured(t, bank, provider, "card")
	_, rest, _ := strings.Cut(r.Detail, `"intent":"`)
	p.Reference, _, _ = strings.Cut(rest, `"`)
	found, err := provider.Find(t.Context(), p)
	if err != nil || found.PaymentID != p.ID || found.Stand != payments.StandCaptured || found.Amount != 20000 {
		t.Errorf("by %s: %+v, %v", p.Reference, found, err)
	}
}

// Reports name the wallet, and hold nothing of a card.
func TestProvider_Methods(t *testing.T) {
	t.Parallel()
	bank, _, provider := setup(t)
	for theirs, ours := range map[string]string{ // in any order
		"card": "card", "kakao_pay": "kakaopay", "naver_pay": "naverpay", "kr_card": "card", "payco": "payco"} {
		if _, r := captured(t, bank, provider, theirs); r.Method != ours || strings.Contains(r.Detail, `"4242"`) {
			t.Errorf("%s: %+v", theirs, r)
		}
	}
}

// A wrong key decides nothing about a payment: it is put right, and the payment goes on.
func TestProvider_WrongKey(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(stripetest.New())
	t.Cleanup(server.Close)
	provider := stripe.New(stripe.Config{SecretKey: "sk_test_of_another", BaseURL: server.URL})
	p := payments.Payment{ID: rand.Text(), Amount: 20000, Reference: "cs_test_a"}
	_, begin := provider.Begin(t.Context(), orderOf(p))
	_, find := provider.Find(t.Context(), p)
	_, capture := provider.Capture(t.Context(), p)
	_, refund := provider.Refund(t.Context(), p, payments.Refund{ID: "r", Amount: 1})
	_, list := provider.List(t.Context(), time.Now())
	for _, err := range []error{begin, find, capture, provider.Cancel(t.Context(), p), refund, list} {
		var refused *payments.RefusedError
		if !errors.Is(err, payments.ErrUnsure) || errors.As(err, &refused) || strings.Contains(err.Error(), "sk_test") {
			t.Errorf("the error is %v", err)
		}
	}
}

// A valid key of another account, which knows nothing of a payment, decides nothing about it either.
func TestProvider_AnotherAccount(t *testing.T) {
	t.Parallel()
	bank, _, provider := setup(t)
	p, _ := captured(t, bank, provider, "card")
	_, _, another := setup(t)
	_, capture := another.Capture(t.Context(), p)
	_, refund := another.Refund(t.Context(), p, payments.Refund{ID: "r", Amount: 1})
	for _, err := range []error{capture, refund} {
		var refused *payments.RefusedError
		if !errors.Is(err, payments.ErrUnsure) || errors.As(err, &refused) {
			t.Errorf("the error is %v", err)
		}
	}
}

// A refund is found by its id long after Stripe has forgotten its key.
func TestProvider_RefundMuchLater(t *testing.T) {
	t.Parallel()
	bank, _, provider := setup(t)
	p, _ := captured(t, bank, provider, "card")
	for range 2 {
		for _, id := range []string{"a", "b"} {
			if _, err := provider.Refund(t.Context(), p, payments.Refund{ID: p.ID + id, Amount: 1000}); err != nil {
				t.Error(err)
			}
		}
		bank.Pass(30 * 24 * time.Hour)
		bank.Forget()
	}
	if _, back := bank.Taken(p.ID); back != 2000 {
		t.Errorf("%d won went back, want 2000", back)
	}
}

// listSince lists the days from a moment until now, the latest movement first: midnight may pass during a test.
func listSince(t *testing.T, provider *stripe.Provider, begun time.Time) []payments.Movement {
	t.Helper()
	days := []time.Time{time.Now()}
	if begun.UTC().Day() != days[0].UTC().Day() {
		days = append(days, begun)
	}
	var all []payments.Movement
	for _, day := range days {
		moved, err := provider.List(t.Context(), day)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, moved...)
	}
	return all
}

// Pages of the books are put together. What was refunded on Stripe's own pages belongs to its payment.
func TestProvider_ListsPages(t *testing.T) {
	t.Parallel()
	bank, _, provider := setup(t)
	begun := time.Now()
	var last payments.Payment
	for range 130 {
		last, _ = captured(t, bank, provider, "card")
	}
	bank.RefundAtDesk(last.ID, 700)
	moved := listSince(t, provider, begun)
	if len(moved) != 131 {
		t.Fatalf("%d movements", len(moved))
	}
	if m := moved[0]; m.PaymentID != last.ID || m.Amount != -700 || m.Fee != 0 {
		t.Errorf("the refund is %+v", m)
	}
	if m := moved[1]; m.PaymentID != last.ID || m.Amount != 20000 || m.Fee != 600 || !m.PaidOut.After(m.At) {
		t.Errorf("the charge is %+v", m)
	}
}

// The books are in won, also of an account that is paid out in another currency.
func TestProvider_ListsInWon(t *testing.T) {
	t.Parallel()
	bank, _, provider := setup(t)
	begun := time.Now()
	bank.PayOutInDollars()
	p, _ := captured(t, bank, provider, "card")
	if _, err := provider.Refund(t.Context(), p, payments.Refund{ID: rand.Text(), Amount: 700}); err != nil {
		t.Fatal(err)
	}
	moved := listSince(t, provider, begun)
	if len(moved) != 2 || moved[0].Amount != -700 || moved[1].Amount != 20000 || moved[1].Fee != 600 {
		t.Errorf("the movements are %+v", moved)
	}
}

// A signed webhook about something else is about nothing of ours.
func TestProvider_OtherWebhooks(t *testing.T) {
	t.Parallel()
	bank, _, provider := setup(t)
	header, body := bank.Webhook("none", stripetest.Signing)
	if id, err := provider.Verify(t.Context(), header, body); id != "" || err != nil {
		t.Errorf("%q, %v", id, err)
	}
}
