package diner

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/coupon"
	"lunchgo/app/lineup"
	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// claim answers POST /coupons/:id/claims. It asks no database unless the campaign is long over.
func (s *Pages) claim(c *fiber.Ctx) error {
	session, err := respond.Session(c)
	if err != nil {
		return respond.Redirect(c, views.SignInURL(views.CouponsURL()))
	}
	key, err := respond.FormKey(c)
	if err != nil {
		return err
	}
	id, err := c.ParamsInt("id")
	if err != nil {
		return respond.NotFound
	}
	campaign, err := s.Coupons.Look(c.UserContext(), int64(id))
	if err != nil {
		return err
	}
	watch, err := s.submitClaim(c.UserContext(), coupon.Request{CouponID: campaign.ID, UserID: session.UserID,
		IdempotencyKey: key})
	if err != nil {
		return s.refuseClaim(c, campaign, respond.ProblemOf(err), err)
	}
	defer watch.Close()
	return s.settle(c, watch, func(waiting.Result) error { return toCoupons(c) },
		func(why respond.Problem) error { return s.refuseClaim(c, campaign, why, why) })
}

func (s *Pages) submitClaim(ctx context.Context, claim coupon.Request) (*waiting.Watch, error) {
	request, err := lineup.RequestForClaim(claim)
	if err != nil {
		return nil, err
	}
	return s.Room.Enter(ctx, request)
}

// refuseClaim says why there is no coupon, if the table of outcomes has a headline for it; else it returns err.
func (s *Pages) refuseClaim(c *fiber.Ctx, of coupon.Campaign, why respond.Problem, err error) error {
	if why.Headline == "" {
		return err
	}
	return s.couponOutcome(c, why.Status, of, headline(why))
}

// toCoupons leads to the list, which says that there is a new one.
func toCoupons(c *fiber.Ctx) error {
	return respond.RedirectSaying(c, views.CouponsURL(), views.FlashSuccess, "flash.coupon")
}

// couponOutcome says why there is no coupon. In a rush most diners get this page: it asks no database.
func (s *Pages) couponOutcome(c *fiber.Ctx, status int, of coupon.Campaign, kind views.OutcomeKind) error {
	f := s.layoutInRush(c)
	if c.Method() != fiber.MethodGet {
		f.Path = views.CouponsURL() // a change of language cannot send the form again
	}
	campaign, err := s.campaign(c.UserContext(), f.Lang, of)
	if err != nil {
		return err
	}
	return respond.Render(c, status,
		pages.CouponOutcome(views.CouponOutcome{Layout: f, Campaign: campaign, Kind: kind}))
}
