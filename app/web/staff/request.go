package staff

import (
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// workplace is a restaurant, and who asks as a member of its staff.
type workplace struct {
	by         reserve.Staff
	restaurant booking.Restaurant
}

// workplace finds the restaurant that the path names, if the request comes from its staff. Returns
// respond.Unauthenticated and booking.ErrNotFound.
func (p *Pages) workplace(c *fiber.Ctx) (workplace, error) {
	session, err := respond.Session(c)
	if err != nil {
		return workplace{}, err
	}
	id, err := strconv.ParseInt(c.Params("restaurant"), 10, 64)
	if err != nil {
		return workplace{}, respond.NotFound
	}
	by, err := p.Bookings.Staff(c.UserContext(), session.UserID, id)
	if err != nil {
		return workplace{}, err
	}
	r, err := p.Bookings.FindRestaurant(c.UserContext(), id)
	return workplace{by, r}, err
}

// guest finds the reservation that the path names, if the request comes from staff of its restaurant. Returns
// booking.ErrNotFound for those of other restaurants too, so that ids tell nothing.
func (p *Pages) guest(c *fiber.Ctx) (workplace, booking.Reservation, error) {
	session, err := respond.Session(c)
	if err != nil {
		return workplace{}, booking.Reservation{}, err
	}
	by, res, err := p.Bookings.StaffOf(c.UserContext(), session.UserID, strings.Clone(c.Params("reservation")))
	if err != nil {
		return workplace{}, booking.Reservation{}, err
	}
	r, err := p.Bookings.FindRestaurant(c.UserContext(), res.RestaurantID)
	return workplace{by, r}, res, err
}

// slotKey reads the slot that the path names.
func (w workplace) slotKey(c *fiber.Ctx) (booking.SlotKey, time.Time, error) {
	date, err := booking.ParseDate(strings.Clone(c.Params("date")))
	if err != nil {
		return booking.SlotKey{}, time.Time{}, respond.NotFound
	}
	at, err := booking.ParseTimeOfDay(unescapeColon(c.Params("time")))
	if err != nil {
		return booking.SlotKey{}, time.Time{}, respond.NotFound
	}
	start, err := w.restaurant.Start(date, at)
	if err != nil {
		return booking.SlotKey{}, time.Time{}, respond.NotFound
	}
	return booking.SlotKey{RestaurantID: w.restaurant.ID, Date: date, Time: at}, start, nil
}

// unescapeColon undoes what some programs do to the colon of a time in a path.
func unescapeColon(param string) string {
	return strings.Replace(strings.ToUpper(param), "%3A", ":", 1)
}

// today is the date it is now at the restaurant.
func (p *Pages) today(w workplace) booking.Date {
	return booking.DateOf(p.Bookings.Now(), w.restaurant.Location)
}

// midnight is when a date begins at the restaurant, as the views take dates.
func (w workplace) midnight(date booking.Date) time.Time {
	return respond.Midnight(date, w.restaurant.Location)
}

// slotURL is the address of a slot's page; empty for a time that does not exist any more.
func (w workplace) slotURL(slot booking.SlotKey) string {
	start, err := w.restaurant.Start(slot.Date, slot.Time)
	if err != nil {
		return ""
	}
	return views.StaffSlotURL(w.restaurant.ID, start)
}

// toSlot is where every form of a slot leads back to.
func (w workplace) toSlot(c *fiber.Ctx, slot booking.SlotKey) error {
	start, err := w.restaurant.Start(slot.Date, slot.Time)
	if err != nil {
		return err
	}
	return c.Redirect(views.StaffSlotURL(w.restaurant.ID, start), fiber.StatusSeeOther)
}
