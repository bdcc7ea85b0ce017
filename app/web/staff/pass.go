package staff

import (
	"slices"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	pages "lunchgo/views/staff"
)

// pass answers GET /c/{id}, where the QR code of a reservation leads, for staff of its restaurant: the guest and what can be
// done. The diner's own pass is tried first; strangers get booking.ErrNotFound.
func (p *Pages) pass(c *fiber.Ctx) error {
	w, res, err := p.guest(c)
	if err != nil {
		return err
	}
	guests, err := p.Bookings.Guests(c.UserContext(), w.by, res.Slot)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(guests, func(g reserve.Guest) bool { return g.ID == res.ID })
	if at < 0 {
		return booking.ErrNotFound
	}
	page := views.StaffPass{Layout: p.Layout(c), RestaurantID: w.restaurant.ID}
	page.Restaurant = w.restaurant.Name.In(page.Lang)
	page.Reservation = w.guestIn(res.Slot, guests[at], page.Lang, p.Bookings.Now())
	return respond.Render(c, fiber.StatusOK, pages.Pass(page))
}
