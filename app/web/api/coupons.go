package api

import (
	"context"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/coupon"
	"lunchgo/app/keyset"
	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
)

// campaign is a coupon campaign as the API tells it, in the language of the request.
type campaign struct {
	ID int64 `json:"id"`
	// Where the coupons may be used; null: everywhere.
	RestaurantID *int64       `json:"restaurantId"`
	Name         string       `json:"name"`
	Description  string       `json:"description"`
	Use          coupon.Use   `json:"use"`    // which part of the price a coupon lowers
	Amount       int64        `json:"amount"` // won off, at most what there is to pay
	Total        int          `json:"total"`
	Remaining    int          `json:"remaining"`
	State        coupon.State `json:"state"`
	OpensAt      time.Time    `json:"opensAt"`
	ClosesAt     time.Time    `json:"closesAt"`
	// A coupon may be used for a reservation made before.
	ValidUntil time.Time `json:"validUntil"`
	Claim      *claim    `json:"claim,omitempty"` // the signed-in diner's
}

// listedCampaign is a campaign in the list of them.
type listedCampaign struct {
	campaign
	ended bool // it is listed only because the diner has a coupon of it
}

// claim is a person's coupon.
type claim struct {
	ID       string `json:"id"`
	CouponID int64  `json:"couponId"`
	// For which it is used; missing while it is free.
	ReservationID string    `json:"reservationId,omitempty"`
	CreatedAt     time.Time `json:"createdAt"`
}

func newClaim(c coupon.Claim) claim {
	return claim{ID: c.ID, CouponID: c.CouponID, ReservationID: c.ReservationID, CreatedAt: c.CreatedAt}
}

func (a *API) newCampaign(lang string, c coupon.Campaign) campaign {
	answer := campaign{ID: c.ID, Name: c.Name.In(lang), Description: c.Description.In(lang), Use: c.Use,
		Amount: c.Amount, Total: c.Total, Remaining: c.Remaining(), State: c.StateAt(a.Coupons.Now()),
		OpensAt: c.OpensAt, ClosesAt: c.ClosesAt, ValidUntil: c.ValidUntil}
	if c.RestaurantID != 0 {
		answer.RestaurantID = &c.RestaurantID
	}
	return answer
}

// listCoupons answers GET /api/coupons: the campaigns that are not over, then those that are but gave a coupon to
// whoever is signed in.
func (a *API) listCoupons(c *fiber.Ctx) error {
	campaigns, err := a.Coupons.List(c.UserContext())
	if err != nil {
		return err
	}
	var own []coupon.Held
	if s, err := respond.Session(c); err == nil {
		if own, err = a.Coupons.ListHeld(c.UserContext(), s.UserID); err != nil {
			return err
		}
	}
	page, err := respond.ReadPage(c)
	if err != nil {
		return err
	}
	list := make([]listedCampaign, 0, len(campaigns)+len(own))
	for _, known := range campaigns {
		list = append(list, listedCampaign{campaign: a.newCampaign(language(c), known)})
	}
	for _, has := range own {
		at := slices.IndexFunc(list, func(known listedCampaign) bool { return known.ID == has.CouponID })
		if at < 0 {
			at = len(list)
			list = append(list, listedCampaign{a.newCampaign(language(c), has.Campaign), true})
		}
		claim := newClaim(has.Claim)
		list[at].Claim = &claim
	}
	slices.SortFunc(list, func(a, b listedCampaign) int { return a.key().Compare(b.key()) })
	speak(c)
	return sendPage(c, "coupons", keyset.Slice(page, list, listedCampaign.key), func(l listedCampaign) campaign {
		return l.campaign
	})
}

// key orders campaigns: those that are not over, the next to end first, then the others.
func (c listedCampaign) key() keyset.Cursor {
	if c.ended {
		return keyset.Cursor{At: c.ClosesAt.AddDate(1000, 0, 0), Number: c.ID}
	}
	return keyset.Cursor{At: c.ClosesAt, Number: c.ID}
}

// claimCoupon answers POST /api/coupons/{id}/claims.
func (a *API) claimCoupon(c *fiber.Ctx) error {
	s, key, err := sessionAndKey(c)
	if err != nil {
		return err
	}
	id, err := c.ParamsInt("id")
	if err != nil {
		return respond.NotFound
	}
	watch, err := a.submitClaim(c, coupon.Request{CouponID: int64(id), UserID: s.UserID, IdempotencyKey: key})
	if err != nil {
		return err
	}
	defer watch.Close()
	return a.answer(c, watch, func(ctx context.Context, result waiting.Result) error {
		has, err := a.Coupons.FindClaim(ctx, result.ClaimID)
		if err != nil {
			return err
		}
		return c.Status(fiber.StatusCreated).JSON(newClaim(has))
	})
}

func (a *API) submitClaim(c *fiber.Ctx, claim coupon.Request) (*waiting.Watch, error) {
	if _, err := a.Coupons.Look(c.UserContext(), claim.CouponID); err != nil {
		return nil, err
	}
	request, err := waiting.RequestForCoupon(claim)
	if err != nil {
		return nil, err
	}
	return a.Room.Enter(c.UserContext(), request)
}
