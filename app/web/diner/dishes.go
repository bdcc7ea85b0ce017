package diner

import (
	"context"
	"maps"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/i18n"
	"lunchgo/views/pages"
)

// dishes answers GET /restaurants/:slug/dishes: the part of the booking form that is asked for again and again.
func (s *Pages) dishes(c *fiber.Ctx) error {
	r, err := s.Bookings.Catalog.FindRestaurantBySlug(c.UserContext(), c.Params("slug"))
	if err != nil {
		return err
	}
	date, _, err := respond.ReadDate(c.Query(views.FieldDate), booking.DateOf(s.now(), r.Location), r.Location)
	if err != nil {
		return err
	}
	at, err := booking.ParseTimeOfDay(strings.Clone(c.Query(views.FieldTime)))
	if err != nil {
		at = "" // none is chosen
	}
	menu, err := s.Bookings.Catalog.ListMenu(c.UserContext(), r.ID)
	if err != nil {
		return err
	}
	stock, err := s.stocks.List(c.UserContext(), r.ID, date)
	if err != nil {
		return err
	}
	lang := respond.Lang(c)
	return respond.Render(c, fiber.StatusOK, pages.Dishes(views.Dishes{Lang: lang, Slug: r.Slug,
		Day: respond.Midnight(date, r.Location), At: at,
		Menu: menuOf(lang, r, menu, stock), MaxQuantity: booking.MaxItemQuantity}))
}

// stockOf is what is left of a day's dishes for the booking form, with what a turn has said of some of them just
// now. It may be older for a form that comes back, which soon asks again by itself: the turn decides.
func (s *Pages) stockOf(ctx context.Context, p submission, date booking.Date, menu []booking.MenuItem) booking.Stock {
	known, ok := s.stocks.Recent(p.restaurant.ID, date)
	if !p.refused {
		var err error
		if known, err = s.stocks.List(ctx, p.restaurant.ID, date); err != nil {
			s.Log.WarnContext(ctx, "read stock of dishes failed", "error", err)
		}
		ok = err == nil
	}
	stock := booking.Stock{}
	maps.Copy(stock, known) // which belongs to everybody
	for _, item := range menu {
		if !ok && item.DailyQuantity != nil {
			stock[item.ID] = *item.DailyQuantity
		}
	}
	for _, item := range p.short {
		stock[item.MenuItemID] = item.Remaining
	}
	return stock
}

// itemErrors are those of a form's errors that belong to a dish.
func itemErrors(all views.FieldErrors) views.FieldErrors {
	errors := views.FieldErrors{}
	for field, text := range all {
		if strings.HasPrefix(field, itemPrefix) {
			errors[field] = text
		}
	}
	return errors
}

// shortNames says of which dishes less is left than was ordered, and how many.
func (s *Pages) shortNames(ctx context.Context, lang string, restaurantID int64, short []booking.Shortage) []string {
	if len(short) == 0 {
		return nil
	}
	menu, err := s.Bookings.Catalog.ListMenu(ctx, restaurantID)
	if err != nil {
		s.Log.WarnContext(ctx, "read names of dishes failed", "error", err) // a refusal without them beats none
	}
	names := map[int64]string{}
	for _, item := range menu {
		names[item.ID] = item.Name.In(lang)
	}
	var lines []string
	for _, item := range short {
		name, ok := names[item.MenuItemID]
		switch {
		case !ok:
		case item.Remaining == 0:
			lines = append(lines, i18n.T(lang, "outcome.item_gone", "Name", name))
		default:
			lines = append(lines, i18n.T(lang, "outcome.item_left", "Name", name, "Count", item.Remaining))
		}
	}
	return lines
}
