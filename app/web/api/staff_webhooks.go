package api

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	workplaces "lunchgo/app/web/workplace"
	"lunchgo/app/webhooks"
)

// webhook is an endpoint as its owner sees it. Secret is there only in answers to what makes one.
type webhook struct {
	ID          string   `json:"id"`
	URL         string   `json:"url"`
	Description string   `json:"description"`
	Types       []string `json:"types"` // types of events that are sent
	// gone and failing are disabled: it answered 410, or took nothing for days.
	State     webhooks.State `json:"state"`
	CreatedAt time.Time      `json:"createdAt"`
	// The first try that failed since the last delivery; null while tries succeed.
	FailingSince *time.Time `json:"failingSince"`
	// Until then the secret before the last change signs, too.
	OldSecretUntil *time.Time      `json:"oldSecretUntil"`
	Secret         webhooks.Secret `json:"secret,omitempty"` // only in the answers that make one
}

func newWebhook(e webhooks.Endpoint) webhook {
	return webhook{ID: e.ID, URL: e.URL, Description: e.Description, Types: e.Types, State: e.State,
		CreatedAt:    e.CreatedAt,
		FailingSince: orNone(e.FailingSince), OldSecretUntil: orNone(e.Keys.OldUntil)}
}

// orNone is a time, nil for none.
func orNone(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	return &at
}

// delivery is one line of a webhook's log.
type delivery struct {
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

func newDelivery(d webhooks.Delivery) delivery {
	made := delivery{ID: d.ID, MessageID: d.Message.ID, Type: d.Type, At: d.At, Data: d.Data, State: d.State,
		Tries: d.Tries, TriedAt: orNone(d.TriedAt), Failure: d.Last.Failure, Excerpt: d.Last.Excerpt,
		TookMs: d.Last.Took.Milliseconds()}
	if d.State == webhooks.Waiting {
		made.DueAt = orNone(d.DueAt)
	}
	if d.Last.Status > 0 {
		made.Status = &d.Last.Status
	}
	return made
}

// endpoint is the webhook that a request names, for its owner.
func (a *API) endpoint(c *fiber.Ctx) (workplaces.Workplace, webhooks.Place, error) {
	w, err := a.Places.Allowed(c, team.ManageWebhooks)
	return w, webhooks.Place{RestaurantID: w.Restaurant.ID, ID: param(c, "webhook")}, err
}

type webhooksAnswer struct {
	Webhooks []webhook `json:"webhooks"`
}

// listWebhooks answers GET …/webhooks.
func (a *API) listWebhooks(c *fiber.Ctx) error {
	w, err := a.Places.Allowed(c, team.ManageWebhooks)
	if err != nil {
		return err
	}
	endpoints, err := a.Webhooks.List(c.UserContext(), w.By, w.Restaurant.ID)
	if err != nil {
		return err
	}
	list := make([]webhook, 0, len(endpoints))
	for _, e := range endpoints {
		list = append(list, newWebhook(e))
	}
	return c.JSON(webhooksAnswer{list})
}

type webhookRequest struct {
	URL         string   `json:"url"` // https, reachable from the internet
	Description string   `json:"description,omitempty"`
	Types       []string `json:"types"` // types of events that are sent
}

// addWebhook answers POST …/webhooks. Its secret is in this answer only.
func (a *API) addWebhook(c *fiber.Ctx) error {
	w, err := a.Places.Allowed(c, team.ManageWebhooks)
	if err != nil {
		return err
	}
	var in webhookRequest
	if err := decode(c, &in); err != nil {
		return err
	}
	e, secret, err := a.Webhooks.Add(c.UserContext(), w.By, w.Restaurant.ID, webhooks.Draft(in))
	if err != nil {
		return err
	}
	made := newWebhook(e)
	made.Secret = secret
	return c.Status(fiber.StatusCreated).JSON(made)
}

// findWebhook answers GET …/webhooks/{webhook}.
func (a *API) findWebhook(c *fiber.Ctx) error {
	w, at, err := a.endpoint(c)
	if err != nil {
		return err
	}
	e, err := a.Webhooks.Find(c.UserContext(), w.By, at)
	if err != nil {
		return err
	}
	return c.JSON(newWebhook(e))
}

type webhookPatch struct {
	URL         *string         `json:"url" required:"false"`
	Description *string         `json:"description" required:"false"`
	Types       *[]string       `json:"types" required:"false"`
	State       *webhooks.State `json:"state" required:"false"`
}

// changeWebhook answers PATCH …/webhooks/{webhook}.
func (a *API) changeWebhook(c *fiber.Ctx) error {
	w, at, err := a.endpoint(c)
	if err != nil {
		return err
	}
	var in webhookPatch
	if err := decode(c, &in); err != nil {
		return err
	}
	e, err := a.Webhooks.Change(c.UserContext(), w.By, at, webhooks.Patch(in))
	if err != nil {
		return err
	}
	return c.JSON(newWebhook(e))
}

// deleteWebhook answers DELETE …/webhooks/{webhook}.
func (a *API) deleteWebhook(c *fiber.Ctx) error {
	w, at, err := a.endpoint(c)
	if err == nil {
		err = a.Webhooks.Delete(c.UserContext(), w.By, at)
	}
	if err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}

// rotateWebhook answers POST …/webhooks/{webhook}/secret.
func (a *API) rotateWebhook(c *fiber.Ctx) error {
	w, at, err := a.endpoint(c)
	if err != nil {
		return err
	}
	e, secret, err := a.Webhooks.Rotate(c.UserContext(), w.By, at, -1)
	if err != nil {
		return err
	}
	made := newWebhook(e)
	made.Secret = secret
	return c.JSON(made)
}

// testWebhook answers POST …/webhooks/{webhook}/test.
func (a *API) testWebhook(c *fiber.Ctx) error {
	w, at, err := a.endpoint(c)
	if err != nil {
		return err
	}
	d, err := a.Webhooks.Test(c.UserContext(), w.By, at)
	if err != nil {
		return err
	}
	return c.Status(fiber.StatusAccepted).JSON(newDelivery(d))
}

// listDeliveries answers GET …/webhooks/{webhook}/deliveries.
func (a *API) listDeliveries(c *fiber.Ctx) error {
	w, at, err := a.endpoint(c)
	if err != nil {
		return err
	}
	page, err := respond.ReadPage(c)
	if err != nil {
		return err
	}
	state := webhooks.DeliveryState(strings.Clone(c.Query("state")))
	if state != "" && !slices.Contains(webhooks.DeliveryStates(), state) {
		return invalid("state", "unknown")
	}
	e, err := a.Webhooks.Find(c.UserContext(), w.By, at)
	if err != nil {
		return err
	}
	log, err := a.Webhooks.Deliveries(c.UserContext(), e, state, page)
	if err != nil {
		return err
	}
	return sendPage(c, "deliveries", log, newDelivery)
}

// redeliver answers POST …/deliveries/{delivery}/redelivery.
func (a *API) redeliver(c *fiber.Ctx) error {
	w, at, err := a.endpoint(c)
	if err != nil {
		return err
	}
	id, err := strconv.ParseInt(c.Params("delivery"), 10, 64)
	if err != nil {
		return respond.NotFound
	}
	if err := a.Webhooks.Redeliver(c.UserContext(), w.By, at, id); err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}

type redeliveryRequest struct {
	Since time.Time `json:"since"` // events that happened since then
}

type redelivered struct {
	Count int `json:"count"`
}

// redeliverFailed answers POST …/webhooks/{webhook}/redelivery.
func (a *API) redeliverFailed(c *fiber.Ctx) error {
	w, at, err := a.endpoint(c)
	if err != nil {
		return err
	}
	var in redeliveryRequest
	if err := decode(c, &in); err != nil {
		return err
	}
	if in.Since.IsZero() {
		return invalid(webhooks.FieldSince, "required")
	}
	n, err := a.Webhooks.RedeliverFailed(c.UserContext(), w.By, at, in.Since)
	if err != nil {
		return err
	}
	return c.Status(fiber.StatusAccepted).JSON(redelivered{n})
}
