package webtest

import (
	"net/http"
	"net/url"
	"strconv"
	"testing"

	"lunchgo/app/web/ratelimit"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// What an account reads is bounded, by page or call, and nobody else's is. What it sends counts apart, whatever the
// route.
func TestLimits_ReadsOfAnAccount(t *testing.T) {
	t.Parallel()
	r := limitedTo(t, ratelimit.Limits{AccountReads: 3}, 0)
	who, another := r.diner(t, 10_000), r.diner(t, 0)
	book := url.Values{views.FieldAction: {views.ActionRefresh}, views.FieldDate: {string(r.slot("19:00").Date)}}
	r.get(t, who, "/api/wallet").want(t, 200, "")
	r.page(t, who, views.WalletURL()).is(t, 200)
	r.send(t, who, views.ReserveURL(r.restaurant.Slug), book).is(t, 200)
	refused := r.get(t, who, "/api/wallet").want(t, http.StatusTooManyRequests, respond.TooManyRequests.Code)
	if wait, err := strconv.Atoi(refused.header.Get("Retry-After")); err != nil || wait < 1 || wait > 20 {
		t.Errorf("Retry-After %q", refused.header.Get("Retry-After"))
	}
	r.page(t, who, views.WalletURL()).is(t, http.StatusTooManyRequests)
	r.send(t, who, views.ReserveURL(r.restaurant.Slug), book).is(t, http.StatusTooManyRequests)
	r.post(t, who, "/api/wallet/withdrawals", "key", map[string]any{"amount": 1_000}).want(t, 201, "")
	for range 2 { // a page that costs as much as one that is read, and has no narrower limit
		r.send(t, who, "/verify", url.Values{})
	}
	r.send(t, who, "/verify", url.Values{}).is(t, http.StatusTooManyRequests)
	r.get(t, another, "/api/wallet").want(t, 200, "")
	r.get(t, person{}, "/api/restaurants").want(t, 200, "")
}
