package views

import (
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
)

// CouponHead says what a coupon is.
type CouponHead struct {
	Lang           string
	Name           string
	Use            booking.DiscountUse
	Amount         int64     // off, at most
	Restaurant     string    // where it is valid; empty for everywhere
	RestaurantSlug string    // with Restaurant
	ValidUntil     time.Time // for reservations made before
}

// Campaign gives out coupons to whoever comes first.
type Campaign struct {
	CouponHead
	ID             int64
	Description    string
	State          coupon.State
	Total          int
	Remaining      int
	OpensAt        time.Time
	ClosesAt       time.Time
	Owned          bool   // the reader has its coupon
	IdempotencyKey string // of the form that asks for a coupon
}

// OwnCoupon is a coupon that the reader has.
type OwnCoupon struct {
	CouponHead
	Expired       bool      // unused, but too late to use
	ReservationID string    // for which it is used; empty while it is free
	At            string    // restaurant of that reservation
	When          time.Time // slot of that reservation
}

// Campaigns is the part of the coupons' page that changes: while a campaign is not over, htmx polls CouponsURL into
// "#campaigns". Component: pages.Campaigns(views.Campaigns).
type Campaigns struct {
	Lang string
	Own  []OwnCoupon
	All  []Campaign

	OwnPager Pager
	AllPager Pager
}

// IsLive returns whether something may change while the page is open.
func (c Campaigns) IsLive() bool {
	for _, campaign := range c.All {
		if campaign.State != coupon.Over {
			return true
		}
	}
	return false
}

// Coupons is the page of coupons. Component: pages.Coupons(views.Coupons).
type Coupons struct {
	Layout
	Campaigns Campaigns
}

// CouponOutcome is the page of a request for a coupon that the server refused.
// Component: pages.CouponOutcome(views.CouponOutcome).
type CouponOutcome struct {
	Layout
	Campaign Campaign
	Kind     OutcomeKind
}
