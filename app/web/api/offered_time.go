package api

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/reserve"
)

// moveOffer is another day that a restaurant offers to a party.
type moveOffer struct {
	Date     booking.Date       `json:"date"`
	Time     *booking.TimeOfDay `json:"time"`     // that it proposes, or the nearest that is open; null: none is
	Message  string             `json:"message"`  // of the restaurant
	Declined bool               `json:"declined"` // the diner keeps the reservation as it is
	Refund   bool               `json:"refund"`   // the diner may cancel instead, and gets back all that was paid
	Times    []offeredSlot      `json:"times"`    // of the day, in order; there may be none
}

// offeredSlot is a time that a party may take instead.
type offeredSlot struct {
	Time  booking.TimeOfDay  `json:"time"`
	State booking.OfferState `json:"state"`
}

func (a *API) findOfferedTime(c *fiber.Ctx, own booking.Reservation) (moveOffer, error) {
	offer, err := a.Bookings.FindMoveOffer(c.UserContext(), own)
	return moveOffer{Date: offer.Date, Time: orNull(offer.Proposed), Message: offer.Text,
		Declined: !offer.DeclinedAt.IsZero(), Refund: offer.Refund, Times: list(offer.Slots, func(s reserve.Slot) offeredSlot {
			return offeredSlot{s.Key.Time, s.State}
		})}, err
}

// takenTime is the time that a diner takes.
type takenTime struct {
	Time string `json:"time"`
}

func (a *API) takeOfferedTime(c *fiber.Ctx, sent keyed[identity.Session], in takenTime) error {
	by := reserve.Submitter{UserID: sent.by.UserID, IdempotencyKey: sent.key}
	watch, err := a.Bookings.TakeMoveOffer(c.UserContext(), by, param(c, "id"), in.Time)
	if err != nil {
		return err
	}
	return a.sendChanged(c, by, watch)
}

func (a *API) declineOfferedTime(c *fiber.Ctx, s identity.Session) error {
	return a.Bookings.DeclineMoveOffer(c.UserContext(), s.UserID, param(c, "id"))
}

func (a *API) cancelOffered(c *fiber.Ctx, s identity.Session) (cancellation, error) {
	r, err := a.Bookings.CancelOffered(c.UserContext(), s.UserID, param(c, "id"))
	return cancellation{State: r.State, Refund: r.RefundAmount}, err
}

func (a *API) withdrawOfferedTime(c *fiber.Ctx, g guestAtWork) error {
	_, err := a.Bookings.WithdrawMoveOffer(c.UserContext(), g.by, g.seen.ID)
	return err
}
