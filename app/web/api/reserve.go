package api

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/reserve"
	"lunchgo/app/waiting"
)

type reserveRequest struct {
	RestaurantID int64       `json:"restaurantId"`
	Date         string      `json:"date"`
	Time         string      `json:"time"`
	PartySize    int         `json:"partySize"`
	Items        []orderLine `json:"items,omitempty"`
	// Named seats that the party wants, in any order: enough places for all, several only where partners join them,
	// and none that could be left out. All of them or none are reserved; 409 seat_taken. Left out or empty, the free
	// seats that fit best are given.
	SeatIDs []int64 `json:"seatIds,omitempty"`
	// Of the campaign whose coupon is to be used: one that the diner has, that is free, for this restaurant and
	// still valid. 409 coupon_unknown, coupon_used, coupon_elsewhere, coupon_expired, or coupon_useless where there
	// is nothing that it could lower.
	CouponID  *int64 `json:"couponId" required:"false"`
	Note      string `json:"note,omitempty"`      // for the restaurant
	Allergies string `json:"allergies,omitempty"` // for the kitchen
}

type orderLine struct {
	MenuItemID int64 `json:"menuItemId"`
	Quantity   int   `json:"quantity"`
}

// draft refuses what would be left out silently, and otherwise makes no judgement.
func (in reserveRequest) draft() (booking.Draft, error) {
	switch {
	case in.CouponID != nil && *in.CouponID == 0:
		return booking.Draft{}, booking.ErrCouponUnknown
	case in.RestaurantID == 0:
		return booking.Draft{}, invalid("restaurantId", "required")
	}
	d := booking.Draft{RestaurantID: in.RestaurantID, Date: in.Date, Time: in.Time, PartySize: in.PartySize,
		Note: in.Note, Allergies: in.Allergies, SeatIDs: in.SeatIDs}
	if in.CouponID != nil {
		d.CouponID = *in.CouponID
	}
	for _, line := range in.Items {
		d.Items = append(d.Items, booking.DraftItem(line))
	}
	return d, nil
}

func (a *API) reserve(c *fiber.Ctx, sent keyed[identity.Session], in reserveRequest) error {
	draft, err := in.draft()
	if err != nil {
		return err
	}
	by := reserve.Submitter{UserID: sent.by.UserID, IdempotencyKey: sent.key}
	watch, _, err := a.Bookings.Submit(c.UserContext(), by, draft)
	if err != nil {
		return err
	}
	defer watch.Close()
	return a.answer(c, watch, func(ctx context.Context, result waiting.Result) error {
		r, err := a.Bookings.Find(ctx, by.UserID, result.ReservationID)
		if err != nil {
			return err
		}
		if r.IdempotencyKey == by.IdempotencyKey && !reserve.Matches(r, draft) {
			return booking.ErrKeyReused
		}
		c.Location("/api/reservations/" + r.ID)
		return c.Status(fiber.StatusCreated).JSON(newReservation(speak(c), r))
	})
}
