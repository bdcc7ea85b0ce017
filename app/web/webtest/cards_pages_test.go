package webtest

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"lunchgo/app/payments"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// pressPay sends the form of the payment page, and returns the answer to it alone.
func (r *harness) pressPay(t *testing.T, who person, reservation, key string) answer {
	t.Helper()
	form := url.Values{views.FieldIdempotencyKey: {key}, views.FieldKind: {views.KindDeposit}}
	return r.do(t, call{method: http.MethodPost, path: views.PayURL(reservation), body: form.Encode(),
		headers: map[string]string{"Cookie": "session=" + who.token, "Content-Type": "application/x-www-form-urlencoded"}})
}

// beginPay presses the button of the payment page and returns the payment that this begins.
func (r *harness) beginPay(t *testing.T, who person, reservation, key string) string {
	t.Helper()
	id, ok := strings.CutPrefix(r.pressPay(t, who, reservation, key).is(t, 303).header.Get("Location"), "/payments/")
	if !ok {
		t.Fatal("no payment begins")
	}
	return id
}

// leadsTo fails unless the answer leads to another page, and returns what that shows.
func (r *harness) leadsTo(t *testing.T, who person, a answer, path string) answer {
	t.Helper()
	if to := a.is(t, 303).header.Get("Location"); to != path {
		t.Fatalf("it leads to %s, want %s", to, path)
	}
	flash, _, _ := strings.Cut(a.header.Get("Set-Cookie"), ";")
	return r.do(t, call{method: http.MethodGet, path: path,
		headers: map[string]string{"Cookie": "session=" + who.token + "; " + flash}}).is(t, 200)
}

// One press leads to the provider's page, with nothing topped up on the way; back from there the reservation is
// confirmed. No script is needed.
func TestCardPages_OnePressLeadsToTheProvider(t *testing.T) {
	t.Parallel()
	r, bank := newBank(t)
	who := r.diner(t, 5_000)
	id := r.seat(t, who, r.slot("19:00"), 2)
	page := r.page(t, who, views.PayURL(id)).is(t, 200).has(t, "20,000원 결제하기", "지갑에서 5,000원, 나머지 15,000원은",
		"1시간 전까지 취소하면 100% 환불")
	page.hasNot(t, views.ChargeURL())
	payment := r.beginPay(t, who, id, "key-1")
	window := r.page(t, who, views.PaymentURL(payment)).is(t, 200).has(t, "15,000원",
		`href="https://bank.example/pay/`+payment+`"`)
	if to := window.header.Get("Refresh"); to != "0;url=https://bank.example/pay/"+payment {
		t.Errorf("the browser goes on to %q", to)
	}
	if again := r.beginPay(t, who, id, "key-1"); again != payment {
		t.Error("a second press begins another payment")
	}
	r.page(t, who, views.PaymentReturnURL(payment)).is(t, 200).has(t, "결제를 확인하고 있습니다", `data-retry="2"`,
		`<noscript><meta http-equiv="refresh" content="2;url=`+views.PaymentReturnURL(payment)+`?look=1"></noscript>`)
	r.page(t, who, views.PaymentReturnURL(payment)+"?look=7").is(t, 200).has(t, "다시 결제하지 말고", "결제 확인하기").hasNot(t,
		"data-retry")
	bank.fail("find", payments.ErrUnsure)
	r.page(t, who, views.PaymentReturnURL(payment)).is(t, 200).has(t, "결제를 확인하고 있습니다")
	bank.fail("find", nil)
	bank.decide(payment, payments.StandAuthorised)
	back := r.decided(t, who, views.PaymentReturnURL(payment)+"?paymentKey=x&amount=1")
	r.leadsTo(t, who, back, views.ReservationURL(id)).has(t, "예약이 확정되었습니다")
	if to := r.page(t, who, views.PaymentURL(payment)).is(t, 303).header.Get("Location"); to !=
		views.PaymentReturnURL(payment) {
		t.Errorf("the way to the provider now leads to %s", to)
	}
	r.balances(t)
}

// What the wallet pays alone needs no provider, and what is confirmed needs no second press.
func TestCardPages_ARichWalletPays(t *testing.T) {
	t.Parallel()
	r, bank := newBank(t)
	who := r.diner(t, 30_000)
	id := r.seat(t, who, r.slot("19:00"), 2)
	r.page(t, who, views.PayURL(id)).has(t, "지갑에서 20,000원을 냅니다.")
	for range 2 {
		r.leadsTo(t, who, r.pressPay(t, who, id, "key-1"), views.ReservationURL(id))
	}
	if len(bank.orders) > 0 {
		t.Error("the bank was asked")
	}
}

// Who is refused, or leaves, reads that nothing was charged, and pays again with another press.
func TestCardPages_NothingIsChargedUntilItIsPaid(t *testing.T) {
	t.Parallel()
	r, bank := newBank(t)
	who := r.diner(t, 0)
	id := r.seat(t, who, r.slot("19:00"), 2)
	refused := r.beginPay(t, who, id, "key-1")
	bank.decide(refused, payments.StandRefused)
	r.page(t, who, views.PaymentReturnURL(refused)).is(t, 200).has(t, "결제가 승인되지 않았습니다", "청구된 금액은 없습니다.",
		`href="`+views.PayURL(id)+`"`)
	left := r.beginPay(t, who, id, "key-2")
	r.leadsTo(t, who, r.page(t, who, views.PaymentLeaveURL(left)), views.PayURL(id)).has(t, "결제를 마치지 않았습니다.")
	bank.decide(left, payments.StandCancelled)
	r.leadsTo(t, who, r.page(t, who, views.PaymentLeaveURL(left)), views.PayURL(id))
	bank.fail("begin", &payments.RefusedError{Code: "NO"})
	r.pressPay(t, who, id, "key-3").is(t, 409).has(t, "결제가 승인되지 않았습니다.", "20,000원 결제하기")
	bank.fail("begin", payments.ErrUnsure)
	r.pressPay(t, who, id, "key-4").is(t, 503).has(t, "결제사가 지금 응답하지 않습니다.")
	bank.fail("begin", nil)
	won, lost := r.beginPay(t, who, id, "key-5"), r.beginPay(t, who, id, "key-6")
	bank.decide(won, payments.StandAuthorised)
	bank.decide(lost, payments.StandAuthorised)
	if to := r.page(t, who, views.PaymentLeaveURL(won)).is(t, 303).header.Get("Location"); to !=
		views.PaymentReturnURL(won) {
		t.Errorf("who has paid after all is sent to %s", to)
	}
	back := r.page(t, who, views.PaymentReturnURL(lost))
	r.leadsTo(t, who, back, views.ReservationURL(id)).has(t, "이미 결제한 예약입니다.")
	r.balances(t)
}

// A payment for a reservation that was cancelled meanwhile is let go, and the page says both.
func TestCardPages_OfACancelledReservation(t *testing.T) {
	t.Parallel()
	r, bank := newBank(t)
	who := r.diner(t, 0)
	id := r.seat(t, who, r.slot("19:00"), 2)
	payment := r.beginPay(t, who, id, "key-1")
	r.delete(t, who, "/api/reservations/"+id).want(t, 200, "")
	bank.decide(payment, payments.StandAuthorised)
	r.page(t, who, views.PaymentReturnURL(payment)).is(t, 200).has(t, "취소된 예약입니다", "청구된 금액은 없습니다.", "다른 시간 찾기")
	r.balances(t)
}

// Who pays when the hold is over and the seats are gone, or when the wallet has spent its part elsewhere, reads so, and
// that nothing is charged.
func TestCardPages_TooLate(t *testing.T) {
	t.Parallel()
	r, bank := newBank(t)
	late, poor := r.diner(t, 0), r.diner(t, 5_000)
	lateID, poorID := r.seat(t, late, r.slot("19:00"), 2), r.seat(t, poor, r.slot("20:00"), 2)
	gone, short := r.beginPay(t, late, lateID, "key-1"), r.beginPay(t, poor, poorID, "key-1")
	r.expire(t, lateID, time.Minute)
	for range 2 {
		r.press(t, r.diner(t, 0), "key-rival", "wait=10", r.requestFor(r.slot("19:00"), 5)).want(t, 201, "")
	}
	r.post(t, poor, "/api/wallet/withdrawals", "key-2", map[string]any{"amount": 5_000}).want(t, 201, "")
	for _, payment := range []string{gone, short} {
		bank.decide(payment, payments.StandAuthorised)
	}
	r.decided(t, late, views.PaymentReturnURL(gone)).is(t, 200).has(t, "결제 시간이 지났습니다", "그사이 자리가 나갔습니다.",
		"청구된 금액은 없습니다.", "다른 시간 찾기")
	r.decided(t, poor, views.PaymentReturnURL(short)).is(t, 200).has(t, "결제할 금액이 그사이 달라졌습니다", "지갑의 잔액이",
		"청구된 금액은 없습니다.", `href="`+views.PayURL(poorID)+`"`)
	dbtest.Eventually(t, "the bank lets go of both", func() bool {
		bank.mu.Lock()
		defer bank.mu.Unlock()
		return bank.stands[gone] == payments.StandCancelled && bank.stands[short] == payments.StandCancelled
	})
	r.balances(t)
}

// A payment is shown to its diner only. What another browser brings back settles it all the same.
func TestCardPages_AreTheDinersOwn(t *testing.T) {
	t.Parallel()
	r, bank := newBank(t)
	who, stranger := r.diner(t, 0), r.diner(t, 0)
	id := r.seat(t, who, r.slot("19:00"), 2)
	payment := r.beginPay(t, who, id, "key-1")
	for _, path := range []string{views.PaymentURL(payment), views.PaymentReturnURL(payment),
		views.PaymentLeaveURL(payment)} {
		r.page(t, stranger, path).is(t, 404)
	}
	bank.decide(payment, payments.StandAuthorised)
	dbtest.Eventually(t, "what another browser brings back settles it", func() bool {
		elsewhere := r.do(t, call{method: http.MethodGet, path: views.PaymentReturnURL(payment) + "?a=b"})
		if to := elsewhere.is(t, 303).header.Get("Location"); to != views.SignInURL(views.PaymentReturnURL(payment)+"?a=b") {
			t.Fatalf("another browser is sent to %s", to)
		}
		return r.get(t, who, "/api/reservations/"+id).text(t, "state") == "confirmed"
	})
	r.page(t, who, "/payments/unknown/return").is(t, 404)
}
