package diner

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// extend answers POST /reservations/:id/extend: more time to pay, once. What cannot be prolonged any more is shown
// as it is.
func (s *Pages) extend(c *fiber.Ctx, res booking.Reservation) error {
	_, err := s.Bookings.Extend(c.UserContext(), res.UserID, res.ID)
	switch {
	case err == nil:
		respond.SetFlash(c, views.FlashSuccess, "flash.extended", int64(res.Policy.ExtensionMinutes))
	case errors.Is(err, booking.ErrAlreadyExtended), errors.Is(err, booking.ErrNoExtension),
		errors.Is(err, booking.ErrUnconfirmed):
		respond.SetFlash(c, views.FlashError, "error."+respond.ProblemOf(err).Code)
	case !errors.Is(err, booking.ErrHoldExpired) && !errors.Is(err, booking.ErrAlreadyPaid):
		return err
	}
	return respond.Redirect(c, views.PayURL(res.ID))
}
