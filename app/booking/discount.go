package booking

import (
	"errors"
	"fmt"
	"time"
)

// DiscountUse says which part of a reservation's price a coupon lowers.
type DiscountUse string

// The uses of coupons.
const (
	OffDeposit DiscountUse = "deposit"
	OffMenu    DiscountUse = "menu"
)

// Discount is what a coupon takes off a reservation, frozen when that is made. The zero value takes off nothing.
type Discount struct {
	CouponID int64 // of the campaign; a person has one coupon of each
	Use      DiscountUse
	Amount   int64 // won, at most what there is to pay
}

// off is what the discount takes off a part of the price.
func (d Discount) off(use DiscountUse) int64 {
	if d.Use == use {
		return d.Amount
	}
	return 0
}

// CouponTerms say what a coupon takes off, where and until when.
type CouponTerms struct {
	ID           int64 // of the campaign
	RestaurantID int64 // 0: everywhere
	Use          DiscountUse
	Amount       int64     // won
	ValidUntil   time.Time // for reservations made before
}

// Coupon is a person's coupon as a turn reads it under its row's lock.
type Coupon struct {
	CouponTerms
	ReservationID string // for which it is used; empty while it is free
}

// Owner names a person's coupon: whose, and of which campaign.
type Owner struct {
	UserID   string
	CouponID int64
}

// Why a coupon cannot be used for a reservation. Each is an ErrCoupon.
var (
	ErrCoupon          = errors.New("booking: the coupon cannot be used")
	ErrCouponUnknown   = fmt.Errorf("%w: the diner has none of that campaign", ErrCoupon)
	ErrCouponUsed      = fmt.Errorf("%w: it is used for another reservation", ErrCoupon)
	ErrCouponExpired   = fmt.Errorf("%w: its time is over", ErrCoupon)
	ErrCouponElsewhere = fmt.Errorf("%w: it is for another restaurant", ErrCoupon)
	ErrCouponUseless   = fmt.Errorf("%w: there is nothing it could lower", ErrCoupon)
)

// DiscountOn is what a coupon takes off a request at now. Returns ErrCouponExpired, ErrCouponElsewhere, or ErrCouponUseless
// where the part of the price that it lowers is 0: the diner shall keep it.
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

// discount is what the coupon that a request asks for takes off; nothing if it asks for none.
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

// DepositToPay is the deposit less what a coupon takes off it.
func (r Reservation) DepositToPay() int64 { return r.DepositAmount - r.Discount.off(OffDeposit) }

// MenuToPay is the price of the menu less what a coupon takes off it.
func (r Reservation) MenuToPay() int64 { return r.MenuAmount - r.Discount.off(OffMenu) }

// PrepayToPay is what paying the whole menu in advance costs: never less than the deposit, of which a coupon for deposits
// takes its part off; 0 when no menu was chosen.
func (r Reservation) PrepayToPay() int64 {
	if r.MenuAmount == 0 {
		return 0
	}
	return max(r.MenuToPay(), r.DepositAmount) - r.Discount.off(OffDeposit)
}
