package api

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
)

// giveBackRequest is what staff give back.
type giveBackRequest struct {
	Amount int64  `json:"amount"` // won
	Reason string `json:"reason"` // for the diner's letter and the log
	// What staff saw to be left, in won; 409 changed_meanwhile if it is something else by now.
	Left *int64 `json:"left" required:"false"`
}

// givenBack is what was given back of a reservation, and what is left.
type givenBack struct {
	ReservationID   string `json:"reservationId"`
	GivenBackAmount int64  `json:"givenBackAmount"` // of all times, in won
	Left            int64  `json:"left"`            // neither back nor to come back, in won
}

// giveBack answers POST /api/staff/reservations/{reservation}/refunds.
func (a *API) giveBack(c *fiber.Ctx) error {
	w, res, err := a.Places.Guest(c)
	if err == nil {
		err = w.By.Check(w.Restaurant.ID, team.GiveBack)
	}
	if err != nil {
		return err
	}
	key, err := respond.HeaderKey(c)
	if err != nil {
		return err
	}
	var in giveBackRequest
	if err := decode(c, &in); err != nil {
		return err
	}
	after, err := a.Bookings.GiveBack(c.UserContext(), w.By, booking.GiveBack{ReservationID: res.ID, Key: key,
		Amount: in.Amount, Reason: in.Reason, Left: in.Left})
	if err != nil {
		return err
	}
	return c.Status(fiber.StatusCreated).JSON(givenBack{after.ID, after.GivenBack, after.Left()})
}
