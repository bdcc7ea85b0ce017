package setup

import (
	"context"
	"time"

	"lunchgo/app/booking"
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

// CampaignStore keeps the coupon campaigns of restaurants.
type CampaignStore interface {
	// ListCampaigns returns the campaigns of a restaurant, those that are over last, the newest first, at most so many.
	ListCampaigns(ctx context.Context, restaurantID int64, most int) ([]coupon.Campaign, error)
	// AddCampaign stores a campaign of a restaurant. Returns *booking.InvalidError when it has MaxCampaigns already.
	AddCampaign(ctx context.Context, staffID string, c coupon.Campaign) (coupon.Campaign, error)
	// EndCampaign ends a campaign now: nobody gets another of its coupons; those that were given out stay. One that is
	// over stays so. Returns coupon.ErrNotFound for those of other restaurants too.
	EndCampaign(ctx context.Context, staffID string, restaurantID, id int64) (coupon.Campaign, error)
}

// ListCampaigns returns the coupon campaigns of a restaurant, the newest first.
func (c *Contents) ListCampaigns(ctx context.Context, by team.Staff, restaurantID int64) ([]coupon.Campaign, error) {
	if err := by.Check(restaurantID, team.SeeSettings); err != nil {
		return nil, err
	}
	return c.Campaigns.ListCampaigns(ctx, restaurantID, MaxCampaigns)
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
	return c.Campaigns.AddCampaign(ctx, by.UserID(), campaign)
}

// EndCampaign ends a campaign now. Returns the errors of CampaignStore.EndCampaign.
func (c *Contents) EndCampaign(ctx context.Context, by team.Staff, restaurantID, id int64) (coupon.Campaign, error) {
	if err := by.Check(restaurantID, team.ChangeSettings); err != nil {
		return coupon.Campaign{}, err
	}
	return c.Campaigns.EndCampaign(ctx, by.UserID(), restaurantID, id)
}

func checkCampaign(c *coupon.Campaign, now time.Time) error {
	var f faults
	c.Name.Ko = f.line("name.ko", c.Name.Ko, MaxItemName)
	f.add(c.Name.Ko == "", booking.FieldError{Field: "name.ko", Reason: "required"})
	c.Name.En = f.line("name.en", c.Name.En, MaxItemName)
	f.add(c.Use != coupon.ForDeposit && c.Use != coupon.ForMenu, booking.FieldError{Field: "use", Reason: "unknown"})
	f.add(c.Amount < 1 || c.Amount > MaxCouponAmount,
		booking.FieldError{Field: "amount", Reason: "out_of_range", Min: 1, Max: MaxCouponAmount})
	f.between("total", c.Total, 1, MaxCouponTotal)
	last := now.AddDate(0, 0, MaxCampaignDays)
	f.add(c.OpensAt.IsZero(), booking.FieldError{Field: "opensAt", Reason: "required"})
	f.add(!c.ClosesAt.After(c.OpensAt) || !c.ClosesAt.After(now),
		booking.FieldError{Field: "closesAt", Reason: "too_early"})
	f.add(c.ValidUntil.Before(c.ClosesAt), booking.FieldError{Field: "validUntil", Reason: "too_early"})
	f.add(c.ValidUntil.After(last), booking.FieldError{Field: "validUntil", Reason: "too_far"})
	return f.err()
}
