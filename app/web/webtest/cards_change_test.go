package webtest

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"lunchgo/app/payments"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// changeByCard asks over the API for a party of so many, for so much more by card.
func (r *harness) changeByCard(t *testing.T, who person, path, key string, party, amount int) answer {
	t.Helper()
	return r.patch(t, who, path, key,
		map[string]any{"partySize": party, "method": "card", "expectedAmount": amount})
}

// A change that costs more than the wallet has is paid by card, and made once the money is ready; a repeat finds it.
func TestChangeByCard_OverTheAPI(t *testing.T) {
	t.Parallel()
	r, bank := newBank(t)
	who := r.diner(t, 25_000)
	path := r.reserved(t, who, r.slot("19:00"), "deposit")
	r.patch(t, who, path, "key-0", map[string]any{"partySize": 3, "expectedAmount": 10_000}).want(t, 402,
		"balance_too_low")
	r.changeByCard(t, who, path, "key-1", 3, 9_000).want(t, 409, "amount_changed")
	r.patch(t, who, path, "key-1", map[string]any{"partySize": 3, "method": "cash"}).want(t, 422, "invalid")
	begun := r.changeByCard(t, who, path, "key-1", 3, 10_000).want(t, 201, "")
	payment := begun.text(t, "paymentId")
	if begun.number(t, "amount") != 5_000 || begun.text(t, "state") != "started" ||
		begun.header.Get("Location") != "/api/payments/"+payment || begun.text(t, "expiresAt") == "" {
		t.Errorf("begun: %s", begun.raw)
	}
	if again := r.changeByCard(t, who, path, "key-1", 3, 10_000).want(t, 201, ""); again.text(t, "paymentId") != payment {
		t.Errorf("a repeat: %s", again.raw)
	}
	r.changeByCard(t, who, path, "key-1", 4, 30_000).want(t, 422, "idempotency_key_reused")
	if title := bank.order(payment).Title; !strings.Contains(title, "3명") {
		t.Errorf("the window says %s", title)
	}
	if same := r.get(t, who, path); same.number(t, "partySize") != 2 {
		t.Errorf("before it is paid: %s", same.raw)
	}
	bank.decide(payment, payments.StandAuthorised)
	r.report(t, "bank", payment, "the bank's").want(t, 200, "")
	dbtest.Eventually(t, "the change is paid", func() bool {
		return r.get(t, who, "/api/payments/"+payment).want(t, 200, "").text(t, "state") == "paid"
	})
	if now := r.get(t, who, path); now.number(t, "partySize") != 3 || now.number(t, "paidAmount") != 30_000 {
		t.Errorf("afterwards: %s", now.raw)
	}
	if made := r.changeByCard(t, who, path, "key-1", 3, 10_000).want(t, 200, ""); made.number(t, "partySize") != 3 {
		t.Errorf("a repeat of what is made: %s", made.raw)
	}
	if kind := r.get(t, who, "/api/payments/"+payment).text(t, "kind"); kind != "change" || r.balance(t, who) != 0 {
		t.Errorf("kind %s, %d won left", kind, r.balance(t, who))
	}
	r.balances(t)
}

// What the wallet can pay alone needs no provider; without one there is no payment by card.
func TestChangeByCard_ARichWalletPays(t *testing.T) {
	t.Parallel()
	r, bank := newBank(t)
	who := r.diner(t, 30_000)
	path := r.reserved(t, who, r.slot("19:00"), "deposit")
	for range 2 {
		r.changeByCard(t, who, path, "key-1", 3, 10_000).want(t, 200, "")
	}
	if len(bank.orders) > 0 || r.balance(t, who) != 0 {
		t.Errorf("%d orders, %d won left", len(bank.orders), r.balance(t, who))
	}
	other := newHarness(t)
	poor := other.diner(t, 20_000)
	other.changeByCard(t, poor, other.reserved(t, poor, other.slot("19:00"), "deposit"), "key-1", 3, 10_000).want(t, 409,
		"no_card_payments")
}

// A change that the wallet has made meanwhile, under the key of the window, is made once: what is paid in the window is
// let go of.
func TestChangeByCard_TheWalletWasQuicker(t *testing.T) {
	t.Parallel()
	r, bank := newBank(t)
	who := r.diner(t, 20_000)
	path := r.reserved(t, who, r.slot("19:00"), "deposit")
	payment := r.changeByCard(t, who, path, "key-1", 3, 10_000).want(t, 201, "").text(t, "paymentId")
	r.post(t, who, "/api/wallet/charges", "key-2", map[string]any{"amount": 15_000}).want(t, 201, "")
	r.patch(t, who, path, "key-1", map[string]any{"partySize": 3, "expectedAmount": 10_000}).want(t, 200, "")
	bank.decide(payment, payments.StandAuthorised)
	r.report(t, "bank", payment, "the bank's").want(t, 200, "")
	if state := r.get(t, who, "/api/payments/"+payment).text(t, "state"); state != "cancelled" {
		t.Errorf("the payment is %s", state)
	}
	r.leadsTo(t, who, r.page(t, who, views.PaymentReturnURL(payment)),
		views.ReservationURL(strings.TrimPrefix(path, "/api/reservations/"))).has(t, "이미 결제한 예약입니다.")
	if now := r.get(t, who, path); now.number(t, "partySize") != 3 || r.balance(t, who) != 5_000 {
		t.Errorf("%d won left: %s", r.balance(t, who), now.raw)
	}
	r.balances(t)
}

// pressChange sends the change's form with an action, and returns the answer to it alone.
func (r *harness) pressChange(t *testing.T, who person, path, action, party, key, quoted string) answer {
	t.Helper()
	slot := r.slot("19:00")
	form := url.Values{views.FieldAction: {action}, views.FieldDate: {string(slot.Date)},
		views.FieldTime: {string(slot.Time)}, views.FieldParty: {party}, views.FieldIdempotencyKey: {key},
		views.FieldQuoted: {quoted}}
	return r.do(t, call{method: http.MethodPost, path: path, body: form.Encode(),
		headers: map[string]string{"Cookie": "session=" + who.token, "Content-Type": "application/x-www-form-urlencoded"}})
}

// The preview offers to pay by card; one press leads to the provider's page, and back from there the reservation is
// changed.
func TestChangePages_PayByCard(t *testing.T) {
	t.Parallel()
	r, bank := newBank(t)
	who := r.diner(t, 25_000)
	id := strings.TrimPrefix(r.reserved(t, who, r.slot("19:00"), "deposit"), "/api/reservations/")
	change := views.ChangeURL(id)
	preview := r.pressChange(t, who, change, views.ActionPreview, "3", "", "")
	preview.is(t, 200).has(t, "10,000원 내고 변경하기", "지갑에서 5,000원, 나머지 5,000원은", `value="card"`)
	begun := r.pressChange(t, who, change, views.ActionByCard, "3", "key-1", "10000").is(t, 303)
	payment, ok := strings.CutPrefix(begun.header.Get("Location"), "/payments/")
	if !ok {
		t.Fatal("no payment begins")
	}
	r.page(t, who, views.PaymentURL(payment)).is(t, 200).has(t, "5,000원", "3명", "예약은 그대로 둡니다.")
	r.page(t, who, views.PaymentReturnURL(payment)).is(t, 200).has(t, "확인되면 예약이 바로 바뀝니다.")
	r.leadsTo(t, who, r.page(t, who, views.PaymentLeaveURL(payment)), views.ReservationURL(id)).has(t,
		"결제를 마치지 않았습니다.")
	bank.decide(payment, payments.StandAuthorised)
	back := r.decided(t, who, views.PaymentReturnURL(payment))
	r.leadsTo(t, who, back, views.ReservationURL(id)).has(t, "예약을 변경했습니다.", "3명")
	r.balances(t)
}

// Whose payment is refused, or whose seats are gone by the time the money is ready, reads both: nothing is charged, and
// the reservation stays as it was.
func TestChangePages_NothingIsChargedUntilItIsChanged(t *testing.T) {
	t.Parallel()
	r, bank := newBank(t)
	who := r.diner(t, 20_000)
	id := strings.TrimPrefix(r.reserved(t, who, r.slot("19:00"), "deposit"), "/api/reservations/")
	begin := func(party, key, quoted string) string {
		begun := r.pressChange(t, who, views.ChangeURL(id), views.ActionByCard, party, key, quoted).is(t, 303)
		return strings.TrimPrefix(begun.header.Get("Location"), "/payments/")
	}
	refused := begin("3", "key-1", "10000")
	bank.decide(refused, payments.StandRefused)
	r.page(t, who, views.PaymentReturnURL(refused)).is(t, 200).has(t, "결제가 승인되지 않았습니다", "예약은 그대로이고",
		`href="`+views.ChangeURL(id)+`"`)
	bank.fail("begin", payments.ErrUnsure)
	r.pressChange(t, who, views.ChangeURL(id), views.ActionByCard, "3", "key-2", "10000").is(t, 503).has(t,
		"결제사가 지금 응답하지 않습니다.", "10,000원 내고 변경하기")
	bank.fail("begin", nil)
	late := begin("3", "key-3", "10000")
	for range 2 {
		r.press(t, r.diner(t, 0), "key-rival", "wait=10", r.requestFor(r.slot("19:00"), 4)).want(t, 201, "")
	}
	bank.decide(late, payments.StandAuthorised)
	r.page(t, who, views.PaymentReturnURL(late)).is(t, 200).has(t, "예약을 변경하지 못했습니다", "그 시간에는 자리가 모자랍니다.",
		"청구된 금액은 없습니다.")
	dbtest.Eventually(t, "the bank lets go", func() bool {
		report, err := bank.Find(t.Context(), payments.Payment{ID: late, Reference: late})
		return err == nil && report.Stand == payments.StandCancelled
	})
	if same := r.get(t, who, "/api/reservations/"+id); same.number(t, "partySize") != 2 || same.text(t, "state") !=
		"confirmed" {
		t.Errorf("afterwards: %s", same.raw)
	}
	r.balances(t)
}
