package views_test

import (
	"time"

	"github.com/a-h/templ"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/views"
	"lunchgo/views/pages"
)

func couponHead(lang string) views.CouponHead {
	return views.CouponHead{Lang: lang, Name: pick(lang, "첫 방문 쿠폰", "First visit"), Use: booking.OffDeposit,
		Amount: 5_000, ValidUntil: evening.AddDate(0, 0, 30)}
}

// menuCoupon is one of a single restaurant, with a name as long as they come.
func menuCoupon(lang string) views.CouponHead {
	c := couponHead(lang)
	c.Name = pick(lang, "솔밥 가을 솥밥 주간 기념 메뉴 할인 쿠폰", "Sol Bap autumn pot-rice week menu coupon")
	c.Use, c.Amount, c.Restaurant, c.RestaurantSlug = booking.OffMenu, 120_000, head().Name.In(lang), head().Slug
	return c
}

func campaigns(lang string) views.Campaigns {
	open := views.Campaign{CouponHead: couponHead(lang), ID: 1, State: coupon.Open, Total: 1_000, Remaining: 371,
		Description: pick(lang, "처음 오신 분의 예약금을 덜어 드립니다.", "A little off the deposit of your first table."),
		OpensAt:     evening.Add(-time.Hour), ClosesAt: evening.AddDate(0, 0, 7), IdempotencyKey: "key-1"}
	soon, gone, over, owned := open, open, open, open
	soon.ID, soon.State, soon.Remaining, soon.OpensAt, soon.CouponHead = 2, coupon.Upcoming, 1_000,
		evening.Add(3*time.Hour), menuCoupon(lang)
	owned.ID, owned.Owned, owned.Remaining = 3, true, 1
	gone.ID, gone.State, gone.Remaining, gone.Description = 4, coupon.SoldOut, 0, ""
	over.ID, over.State = 5, coupon.Over
	used := views.OwnCoupon{CouponHead: menuCoupon(lang), ReservationID: "r1", At: head().Name.In(lang), When: evening}
	return views.Campaigns{Lang: lang, All: []views.Campaign{open, soon, owned, gone, over},
		Own: []views.OwnCoupon{{CouponHead: couponHead(lang)}, used, {CouponHead: couponHead(lang), Expired: true}}}
}

func addCoupons(lang string, all map[string]templ.Component) {
	page := views.Coupons{Layout: layout(lang, "/coupons"), Campaigns: campaigns(lang)}
	page.Flash = views.Flash{Kind: views.FlashSuccess, Message: page.T("flash.coupon")}
	all["coupons"] = pages.Coupons(page)
	all["coupons-none"] = pages.Coupons(views.Coupons{Layout: views.Layout{Lang: lang, Path: "/coupons"},
		Campaigns: views.Campaigns{Lang: lang}})
	coupon := menuCoupon(lang)
	waiting := views.Waiting{Layout: layout(lang, "/tickets/T"), Ticket: "T.s", Coupon: &coupon, Status: status(lang),
		Refresh: 3}
	waiting.Status.ForCoupon, waiting.Status.Party, waiting.Status.SeatsAhead = true, 1, 9
	all["waiting-coupon"] = pages.Waiting(waiting)
	waiting.Status.SeatsLeft = 1
	all["waiting-coupon-poor"] = pages.Waiting(waiting)
	for _, kind := range []views.OutcomeKind{
		views.OutcomeSoldOut, views.OutcomeAlreadyClaimed, views.OutcomeNotOpen, views.OutcomeOver,
		views.OutcomeTimedOut, views.OutcomeLeft, views.OutcomeInProgress, views.OutcomeFailed,
	} {
		o := views.CouponOutcome{Layout: layout(lang, "/tickets/T"), Campaign: campaigns(lang).All[0], Kind: kind}
		if kind == views.OutcomeNotOpen {
			o.Campaign = campaigns(lang).All[1]
		}
		all["coupon-outcome-"+string(kind)] = pages.CouponOutcome(o)
	}
}
