// Package webhooks holds the pages on which owners have events sent to other programs.
package webhooks

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/workplace"
	hooks "lunchgo/app/webhooks"
	"lunchgo/views"
	"lunchgo/views/i18n"
	pages "lunchgo/views/webhooks"
)

// Pages answers the requests of owners.
type Pages struct {
	Places   workplace.Finder
	Webhooks *hooks.Service
}

// Mount adds the routes. The server must have put respond.Authenticator.Identify and respond.RefuseCrossSite in
// front of them.
func (p *Pages) Mount(r fiber.Router, gates respond.Gates) {
	shed := gates.Shed
	const all = "/staff/restaurants/:restaurant/webhooks"
	const one = all + "/:webhook"
	r.Get(all, shed, p.Places.For(team.ManageWebhooks, p.list))
	r.Post(all, shed, p.Places.For(team.ManageWebhooks, p.add))
	r.Get(one, shed, respond.ForBoth(p.place, p.endpoint))
	r.Post(one, shed, respond.ForBoth(p.place, p.change))
	r.Post(one+"/pause", shed, p.setState(hooks.Paused, "flash.webhook_paused"))
	r.Post(one+"/resume", shed, p.setState(hooks.Active, "flash.webhook_resumed"))
	r.Post(one+"/test", shed, p.test)
	r.Post(one+"/secret", shed, respond.ForBoth(p.place, p.rotate))
	r.Post(one+"/redeliver", shed, respond.ForBoth(p.place, p.redeliverFailed))
	r.Post(one+"/deliveries/:delivery/redeliver", shed, respond.ForBoth(p.place, p.redeliver))
	r.Get(one+"/delete", shed, respond.ForBoth(p.place, p.askDelete))
	r.Post(one+"/delete", shed, p.delete)
}

// list answers GET …/webhooks. The form begins with all types of events.
func (p *Pages) list(c *fiber.Ctx, w workplace.Workplace) error {
	return p.showList(c, w, views.WebhookForm{Draft: hooks.Draft{Types: hooks.Types()}}, fiber.StatusOK)
}

func (p *Pages) showList(c *fiber.Ctx, w workplace.Workplace, form views.WebhookForm, status int) error {
	all, err := p.Webhooks.List(c.UserContext(), w.By, w.Restaurant.ID)
	if err != nil {
		return err
	}
	noStore(c)
	return respond.Render(c, status, pages.List(views.Webhooks{StaffShell: p.shell(c, w), All: all, Form: form}))
}

// shell leads the switch of language to the list: some of the pages are answers to forms.
func (p *Pages) shell(c *fiber.Ctx, w workplace.Workplace) views.StaffShell {
	shell := p.Places.Shell(c, w, views.SectionSetup)
	shell.Path = views.WebhooksURL(w.Restaurant.ID)
	return shell
}

// typed is the form as it was sent.
func typed(c *fiber.Ctx) views.WebhookForm {
	return views.WebhookForm{Draft: hooks.Draft{URL: respond.FormValue(c, views.FieldURL),
		Description: respond.FormValue(c, views.FieldDescription), Types: respond.FormValues(c, views.FieldTypes)}}
}

// faults is what the form says of an error, with its status; false for one that is not about its fields.
func faults(c *fiber.Ctx, err error) (views.FieldErrors, int, bool) {
	problem := respond.ProblemOf(err)
	errs := views.FieldErrors{}
	for _, f := range problem.Fields {
		errs[f.Name] = respond.FieldSentence(respond.Lang(c), f)
		if f.Name == hooks.FieldTypes && f.Reason == "required" {
			errs[f.Name] = i18n.T(respond.Lang(c), "webhook.types_required")
		}
	}
	if errors.Is(err, hooks.ErrSameURL) || errors.Is(err, hooks.ErrTooMany) {
		errs[views.FieldURL] = respond.Sentence(respond.Lang(c), problem)
	}
	return errs, problem.Status, len(errs) > 0
}

// add answers POST …/webhooks.
func (p *Pages) add(c *fiber.Ctx, w workplace.Workplace) error {
	form := typed(c)
	e, secret, err := p.Webhooks.Add(c.UserContext(), w.By, w.Restaurant.ID, form.Draft)
	if err != nil {
		errs, status, ok := faults(c, err)
		if !ok {
			return err
		}
		form.Errors = errs
		return p.showList(c, w, form, status)
	}
	return p.showSecret(c, w, views.WebhookSecret{Webhook: e, Secret: secret, Fresh: true})
}

func (p *Pages) showSecret(c *fiber.Ctx, w workplace.Workplace, page views.WebhookSecret) error {
	page.StaffShell = p.shell(c, w)
	noStore(c)
	return respond.Render(c, fiber.StatusCreated, pages.Shown(page))
}

// noStore keeps pages with secrets and addresses out of caches.
func noStore(c *fiber.Ctx) { c.Set(fiber.HeaderCacheControl, "no-store") }
