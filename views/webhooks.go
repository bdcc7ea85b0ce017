package views

import (
	"net/url"
	"strconv"
	"time"

	"lunchgo/app/webhooks"
)

// Names of the fields of a webhook's form and of the filter of its log.
const (
	FieldURL          = "url"
	FieldDescription  = "description"
	FieldTypes        = "types"
	FieldRotations    = "rotations"
	FieldSince        = "since"
	FieldWebhookState = "state"
)

// WebhooksURL lists the webhooks of a restaurant. GET: webhooks.List. POST: fields URL, Description, Types; 201 renders
// webhooks.Shown with the secret, 422 and 409 render webhooks.List again.
func WebhooksURL(restaurant int64) string { return staffRestaurantURL(restaurant) + "/webhooks" }

// WebhookURL is one of them, with its log; the query is state= and after=. GET: webhooks.Endpoint. POST: fields URL,
// Description, Types; 303 to the same page, 422 and 409 render it again.
func WebhookURL(restaurant int64, id string) string {
	return WebhooksURL(restaurant) + "/" + url.PathEscape(id)
}

// WebhookActionURL does something to a webhook: pause, resume, test. POST: 303 to its page. redeliver takes the field
// Since; secret takes the field Rotations, and renders webhooks.Shown. delete is a question on GET, webhooks.Question.
func WebhookActionURL(restaurant int64, id, action string) string {
	return WebhookURL(restaurant, id) + "/" + action
}

// WebhookDeliveryURL sends a delivery again. POST: 303 to the webhook's page.
func WebhookDeliveryURL(restaurant int64, id string, delivery int64) string {
	return WebhookURL(restaurant, id) + "/deliveries/" + strconv.FormatInt(delivery, 10) + "/redeliver"
}

// WebhookForm is what an owner says of an endpoint, as typed.
type WebhookForm struct {
	webhooks.Draft
	Errors FieldErrors
}

// Webhooks is the list of a restaurant's. Component: webhooks.List(views.Webhooks).
type Webhooks struct {
	StaffShell
	All  []webhooks.Endpoint
	Form WebhookForm
}

// WebhookPage is one webhook with its log. Component: webhooks.Endpoint(views.WebhookPage).
type WebhookPage struct {
	StaffShell
	Webhook    webhooks.Endpoint
	Now        time.Time
	Form       WebhookForm
	State      webhooks.DeliveryState // of the deliveries that are shown; empty for all
	Deliveries []webhooks.Delivery
	Pager      Pager
	Since      string // of the form that sends what has failed again, as typed
	SinceError string
}

// CanRepeat says whether there may be deliveries to send again.
func (p WebhookPage) CanRepeat() bool {
	return p.Webhook.State == webhooks.Active && (len(p.Deliveries) > 0 || p.SinceError != "")
}

// WebhookSecret shows a secret, once. Component: webhooks.Shown(views.WebhookSecret).
type WebhookSecret struct {
	StaffShell
	Webhook webhooks.Endpoint
	Secret  webhooks.Secret
	Fresh   bool // the webhook is new; else the secret was changed
}

// WebhookQuestion asks before a webhook is deleted. Component: webhooks.Question(views.WebhookQuestion).
type WebhookQuestion struct {
	StaffShell
	Webhook webhooks.Endpoint
}
