package staff

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// desk is a member of staff at their restaurant.
type desk struct {
	staffID    string
	restaurant booking.Restaurant
}

// desk finds the restaurant that the path names, if the request comes from its staff. Returns fault.Unauthenticated,
// booking.ErrNotFound, identity.ErrNotStaff.
func (p *Pages) desk(c *fiber.Ctx) (desk, error) {
	session, err := respond.Session(c)
	if err != nil {
		return desk{}, err
	}
	id, err := strconv.ParseInt(c.Params("restaurant"), 10, 64)
	if err != nil {
		return desk{}, respond.NotFound
	}
	return p.deskAt(c, session, id)
}

func (p *Pages) deskAt(c *fiber.Ctx, session identity.Session, restaurantID int64) (desk, error) {
	r, err := p.Bookings.Catalog.FindRestaurant(c.UserContext(), restaurantID)
	if err != nil {
		return desk{}, err
	}
	if _, err := p.Identity.MembershipAt(c.UserContext(), session.UserID, restaurantID); err != nil {
		return desk{}, err
	}
	return desk{staffID: session.UserID, restaurant: r}, nil
}

// guest finds the reservation that the path names, if the request comes from staff of its restaurant. Returns
// booking.ErrNotFound for those of other restaurants too, so that ids tell nothing.
func (p *Pages) guest(c *fiber.Ctx) (desk, booking.Reservation, error) {
	session, err := respond.Session(c)
	if err != nil {
		return desk{}, booking.Reservation{}, err
	}
	res, err := p.Bookings.Reservations.Find(c.UserContext(), strings.Clone(c.Params("reservation")))
	if err != nil {
		return desk{}, booking.Reservation{}, err
	}
	d, err := p.deskAt(c, session, res.RestaurantID)
	if errors.Is(err, identity.ErrNotStaff) {
		err = booking.ErrNotFound
	}
	return d, res, err
}

// slotKey reads the slot that the path names.
func (d desk) slotKey(c *fiber.Ctx) (booking.SlotKey, time.Time, error) {
	date, err := booking.ParseDate(strings.Clone(c.Params("date")))
	if err != nil {
		return booking.SlotKey{}, time.Time{}, respond.NotFound
	}
	at, err := booking.ParseTimeOfDay(clock(c.Params("time")))
	if err != nil {
		return booking.SlotKey{}, time.Time{}, respond.NotFound
	}
	start, err := d.restaurant.Start(date, at)
	if err != nil {
		return booking.SlotKey{}, time.Time{}, respond.NotFound
	}
	return booking.SlotKey{RestaurantID: d.restaurant.ID, Date: date, Time: at}, start, nil
}

// clock reads a time of day of a path, whose colon some programs escape.
func clock(param string) string {
	return strings.Replace(strings.ToUpper(param), "%3A", ":", 1)
}

// today is the date it is now at the restaurant.
func (p *Pages) today(d desk) booking.Date {
	return booking.DateOf(p.Bookings.Now(), d.restaurant.Location)
}

// day is midnight of a date at the restaurant, as the views take dates.
func (d desk) day(date booking.Date) time.Time {
	t, err := time.ParseInLocation(time.DateOnly, string(date), d.restaurant.Location)
	if err != nil {
		return time.Time{}
	}
	return t
}

// toSlot is where every form of a slot leads back to.
func (d desk) toSlot(c *fiber.Ctx, slot booking.SlotKey) error {
	start, err := d.restaurant.Start(slot.Date, slot.Time)
	if err != nil {
		return err
	}
	return c.Redirect(views.StaffSlotURL(d.restaurant.ID, start), fiber.StatusSeeOther)
}

func render(c *fiber.Ctx, status int, page templ.Component) error {
	var html bytes.Buffer
	if err := page.Render(c.UserContext(), &html); err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
	return c.Status(status).Send(html.Bytes())
}
