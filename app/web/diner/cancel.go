package diner

import (
	"errors"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// askCancel answers GET /reservations/:id/cancel; what cannot be cancelled any more is shown as it is.
func (s *Pages) askCancel(c *fiber.Ctx, res booking.Reservation) error {
	return s.showCancel(c, res, fiber.StatusOK)
}

// showCancel asks, with what comes back by now. A status other than OK says that it was another amount before.
func (s *Pages) showCancel(c *fiber.Ctx, res booking.Reservation, status int) error {
	b, err := s.booked(c.UserContext(), res)
	if err != nil {
		return err
	}
	offer := s.offer(res, b)
	if offer == nil {
		return respond.Redirect(c, views.ReservationURL(res.ID))
	}
	return respond.Render(c, status, pages.Cancel(views.Cancel{Layout: s.layout(c), Booked: b.shown(res),
		Paid: res.PaidAmount, Offer: *offer, Changed: status != fiber.StatusOK}))
}

// cancel answers POST /reservations/:id/cancel. The form says what the diner saw would come back: if it is less by now,
// it asks again.
func (s *Pages) cancel(c *fiber.Ctx, res booking.Reservation) (err error) {
	by := reserve.Canceller{UserID: res.UserID}
	if quoted := respond.FormValue(c, views.FieldRefund); quoted != "" {
		if by.Quoted, err = strconv.ParseInt(quoted, 10, 64); err != nil || by.Quoted < 0 {
			return respond.BadRequest
		}
	}
	cancelled, err := s.Bookings.Cancel(c.UserContext(), res.ID, by)
	var changed *booking.RefundChangedError
	switch {
	case errors.As(err, &changed):
		return s.showCancel(c, res, fiber.StatusConflict)
	case err != nil:
		return err
	}
	if cancelled.RefundAmount > 0 {
		respond.SetFlash(c, views.FlashSuccess, "flash.cancelled_refund", cancelled.RefundAmount)
	} else {
		respond.SetFlash(c, views.FlashSuccess, "flash.cancelled")
	}
	return respond.Redirect(c, views.ReservationURL(res.ID))
}
