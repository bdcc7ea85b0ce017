package webtest

import (
	"fmt"
	"testing"
)

func TestWithdraw_OnceForAKey(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who := r.diner(t, 50_000)
	withdraw := func(key string, amount int) answer {
		return r.post(t, who, "/api/wallet/withdrawals", key, map[string]any{"amount": amount})
	}
	first := withdraw("key-1", 20_000).want(t, 201, "")
	if entry := first.json["entry"].(map[string]any); first.number(t, "balance") != 30_000 ||
		entry["kind"] != "withdrawal" || entry["amount"] != -20_000.0 {
		t.Errorf("withdrawn: %s", first.raw)
	}
	withdraw("key-2", 30_001).want(t, 402, "balance_too_low")
	// The same key for another purpose is another key.
	r.post(t, who, "/api/wallet/charges", "key-1", map[string]any{"amount": 20_000}).want(t, 201, "")
	id := r.seat(t, who, r.slot("19:00"), 2)
	r.post(t, who, "/api/reservations/"+id+"/payment", "key-1", map[string]any{"kind": "deposit"}).want(t, 200, "")
	if again := withdraw("key-1", 20_000).want(t, 201, ""); string(again.raw) != string(first.raw) {
		t.Errorf("a repeat: %s, want %s", again.raw, first.raw)
	}
	withdraw("key-1", 20_001).want(t, 422, "idempotency_key_reused")
	withdraw("key-2", 30_000).want(t, 201, "") // what was refused may come again
	if w := r.get(t, who, "/api/wallet").want(t, 200, ""); w.number(t, "balance") != 0 || w.number(t, "version") != 5 {
		t.Errorf("the wallet: %s", w.raw)
	}
	stranger := r.diner(t, 0)
	r.post(t, stranger, "/api/wallet/withdrawals", "key-1", map[string]any{"amount": 20_000}).want(t, 402,
		"balance_too_low")
	r.post(t, person{}, "/api/wallet/withdrawals", "key-1", map[string]any{"amount": 1}).want(t, 401, "unauthenticated")
	withdraw("", 1).want(t, 400, "idempotency_key_required")
	withdraw("with a space", 1).want(t, 400, "idempotency_key_invalid")
}

func TestWithdraw_MalformedAmounts(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who := r.diner(t, 50_000)
	for body, want := range map[string]string{
		`{"amount": 0}`:                   "422 invalid",
		`{"amount": -1}`:                  "422 invalid",
		`{"amount": 100000001}`:           "422 invalid",
		`{"amount": 1000000000000}`:       "422 invalid",
		`{"amount": 9223372036854775807}`: "422 invalid",
		`{}`:                              "422 invalid",
		`{"amount": null}`:                "422 invalid",
		`{"amount": 9223372036854775808}`: "400 bad_request",
		`{"amount": 1e3}`:                 "400 bad_request",
		`{"amount": 0.5}`:                 "400 bad_request",
		`{"amount": "5000"}`:              "400 bad_request",
		`[5000]`:                          "400 bad_request",
		`amount=5000`:                     "400 bad_request",
		`{"amount": 100000000}`:           "402 balance_too_low",
	} {
		a := r.post(t, who, "/api/wallet/withdrawals", "key-1", body)
		if got := fmt.Sprint(a.status, " ", a.json["code"]); got != want {
			t.Errorf("%s: %s, want %s: %s", body, got, want, a.raw)
		}
	}
	if w := r.get(t, who, "/api/wallet").want(t, 200, ""); w.number(t, "balance") != 50_000 ||
		w.number(t, "version") != 1 {
		t.Errorf("the wallet: %s", w.raw)
	}
}
