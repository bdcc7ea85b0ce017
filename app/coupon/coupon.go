// Package coupon is the domain of coupon campaigns: so many coupons for whoever comes first, one a person. It imports
// only the standard library, the vocabulary of booking and a cache.
package coupon

import (
	"errors"
	"fmt"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/refusal"
)

// Use says which part of a reservation's price a coupon lowers.
type Use = booking.DiscountUse

// The uses of coupons.
const (
	ForDeposit = booking.OffDeposit
	ForMenu    = booking.OffMenu
)

// Campaign gives out Total coupons from OpensAt until ClosesAt.
type Campaign struct {
	ID           int64
	Slug         string // by which an operator brings it up to date
	RestaurantID int64  // where its coupons may be used; 0 for everywhere
	Name         booking.Text
	Description  booking.Text
	Use          Use
	Amount       int64 // won off, at most what there is to pay
	Total        int
	Issued       int
	OpensAt      time.Time
	ClosesAt     time.Time
	ValidUntil   time.Time // a coupon may be used for a reservation made before
}

// Remaining is how many coupons nobody has yet; never negative.
func (c Campaign) Remaining() int { return max(0, c.Total-c.Issued) }

// State is whether coupons of a campaign can be had.
type State string

// The states of a campaign.
const (
	Upcoming State = "upcoming"
	Open     State = "open"
	SoldOut  State = "sold_out"
	Over     State = "over"
)

// StateAt is the state of the campaign at a time.
func (c Campaign) StateAt(now time.Time) State {
	switch {
	case now.Before(c.OpensAt):
		return Upcoming
	case !now.Before(c.ClosesAt):
		return Over
	case c.Remaining() == 0:
		return SoldOut
	}
	return Open
}

// Claim is a person's coupon.
type Claim struct {
	ID       string `json:"id"`
	CouponID int64  `json:"couponId"`
	UserID   string `json:"-"`
	// For which it is used; missing while it is free.
	ReservationID  string    `json:"reservationId,omitempty"`
	IdempotencyKey string    `json:"-"`
	CreatedAt      time.Time `json:"createdAt"`
}

// Request is a user's request for a coupon, with its place in the line.
type Request struct {
	CouponID       int64  `json:"couponId"`
	UserID         string `json:"userId"`
	IdempotencyKey string `json:"idempotencyKey"`
	Ticket         string `json:"-"` // set when its turn has come
	Arrival        int64  `json:"-"`
}

// Why somebody gets no coupon.
var (
	ErrNotFound       = refusal.NotFound.Because("coupon: no such campaign")
	ErrAlreadyClaimed = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "already_claimed", Turn: true,
		Headline: "already_claimed", New: func() error { return new(AlreadyClaimedError) },
		Text: "coupon: the person has one already"})
	ErrSoldOut = booking.ErrSoldOut.Because("coupon: all are given out")
	ErrNotOpen = booking.ErrNotOpenYet.Because("coupon: the campaign has not begun")
	ErrOver    = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "over", Turn: true, Headline: "over",
		Text: "coupon: the campaign is over"})
	ErrStaleFence = errors.New("coupon: a later turn was served before")
)

// AlreadyClaimedError is an ErrAlreadyClaimed that says which coupon the person has.
type AlreadyClaimedError struct {
	ClaimID string `json:"claimId"`
}

func (e *AlreadyClaimedError) Error() string { return ErrAlreadyClaimed.Error() }
func (e *AlreadyClaimedError) Unwrap() error { return ErrAlreadyClaimed }

// StaleFenceError is an ErrStaleFence that says which fence the campaign has.
type StaleFenceError struct{ Stored int64 }

func (e *StaleFenceError) Error() string {
	return fmt.Sprintf("%v under fence %d", ErrStaleFence, e.Stored)
}
func (e *StaleFenceError) Unwrap() error { return ErrStaleFence }

// Closed says why nobody gets a coupon at a time; nil while somebody may.
func (c Campaign) Closed(now time.Time) error {
	switch c.StateAt(now) {
	case Upcoming:
		return ErrNotOpen
	case Over:
		return ErrOver
	case SoldOut:
		return ErrSoldOut
	}
	return nil
}

// Terms are what a coupon of the campaign takes off a reservation.
func (c Campaign) Terms() booking.CouponTerms {
	return booking.CouponTerms{ID: c.ID, RestaurantID: c.RestaurantID, Use: c.Use, Amount: c.Amount,
		ValidUntil: c.ValidUntil}
}
