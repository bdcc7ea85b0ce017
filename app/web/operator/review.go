package operator

import (
	"errors"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/setup"
	"lunchgo/app/web/diner"
	"lunchgo/app/web/respond"
	pagesof "lunchgo/app/web/setup"
	"lunchgo/views"
	"lunchgo/views/i18n"
	"lunchgo/views/pages"
)

// review answers GET /operator/restaurants/:restaurant: a draft with what contradicts in it, what has changed since it
// was sent, and how diners would see it.
func (p *Pages) review(c *fiber.Ctx, session identity.Session) error {
	return p.showReview(c, session.UserID, fiber.StatusOK, views.OperatorReview{})
}

// showReview answers with the review of a draft, over what the page has to say of an answer of the operator.
func (p *Pages) showReview(c *fiber.Ctx, operatorID string, status int, page views.OperatorReview) error {
	id, err := respond.NumberParam(c, "restaurant")
	if err != nil {
		return err
	}
	found, err := p.Rules.Review(c.UserContext(), operatorID, id)
	if err != nil {
		return err
	}
	page.Layout, page.ID = p.Layout(c), id
	page.Diner = diner.Preview(page.Layout, found.Restaurant, found.Menu)
	page.Checks = pagesof.ChecksOf(page.Lang, found.Checks)
	times := clockOf(c)
	zone := times.zone(found.Restaurant.Location.String())
	page.Zone = times.name()
	if !found.SubmittedAt.IsZero() {
		page.Submitted = i18n.DateTime(page.Lang, found.SubmittedAt.In(zone))
	}
	for _, part := range found.Changed {
		page.Changed = append(page.Changed,
			views.OperatorChange{What: page.T("changed." + strings.TrimPrefix(part.Action, "setup.")),
				When: i18n.DateTime(page.Lang, part.Last.In(zone)), Times: part.Times})
	}
	return respond.Render(c, status, pages.OperatorReview(page))
}

// refuse answers POST /operator/restaurants/:restaurant/refuse.
func (p *Pages) refuse(c *fiber.Ctx, session identity.Session) error {
	id, err := respond.NumberParam(c, "restaurant")
	if err != nil {
		return err
	}
	reason := respond.FormValue(c, views.FieldReason)
	err = p.Rules.Refuse(c.UserContext(), setup.Refusal{RestaurantID: id, OperatorID: session.UserID, Reason: reason})
	if invalid, ok := errors.AsType[*booking.InvalidError](err); ok {
		return p.showReview(c, session.UserID, fiber.StatusUnprocessableEntity, views.OperatorReview{Reason: reason,
			Errors: fieldErrors(p.Layout(c).Lang, views.FieldReason, invalid)})
	}
	return respond.Done(c, err, views.OperatorURL(), views.FlashSuccess, "flash.refused")
}
