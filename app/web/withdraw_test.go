package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"lunchgo/views"
)

func TestWithdraw_BadAmounts(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	b := h.signedIn(50_000)
	form := func(amount, key string) url.Values {
		return url.Values{"amount": {amount}, views.FieldIdempotencyKey: {key}}
	}
	for _, amount := range []string{"", "0", "-5000", "100000001", "1000000000000", "99999999999999999999", "all of it",
		"1e3", "0.5"} {
		b.post("/wallet/withdrawals", form(amount, "k-bad")).must(422,
			"You can withdraw from ₩1 to all that is in your wallet.")
	}
	again := b.post("/wallet/withdrawals", form("50001", "k-more")).must(402,
		"You cannot withdraw more than your wallet holds.")
	if !strings.Contains(again.body, `value="50001"`) ||
		!strings.Contains(again.body, `href="#field-amount-withdrawal"`) {
		t.Errorf("the form is not as it was filled in, or its error does not lead to it:\n%s", again.body)
	}
	b.post("/wallet/withdrawals", form("20000", "twice")).must(303)
	b.post("/wallet/withdrawals", form("20000", "twice")).must(303)
	b.post("/wallet/withdrawals", form("20001", "twice")).must(422, "This request was handled already.")
	b.post("/wallet/charges", form("20000", "twice")).must(303) // another purpose, another key
	for _, key := range []string{"", "with a space", "열쇠"} {
		b.post("/wallet/withdrawals", form("1", key)).must(400)
	}
	b.post("/wallet/withdrawals", form("1", "k"), "Sec-Fetch-Site", "cross-site").must(403)
	b.do(http.MethodGet, "/wallet/withdrawals", nil).must(405)
	b.open("/wallet").must(200, "₩50,000", "Withdrawal", "−₩20,000")

	stranger := h.signedIn(0)
	stranger.post("/wallet/withdrawals", form("20000", "twice")).must(402,
		"You cannot withdraw more than your wallet holds.", "There is nothing to withdraw.")
	stranger.open("/wallet").must(200, "There is nothing to withdraw.")
	if p := h.browser().post("/wallet/withdrawals", form("1", "k")); p.status != http.StatusSeeOther ||
		p.header.Get("Location") != "/signin" {
		t.Errorf("without a session: %d to %q", p.status, p.header.Get("Location"))
	}
}

func TestWithdraw_EverythingAtOnce(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	b := h.signedIn(50_000)
	page := b.open("/wallet").must(200, "Withdraw everything (₩50,000)")
	b.send(page, "/wallet/withdrawals", "amount", "50000").must(200, "₩50,000 withdrawn from your wallet.",
		"There is nothing to withdraw.")
	b.language = "ko"
	b.open("/wallet").must(200, "출금할 잔액이 없습니다.", "출금")
}
