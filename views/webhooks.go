package views

import (
	"net/url"
	"strconv"
	"time"
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
	URL         string
	Description string
	Types       map[string]bool
	Errors      FieldErrors
}

// Webhook is an endpoint as its owner sees it.
type Webhook struct {
	ID           string
	URL          string
	Description  string
	Types        int    // how many types of events it gets
	State        string // active, paused, gone or failing
	FailingSince time.Time
	Rotations    int
	OldUntil     time.Time // the secret before signs until then; zero: not any more
}

// IsDisabled says whether the program has given the endpoint up.
func (w Webhook) IsDisabled() bool { return w.State == "gone" || w.State == "failing" }

// Webhooks is the list of a restaurant's. Component: webhooks.List(views.Webhooks).
type Webhooks struct {
	StaffShell
	All   []Webhook
	Full  bool     // no more can be added
	Types []string // that can be asked for
	Form  WebhookForm
}

// WebhookPage is one webhook with its log. Component: webhooks.Endpoint(views.WebhookPage).
type WebhookPage struct {
	StaffShell
	Webhook    Webhook
	Types      []string
	Form       WebhookForm
	State      string // of the deliveries that are shown; empty for all
	Deliveries []WebhookDelivery
	Pager      Pager
	Since      string // of the form that sends what has failed again, as typed
	SinceError string
}

// CanRepeat says whether there may be deliveries to send again.
func (p WebhookPage) CanRepeat() bool {
	return p.Webhook.State == "active" && (len(p.Deliveries) > 0 || p.SinceError != "")
}

// WebhookDelivery is one line of the log.
type WebhookDelivery struct {
	ID        int64
	Message   string // its id
	Type      string
	State     string // waiting, delivered or failed
	Tries     int
	At        time.Time // of the event
	DueAt     time.Time // of the next try; zero where none comes
	Status    int       // of the last answer; 0 for none
	Failure   string    // code of why there was none
	Excerpt   string    // the beginning of it
	Took      time.Duration
	Body      string // as it is sent, on several lines
	CanRepeat bool
}

// WebhookSecret shows a secret, once. Component: webhooks.Shown(views.WebhookSecret).
type WebhookSecret struct {
	StaffShell
	Webhook Webhook
	Secret  string
	Fresh   bool // the webhook is new; else the secret was changed
}

// WebhookQuestion asks before a webhook is deleted. Component: webhooks.Question(views.WebhookQuestion).
type WebhookQuestion struct {
	StaffShell
	Webhook Webhook
}
