package setup

import (
	"context"
	"time"

	"lunchgo/app/coupon"
	"lunchgo/app/team"
)

// Bounds of a campaign.
const (
	MaxCampaigns    = 50        // of a restaurant that are not over
	MaxCouponAmount = 1_000_000 // won
	MaxCouponTotal  = 100_000
	MaxCampaignDays = 366 // from now until the last day on which a coupon can be used
)

// ListCampaigns returns the coupon campaigns of a restaurant, the newest first.
func (c *Contents) ListCampaigns(ctx context.Context, by team.Staff, restaurantID int64) ([]coupon.Campaign, error) {
	if err := by.Check(restaurantID, team.SeeSettings); err != nil {
		return nil, err
	}
	return c.Store.ListCampaigns(ctx, restaurantID, MaxCampaigns)
}

// AddCampaign opens a campaign whose coupons can be used at its restaurant only. Returns *booking.InvalidError with
// every invalid field.
func (c *Contents) AddCampaign(ctx context.Context, by team.Staff, campaign coupon.Campaign) (coupon.Campaign, error) {
	if err := by.Check(campaign.RestaurantID, team.ChangeSettings); err != nil {
		return coupon.Campaign{}, err
	}
	if err := checkCampaign(&campaign, c.Now()); err != nil {
		return coupon.Campaign{}, err
	}
	return c.Store.AddCampaign(ctx, by.UserID(), campaign)
}

// EndCampaign ends a campaign now. Returns the errors of ContentStore.EndCampaign.
func (c *Contents) EndCampaign(ctx context.Context, by team.Staff, restaurantID, id int64) (coupon.Campaign, error) {
	if err := by.Check(restaurantID, team.ChangeSettings); err != nil {
		return coupon.Campaign{}, err
	}
	return c.Store.EndCampaign(ctx, by.UserID(), restaurantID, id)
}

func checkCampaign(c *coupon.Campaign, now time.Time) error {
	var f wrongs
	c.Name.Ko = f.readLine("name.ko", c.Name.Ko, MaxItemName)
	f.add(c.Name.Ko == "", "name.ko", "required")
	c.Name.En = f.readLine("name.en", c.Name.En, MaxItemName)
	f.add(c.Use != coupon.ForDeposit && c.Use != coupon.ForMenu, "use", "unknown")
	f.within("amount", int(min(c.Amount, MaxCouponAmount+1)), 1, MaxCouponAmount)
	f.within("total", c.Total, 1, MaxCouponTotal)
	last := now.AddDate(0, 0, MaxCampaignDays)
	f.add(c.OpensAt.IsZero(), "opensAt", "required")
	f.add(!c.ClosesAt.After(c.OpensAt) || !c.ClosesAt.After(now), "closesAt", "too_early")
	f.add(c.ValidUntil.Before(c.ClosesAt), "validUntil", "too_early")
	f.add(c.ValidUntil.After(last), "validUntil", "too_far")
	return f.err()
}
