package webtest

import (
	"fmt"
	"sync"
	"testing"
)

func TestWallet_ChargedOnceForAKey(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who := r.diner(t, 0)
	if empty := r.get(t, who, "/api/wallet").want(t, 200, ""); empty.number(t, "balance") != 0 ||
		len(empty.list(t, "entries")) != 0 {
		t.Errorf("empty: %s", empty.raw)
	}
	var repeats sync.WaitGroup
	answers := make([]answer, 20)
	for i := range answers {
		repeats.Go(func() {
			answers[i] = r.post(t, who, "/api/wallet/charges", "key-1", map[string]any{"amount": 50_000})
		})
	}
	repeats.Wait()
	for _, a := range answers {
		a.want(t, 201, "")
		if entry := a.json["entry"].(map[string]any); a.number(t, "balance") != 50_000 ||
			entry["id"] != answers[0].json["entry"].(map[string]any)["id"] {
			t.Errorf("a repeat: %s", a.raw)
		}
	}
	r.post(t, who, "/api/wallet/charges", "key-1", map[string]any{"amount": 50_001}).want(t, 422,
		"idempotency_key_reused")
	r.post(t, who, "/api/wallet/charges", "key-2", map[string]any{"amount": 1_000}).want(t, 201, "")
	wallet := r.get(t, who, "/api/wallet").want(t, 200, "")
	entries := wallet.list(t, "entries")
	if wallet.number(t, "balance") != 51_000 || wallet.number(t, "version") != 2 || len(entries) != 2 ||
		entries[0]["amount"] != 1_000.0 {
		t.Errorf("the wallet: %s", wallet.raw)
	}
	if other := r.get(t, r.diner(t, 0), "/api/wallet").want(t, 200, ""); other.number(t, "balance") != 0 {
		t.Errorf("another's wallet: %s", other.raw)
	}
}

func TestWallet_MalformedAmounts(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who := r.diner(t, 99_000_000)
	for body, want := range map[string]string{
		`{"amount": 0}`:                   "422 invalid",
		`{"amount": -1}`:                  "422 invalid",
		`{"amount": 999}`:                 "422 invalid",
		`{"amount": 2000001}`:             "422 invalid",
		`{"amount": 9223372036854775807}`: "422 invalid",
		`{}`:                              "422 invalid",
		`{"amount": 9223372036854775808}`: "400 bad_request",
		`{"amount": 1e9}`:                 "400 bad_request",
		`{"amount": 1000.5}`:              "400 bad_request",
		`{"amount": "5000"}`:              "400 bad_request",
		`{"amount": [5000]}`:              "400 bad_request",
		`{"amount": 5000} {"amount": 1}`:  "400 bad_request",
		`{"amount": 2000000}`:             "409 balance_limit",
	} {
		a := r.post(t, who, "/api/wallet/charges", "key-1", body)
		if got := fmt.Sprint(a.status, " ", a.json["code"]); got != want {
			t.Errorf("%s: %s, want %s: %s", body, got, want, a.raw)
		}
	}
	if w := r.get(t, who, "/api/wallet").want(t, 200, ""); w.number(t, "balance") != 99_000_000 ||
		w.number(t, "version") != 1 {
		t.Errorf("the wallet: %s", w.raw)
	}
}

func TestPay_Once(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who := r.diner(t, 25_000)
	id := r.seat(t, who, r.slot("19:00"), 2)
	pay := func(as person, key, kind string) answer {
		return r.post(t, as, "/api/reservations/"+id+"/payment", key, map[string]any{"kind": kind})
	}
	pay(r.diner(t, 100_000), "key-1", "deposit").want(t, 404, "not_found")
	pay(who, "key-1", "cash").want(t, 422, "invalid")
	pay(who, "", "deposit").want(t, 400, "idempotency_key_required")
	pay(who, "key-1", "prepay").want(t, 409, "nothing_to_prepay")
	for range 3 {
		if paid := pay(who, "key-1", "deposit").want(t, 200, ""); paid.text(t, "state") != "confirmed" ||
			paid.number(t, "paidAmount") != 20_000 {
			t.Errorf("paid: %s", paid.raw)
		}
	}
	pay(who, "key-1", "prepay").want(t, 422, "idempotency_key_reused")
	pay(who, "key-2", "deposit").want(t, 409, "already_paid")
	if w := r.get(t, who, "/api/wallet").want(t, 200, ""); w.number(t, "balance") != 5_000 ||
		w.number(t, "version") != 2 {
		t.Errorf("the wallet: %s", w.raw)
	}
	other := r.seat(t, who, r.slot("20:00"), 2)
	r.post(t, who, "/api/reservations/"+other+"/payment", "key-3", map[string]any{"kind": "deposit"}).want(t, 402,
		"balance_too_low")
	if same := r.get(t, who, "/api/reservations/"+other).want(t, 200, ""); same.text(t, "state") != "temporary" {
		t.Errorf("after a balance too low: %s", same.raw)
	}
}

func TestCancel_ByItsPolicy(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who, id := r.confirm(t, r.slot("19:00"), 2)
	stranger := r.diner(t, 0)
	r.get(t, stranger, "/api/reservations/"+id).want(t, 404, "not_found")
	r.delete(t, stranger, "/api/reservations/"+id).want(t, 404, "not_found")
	cancelled := r.delete(t, who, "/api/reservations/"+id).want(t, 200, "")
	if cancelled.text(t, "state") != "refund_pending" || cancelled.number(t, "refund") != 20_000 {
		t.Errorf("cancelled: %s", cancelled.raw)
	}
	r.delete(t, who, "/api/reservations/"+id).want(t, 409, "wrong_state")

	hold := r.seat(t, who, r.slot("20:00"), 2)
	if dropped := r.delete(t, who, "/api/reservations/"+hold).want(t, 200, ""); dropped.text(t,
		"state") != "cancelled" || dropped.number(t, "refund") != 0 {
		t.Errorf("dropped: %s", dropped.raw)
	}
	r.post(t, who, "/api/reservations/"+hold+"/payment", "key-1", map[string]any{"kind": "deposit"}).want(t, 409,
		"wrong_state")
	begun := r.slot("08:00")
	begun.Date = r.day(0)
	late, lateID := r.confirm(t, begun, 2)
	r.delete(t, late, "/api/reservations/"+lateID).want(t, 409, "past")
	for _, unknown := range []string{"x", "0", "%01", "%F0%9F%8D%9C"} {
		r.get(t, who, "/api/reservations/"+unknown).want(t, 404, "not_found")
		r.delete(t, who, "/api/reservations/"+unknown).want(t, 404, "not_found")
	}
}
