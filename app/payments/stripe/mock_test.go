package stripe_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stripe/stripe-mock/embedded"
	"github.com/stripe/stripe-mock/server"

	"lunchgo/app/payments"
	"lunchgo/app/payments/stripe"
	"lunchgo/app/payments/stripe/stripetest"
)

// stripeMock is Stripe's own stripe-mock, which knows the description of its API, and no payments.
func stripeMock(t *testing.T) http.HandlerFunc {
	t.Helper()
	spec, err := server.LoadSpec(embedded.OpenAPISpec, "")
	if err != nil {
		t.Fatal(err)
	}
	fixtures, err := server.LoadFixtures(embedded.OpenAPIFixtures, "")
	if err != nil {
		t.Fatal(err)
	}
	mock, err := server.NewStubServer(fixtures, spec, false, false)
	if err != nil {
		t.Fatal(err)
	}
	return func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("Authorization", "Bearer sk_test_123") // the form of key that it takes
		mock.HandleRequest(w, r)
	}
}

// Stripe's description of its API takes every call, with its parameters; and its examples of answers are read.
func TestProvider_ByTheDescription(t *testing.T) {
	t.Parallel()
	mock := stripeMock(t)
	t.Run("calls", func(t *testing.T) { everyCall(t, mock) })
	t.Run("answers", func(t *testing.T) {
		provider := serving(t, mock)
		order := orderOf(payments.Payment{ID: "payment", Amount: 20000})
		opened, err := provider.Begin(t.Context(), order)
		if err != nil || !strings.HasPrefix(opened.Reference, "cs_") {
			t.Errorf("begin: %+v, %v", opened, err)
		}
		for _, reference := range []string{opened.Reference, "pi_1"} {
			p := payments.Payment{ID: "payment", Amount: 20000, Reference: reference}
			if r, err := provider.Find(t.Context(), p); err != nil || r.Reference == "" || r.Currency == "" {
				t.Errorf("find %s: %+v, %v", reference, r, err)
			}
		}
		if _, err := provider.List(t.Context(), time.Now()); err != nil {
			t.Errorf("list: %v", err)
		}
	})
}

func serving(t *testing.T, handler http.Handler) *stripe.Provider {
	t.Helper()
	listening := httptest.NewServer(handler)
	t.Cleanup(listening.Close)
	return stripe.New(stripe.Config{SecretKey: stripetest.Key, BaseURL: listening.URL})
}

// everyCall goes through all steps of payments with the fake, and shows each call to stripe-mock too.
func everyCall(t *testing.T, mock http.HandlerFunc) {
	bank, seen := stripetest.New(), map[string]bool{}
	provider := serving(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		shown := r.Clone(r.Context())
		shown.Body, r.Body = io.NopCloser(bytes.NewReader(body)), io.NopCloser(bytes.NewReader(body))
		said := httptest.NewRecorder()
		mock(said, shown)
		if said.Code != http.StatusOK {
			t.Errorf("%s %s?%s: %d %s", r.Method, r.URL, body, said.Code, said.Body)
		}
		seen[r.Method+" "+kindOf(r.URL.Path)] = true
		bank.ServeHTTP(w, r)
	}))
	p, _ := captured(t, bank, provider, "card")
	if _, err := provider.Refund(t.Context(), p, payments.Refund{ID: "r", Amount: 700, Reason: "예약 취소"}); err != nil {
		t.Error(err)
	}
	bank.RefundAtDesk(p.ID, 700)
	open, paid := begin(t, provider), begin(t, provider)
	bank.Pay(paid.Reference, "card")
	for _, p := range []payments.Payment{open, paid} {
		if err := provider.Cancel(t.Context(), p); err != nil {
			t.Error(err)
		}
	}
	if _, err := provider.Find(t.Context(), payments.Payment{Reference: "pi_none"}); err != nil {
		t.Error(err)
	}
	if _, err := provider.List(t.Context(), time.Now()); err != nil {
		t.Error(err)
	}
	if len(seen) != 10 {
		t.Errorf("the calls were %v", seen)
	}
}

// kindOf returns a path without ids.
func kindOf(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if strings.Contains(part, "_test_") || part == "pi_none" {
			parts[i] = "{id}"
		}
	}
	return strings.Join(parts, "/")
}
