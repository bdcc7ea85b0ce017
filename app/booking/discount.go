package booking

import (
	"errors"
	"fmt"
	"time"

	"lunchgo/app/refusal"
)

// DiscountUse says which part of a reservation's price a coupon lowers.
type DiscountUse string

// The uses of coupons.
const (
	OffDeposit DiscountUse = "deposit"
	OffMenu    DiscountUse = "menu"
)

// Discount is what a coupon takes off a reservation's price, fixed when the reservation is made. The zero value is
// none.
type Discount struct {
	CouponID int64 // of the campaign; a person has one coupon of each
	Use      DiscountUse
	Amount   int64 // won, at most the price that it lowers
}

// off returns what the discount takes off a part of the price.
func (d Discount) off(use DiscountUse) int64 {
	if d.Use == use {
		return d.Amount
	}
	return 0
}

// CouponTerms are the amount of a coupon, and where and until when it is valid.
type CouponTerms struct {
	ID           int64 // of the campaign
	RestaurantID int64 // 0: everywhere
	Use          DiscountUse
	Amount       int64     // won
	ValidUntil   time.Time // for reservations made before
}

// Coupon is a diner's coupon, as the booking transaction reads it under its row lock.
type Coupon struct {
	CouponTerms
	ReservationID string // that uses it; empty while unused
}

// Owner identifies a diner's coupon: a diner has one coupon of a campaign.
type Owner struct {
	UserID   string
	CouponID int64
}

// Reasons why a coupon cannot be used for a reservation. Each is an ErrCoupon.
var (
	ErrCoupon = errors.New("booking: the coupon cannot be used")

	ErrCouponUnknown   = couponRefusal("coupon_unknown", "the diner has no coupon of that campaign")
	ErrCouponUsed      = couponRefusal("coupon_used", "another reservation uses it")
	ErrCouponExpired   = couponRefusal("coupon_expired", "it has expired")
	ErrCouponElsewhere = couponRefusal("coupon_elsewhere", "it belongs to another restaurant")
	ErrCouponUseless   = couponRefusal("coupon_useless", "there is no price that it lowers")
)

// couponRefusal declares a refusal of a coupon, and returns it as an ErrCoupon.
func couponRefusal(code, text string) error {
	return fmt.Errorf("%w: %w", ErrCoupon, refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: code,
		Turn: true, Field: "coupon", Headline: "coupon", Text: text}))
}

// DiscountOn returns the discount of a coupon on a request at now. Returns ErrCouponExpired, ErrCouponElsewhere, or
// ErrCouponUseless when the price that it lowers is 0, so that the diner keeps the coupon.
func (c CouponTerms) DiscountOn(req Request, now time.Time) (Discount, error) {
	price := req.DepositAmount
	if c.Use == OffMenu {
		price = req.MenuAmount()
	}
	switch {
	case !now.Before(c.ValidUntil):
		return Discount{}, ErrCouponExpired
	case c.RestaurantID != 0 && c.RestaurantID != req.Slot.RestaurantID:
		return Discount{}, ErrCouponElsewhere
	case price == 0:
		return Discount{}, ErrCouponUseless
	}
	return Discount{CouponID: c.ID, Use: c.Use, Amount: min(c.Amount, price)}, nil
}

// discount returns the discount of the coupon that a request asks for; the zero value if it asks for none.
func (s SlotState) discount(req Request) (Discount, error) {
	if req.CouponID == 0 {
		return Discount{}, nil
	}
	coupon, has := s.Coupons[Owner{req.UserID, req.CouponID}]
	switch {
	case !has:
		return Discount{}, ErrCouponUnknown
	case coupon.ReservationID != "":
		return Discount{}, ErrCouponUsed
	}
	return coupon.DiscountOn(req, s.Now)
}

// DepositToPay returns the deposit less the discount on it, in won.
func (r Reservation) DepositToPay() int64 { return r.DepositAmount - r.Discount.off(OffDeposit) }

// menuToPay returns the price of the menu less the discount on it, in won.
func (r Reservation) menuToPay() int64 { return r.MenuAmount - r.Discount.off(OffMenu) }

// PrepayToPay returns the price of paying the whole menu in advance, in won: never less than the deposit, less a
// discount on the deposit; 0 when no menu was chosen.
func (r Reservation) PrepayToPay() int64 {
	if r.MenuAmount == 0 {
		return 0
	}
	return max(r.menuToPay(), r.DepositAmount) - r.Discount.off(OffDeposit)
}
