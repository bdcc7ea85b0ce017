package diner

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/coupon"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// coupons answers GET /coupons: the campaigns that are not over, and the coupons of whoever is signed in; only the
// list when that part of the page is asked for, again and again.
func (s *Pages) coupons(c *fiber.Ctx) error {
	campaigns, err := s.campaigns(c)
	if err != nil {
		return err
	}
	if respond.WantsPart(c, "campaigns") {
		return respond.Render(c, fiber.StatusOK, pages.Campaigns(campaigns))
	}
	return respond.Render(c, fiber.StatusOK, pages.Coupons(views.Coupons{Layout: s.Layouts.WithBalance(c),
		Campaigns: campaigns}))
}

func (s *Pages) campaigns(c *fiber.Ctx) (views.Campaigns, error) {
	list := views.Campaigns{Lang: respond.Lang(c)}
	all, err := s.Coupons.List(c.UserContext())
	if err != nil {
		return list, err
	}
	var held []coupon.Held
	if session, err := respond.Session(c); err == nil {
		if held, err = s.Coupons.ListHeld(c.UserContext(), session.UserID); err != nil {
			return list, err
		}
	}
	owned := map[int64]bool{}
	for _, has := range held {
		owned[has.CouponID] = true
		own, err := s.ownCoupon(c.UserContext(), list.Lang, has)
		if err != nil {
			return list, err
		}
		list.Own = append(list.Own, own)
	}
	for _, known := range all {
		campaign, err := s.campaign(c.UserContext(), list.Lang, known)
		if err != nil {
			return list, err
		}
		campaign.Owned = owned[known.ID]
		list.All = append(list.All, campaign)
	}
	return list, nil
}
