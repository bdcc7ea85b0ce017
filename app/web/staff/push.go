package staff

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// follow answers POST /staff/restaurants/{id}/pushes, which the script of the board sends: of a browser to which new
// bookings are to be pushed, or without one that they are not any more.
func (p *Pages) follow(c *fiber.Ctx, w place) error {
	session, err := respond.Session(c)
	if err != nil {
		return err
	}
	if sub := respond.Subscription(c); sub.Endpoint != "" {
		err = p.Push.Follow(c.UserContext(), w.By, session, sub)
	} else {
		err = p.Push.Store.Unfollow(c.UserContext(), session, w.Restaurant.ID)
	}
	if err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}

// pushOf is how new bookings are pushed to the browser of a request, and whether they are.
func (p *Pages) pushOf(c *fiber.Ctx, w place) (views.BookingPush, error) {
	session, err := respond.Session(c)
	if err != nil {
		return views.BookingPush{}, err
	}
	follows, err := p.Push.Store.Follows(c.UserContext(), session, w.Restaurant.ID)
	return views.BookingPush{Push: respond.Push(c, p.Push), Follows: follows}, err
}
