package seed_test

import (
	"context"
	"testing"

	"lunchgo/app/coupon"
	"lunchgo/app/seed"
)

// campaignNotes remembers the campaigns that were stored.
type campaignNotes struct {
	seed.Store
	put []coupon.Campaign
}

func noteCampaigns(stores *seed.Stores) *campaignNotes {
	notes := &campaignNotes{Store: stores.Seeds}
	stores.Seeds = notes
	return notes
}

func (n *campaignNotes) AddCampaign(ctx context.Context, c coupon.Campaign) error {
	err := n.Store.AddCampaign(ctx, c)
	if err == nil {
		n.put = append(n.put, c)
	}
	return err
}

// checkCampaigns fails unless there are coupons to be had of each use, for everywhere and for one restaurant, and a
// campaign that is yet to open.
func checkCampaigns(t *testing.T, all []coupon.Campaign) {
	t.Helper()
	open := map[coupon.Use]coupon.Campaign{}
	upcoming := 0
	for _, c := range all {
		if c.Name.Ko == "" || c.Name.En == "" || c.Description.Ko == "" || c.Description.En == "" {
			t.Errorf("%s lacks words: %+v", c.Slug, c)
		}
		switch c.StateAt(morning) {
		case coupon.Open:
			open[c.Use] = c
		case coupon.Upcoming:
			upcoming++
		}
	}
	if open[coupon.ForDeposit].RestaurantID != 0 || open[coupon.ForMenu].RestaurantID == 0 || upcoming != 1 ||
		len(all) != 3 {
		t.Errorf("campaigns: %+v", all)
	}
}
