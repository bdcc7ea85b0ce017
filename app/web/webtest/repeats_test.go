package webtest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lunchgo/app/identity"
	"lunchgo/app/web/ratelimit"
)

// replayedForms are the forms that are answered again by their idempotency keys. Of the API the description says it.
var replayedForms = []string{"POST /restaurants/:slug/reservations", "POST /restaurants/:slug/waitlist",
	"POST /reservations/:id/change", "POST /reservations/:id/another-time", "POST /reservations/:id/pay",
	"POST /coupons/:id/claims", "POST /wallet/charges", "POST /wallet/withdrawals", "POST /staff/restaurants/:restaurant/book", "POST /staff/reservations/:reservation/move"}

// replayedRoutes are all of them, with a star for each parameter.
func replayedRoutes(t *testing.T) (routes []string) {
	t.Helper()
	for _, form := range replayedForms {
		routes = append(routes, routeParam.ReplaceAllString(form, "*"))
	}
	theContract(t).eachOperation(func(path, method string, operation map[string]any) {
		parameters, _ := operation["parameters"].([]any)
		for _, of := range parameters {
			p := of.(map[string]any)
			if p["name"] == "Idempotency-Key" && p["required"] == true {
				routes = append(routes, strings.ToUpper(method)+" "+pathParam.ReplaceAllString(path, "*"))
			}
		}
	})
	return routes
}

var routeParam = regexp.MustCompile(`:\w+`)

// On every route that counts what an account sends, a repeat is the same request under the same key, and on one that is
// answered again; whatever else has the key of a request that passed counts.
func TestLimits_OnlyRepeatsDoNotCount(t *testing.T) {
	t.Parallel()
	const limit, tries = 2, 5
	r := limitedTo(t, ratelimit.Limits{Presses: limit, Changes: limit, Staff: limit, SignUps: 1000}, 0)
	passed := func(route string, key, n func(int) int) (passed int) {
		method, path, _ := strings.Cut(route, " ")
		who := r.staffAs(t, r.restaurant.ID, identity.RoleOwner)
		for i := range tries {
			c := call{method: method, path: routeParam.ReplaceAllString(path, "1"), as: who,
				body:    fmt.Sprintf(`{"n": %d}`, n(i)),
				headers: map[string]string{"Idempotency-Key": fmt.Sprint("key-", key(i))}}
			if !strings.HasPrefix(path, "/api/") {
				c.body, c.headers["Content-Type"] = fmt.Sprint("n=", n(i)), "application/x-www-form-urlencoded"
			}
			if r.do(t, c).header.Get("Retry-After") == "" { // two forms are shown again, if there is something to show
				passed++
			}
		}
		return passed
	}
	same, another := func(int) int { return 1 }, func(i int) int { return i }
	replayed := replayedRoutes(t)
	limited, again := 0, 0
	for _, route := range r.Site.Routes() {
		if strings.HasPrefix(route, "GET ") || passed(route, another, another) == tries {
			continue // no account is bound
		}
		limited++
		if got := passed(route, same, another); got > limit {
			t.Errorf("%s: %d different requests with one key pass, want %d", route, got, limit)
		}
		want := limit
		if slices.Contains(replayed, routeParam.ReplaceAllString(route, "*")) {
			again++
			want = tries
		}
		if got := passed(route, same, same); got != want {
			t.Errorf("%s: %d equal requests pass, want %d", route, got, want)
		}
	}
	if limited < 80 || again != len(replayed) {
		t.Errorf("%d routes are limited, %d of %d that are replayed", limited, again, len(replayed))
	}
}
