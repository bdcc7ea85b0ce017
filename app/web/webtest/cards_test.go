package webtest

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"lunchgo/app/identity"
	"lunchgo/app/payments"
	"lunchgo/app/payments/toss"
	"lunchgo/app/program"
	"lunchgo/app/program/programtest"
	"lunchgo/app/web/ops"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// card begins a payment by card of a deposit.
func (r *harness) card(t *testing.T, who person, reservation, key string) answer {
	t.Helper()
	return r.post(t, who, "/api/reservations/"+reservation+"/payment", key,
		map[string]any{"kind": "deposit", "method": "card"})
}

// The wallet pays what it has, the card the rest; a repeat finds the same payment, and only its diner sees it.
func TestCards_PayWhatTheWalletLacks(t *testing.T) {
	t.Parallel()
	r, bank := newBank(t)
	who := r.diner(t, 5_000)
	id := r.seat(t, who, r.slot("19:00"), 2)
	before := r.get(t, who, "/api/reservations/"+id).text(t, "holdExpiresAt")
	begun := r.card(t, who, id, "key-1").want(t, 201, "")
	payment := begun.text(t, "paymentId")
	if begun.number(t, "amount") != 15_000 || begun.text(t, "state") != "started" ||
		begun.text(t, "checkoutUrl") != "https://bank.example/pay/"+payment ||
		begun.header.Get("Location") != "/api/payments/"+payment {
		t.Errorf("begun: %s", begun.raw)
	}
	if held := r.get(t, who, "/api/reservations/"+id).text(t, "holdExpiresAt"); held <= before {
		t.Errorf("the seats are held until %s, and were until %s", held, before)
	}
	if again := r.card(t, who, id, "key-1").want(t, 201, ""); again.text(t, "paymentId") != payment {
		t.Errorf("a repeat: %s", again.raw)
	}
	order := bank.order(payment)
	if !strings.Contains(order.Title, "담담반상") || order.Amount != 15_000 || order.Lang != "ko" || order.Email == "" ||
		!strings.HasSuffix(order.ReturnURL, "/payments/"+payment+"/return") {
		t.Errorf("the order: %+v", order)
	}
	r.get(t, r.diner(t, 0), "/api/payments/"+payment).want(t, 404, "not_found")

	bank.decide(payment, payments.StandAuthorised)
	r.report(t, "bank", payment, "the bank's").want(t, 200, "")
	if paid := r.get(t, who, "/api/reservations/"+id); paid.text(t, "state") != "confirmed" ||
		paid.number(t, "paidAmount") != 20_000 {
		t.Errorf("paid: %s", paid.raw)
	}
	dbtest.Eventually(t, "the money is taken", func() bool {
		return r.get(t, who, "/api/payments/"+payment).want(t, 200, "").text(t, "state") == "paid"
	})
	r.card(t, who, id, "key-2").want(t, 409, "already_paid")
	if w := r.get(t, who, "/api/wallet").want(t, 200, ""); w.number(t, "balance") != 0 {
		t.Errorf("the wallet: %s", w.raw)
	}
	r.balances(t)
}

// A wallet that has enough pays all of it, as does one that is asked to; the same key finds the reservation.
func TestCards_ARichWalletPays(t *testing.T) {
	t.Parallel()
	r, bank := newBank(t)
	who := r.diner(t, 20_000)
	id := r.seat(t, who, r.slot("19:00"), 2)
	for range 2 {
		if paid := r.card(t, who, id, "key-1").want(t, 200, ""); paid.text(t, "state") != "confirmed" {
			t.Errorf("paid: %s", paid.raw)
		}
	}
	if len(bank.orders) > 0 {
		t.Error("the bank was asked")
	}
	poor := r.diner(t, 0)
	other := r.seat(t, poor, r.slot("19:00"), 2)
	path := "/api/reservations/" + other + "/payment"
	r.post(t, poor, path, "key-1", map[string]any{"kind": "deposit", "method": "wallet"}).want(t, 402, "balance_too_low")
	r.post(t, poor, path, "key-2", map[string]any{"kind": "deposit", "method": "cash"}).want(t, 422, "invalid")
	r.post(t, poor, path, "key-3", map[string]any{"kind": "deposit", "method": "card", "amount": 10_000}).want(t, 409,
		"amount_changed")
}

// Where no provider is set nothing is paid by card, and nothing is reported.
func TestCards_WithoutAProvider(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who := r.diner(t, 0)
	id := r.seat(t, who, r.slot("19:00"), 2)
	r.card(t, who, id, "key-1").want(t, 409, "no_card_payments")
	r.get(t, who, "/api/payments/x").want(t, 404, "not_found")
	r.report(t, "bank", "x", "the bank's").want(t, 404, "not_found")
}

// A provider that refuses, or does not answer, leaves the hold as it is: another try may do.
func TestCards_TheProviderDoesNotBegin(t *testing.T) {
	t.Parallel()
	r, bank := newBank(t)
	who := r.diner(t, 0)
	id := r.seat(t, who, r.slot("19:00"), 2)
	bank.fail("begin", payments.ErrUnsure)
	if away := r.card(t, who, id, "key-1").want(t, 503, "payments_away"); away.header.Get("Retry-After") == "" {
		t.Errorf("away: %v", away.header)
	}
	bank.fail("begin", nil)
	r.card(t, who, id, "key-1").want(t, 201, "")
	bank.fail("begin", &payments.RefusedError{Code: "NOT_TODAY"})
	r.card(t, who, id, "key-2").want(t, 409, "payment_refused")
	bank.fail("begin", nil)
	r.card(t, who, id, "key-3").want(t, 201, "")
	if same := r.get(t, who, "/api/reservations/"+id); same.text(t, "state") != "temporary" {
		t.Errorf("afterwards: %s", same.raw)
	}
}

// A report is trusted only when it is signed, and then it only says which payment to ask about; one that cannot be
// followed is repeated by the provider.
func TestHooks_AreFollowedOnce(t *testing.T) {
	t.Parallel()
	r, bank := newBank(t)
	who := r.diner(t, 0)
	id := r.seat(t, who, r.slot("19:00"), 2)
	payment := r.card(t, who, id, "key-1").want(t, 201, "").text(t, "paymentId")
	bank.decide(payment, payments.StandAuthorised)
	r.report(t, "bank", payment, "somebody's").want(t, 400, "bad_request")
	r.report(t, "stripe", payment, "the bank's").want(t, 404, "not_found")
	r.report(t, "bank", "unknown", "the bank's").want(t, 200, "")
	r.report(t, "bank", strings.Repeat("x", 100<<10), "the bank's").want(t, 413, "too_large")
	if same := r.get(t, who, "/api/reservations/"+id); same.text(t, "state") != "temporary" {
		t.Errorf("after reports of others: %s", same.raw)
	}
	bank.fail("find", errors.Join(payments.ErrUnsure, errors.New("502")))
	if unsure := r.report(t, "bank", payment, "the bank's").want(t, 503, "payments_away"); unsure.header.Get(
		"Retry-After") == "" {
		t.Errorf("unsure: %v", unsure.header)
	}
	bank.fail("find", nil)
	for range 3 {
		r.report(t, "bank", payment, "the bank's").want(t, 200, "")
	}
	dbtest.Eventually(t, "the report is followed", func() bool {
		return r.get(t, who, "/api/reservations/"+id).text(t, "state") == "confirmed"
	})
	r.balances(t)
}

// Whichever comes first, the browser or the bank's report, and if neither comes, the reservation is confirmed, and the
// money is taken once.
func TestCards_WhicheverComesFirst(t *testing.T) {
	t.Parallel()
	r, bank := newBank(t)
	browser := func(t *testing.T, who person, payment string) {
		if status := r.page(t, who, views.PaymentReturnURL(payment)).status; status != 200 && status != 303 {
			t.Errorf("the browser gets %d", status)
		}
	}
	report := func(t *testing.T, _ person, payment string) {
		r.report(t, "bank", payment, "the bank's").want(t, 200, "")
	}
	looks := func(t *testing.T, _ person, payment string) {
		r.mustExec(t, `UPDATE payments SET due_at = now() WHERE id = $1`, payment)
	}
	orders := map[string][]func(*testing.T, person, string){
		"browser, report": {browser, report}, "report, browser": {report, browser}, "browser": {browser},
		"report": {report}, "each twice": {report, browser, report, browser}, "neither": {looks},
	}
	t.Run("orders", func(t *testing.T) {
		for name, order := range orders { // in any order
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				who := r.diner(t, 0)
				id := r.seat(t, who, r.slot("19:00"), 1)
				payment := r.card(t, who, id, "key-1").want(t, 201, "").text(t, "paymentId")
				bank.decide(payment, payments.StandAuthorised)
				for _, comes := range order {
					comes(t, who, payment)
				}
				dbtest.Eventually(t, "the payment is paid", func() bool {
					return r.get(t, who, "/api/payments/"+payment).text(t, "state") == "paid"
				})
				r.get(t, who, "/api/reservations/"+id).has(t, `"state":"confirmed"`)
			})
		}
	})
	bank.mu.Lock()
	defer bank.mu.Unlock()
	if n := bank.calls["capture"]; n != len(orders) {
		t.Errorf("%d captures of %d payments", n, len(orders))
	}
	r.balances(t)
}

// Operators see with which code the provider refused a capture.
func TestCards_Refusals(t *testing.T) {
	t.Parallel()
	r, bank := newBank(t)
	who := r.diner(t, 0)
	payment := r.card(t, who, r.seat(t, who, r.slot("19:00"), 2), "key-1").want(t, 201, "").text(t, "paymentId")
	bank.fail("capture", &payments.RefusedError{Code: "STOLEN_CARD"})
	bank.decide(payment, payments.StandAuthorised)
	r.report(t, "bank", payment, "the bank's").want(t, 200, "")
	dbtest.Eventually(t, "the refusal is counted", func() bool {
		return slices.Equal(r.families(t)[ops.MetricPaymentRefusals]["code"], []string{"STOLEN_CARD"})
	})
	dbtest.Eventually(t, "the payment has ended", func() bool {
		return r.get(t, who, "/api/payments/"+payment).text(t, "state") == "refused"
	})
	r.balances(t)
}

// Owners see what the provider lists of their restaurant's payments, by day and as a file; another's owner does not.
func TestCards_PayoutsOfARestaurant(t *testing.T) {
	t.Parallel()
	r, _ := newBank(t)
	who, owner := r.diner(t, 0), r.staffAs(t, r.restaurant.ID, identity.RoleOwner)
	id := r.seat(t, who, r.slot("19:00"), 2)
	payment := r.card(t, who, id, "key-1").want(t, 201, "").text(t, "paymentId")
	day := time.Date(2026, 11, 2, 0, 0, 0, 0, r.restaurant.Location)
	listed := []payments.Movement{{PaymentID: payment, Amount: 20_000, Fee: 660, At: day.Add(time.Hour), PaidOut: day}}
	if due, err := r.Stores.Payments.BeginDay(t.Context(), "bank", day, time.Hour); !due || err != nil {
		t.Fatal(due, err)
	}
	dbtest.Must(t, r.Stores.Payments.EndDay(t.Context(), payments.Compared{Provider: "bank", Day: day, Listed: listed}))
	path := "/staff/restaurants/" + strconv.FormatInt(r.restaurant.ID, 10)
	query := "?from=2026-11-01&to=2026-11-30"
	rows := r.get(t, owner, "/api"+path+"/payouts"+query).want(t, 200, "").json["payouts"].([]any)
	if row := rows[0].(map[string]any); len(rows) != 1 || row["date"] != "2026-11-02" || row["net"] != 19_340.0 ||
		row["paidOut"] != "2026-11-02" {
		t.Errorf("payouts: %v", rows)
	}
	for _, address := range []string{path + "/reports/payouts.csv" + query, path + "/reports" + query} {
		if page := r.get(t, owner, address).want(t, 200, "").raw; !strings.Contains(string(page), "19340") &&
			!strings.Contains(string(page), "19,340") {
			t.Errorf("%s: %.600s", address, page)
		}
	}
	other, _ := r.newRestaurant(t, "another")
	r.get(t, r.staffAs(t, other.ID, identity.RoleOwner), "/api"+path+"/payouts"+query).want(t, 404, "not_found")
}

// Who left the payment window finds the way back on the page of the reservation, and on the one that pays it; the link
// leads to the same payment, which is paid once, though another one was begun meanwhile and paid as well.
func TestCards_UnderWay(t *testing.T) {
	t.Parallel()
	r, bank := newBank(t)
	who := r.diner(t, 0)
	id := r.seat(t, who, r.slot("19:00"), 2)
	pages := []string{"/reservations/" + id, "/reservations/" + id + "/pay"}
	shows := func(payment string) bool {
		shown := 0
		for _, path := range pages {
			if strings.Contains(string(r.get(t, who, path).want(t, 200, "").raw), `href="/payments/`+payment+`"`) {
				shown++
			}
		}
		return shown == len(pages)
	}
	if page := r.get(t, who, pages[0]); strings.Contains(string(page.raw), "/payments/") {
		t.Error("nothing was begun, but the page leads there")
	}
	first := r.card(t, who, id, "key-1").want(t, 201, "").text(t, "paymentId")
	if !shows(first) {
		t.Error("no way back to the window")
	}
	if window := r.get(t, who, "/payments/"+first).want(t, 200, ""); window.header.Get("Refresh") !=
		"0;url=https://bank.example/pay/"+first {
		t.Errorf("the way back leads to %s", window.header.Get("Refresh"))
	}
	second := r.card(t, who, id, "key-2").want(t, 201, "").text(t, "paymentId")
	if !shows(second) {
		t.Error("no way back to the newest window")
	}
	for _, payment := range []string{first, second} {
		bank.decide(payment, payments.StandAuthorised)
		r.report(t, "bank", payment, "the bank's").want(t, 200, "")
	}
	dbtest.Eventually(t, "one is paid, the other let go", func() bool {
		return r.get(t, who, "/api/payments/"+first).text(t, "state") == "paid" &&
			r.get(t, who, "/api/payments/"+second).text(t, "state") == "cancelled"
	})
	if page := r.get(t, who, pages[0]).want(t, 200, ""); strings.Contains(string(page.raw), "/payments/") {
		t.Error("the page of what is paid leads to a payment")
	}
	r.balances(t)
}

// Where the provider has no page, ours opens its window: it may load the provider's script, and is handed the order.
func TestCards_WindowOfToss(t *testing.T) {
	t.Parallel()
	provider := toss.New(toss.Config{SecretKey: "test_sk_x", ClientKey: "test_ck_x"})
	r := newHarnessWith(t, programtest.Setup{Config: program.Config{Payments: program.PaymentsConfig{Provider: provider}}})
	who := r.diner(t, 0)
	begun := r.card(t, who, r.seat(t, who, r.slot("19:00"), 2), "key-1").want(t, 201, "")
	payment := begun.text(t, "paymentId")
	address := begun.text(t, "checkoutUrl")
	path := "/payments/" + payment
	if !strings.HasSuffix(address, path) {
		t.Errorf("the window is at %s", address)
	}
	page := r.get(t, who, path).want(t, 200, "")
	for _, part := range []string{`src="https://js.tosspayments.com/v2/standard"`, "test_ck_x", payment, "20000", `windowTarget&#34;:&#34;self`,
		path + "/return"} {
		if !strings.Contains(string(page.raw), part) {
			t.Errorf("the page lacks %s", part)
		}
	}
	if policy := page.header.Get("Content-Security-Policy"); !strings.Contains(policy,
		"script-src 'self' https://js.tosspayments.com") || page.header.Get("Refresh") != "" {
		t.Errorf("the policy is %s", policy)
	}
	if policy := r.get(t, who, path+"/return").header.Get("Content-Security-Policy"); strings.Contains(policy, "toss") {
		t.Errorf("another page admits the provider: %s", policy)
	}
}
