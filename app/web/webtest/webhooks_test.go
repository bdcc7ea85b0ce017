package webtest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"testing"
	"time"

	"lunchgo/app/identity"
	"lunchgo/app/program/programtest"
	"lunchgo/app/webhooks"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

var secretIn = regexp.MustCompile(`whsec_[A-Za-z0-9+/]+=*`)

// An owner adds a webhook on the page, sees its secret once, tests it, and finds the delivery in the log; what is wrong
// is said beside its field, and what was typed stays.
func TestWebhooks_OnThePages(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	owner, manager := r.staffAs(t, r.restaurant.ID, identity.RoleOwner),
		r.staffAs(t, r.restaurant.ID, identity.RoleManager)
	all := views.WebhooksURL(r.restaurant.ID)
	form := func(address string, types ...string) url.Values {
		return url.Values{"url": {address}, "description": {"포스"}, "types": types}
	}
	r.page(t, manager, all).is(t, 403)
	r.page(t, owner, all).is(t, 200).has(t, "lunchgo.slot.sold_out")
	r.page(t, owner, views.SetupURL(r.restaurant.ID)).is(t, 200).has(t, all)
	r.send(t, owner, all, form("http://10.0.0.1/")).is(t, 422).has(t, `value="http://10.0.0.1/"`, `value="포스"`,
		"aria-invalid", "webhook-types-error")
	const address = "https://till.example/events"
	made := r.send(t, owner, all, form(address, "lunchgo.slot.closed")).is(t, 201)
	if len(secretIn.FindAll(made.raw, -1)) != 1 {
		t.Errorf("%s", made.raw)
	}
	r.send(t, owner, all, form(address, "lunchgo.slot.closed")).is(t, 409).has(t, `value="`+address+`"`)
	list, err := r.Program.Webhooks.Store.ListEndpoints(t.Context(), r.restaurant.ID)
	if err != nil || len(list) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	one := views.WebhookURL(r.restaurant.ID, list[0].ID)
	r.send(t, owner, one+"/test", nil).is(t, 303)
	r.page(t, owner, one+"?state=waiting").is(t, 200).has(t, "test_", address).hasNot(t, "whsec_")
	r.page(t, owner, one+"?state=failed").is(t, 200).hasNot(t, "test_")
	r.send(t, owner, one+"/redeliver", url.Values{"since": {"yesterday"}}).is(t, 422).has(t, `value="yesterday"`)
	r.send(t, owner, one+"/redeliver", url.Values{"since": {"2026-01-01T00:00"}}).is(t, 303)
	rotated := r.send(t, owner, one+"/secret", url.Values{"rotations": {"0"}}).is(t, 201)
	if secretIn.Find(rotated.raw) == nil {
		t.Errorf("%s", rotated.raw)
	}
	r.send(t, owner, one+"/secret", url.Values{"rotations": {"0"}}).is(t, 409)
	r.send(t, owner, one+"/pause", nil).is(t, 303)
	r.send(t, owner, one+"/test", nil).is(t, 409)
	r.page(t, owner, views.SetupURL(r.restaurant.ID)).is(t, 200).hasNot(t, "notice-danger")
	r.mustExec(t, `UPDATE webhook_endpoints SET state = 'gone'`)
	r.page(t, owner, views.SetupURL(r.restaurant.ID)).is(t, 200).has(t, "notice-danger")
	r.page(t, owner, one).is(t, 200).has(t, "410")
	r.send(t, owner, one+"/resume", nil).is(t, 303)
	r.send(t, owner, one, form("ftp://x/", "lunchgo.slot.closed")).is(t, 422).has(t, `value="ftp://x/"`)
	r.page(t, owner, one+"/delete").is(t, 200).has(t, address)
	r.send(t, owner, one+"/delete", nil).is(t, 303)
	r.page(t, owner, one).is(t, 404)
}

// A program does the same over the API, and what it asks for arrives.
func TestWebhooks_OverTheAPI(t *testing.T) {
	t.Parallel()
	arrived := make(chan string, 10)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		arrived <- req.Header.Get("webhook-id")
	}))
	t.Cleanup(server.Close)
	setup := programtest.Setup{}
	setup.Config.Webhooks.PrivateNetworks = true
	setup.Config.Paces.Webhook = 20 * time.Millisecond
	r := newHarnessWith(t, setup)
	owner := r.staffAs(t, r.restaurant.ID, identity.RoleOwner)
	all := fmt.Sprintf("/api/staff/restaurants/%d/webhooks", r.restaurant.ID)
	bad := map[string]any{"url": "gopher://x", "types": []string{"lunchgo.wallet.charged"}}
	r.post(t, owner, all, "", bad).want(t, 422, "invalid")
	made := r.post(t, owner, all, "", map[string]any{"url": server.URL, "types": webhooks.Types()}).want(t, 201, "")
	one := all + "/" + made.text(t, "id")
	if !secretIn.MatchString(made.text(t, "secret")) || secretIn.Match(r.get(t, owner, one).want(t, 200, "").raw) {
		t.Errorf("%s", made.raw)
	}
	r.post(t, owner, all, "", map[string]any{"url": server.URL, "types": webhooks.Types()}).want(t, 409,
		"webhook_exists")
	test := r.post(t, owner, one+"/test", "", nil).want(t, 202, "")
	if id := <-arrived; id != test.text(t, "messageId") {
		t.Errorf("%q arrived", id)
	}
	dbtest.Eventually(t, "the delivery is noted", func() bool {
		return len(r.get(t, owner, one+"/deliveries?state=delivered").want(t, 200, "").list(t, "deliveries")) == 1
	})
	again := fmt.Sprintf("%s/deliveries/%.0f/redelivery", one, test.json["id"])
	r.post(t, owner, again, "", nil).want(t, 204, "")
	if id := <-arrived; id != test.text(t, "messageId") {
		t.Errorf("%q arrived again", id)
	}
	r.get(t, owner, one+"/deliveries?state=lost").want(t, 422, "invalid")
	r.post(t, owner, one+"/redelivery", "", map[string]any{}).want(t, 422, "invalid")
	r.post(t, owner, one+"/redelivery", "", map[string]any{"since": "2026-01-01T00:00:00Z"}).want(t, 202, "")
	r.post(t, owner, one+"/secret", "", nil).want(t, 200, "")
	r.do(t, call{method: http.MethodPatch, path: one, as: owner, body: map[string]any{"state": "paused"}}).
		want(t, 200, "")
	r.post(t, owner, one+"/test", "", nil).want(t, 409, "webhook_inactive")
	r.delete(t, owner, one).want(t, 204, "")
	r.get(t, owner, one).want(t, 404, "not_found")
}
