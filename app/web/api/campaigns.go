package api

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/app/web/respond"
	workplaces "lunchgo/app/web/workplace"
)

// staffCampaign is a coupon campaign as its restaurant sees it.
type staffCampaign struct {
	ID int64 `json:"id"`
	campaignRequest
	Issued int          `json:"issued"` // how many people have one
	State  coupon.State `json:"state"`
}

// campaignRequest opens a campaign.
type campaignRequest struct {
	Name     booking.Text `json:"name"`
	Use      coupon.Use   `json:"use"`
	Amount   int64        `json:"amount"` // won off
	Total    int          `json:"total"`
	OpensAt  time.Time    `json:"opensAt"`  // from when coupons can be had
	ClosesAt time.Time    `json:"closesAt"` // until when coupons can be had
	// Until when a coupon can be used for a new reservation.
	ValidUntil time.Time `json:"validUntil"`
}

func (a *API) newStaffCampaign(c coupon.Campaign) staffCampaign {
	return staffCampaign{ID: c.ID, Issued: c.Issued, State: c.StateAt(a.Coupons.Now()),
		campaignRequest: campaignRequest{Name: c.Name, Use: c.Use, Amount: c.Amount, Total: c.Total, OpensAt: c.OpensAt,
			ClosesAt: c.ClosesAt, ValidUntil: c.ValidUntil}}
}

type ownCampaigns struct {
	Coupons []staffCampaign `json:"coupons"`
}

func (a *API) listOwnCampaigns(c *fiber.Ctx, w workplaces.Workplace) (ownCampaigns, error) {
	campaigns, err := a.Contents.ListCampaigns(c.UserContext(), w.By, w.Restaurant.ID)
	return ownCampaigns{list(campaigns, a.newStaffCampaign)}, err
}

func (a *API) addCampaign(c *fiber.Ctx, w workplaces.Workplace, in campaignRequest) (staffCampaign, error) {
	return as(a.newStaffCampaign)(a.Contents.AddCampaign(c.UserContext(), w.By,
		coupon.Campaign{RestaurantID: w.Restaurant.ID, Name: in.Name, Use: in.Use, Amount: in.Amount, Total: in.Total,
			OpensAt: in.OpensAt, ClosesAt: in.ClosesAt, ValidUntil: in.ValidUntil}))
}

func (a *API) endCampaign(c *fiber.Ctx, w workplaces.Workplace) (staffCampaign, error) {
	id, err := respond.NumberParam(c, "coupon")
	if err != nil {
		return staffCampaign{}, err
	}
	return as(a.newStaffCampaign)(a.Contents.EndCampaign(c.UserContext(), w.By, w.Restaurant.ID, id))
}
