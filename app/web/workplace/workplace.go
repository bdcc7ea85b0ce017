// Package workplace finds, for the pages and the API of staff, the restaurant that a request names and who asks as a
// member of its staff.
package workplace

import (
	"context"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// Workplace is a restaurant, and who asks as a member of its staff.
type Workplace struct {
	By         team.Staff
	Restaurant booking.Restaurant
}

// Restaurants reads restaurants as their staff see them; db/catalog does.
type Restaurants interface {
	// FindAtWork finds drafts too. Returns booking.ErrNotFound if there is none with that id.
	FindAtWork(ctx context.Context, id int64) (booking.Restaurant, error)
}

// Finder finds workplaces.
type Finder struct {
	Bookings    *reserve.Service
	Restaurants Restaurants
	// Layout is what every page shows around its content.
	Layout func(c *fiber.Ctx) views.Layout
}

// Published finds the restaurant of parameter restaurant as diners see it, from the cached catalogue. Returns
// respond.Unauthenticated, and booking.ErrNotFound for who does not work there and for a draft.
func (f Finder) Published(c *fiber.Ctx) (Workplace, error) {
	return f.find(c, f.Bookings.FindRestaurant)
}

// Find finds the restaurant of parameter restaurant as it is stored now, drafts too. Returns respond.Unauthenticated,
// and booking.ErrNotFound for who does not work there.
func (f Finder) Find(c *fiber.Ctx) (Workplace, error) { return f.find(c, f.Restaurants.FindAtWork) }

// Allowed is Find for a request that needs an action. Returns booking.ErrForbidden besides.
func (f Finder) Allowed(c *fiber.Ctx, action team.Action) (Workplace, error) {
	w, err := f.Find(c)
	if err == nil {
		err = w.By.Check(w.Restaurant.ID, action)
	}
	return w, err
}

// For makes a handler of one for the workplace that Allowed finds.
func (f Finder) For(action team.Action, handle func(*fiber.Ctx, Workplace) error) fiber.Handler {
	return respond.For(func(c *fiber.Ctx) (Workplace, error) { return f.Allowed(c, action) }, handle)
}

func (f Finder) find(c *fiber.Ctx, read func(context.Context, int64) (booking.Restaurant, error)) (Workplace, error) {
	session, err := respond.Session(c)
	if err != nil {
		return Workplace{}, err
	}
	id, err := respond.NumberParam(c, "restaurant")
	if err != nil {
		return Workplace{}, err
	}
	by, err := f.Bookings.Staff(c.UserContext(), session.UserID, id)
	if err != nil {
		return Workplace{}, err
	}
	r, err := read(c.UserContext(), id)
	return Workplace{by, r}, err
}

// Guest finds the reservation of parameter reservation, if the request comes from staff of its restaurant. Returns
// booking.ErrNotFound for those of other restaurants too, so that ids tell nothing.
func (f Finder) Guest(c *fiber.Ctx) (Workplace, booking.Reservation, error) {
	session, err := respond.Session(c)
	if err != nil {
		return Workplace{}, booking.Reservation{}, err
	}
	by, res, err := f.Bookings.StaffOf(c.UserContext(), session.UserID, strings.Clone(c.Params("reservation")))
	if err != nil {
		return Workplace{}, booking.Reservation{}, err
	}
	r, err := f.Bookings.FindRestaurant(c.UserContext(), res.RestaurantID)
	return Workplace{by, r}, res, err
}

// SlotKey reads the slot of parameters date and time, and when it begins. Returns respond.NotFound for what is no time.
func (w Workplace) SlotKey(c *fiber.Ctx) (booking.SlotKey, time.Time, error) {
	date, err := booking.ParseDate(strings.Clone(c.Params("date")))
	if err != nil {
		return booking.SlotKey{}, time.Time{}, respond.NotFound
	}
	at, err := booking.ParseTimeOfDay(unescapeColon(c.Params("time")))
	if err != nil {
		return booking.SlotKey{}, time.Time{}, respond.NotFound
	}
	start, err := w.Restaurant.Start(date, at)
	if err != nil {
		return booking.SlotKey{}, time.Time{}, respond.NotFound
	}
	return booking.SlotKey{RestaurantID: w.Restaurant.ID, Date: date, Time: at}, start, nil
}

// unescapeColon undoes what some programs do to the colon of a time in a path.
func unescapeColon(param string) string {
	return strings.Replace(strings.ToUpper(param), "%3A", ":", 1)
}

// Today is the date it is at the restaurant at an instant.
func (w Workplace) Today(now time.Time) booking.Date {
	return booking.DateOf(now, w.Restaurant.Location)
}

// Date is the day that the query's date= names, today if it names none that exists.
func (w Workplace) Date(c *fiber.Ctx, now time.Time) booking.Date {
	date, err := booking.ParseDate(strings.Clone(c.Query(views.FieldDate)))
	if err != nil {
		return w.Today(now)
	}
	return date
}

// Midnight is when a date begins at the restaurant, as the views take dates.
func (w Workplace) Midnight(date booking.Date) time.Time {
	return respond.Midnight(date, w.Restaurant.Location)
}
