package views_test

import (
	"strconv"
	"time"

	"github.com/a-h/templ"

	"lunchgo/views"
	"lunchgo/views/webhooks"
)

func addWebhooks(lang string, all map[string]templ.Component) {
	shell := teamShell(lang, "owner")
	shell.Current, shell.Path = views.SectionSetup, views.WebhooksURL(7)
	types := []string{"lunchgo.reservation.held", "lunchgo.reservation.confirmed", "lunchgo.reservation.changed",
		"lunchgo.reservation.no_show",
		"lunchgo.slot.sold_out", "lunchgo.slot.reopened", "lunchgo.slot.capacity_changed"}
	form := views.WebhookForm{Types: map[string]bool{types[0]: true, types[4]: true}}
	one := views.Webhook{ID: "W1",
		URL:   "https://till.restaurants.example.org/a/rather/long/address/of/a/program?key=0123456789abcdef",
		Types: 7, State: "active", Description: pick(lang, "매장 포스", "The till")}
	list := views.Webhooks{StaffShell: shell, Types: types, Form: form}
	all["webhooks-list-none"] = webhooks.List(list)
	troubled, paused, gone := one, one, one
	troubled.FailingSince, paused.State, gone.State, gone.Description = evening, "paused", "gone", hostile
	list.All = []views.Webhook{one, troubled, paused, gone}
	list.Form.URL, list.Form.Types = "http://10.0.0.1/", nil
	list.Form.Errors = views.FieldErrors{views.FieldURL: shell.T("error.field.https_only"),
		views.FieldTypes: shell.T("webhook.types_required")}
	all["webhooks-list"] = webhooks.List(list)
	list.Full = true
	all["webhooks-list-full"] = webhooks.List(list)

	page := views.WebhookPage{StaffShell: shell, Webhook: one, Types: types, Form: form, Since: "2026-11-20T18:00"}
	page.Path, page.Form.URL = views.WebhookURL(7, "W1"), one.URL
	all["webhooks-one-new"] = webhooks.Endpoint(page)
	page.Webhook, page.Webhook.OldUntil, page.State = troubled, evening.Add(20*time.Hour), "failed"
	page.SinceError, page.Since = shell.T("webhook.since_invalid"), "yesterday"
	page.Pager = views.Pager{Lang: lang, Next: views.WebhookURL(7, "W1") + "?after=x"}
	page.Deliveries = webhookLog(types)
	all["webhooks-one"] = webhooks.Endpoint(page)
	page.Webhook = gone
	all["webhooks-one-gone"] = webhooks.Endpoint(page)
	all["webhooks-delete"] = webhooks.Question(views.WebhookQuestion{StaffShell: shell, Webhook: one})
	secret := views.WebhookSecret{StaffShell: shell, Webhook: one,
		Secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYqrTwjUPD8=", Fresh: true}
	all["webhooks-secret"] = webhooks.Shown(secret)
	secret.Webhook, secret.Fresh = page.Webhook, false
	secret.Webhook.OldUntil = evening
	all["webhooks-secret-changed"] = webhooks.Shown(secret)
}

// webhookLog is a page of deliveries of all states.
func webhookLog(types []string) (log []views.WebhookDelivery) {
	const body = `{
  "type": "lunchgo.reservation.confirmed",
  "timestamp": "2026-11-22T10:00:00.500000Z",
  "data": {
    "id": "GYYGMJZO7ND6T2DCTMUDBFXFJW",
    "items": [{"menuItemId": 1, "quantity": 2, "unitPrice": 38000}]
  }
}`
	for i, d := range []views.WebhookDelivery{
		{Type: types[0], State: "waiting"},
		{Type: types[1], State: "waiting", Tries: 3, DueAt: evening.Add(30 * time.Minute), Failure: "timeout",
			CanRepeat: true},
		{Type: types[4], State: "failed", Tries: 8, Status: 500, Took: 1200 * time.Millisecond,
			Excerpt: hostile + " Internal Server Error in a rather long sentence of a program", CanRepeat: true},
		{Message: "test_ABCDEFGHIJKLMNOPQRSTUVWXYZ", Type: "lunchgo.webhook.test", State: "delivered", Tries: 1, Status: 204,
			Took: 38 * time.Millisecond, CanRepeat: true},
	} {
		d.ID, d.At, d.Body = int64(4-i), evening, body
		if d.Message == "" {
			d.Message = "evt_" + strconv.Itoa(4711-i)
		}
		log = append(log, d)
	}
	return log
}
