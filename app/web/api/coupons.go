package api

import (
	"context"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/coupon"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/app/lineup"
	"lunchgo/app/team"
	"lunchgo/app/waiting"
	"lunchgo/app/web/access"
	"lunchgo/app/web/respond"
)

func (a *API) couponsRoutes() group {
	return group{"coupons", "Campaigns of coupons, and claims.", []operation{
		{route: "GET /coupons", id: "listCoupons", right: access.Anyone, greets: true,
			run:     lists("coupons", anyone, a.listCoupons),
			summary: "List the coupon campaigns that are not over",
			text: "With the coupons of whoever is signed in: their campaigns are listed, last, also when they " +
				"are over. What remains may be a second old.",
			says: "The next to end first."},
		{route: "POST /coupons/{id}/claims", id: "claimCoupon", right: access.SignedIn, limit: ofPresses,
			unshed: true, key: needsKey, waits: true, path: []parameter{{name: "id", is: number}},
			run:     does(withKey(respond.Session), a.claimCoupon),
			summary: "Stand in a campaign's line for a coupon, one a person",
			text:    "Whoever comes first is served first, as for reservations: see there.",
			status:  201, gives: coupon.Claim{}, says: "The coupon. A repeat with the same key gets the same one.",
			refuses: []string{"already_claimed", "sold_out", "not_open", "over", "too_many_lines"}},
		{route: "GET /staff/restaurants/{restaurant}/coupons", id: "listOwnCampaigns",
			right: access.Staff(team.SeeSettings), run: answers(a.staff, a.listOwnCampaigns),
			summary: "The coupon campaigns of a restaurant",
			text:    "For managers and owners; the newest first.",
			says:    "The campaigns."},
		{route: "POST /staff/restaurants/{restaurant}/coupons", id: "addCampaign",
			right: access.Staff(team.ChangeSettings), run: takes(a.staff, a.addCampaign),
			summary: "Open a coupon campaign",
			text:    "Its coupons can be used at the restaurant only.",
			status:  201, says: "The campaign."},
		{route: "DELETE /staff/restaurants/{restaurant}/coupons/{coupon}", id: "endCampaign",
			right: access.Staff(team.ChangeSettings), run: answers(a.staff, a.endCampaign),
			summary: "End a coupon campaign now",
			text:    "Nobody gets another of its coupons; those that people have can be used as before.",
			says:    "The campaign, which is over."},
	}}
}

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
	ValidUntil time.Time     `json:"validUntil"`
	Claim      *coupon.Claim `json:"claim,omitempty"` // the signed-in diner's
}

// listedCampaign is a campaign in the list of them.
type listedCampaign struct {
	campaign
	ended bool // it is listed only because the diner has a coupon of it
}

func (a *API) newCampaign(lang string, c coupon.Campaign) campaign {
	return campaign{ID: c.ID, RestaurantID: orNull(c.RestaurantID), Name: c.Name.In(lang),
		Description: c.Description.In(lang), Use: c.Use,
		Amount: c.Amount, Total: c.Total, Remaining: c.Remaining(), State: c.StateAt(a.Coupons.Now()),
		OpensAt: c.OpensAt, ClosesAt: c.ClosesAt, ValidUntil: c.ValidUntil}
}

// listCoupons lists the campaigns that are not over, then those that are but gave a coupon to whoever is signed in.
func (a *API) listCoupons(c *fiber.Ctx, _ struct{}, page keyset.Request) (of keyset.Page[campaign], err error) {
	campaigns, err := a.Coupons.List(c.UserContext())
	if err != nil {
		return of, err
	}
	var own []coupon.Held
	if s, err := respond.Session(c); err == nil {
		if own, err = a.Coupons.ListHeld(c.UserContext(), s.UserID); err != nil {
			return of, err
		}
	}
	lang := speak(c)
	all := list(campaigns, func(known coupon.Campaign) listedCampaign {
		return listedCampaign{campaign: a.newCampaign(lang, known)}
	})
	for _, has := range own {
		at := slices.IndexFunc(all, func(known listedCampaign) bool { return known.ID == has.CouponID })
		if at < 0 {
			at = len(all)
			all = append(all, listedCampaign{a.newCampaign(lang, has.Campaign), true})
		}
		all[at].Claim = &has.Claim
	}
	slices.SortFunc(all, func(a, b listedCampaign) int { return a.key().Compare(b.key()) })
	part := keyset.Slice(page, all, listedCampaign.key)
	return paged(func(l listedCampaign) campaign { return l.campaign })(part), nil
}

// key orders campaigns: those that are not over, the next to end first, then the others.
func (c listedCampaign) key() keyset.Cursor {
	if c.ended {
		return keyset.Cursor{At: c.ClosesAt.AddDate(1000, 0, 0), Number: c.ID}
	}
	return keyset.Cursor{At: c.ClosesAt, Number: c.ID}
}

func (a *API) claimCoupon(c *fiber.Ctx, sent keyed[identity.Session]) error {
	id, err := respond.NumberParam(c, "id")
	if err != nil {
		return err
	}
	watch, err := a.submitClaim(c, coupon.Request{CouponID: id, UserID: sent.by.UserID, IdempotencyKey: sent.key})
	if err != nil {
		return err
	}
	defer watch.Close()
	return a.answer(c, watch, func(ctx context.Context, result waiting.Result) error {
		has, err := a.Coupons.FindClaim(ctx, result.ClaimID)
		if err != nil {
			return err
		}
		return c.Status(fiber.StatusCreated).JSON(has)
	})
}

func (a *API) submitClaim(c *fiber.Ctx, claim coupon.Request) (*waiting.Watch, error) {
	if _, err := a.Coupons.Look(c.UserContext(), claim.CouponID); err != nil {
		return nil, err
	}
	request, err := lineup.RequestForClaim(claim)
	if err != nil {
		return nil, err
	}
	return a.Room.Enter(c.UserContext(), request)
}
