package web

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/web/flash"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// askCancel answers GET /reservations/:id/cancel; what cannot be cancelled any more is shown as it is.
func (s *site) askCancel(c *fiber.Ctx) error {
	res, err := s.own(c)
	if err != nil {
		return err
	}
	offer := s.offer(c.UserContext(), res)
	if offer == nil {
		return redirect(c, views.ReservationURL(res.ID))
	}
	f := s.frames.Of(c)
	b, err := s.booked(c.UserContext(), f.Lang, res)
	if err != nil {
		return err
	}
	return render(c, fiber.StatusOK, pages.Cancel(views.Cancel{
		Frame:         f,
		ReservationID: res.ID,
		Restaurant:    b.head,
		At:            b.at,
		Party:         res.PartySize,
		Paid:          res.PaidAmount,
		Offer:         *offer,
	}))
}

// cancel answers POST /reservations/:id/cancel.
func (s *site) cancel(c *fiber.Ctx) error {
	res, err := s.own(c)
	if err != nil {
		return err
	}
	cancelled, err := s.Bookings.Cancel(c.UserContext(), res.ID, booking.Canceller{UserID: res.UserID})
	if err != nil {
		return err
	}
	if cancelled.RefundAmount > 0 {
		flash.Set(c, views.FlashSuccess, "flash.cancelled_refund", cancelled.RefundAmount)
	} else {
		flash.Set(c, views.FlashSuccess, "flash.cancelled")
	}
	return redirect(c, views.ReservationURL(res.ID))
}
