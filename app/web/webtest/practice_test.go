package webtest

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"lunchgo/app/program"
	"lunchgo/app/program/programtest"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// The practice bank plays whatever a bank may do, to people by a page and to programs.
func TestPracticeBank_PlaysWhatABankMayDo(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, programtest.Setup{Config: program.Config{
		Payments: program.PaymentsConfig{Practice: true, Grace: 3 * time.Minute}}})
	t.Run("results", func(t *testing.T) { r.playResults(t) })
	r.balances(t)
}

func (r *harness) playResults(t *testing.T) {
	for _, c := range []struct{ result, leadsTo, payment, reservation string }{
		{"pay", "return", "paid", "confirmed"},
		{"twice", "return", "paid", "confirmed"},
		{"refuse", "return", "refused", "temporary"},
		{"leave", "leave", "cancelled", "temporary"},
		{"late", "return", "started", "temporary"},
		{"overdrawn", "return", "refused", "refunded"},
	} {
		t.Run(c.result, func(t *testing.T) {
			t.Parallel()
			who := r.diner(t, 0)
			id := r.seat(t, who, r.slot("19:00"), 1)
			begun := r.card(t, who, id, "key-1").want(t, 201, "")
			payment, window := begun.text(t, "paymentId"), begun.text(t, "checkoutUrl")
			r.page(t, person{}, window).is(t, 200).has(t, "연습용 결제창입니다.", "10,000원 결제하기", payment)
			r.post(t, person{}, window, "", map[string]any{"result": "eclipse"}).want(t, 422, "unknown_result")
			back := r.post(t, person{}, window, "", map[string]any{"result": c.result}).want(t, 200, "").text(t, "redirect")
			if want := views.PaymentURL(payment) + "/" + c.leadsTo; back != want {
				t.Errorf("it leads to %s, want %s", back, want)
			}
			if status := r.page(t, who, back).status; status >= 400 {
				t.Errorf("%s: status %d", back, status)
			}
			dbtest.Eventually(t, "the payment is "+c.payment, func() bool {
				return r.get(t, who, "/api/payments/"+payment).text(t, "state") == c.payment
			})
			if got := r.get(t, who, "/api/reservations/"+id).text(t, "state"); got != c.reservation {
				t.Errorf("the reservation is %s, want %s", got, c.reservation)
			}
			again := r.do(t, call{method: http.MethodPost, path: window, body: url.Values{"result": {"pay"}}.Encode(),
				headers: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}).is(t, 303)
			if to := again.header.Get("Location"); to != views.PaymentReturnURL(payment) {
				t.Errorf("a second result leads to %s", to)
			}
			if got := r.get(t, who, "/api/payments/"+payment).text(t, "state"); got != c.payment {
				t.Errorf("a second result makes the payment %s", got)
			}
			r.page(t, person{}, window).is(t, 200).has(t, "이미 처리한 결제입니다.")
		})
	}
}
