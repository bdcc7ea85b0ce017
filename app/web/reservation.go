package web

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/web/auth"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// own is the reservation that an address names, if it is the signed-in diner's.
func (s *site) own(c *fiber.Ctx) (booking.Reservation, error) {
	session, err := auth.Session(c)
	if err != nil {
		return booking.Reservation{}, err
	}
	return s.Bookings.Find(c.UserContext(), session.UserID, c.Params("id"))
}

// reservation answers GET /reservations/:id.
func (s *site) reservation(c *fiber.Ctx) error {
	res, err := s.own(c)
	if err != nil {
		return err
	}
	f := s.frames.Of(c)
	b, err := s.booked(c.UserContext(), f.Lang, res)
	if err != nil {
		return err
	}
	return render(c, fiber.StatusOK, pages.Reservation(views.Reservation{
		Frame:         f,
		ID:            res.ID,
		Code:          res.Code(),
		Restaurant:    b.head,
		At:            b.at,
		Party:         res.PartySize,
		State:         s.stateOf(res),
		Items:         b.items,
		MenuTotal:     res.MenuAmount,
		Deposit:       res.DepositAmount,
		Paid:          res.PaidAmount,
		Refunded:      res.RefundAmount,
		Note:          res.Note,
		Allergies:     res.Allergies,
		HoldExpiresAt: res.HoldExpiresAt.In(b.restaurant.Location),
		Now:           s.now(),
		Policy:        frozenPolicy(b.restaurant, res.Policy),
		QR:            qrOf(s.absolute(c, views.ReservationURL(res.ID))),
		Cancel:        s.offer(c.UserContext(), res),
	}))
}

// reservations answers GET /reservations.
func (s *site) reservations(c *fiber.Ctx) error {
	session, err := auth.Session(c)
	if err != nil {
		return err
	}
	all, err := s.Bookings.List(c.UserContext(), session.UserID)
	if err != nil {
		return err
	}
	page := views.Reservations{Frame: s.frames.Of(c)}
	page.Upcoming, page.Past, err = s.rowsOf(c.UserContext(), page.Lang, all)
	if err != nil {
		return err
	}
	return render(c, fiber.StatusOK, pages.Reservations(page))
}

// absolute is a page's address for use outside of this site.
func (s *site) absolute(c *fiber.Ctx, path string) string {
	if s.BaseURL != "" {
		return s.BaseURL + path
	}
	return c.BaseURL() + path
}
