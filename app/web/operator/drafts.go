package operator

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/reserve"
	"lunchgo/app/setup"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// operator says who asks. Returns respond.Unauthenticated and booking.ErrForbidden.
func (p *Pages) operator(c *fiber.Ctx) (reserve.Operator, error) {
	session, err := respond.Session(c)
	if err != nil {
		return reserve.Operator{}, err
	}
	return p.Drafts.Operator(c.UserContext(), session.UserID)
}

// drafts answers GET /operator: a page of the restaurants that wait to be published.
func (p *Pages) drafts(c *fiber.Ctx, by reserve.Operator) error {
	asked, err := respond.ReadPageAfter(c, views.FieldAfter)
	if err != nil {
		return err
	}
	list, err := p.Drafts.List(c.UserContext(), by, asked)
	if err != nil {
		return err
	}
	times := clockOf(c)
	page := views.OperatorDrafts{Layout: p.Layout(c), Zone: times.name(),
		Pager: respond.Pager(c, views.OperatorURL(), views.FieldAfter, list.Next)}
	for _, d := range list.Items {
		d.OpenedAt = d.OpenedAt.In(times.zone(d.TimeZone))
		page.Drafts = append(page.Drafts, d)
	}
	return respond.Render(c, fiber.StatusOK, pages.OperatorDrafts(page))
}

// publish answers POST /operator/restaurants/:restaurant/publish: with its review when something is missing.
func (p *Pages) publish(c *fiber.Ctx, by reserve.Operator) error {
	id, err := respond.NumberParam(c, "restaurant")
	if err != nil {
		return err
	}
	err = p.Drafts.Publish(c.UserContext(), by, id)
	if errors.Is(err, setup.ErrNotReady) {
		return p.showReview(c, by.UserID(), fiber.StatusConflict, views.OperatorReview{})
	}
	return respond.Done(c, err, views.OperatorURL(), views.FlashSuccess, "flash.published")
}
