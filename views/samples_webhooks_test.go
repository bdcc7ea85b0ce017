package views_test

import (
	"cmp"
	"encoding/json"
	"strconv"
	"time"

	"github.com/a-h/templ"

	hooks "lunchgo/app/webhooks"
	"lunchgo/views"
	"lunchgo/views/webhooks"
)

func addWebhooks(lang string, all map[string]templ.Component) {
	shell := teamShell(lang, "owner")
	shell.Current, shell.Path = views.SectionSetup, views.WebhooksURL(7)
	form := views.WebhookForm{Draft: hooks.Draft{Types: []string{hooks.Types()[0], hooks.Types()[10]}}}
	one := hooks.Endpoint{ID: "W1",
		URL:   "https://till.restaurants.example.org/a/rather/long/address/of/a/program?key=0123456789abcdef",
		Types: hooks.Types()[:7], State: hooks.Active, Description: pick(lang, "매장 포스", "The till")}
	list := views.Webhooks{StaffShell: shell, Form: form}
	all["webhooks-list-none"] = webhooks.List(list)
	troubled, paused, gone := one, one, one
	troubled.FailingSince, paused.State, gone.State, gone.Description = evening, hooks.Paused, hooks.Gone, hostile
	list.All = []hooks.Endpoint{one, troubled, paused, gone}
	list.Form.URL, list.Form.Types = "http://10.0.0.1/", nil
	list.Form.Errors = views.FieldErrors{views.FieldURL: shell.T("error.field.https_only"),
		views.FieldTypes: shell.T("webhook.types_required")}
	all["webhooks-list"] = webhooks.List(list)
	for len(list.All) < hooks.MaxEndpoints {
		list.All = append(list.All, one)
	}
	all["webhooks-list-full"] = webhooks.List(list)

	page := views.WebhookPage{StaffShell: shell, Webhook: one, Now: evening, Form: form, Since: "2026-11-20T18:00"}
	page.Path, page.Form.URL = views.WebhookURL(7, "W1"), one.URL
	all["webhooks-one-new"] = webhooks.Endpoint(page)
	page.Webhook, page.Webhook.Keys.OldUntil, page.State = troubled, evening.Add(20*time.Hour), hooks.Failed
	page.SinceError, page.Since = shell.T("webhook.since_invalid"), "yesterday"
	page.Pager = views.Pager{Lang: lang, Next: views.WebhookURL(7, "W1") + "?after=x"}
	page.Deliveries = webhookLog()
	all["webhooks-one"] = webhooks.Endpoint(page)
	page.Webhook = gone
	all["webhooks-one-gone"] = webhooks.Endpoint(page)
	all["webhooks-delete"] = webhooks.Question(views.WebhookQuestion{StaffShell: shell, Webhook: one})
	secret := views.WebhookSecret{StaffShell: shell, Webhook: one,
		Secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYqrTwjUPD8=", Fresh: true}
	all["webhooks-secret"] = webhooks.Shown(secret)
	secret.Webhook, secret.Fresh = page.Webhook, false
	secret.Webhook.Keys.OldUntil = evening
	all["webhooks-secret-changed"] = webhooks.Shown(secret)
}

// webhookLog is a page of deliveries of all states.
func webhookLog() []hooks.Delivery {
	log := []hooks.Delivery{
		{Message: hooks.Message{Type: hooks.Types()[0]}, State: hooks.Waiting},
		{Message: hooks.Message{Type: hooks.Types()[1]}, State: hooks.Waiting, Tries: 3, DueAt: evening.Add(30 * time.Minute),
			Last: hooks.Try{Failure: "timeout"}},
		{Message: hooks.Message{Type: hooks.Types()[10]}, State: hooks.Failed, Tries: 8, Last: hooks.Try{Status: 500,
			Took: 1200 * time.Millisecond, Excerpt: hostile + " Internal Server Error in a rather long sentence of a program"}},
		{Message: hooks.Message{ID: "test_ABCDEFGHIJKLMNOPQRSTUVWXYZ", Type: hooks.TypeTest}, State: hooks.Delivered, Tries: 1,
			Last: hooks.Try{Status: 204, Took: 38 * time.Millisecond}},
	}
	for i := range log {
		d := &log[i]
		d.Message.ID = cmp.Or(d.Message.ID, "evt_"+strconv.Itoa(4711-i))
		d.ID, d.At = int64(4-i), evening
		d.Data = json.RawMessage(`{"id": "GYYGMJZO7ND6T2DCTMUDBFXFJW",
			"items": [{"menuItemId": 1, "quantity": 2, "unitPrice": 38000}]}`)
	}
	return log
}
