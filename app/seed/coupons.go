package seed

import (
	"context"
	"time"

	"lunchgo/app/coupon"
)

// How long coupons of the demo can be had, and can still be used then. A campaign is stored once, and not prolonged.
const (
	campaignTime = 365 * 24 * time.Hour
	couponTime   = 30 * 24 * time.Hour
)

// nextOpening is the hour of the day at which the demo's next campaign opens: in the evening, and the day after for
// those who start in the evening.
const nextOpening = 20

// giveCoupons opens the demo's campaigns that are not there yet.
func giveCoupons(ctx context.Context, stores Stores, places []place, now time.Time) error {
	for _, campaign := range campaigns(places, now) {
		if err := stores.Seeds.AddCampaign(ctx, campaign); err != nil {
			return err
		}
	}
	return nil
}

// campaigns are one for every restaurant, one for the menu of a single one, and one that opens later.
func campaigns(places []place, now time.Time) []coupon.Campaign {
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	soon := midnight.Add(nextOpening * time.Hour)
	if !now.Before(soon) {
		soon = soon.AddDate(0, 0, 1)
	}
	single := places[0].restaurant
	all := []coupon.Campaign{{
		Slug: "welcome", Use: coupon.ForDeposit, Amount: 5_000, Total: 1_000, OpensAt: midnight,
		Name:        text("첫 방문 쿠폰", "Welcome coupon"),
		Description: text("어느 식당이든 예약금에서 덜어 드립니다.", "A little off the deposit, wherever you go."),
	}, {
		Slug: single.Slug + "-menu", RestaurantID: single.ID, Use: coupon.ForMenu, Amount: 12_000, Total: 60,
		OpensAt:     midnight,
		Name:        text(single.Name.Ko+" 상차림 쿠폰", single.Name.En+" menu coupon"),
		Description: text("메뉴를 미리 고르고 결제하면 덜어 드립니다.", "Off the dishes you choose and pay in advance."),
	}, {
		Slug: "evening-" + soon.Format(time.DateOnly), Use: coupon.ForDeposit, Amount: 20_000, Total: 100,
		OpensAt:  soon,
		ClosesAt: soon.AddDate(0, 0, 1),
		Name:     text("저녁 8시 선착순 100장", "The 8 pm hundred"),
		Description: text("먼저 누른 백 분께 드립니다. 몰리면 줄을 서고, 누른 순서대로 받습니다.",
			"For the first hundred. When everybody comes at once there is a line, in the order of the presses."),
	}}
	for i := range all {
		if all[i].ClosesAt.IsZero() {
			all[i].ClosesAt = all[i].OpensAt.Add(campaignTime)
		}
		all[i].ValidUntil = all[i].ClosesAt.Add(couponTime)
	}
	return all
}
