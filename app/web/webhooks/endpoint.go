package webhooks

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/workplace"
	hooks "lunchgo/app/webhooks"
	"lunchgo/views"
	"lunchgo/views/i18n"
	pages "lunchgo/views/webhooks"
)

// localTime is how a browser writes a field of type datetime-local; some leave the seconds away.
const localTime = "2006-01-02T15:04"

// place is the webhook that a request names, for its owner.
func (p *Pages) place(c *fiber.Ctx) (workplace.Workplace, hooks.Place, error) {
	w, err := p.Places.Allowed(c, team.ManageWebhooks)
	return w, hooks.Place{RestaurantID: w.Restaurant.ID, ID: strings.Clone(c.Params("webhook"))}, err
}

// asked is what a page of a webhook shows besides what is stored.
type asked struct {
	form       *views.WebhookForm // as typed; nil: as stored
	since      string
	sinceError string
	status     int
}

// endpoint answers GET …/webhooks/:webhook.
func (p *Pages) endpoint(c *fiber.Ctx, w workplace.Workplace, at hooks.Place) error {
	return p.show(c, w, at, asked{status: fiber.StatusOK})
}

func (p *Pages) show(c *fiber.Ctx, w workplace.Workplace, at hooks.Place, a asked) error {
	e, err := p.Webhooks.Find(c.UserContext(), w.By, at)
	if err != nil {
		return err
	}
	page := views.WebhookPage{StaffShell: p.shell(c, w), Webhook: e, Now: p.Webhooks.Now(), Since: a.since,
		SinceError: a.sinceError,
		Form:       views.WebhookForm{Draft: hooks.Draft{URL: e.URL, Description: e.Description, Types: e.Types}}}
	if a.form != nil {
		page.Form = *a.form
	}
	if page.Since == "" {
		page.Since = page.Local(page.Now.Add(-24 * time.Hour)).Format(localTime)
	}
	if state := hooks.DeliveryState(c.Query(views.FieldWebhookState)); slices.Contains(hooks.DeliveryStates(), state) {
		page.State = state
	}
	request, err := respond.ReadPageAfter(c, views.FieldAfter)
	if err != nil {
		return err
	}
	log, err := p.Webhooks.Deliveries(c.UserContext(), e, page.State, request)
	if err != nil {
		return err
	}
	address := views.WebhookURL(w.Restaurant.ID, e.ID)
	page.Pager = respond.Pager(c, address, views.FieldAfter, log.Next)
	page.Path, page.Deliveries = address, log.Items
	noStore(c)
	return respond.Render(c, a.status, pages.Endpoint(page))
}

// change answers POST …/webhooks/:webhook.
func (p *Pages) change(c *fiber.Ctx, w workplace.Workplace, at hooks.Place) error {
	form := typed(c)
	_, err := p.Webhooks.Change(c.UserContext(), w.By, at,
		hooks.Patch{URL: &form.URL, Description: &form.Description, Types: &form.Types})
	if err == nil {
		return p.done(c, at, "flash.webhook_saved")
	}
	errs, status, ok := faults(c, err)
	if !ok {
		return err
	}
	form.Errors = errs
	return p.show(c, w, at, asked{form: &form, status: status})
}

// setState answers POST …/pause and …/resume.
func (p *Pages) setState(state hooks.State, flash string) fiber.Handler {
	return func(c *fiber.Ctx) error {
		w, at, err := p.place(c)
		if err == nil {
			_, err = p.Webhooks.Change(c.UserContext(), w.By, at, hooks.Patch{State: &state})
		}
		if err != nil {
			return err
		}
		return p.done(c, at, flash)
	}
}

// test answers POST …/test.
func (p *Pages) test(c *fiber.Ctx) error {
	w, at, err := p.place(c)
	if err == nil {
		_, err = p.Webhooks.Test(c.UserContext(), w.By, at)
	}
	if err != nil {
		return err
	}
	return p.done(c, at, "flash.webhook_tested")
}

// rotate answers POST …/secret. A form that is sent twice rotates once: it says how many rotations there were.
func (p *Pages) rotate(c *fiber.Ctx, w workplace.Workplace, at hooks.Place) error {
	rotations, err := strconv.Atoi(respond.FormValue(c, views.FieldRotations))
	if err != nil || rotations < 0 {
		return respond.BadRequest
	}
	e, secret, err := p.Webhooks.Rotate(c.UserContext(), w.By, at, rotations)
	if err != nil {
		return err
	}
	return p.showSecret(c, w, views.WebhookSecret{Webhook: e, Secret: secret})
}

// redeliver answers POST …/deliveries/:delivery/redeliver.
func (p *Pages) redeliver(c *fiber.Ctx, w workplace.Workplace, at hooks.Place) error {
	id, err := respond.NumberParam(c, "delivery")
	if err != nil {
		return err
	}
	if err := p.Webhooks.Redeliver(c.UserContext(), w.By, at, id); err != nil {
		return err
	}
	return p.done(c, at, "flash.webhook_redelivered", 1)
}

// redeliverFailed answers POST …/redeliver. The time is one of the restaurant's clock.
func (p *Pages) redeliverFailed(c *fiber.Ctx, w workplace.Workplace, at hooks.Place) error {
	text := respond.FormValue(c, views.FieldSince)
	since, err := time.ParseInLocation(localTime, text[:min(len(text), len(localTime))], w.Restaurant.Location)
	if err != nil {
		fault := i18n.T(respond.Lang(c), "webhook.since_invalid")
		return p.show(c, w, at, asked{since: text, sinceError: fault, status: fiber.StatusUnprocessableEntity})
	}
	n, err := p.Webhooks.RedeliverFailed(c.UserContext(), w.By, at, since)
	if err != nil {
		return err
	}
	return p.done(c, at, "flash.webhook_redelivered", int64(n))
}

// askDelete answers GET …/delete.
func (p *Pages) askDelete(c *fiber.Ctx, w workplace.Workplace, at hooks.Place) error {
	e, err := p.Webhooks.Find(c.UserContext(), w.By, at)
	if err != nil {
		return err
	}
	return respond.Render(c, fiber.StatusOK, pages.Question(views.WebhookQuestion{StaffShell: p.shell(c, w), Webhook: e}))
}

// delete answers POST …/delete.
func (p *Pages) delete(c *fiber.Ctx) error {
	w, at, err := p.place(c)
	if err == nil {
		err = p.Webhooks.Delete(c.UserContext(), w.By, at)
	}
	return respond.Done(c, err, views.WebhooksURL(at.RestaurantID), views.FlashSuccess, "flash.webhook_deleted")
}

func (p *Pages) done(c *fiber.Ctx, at hooks.Place, flash string, number ...int64) error {
	return respond.RedirectSaying(c, views.WebhookURL(at.RestaurantID, at.ID), views.FlashSuccess, flash, number...)
}
