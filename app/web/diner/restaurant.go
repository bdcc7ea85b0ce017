package diner

import (
	"context"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// evening is what is looked at of a restaurant: a date and a party.
type evening struct {
	restaurant booking.Restaurant
	date       booking.Date
	party      int
}

// evening reads the restaurant, date and party of an address. Returns booking.ErrNotFound, booking.ErrInvalidDate, and
// *booking.InvalidError for a party that the restaurant does not take.
func (s *Pages) evening(c *fiber.Ctx) (evening, error) {
	r, err := s.Bookings.Catalog.FindRestaurantBySlug(c.UserContext(), c.Params("slug"))
	if err != nil {
		return evening{}, err
	}
	e := evening{restaurant: r}
	if e.date, _, err = respond.ReadDate(c.Query(views.FieldDate), booking.DateOf(s.now(), r.Location),
		r.Location); err != nil {
		return e, err
	}
	party, ok := respond.ReadPartySize(c.Query(views.FieldParty), usualParty(r))
	if !ok || party < r.PartyMin || party > r.PartyMax {
		return e, &booking.InvalidError{Fields: []booking.FieldError{
			{Field: "partySize", Reason: "out_of_range", Min: r.PartyMin, Max: r.PartyMax}}}
	}
	e.party = party
	return e, nil
}

// eveningOrNext is evening, but without a date that of the first day that can be booked.
func (s *Pages) eveningOrNext(c *fiber.Ctx) (evening, error) {
	e, err := s.evening(c)
	if err == nil && c.Query(views.FieldDate) == "" {
		e.date, err = s.firstOpenDay(c.UserContext(), e)
	}
	return e, err
}

// usualParty is the party of those who do not say.
func usualParty(r booking.Restaurant) int { return min(max(defaultParty, r.PartyMin), r.PartyMax) }

// restaurant answers GET /restaurants/:slug: everything about it with the slots of a day; only the calendar when that
// part of the page is asked for. Without a date it is the first one that can be booked. An earlier address of the
// restaurant leads to its present one.
func (s *Pages) restaurant(c *fiber.Ctx, e evening) error {
	if earlier := views.RestaurantURL(c.Params("slug")); earlier != views.RestaurantURL(e.restaurant.Slug) {
		now := strings.Replace(c.OriginalURL(), earlier, views.RestaurantURL(e.restaurant.Slug), 1)
		return c.Redirect(now, fiber.StatusMovedPermanently)
	}
	month, err := s.month(c.UserContext(), respond.Lang(c), e, c.Query(views.FieldMonth))
	if err != nil {
		return err
	}
	if respond.WantsPart(c, "month") {
		return respond.Render(c, fiber.StatusOK, pages.Month(month))
	}
	menu, err := s.Bookings.Catalog.ListMenu(c.UserContext(), e.restaurant.ID)
	if err != nil {
		return err
	}
	day, err := s.day(c.UserContext(), respond.Lang(c), e)
	if err != nil {
		return err
	}
	page := restaurantPage(s.layout(c), e.restaurant, menu)
	page.Listing = views.RestaurantListing(page.Lang, s.absolute(c, ""), page.Of)
	page.Day, page.Month, page.Saved = day, month, s.isSaved(c, e.restaurant)
	if page.Reviews, err = s.newestReviews(c.UserContext(), page.Lang, e.restaurant); err != nil {
		return err
	}
	return respond.Render(c, fiber.StatusOK, pages.Restaurant(page))
}

// daySlots answers GET /restaurants/:slug/slots: the part of the page that is asked for again and again.
func (s *Pages) daySlots(c *fiber.Ctx) error {
	e, err := s.evening(c)
	if err != nil {
		return err
	}
	day, err := s.day(c.UserContext(), respond.Lang(c), e)
	return respond.RenderFound(c, day, err, pages.DaySlots)
}

// stayShown is for how long a party stays from a slot on, or from any where none is chosen. It is 0 where that differs
// by services: each slot says until when it is.
func stayShown(r booking.Restaurant, slot booking.SlotKey, party int, ordered []booking.MenuItem) time.Duration {
	if slot.Time == "" && r.HasServiceStays() {
		return 0
	}
	return r.StayLength(booking.StayMinutes(r, slot, party, ordered))
}

func (s *Pages) day(ctx context.Context, lang string, e evening) (views.DaySlots, error) {
	slots, err := s.Bookings.ListSlots(ctx, e.restaurant, e.date, e.party)
	return views.DaySlots{
		Lang:    lang,
		Slug:    e.restaurant.Slug,
		Date:    respond.Midnight(e.date, e.restaurant.Location),
		Party:   e.party,
		Stay:    stayShown(e.restaurant, booking.SlotKey{}, e.party, nil),
		Hours:   e.restaurant.HoursOn(e.date, e.party),
		Closed:  len(slots) == 0,
		Reason:  e.restaurant.ClosureReasons[e.date],
		Stopped: e.restaurant.Stopped,
		Slots:   slotsOf(slots),
	}, err
}
