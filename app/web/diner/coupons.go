package diner

import (
	"slices"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/coupon"
	"lunchgo/app/keyset"
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
	return respond.Render(c, fiber.StatusOK, pages.Coupons(views.Coupons{Layout: s.layout(c),
		Campaigns: campaigns}))
}

func (s *Pages) campaigns(c *fiber.Ctx) (views.Campaigns, error) {
	list := views.Campaigns{Lang: respond.Lang(c)}
	owned, err := s.listOwnCoupons(c, &list)
	if err != nil {
		return list, err
	}
	asked, err := respond.ReadPageAfter(c, views.FieldAfter)
	if err != nil {
		return list, err
	}
	all, err := s.Coupons.List(c.UserContext())
	if err != nil {
		return list, err
	}
	page := keyset.Slice(asked, all, func(c coupon.Campaign) keyset.Cursor {
		return keyset.Cursor{At: c.ClosesAt, Number: c.ID}
	})
	list.AllPager = respond.Pager(c, views.CouponsURL(), views.FieldAfter, page.Next)
	for _, known := range page.Items {
		campaign, err := s.campaign(c.UserContext(), list.Lang, known)
		if err != nil {
			return list, err
		}
		campaign.Owned = owned[known.ID]
		list.All = append(list.All, campaign)
	}
	return list, nil
}

// listOwnCoupons puts a page of the coupons of whoever is signed in on the page, the latest campaigns first, and
// returns of which campaigns they have some.
func (s *Pages) listOwnCoupons(c *fiber.Ctx, list *views.Campaigns) (map[int64]bool, error) {
	owned := map[int64]bool{}
	session, err := respond.Session(c)
	if err != nil {
		return owned, nil
	}
	asked, err := respond.ReadPageAfter(c, views.FieldAfterOwn)
	if err != nil {
		return nil, err
	}
	held, err := s.Coupons.ListHeld(c.UserContext(), session.UserID)
	if err != nil {
		return nil, err
	}
	for _, has := range held {
		owned[has.CouponID] = true
	}
	newest := func(has coupon.Held) keyset.Cursor { return keyset.Cursor{Number: -has.CouponID} }
	slices.SortFunc(held, func(a, b coupon.Held) int { return newest(a).Compare(newest(b)) })
	page := keyset.Slice(asked, held, newest)
	list.OwnPager = respond.Pager(c, views.CouponsURL(), views.FieldAfterOwn, page.Next)
	for _, has := range page.Items {
		own, err := s.ownCoupon(c.UserContext(), list.Lang, has)
		if err != nil {
			return nil, err
		}
		list.Own = append(list.Own, own)
	}
	return owned, nil
}
