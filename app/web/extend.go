package web

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/web/fault"
	"lunchgo/app/web/flash"
	"lunchgo/views"
)

// extend answers POST /reservations/:id/extend: more time to pay, once. What cannot be prolonged any more is shown as it is.
func (s *site) extend(c *fiber.Ctx) error {
	res, err := s.own(c)
	if err != nil {
		return err
	}
	_, err = s.Bookings.Extend(c.UserContext(), res.UserID, res.ID)
	switch {
	case err == nil:
		flash.Set(c, views.FlashSuccess, "flash.extended", int64(res.Policy.ExtensionMinutes))
	case errors.Is(err, booking.ErrAlreadyExtended), errors.Is(err, booking.ErrNoExtension):
		flash.Set(c, views.FlashError, "error."+fault.Of(err).Code)
	case !errors.Is(err, booking.ErrHoldExpired) && !errors.Is(err, booking.ErrAlreadyPaid):
		return err
	}
	return redirect(c, views.PayURL(res.ID))
}
