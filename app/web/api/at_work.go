package api

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/team"
	"lunchgo/app/web/access"
	"lunchgo/app/web/respond"
	workplaces "lunchgo/app/web/workplace"
)

// What finds who asks as staff, and what of their restaurant the path names.

// staff finds the restaurant of somebody who may do what the operation's right names.
func (a *API) staff(c *fiber.Ctx) (workplaces.Workplace, error) {
	action, err := access.Action(c)
	if err != nil {
		return workplaces.Workplace{}, err
	}
	return a.Places.Allowed(c, action)
}

// staffOf says who asks as staff of the restaurant that the path names. Returns respond.Unauthenticated and
// booking.ErrNotFound.
func (a *API) staffOf(c *fiber.Ctx) (team.Staff, error) {
	s, err := respond.Session(c)
	if err != nil {
		return team.Staff{}, err
	}
	id, err := respond.NumberParam(c, "restaurant")
	if err != nil {
		return team.Staff{}, err
	}
	return a.Bookings.Staff(c.UserContext(), s.UserID, id)
}

// workday is a date of a restaurant, for its staff.
type workday struct {
	workplaces.Workplace
	date booking.Date
}

func (a *API) workday(c *fiber.Ctx) (day workday, err error) {
	if day.Workplace, err = a.Places.Published(c); err != nil {
		return day, err
	}
	if day.date, err = booking.ParseDate(param(c, "date")); err != nil {
		err = respond.NotFound
	}
	return day, err
}

// stockDay is workday for somebody who may change what is left of a dish.
func (a *API) stockDay(c *fiber.Ctx) (day workday, err error) {
	if day, err = a.workday(c); err == nil {
		err = day.By.Check(day.Restaurant.ID, team.ChangeStock)
	}
	return day, err
}

// workslot is a slot of a restaurant, for its staff.
type workslot struct {
	workplaces.Workplace
	slot booking.SlotKey
}

func (a *API) workslot(c *fiber.Ctx) (at workslot, err error) {
	if at.Workplace, err = a.Places.Published(c); err == nil {
		at.slot, _, err = at.SlotKey(c)
	}
	return at, err
}

// guestAtWork is a reservation, for staff of its restaurant.
type guestAtWork struct {
	by   team.Staff
	seen booking.Reservation
}

func (a *API) guestOf(c *fiber.Ctx) (g guestAtWork, err error) {
	s, err := respond.Session(c)
	if err == nil {
		g.by, g.seen, err = a.Bookings.StaffOf(c.UserContext(), s.UserID, param(c, "reservation"))
	}
	return g, err
}

// refundable is guestOf for somebody who may give money back.
func (a *API) refundable(c *fiber.Ctx) (g guestAtWork, err error) {
	if g, err = a.guestOf(c); err == nil {
		err = g.by.Check(g.seen.RestaurantID, team.GiveBack)
	}
	return g, err
}

// movable is guestOf for those who may move the guest.
func (a *API) movable(c *fiber.Ctx) (g guestAtWork, err error) {
	if g, err = a.guestOf(c); err == nil {
		err = g.by.Check(g.seen.RestaurantID, team.MoveGuest)
	}
	return g, err
}
