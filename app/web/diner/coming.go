package diner

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// reminded is the id of the reservation that the token of a reminder's link names. Returns booking.ErrNotFound for a
// token that was never sealed.
func (s *Pages) reminded(c *fiber.Ctx) (string, error) { return s.ComingLinks.Read(c.Params("token")) }

// coming answers GET /coming/:token. It changes nothing: scanners of mail look at links too.
func (s *Pages) coming(c *fiber.Ctx, reservationID string) error {
	res, err := s.Bookings.Reservations.Find(c.UserContext(), reservationID)
	if err != nil {
		return err
	}
	b, err := s.booked(c.UserContext(), res)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderCacheControl, "no-store")
	return respond.Render(c, fiber.StatusOK, pages.Coming(views.Coming{
		Layout: s.layout(c), Booked: b.shown(res), Token: c.Params("token"), Open: res.State.IsConfirmed(),
		Said: !res.ComingAt.IsZero()}))
}

// sayComing answers POST /coming/:token.
func (s *Pages) sayComing(c *fiber.Ctx, reservationID string) error {
	if err := s.Bookings.Reservations.NoteComing(c.UserContext(), reservationID); err != nil {
		return err
	}
	return respond.Redirect(c, views.ComingURL(c.Params("token")))
}
