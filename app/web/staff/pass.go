package staff

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	pages "lunchgo/views/staff"
)

// pass answers GET /c/{id}, where the QR code of a reservation leads, for staff of its restaurant: the guest and what
// can be done. The diner's own pass is tried first; strangers get booking.ErrNotFound.
func (p *Pages) pass(c *fiber.Ctx, w place, res booking.Reservation) error {
	guest, err := p.Bookings.Guest(c.UserContext(), w.By, res)
	if err != nil {
		return err
	}
	page := views.StaffPass{StaffShell: p.shell(c, w)}
	page.Reservation = w.guestIn(res.Slot, guest, page.Lang, p.Bookings.Now())
	return respond.Render(c, fiber.StatusOK, pages.Pass(page))
}
