package api

import (
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/keyset"
	"lunchgo/app/team"
	"lunchgo/app/web/access"
	"lunchgo/app/web/respond"
	workplaces "lunchgo/app/web/workplace"
	"lunchgo/app/webhooks"
)

func (a *API) webhooksRoutes() group {
	return group{"webhooks", "Programs of a restaurant to which is sent what happened.", []operation{
		{route: "GET /staff/restaurants/{restaurant}/webhooks", id: "listWebhooks",
			right: access.Staff(team.ManageWebhooks), run: answers(a.staff, a.listWebhooks),
			summary: "The webhooks of a restaurant",
			says:    "The webhooks, the oldest first."},
		{route: "POST /staff/restaurants/{restaurant}/webhooks", id: "addWebhook",
			right: access.Staff(team.ManageWebhooks), run: takes(a.staff, a.addWebhook),
			summary: "Add a webhook",
			text:    "Events are sent to the address by POST, signed as the Standard Webhooks specification says.",
			status:  201, says: "The webhook with its secret, which no other answer shows.",
			refuses: []string{"webhook_exists", "too_many_webhooks"}},
		{route: "GET /staff/restaurants/{restaurant}/webhooks/{webhook}", id: "findWebhook",
			right: access.Staff(team.ManageWebhooks), run: answers(a.endpoint, a.findWebhook),
			summary: "A webhook",
			says:    "The webhook."},
		{route: "PATCH /staff/restaurants/{restaurant}/webhooks/{webhook}", id: "changeWebhook",
			right: access.Staff(team.ManageWebhooks), run: takes(a.endpoint, a.changeWebhook),
			summary: "Change, pause or resume a webhook",
			text: "Members that are left out stay. While a webhook is paused its events wait. State active also " +
				"resumes one that was disabled.",
			says: "The webhook.", refuses: []string{"webhook_exists"}},
		{route: "DELETE /staff/restaurants/{restaurant}/webhooks/{webhook}", id: "deleteWebhook",
			right: access.Staff(team.ManageWebhooks), run: does(a.endpoint, a.deleteWebhook),
			summary: "Delete a webhook",
			says:    "It is deleted with its log; what waits is not sent."},
		{route: "POST /staff/restaurants/{restaurant}/webhooks/{webhook}/secret", id: "rotateWebhook",
			right: access.Staff(team.ManageWebhooks), run: answers(a.endpoint, a.rotateWebhook),
			summary: "Change the secret of a webhook",
			says:    "The webhook with its new secret. For 24 hours the one before signs, too."},
		{route: "POST /staff/restaurants/{restaurant}/webhooks/{webhook}/test", id: "testWebhook",
			right: access.Staff(team.ManageWebhooks), run: answers(a.endpoint, a.testWebhook),
			summary: "Send a test event",
			status:  202, says: "The delivery of an event of type lunchgo.webhook.test.",
			refuses: []string{"webhook_inactive", "paused"}},
		{route: "GET /staff/restaurants/{restaurant}/webhooks/{webhook}/deliveries", id: "listWebhookDeliveries",
			right: access.Staff(team.ManageWebhooks), run: lists("deliveries", a.endpoint, a.listDeliveries),
			summary: "What was sent to a webhook",
			query: []parameter{
				{name: "state", is: text, says: "Deliveries of one state only.",
					bound: oneOf(texts(webhooks.DeliveryStates())...)},
			},
			says: "The deliveries of the last 30 days, the newest first."},
		{route: "POST /staff/restaurants/{restaurant}/webhooks/{webhook}/deliveries/{delivery}/redelivery",
			id: "redeliverWebhook", right: access.Staff(team.ManageWebhooks), run: does(a.endpoint, a.redeliver),
			summary: "Send a delivery again",
			says: "It is sent again under its id, whatever became of it; one that is due or under way stays as " +
				"it is.",
			refuses: []string{"webhook_inactive", "paused"}},
		{route: "POST /staff/restaurants/{restaurant}/webhooks/{webhook}/redelivery",
			id: "redeliverFailedWebhooks", right: access.Staff(team.ManageWebhooks),
			run:     takes(a.endpoint, a.redeliverFailed),
			summary: "Send all that has failed again",
			status:  202, says: "How many deliveries those are.", refuses: []string{"webhook_inactive", "paused"}},
	}}
}

// webhook is an endpoint as its owner sees it. Secret is there only in answers to what makes one.
type webhook struct {
	webhooks.Endpoint
	// The first try that failed since the last delivery; null while tries succeed.
	FailingSince *time.Time `json:"failingSince"`
	// Until then the secret before the last change signs, too.
	OldSecretUntil *time.Time      `json:"oldSecretUntil"`
	Secret         webhooks.Secret `json:"secret,omitempty"` // only in the answers that make one
}

func newWebhook(e webhooks.Endpoint) webhook {
	return webhook{Endpoint: e, FailingSince: timeOrNull(e.FailingSince), OldSecretUntil: timeOrNull(e.Keys.OldUntil)}
}

// webhookDelivery is one line of a webhook's log.
type webhookDelivery struct {
	ID int64 `json:"id"`
	// The header webhook-id, the same at every try.
	MessageID string                 `json:"messageId"`
	Type      string                 `json:"type"`
	At        time.Time              `json:"at"`   // when it happened
	Data      any                    `json:"data"` // what is sent as data
	State     webhooks.DeliveryState `json:"state"`
	Tries     int                    `json:"tries"`
	DueAt     *time.Time             `json:"dueAt"`   // of the next try; null when none comes
	TriedAt   *time.Time             `json:"triedAt"` // of the last try
	// Of the last answer; null when there was none.
	Status *int `json:"status"`
	// Why the last try had no answer: private_address, not_resolved, timeout, not_connected, tls, secret; else
	// empty.
	Failure string `json:"failure"`
	Excerpt string `json:"excerpt"` // the beginning of the last answer
	// How long the last try took, in milliseconds; 0 before the first.
	TookMs int64 `json:"tookMs"`
}

func newWebhookDelivery(d webhooks.Delivery) webhookDelivery {
	made := webhookDelivery{ID: d.ID, MessageID: d.Message.ID, Type: d.Type, At: d.At, Data: d.Data, State: d.State,
		Tries: d.Tries, TriedAt: timeOrNull(d.TriedAt), Failure: d.Last.Failure, Excerpt: d.Last.Excerpt,
		TookMs: d.Last.Took.Milliseconds(), Status: orNull(d.Last.Status)}
	if d.State == webhooks.Waiting {
		made.DueAt = timeOrNull(d.DueAt)
	}
	return made
}

// endpoint is the webhook that a request names, for its owner.
type endpoint struct {
	by team.Staff
	at webhooks.Place
}

func (a *API) endpoint(c *fiber.Ctx) (endpoint, error) {
	w, err := a.staff(c)
	return endpoint{w.By, webhooks.Place{RestaurantID: w.Restaurant.ID, ID: param(c, "webhook")}}, err
}

type webhooksAnswer struct {
	Webhooks []webhook `json:"webhooks"`
}

func (a *API) listWebhooks(c *fiber.Ctx, w workplaces.Workplace) (webhooksAnswer, error) {
	endpoints, err := a.Webhooks.List(c.UserContext(), w.By, w.Restaurant.ID)
	return webhooksAnswer{list(endpoints, newWebhook)}, err
}

// addWebhook has the secret in this answer only.
func (a *API) addWebhook(c *fiber.Ctx, w workplaces.Workplace, in webhooks.Draft) (webhook, error) {
	e, secret, err := a.Webhooks.Add(c.UserContext(), w.By, w.Restaurant.ID, in)
	made := newWebhook(e)
	made.Secret = secret
	return made, err
}

func (a *API) findWebhook(c *fiber.Ctx, of endpoint) (webhook, error) {
	return as(newWebhook)(a.Webhooks.Find(c.UserContext(), of.by, of.at))
}

type webhookPatch struct {
	URL         *string         `json:"url" required:"false"`
	Description *string         `json:"description" required:"false"`
	Types       *[]string       `json:"types" required:"false"`
	State       *webhooks.State `json:"state" required:"false"`
}

func (a *API) changeWebhook(c *fiber.Ctx, of endpoint, in webhookPatch) (webhook, error) {
	return as(newWebhook)(a.Webhooks.Change(c.UserContext(), of.by, of.at, webhooks.Patch(in)))
}

func (a *API) deleteWebhook(c *fiber.Ctx, of endpoint) error {
	return a.Webhooks.Delete(c.UserContext(), of.by, of.at)
}

func (a *API) rotateWebhook(c *fiber.Ctx, of endpoint) (webhook, error) {
	e, secret, err := a.Webhooks.Rotate(c.UserContext(), of.by, of.at, -1)
	made := newWebhook(e)
	made.Secret = secret
	return made, err
}

func (a *API) testWebhook(c *fiber.Ctx, of endpoint) (webhookDelivery, error) {
	return as(newWebhookDelivery)(a.Webhooks.Test(c.UserContext(), of.by, of.at))
}

func (a *API) listDeliveries(c *fiber.Ctx, of endpoint,
	page keyset.Request) (found keyset.Page[webhookDelivery], err error) {
	state := webhooks.DeliveryState(strings.Clone(c.Query("state")))
	if state != "" && !slices.Contains(webhooks.DeliveryStates(), state) {
		return found, invalid("state", "unknown")
	}
	e, err := a.Webhooks.Find(c.UserContext(), of.by, of.at)
	if err != nil {
		return found, err
	}
	return as(paged(newWebhookDelivery))(a.Webhooks.Deliveries(c.UserContext(), e, state, page))
}

func (a *API) redeliver(c *fiber.Ctx, of endpoint) error {
	id, err := respond.NumberParam(c, "delivery")
	if err != nil {
		return err
	}
	return a.Webhooks.Redeliver(c.UserContext(), of.by, of.at, id)
}

type redeliveryRequest struct {
	Since time.Time `json:"since"` // events that happened since then
}

type redelivered struct {
	Count int `json:"count"`
}

func (a *API) redeliverFailed(c *fiber.Ctx, of endpoint, in redeliveryRequest) (redelivered, error) {
	if in.Since.IsZero() {
		return redelivered{}, invalid(webhooks.FieldSince, "required")
	}
	n, err := a.Webhooks.RedeliverFailed(c.UserContext(), of.by, of.at, in.Since)
	return redelivered{n}, err
}
