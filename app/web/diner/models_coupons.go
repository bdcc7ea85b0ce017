package diner

import (
	"context"
	"crypto/rand"
	"slices"

	"lunchgo/app/coupon"
	"lunchgo/views"
)

// couponHead says what a campaign's coupon is.
func (s *Pages) couponHead(ctx context.Context, lang string, c coupon.Campaign) (views.CouponHead, error) {
	head := views.CouponHead{Lang: lang, Name: c.Name.In(lang), Use: c.Use, Amount: c.Amount,
		ValidUntil: c.ValidUntil.In(s.Zone)}
	if c.RestaurantID == 0 {
		return head, nil
	}
	r, err := s.Bookings.Catalog.FindRestaurant(ctx, c.RestaurantID)
	head.Restaurant, head.RestaurantSlug = r.Name.In(lang), r.Slug
	return head, err
}

// campaign is a campaign as its readers see it now, with a key for who asks for its coupon.
func (s *Pages) campaign(ctx context.Context, lang string, c coupon.Campaign) (views.Campaign, error) {
	head, err := s.couponHead(ctx, lang, c)
	return views.Campaign{
		CouponHead:     head,
		ID:             c.ID,
		Description:    c.Description.In(lang),
		State:          c.StateAt(s.now()),
		Total:          c.Total,
		Remaining:      c.Remaining(),
		OpensAt:        c.OpensAt.In(s.Zone),
		ClosesAt:       c.ClosesAt.In(s.Zone),
		IdempotencyKey: rand.Text(),
	}, err
}

// couponChoices are the coupons that the diner may use at the restaurant of a booking form. A form that comes back asks
// for them only if they are not known from before, and one was chosen: the turn decides.
func (s *Pages) couponChoices(ctx context.Context, lang string, p submission) []views.CouponChoice {
	held, known := s.held.Peek(p.by.UserID)
	if p.by.UserID != "" && (!p.refused || !known && (p.form.Coupon != "" || p.coupon)) {
		var err error
		held, err = s.held.Load(ctx, p.by.UserID, func(ctx context.Context) ([]coupon.Held, error) {
			held, err := s.Coupons.ListHeld(ctx, p.by.UserID)
			return slices.DeleteFunc(held, func(has coupon.Held) bool { return !has.UsableAt(s.now()) }), err
		})
		if err != nil {
			s.Log.WarnContext(ctx, "list coupons of diner failed", "error", err) // a form without them beats none
		}
	}
	var choices []views.CouponChoice
	for _, has := range held {
		if at := has.Campaign.RestaurantID; !has.UsableAt(s.now()) || at != 0 && at != p.restaurant.ID {
			continue
		}
		head, err := s.couponHead(ctx, lang, has.Campaign)
		if err == nil {
			choices = append(choices, views.CouponChoice{CouponHead: head, ID: has.CouponID})
		}
	}
	return choices
}

// ownCoupon is a coupon as the one who has it sees it.
func (s *Pages) ownCoupon(ctx context.Context, lang string, has coupon.Held) (views.OwnCoupon, error) {
	head, err := s.couponHead(ctx, lang, has.Campaign)
	own := views.OwnCoupon{CouponHead: head, ReservationID: has.ReservationID}
	if err != nil || own.ReservationID == "" {
		own.Expired = !has.UsableAt(s.now())
		return own, err
	}
	r, err := s.Bookings.Catalog.FindRestaurant(ctx, has.Slot.RestaurantID)
	if err != nil {
		return own, err
	}
	own.At = r.Name.In(lang)
	own.When, err = r.Start(has.Slot.Date, has.Slot.Time)
	return own, err
}
