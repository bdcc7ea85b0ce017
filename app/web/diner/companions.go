package diner

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// accompanied is the reservation that an address's token names. Who has the token comes along, signed in or not. Returns
// booking.ErrNotFound for a token that was never signed.
func (s *Pages) accompanied(c *fiber.Ctx) (booking.Reservation, error) {
	id, err := s.CompanionLinks.Read(c.Params("token"))
	if err != nil {
		return booking.Reservation{}, err
	}
	return s.Bookings.Reservations.Find(c.UserContext(), id)
}

// companion answers GET /with/:token.
func (s *Pages) companion(c *fiber.Ctx, res booking.Reservation) error {
	return s.showCompanion(c, res, views.Companion{}, fiber.StatusOK)
}

// addCompanion answers POST /with/:token.
func (s *Pages) addCompanion(c *fiber.Ctx, res booking.Reservation) error {
	page := views.Companion{Form: booking.Companion{Name: respond.FormValue(c, views.FieldName),
		Allergies: respond.FormValue(c, views.FieldAllergies)}}
	err := s.Bookings.AddCompanion(c.UserContext(), res.ID, page.Form)
	problem := respond.ProblemOf(err)
	switch {
	case err == nil:
		respond.SetFlash(c, views.FlashSuccess, "flash.companion_added")
		return respond.Redirect(c, views.CompanionURL(c.Params("token")))
	case errors.Is(err, booking.ErrCompanionsFull):
		page.Errors = views.FieldErrors{views.FieldForm: respond.Sentence(respond.Lang(c), problem)}
	case len(problem.Fields) > 0:
		page.Errors = errorsOf(respond.Lang(c), problem.Fields)
	default:
		return err
	}
	return s.showCompanion(c, res, page, problem.Status)
}

// showCompanion shows what is no secret among those who come along. Of a reservation that does not stand it says no
// more than that.
func (s *Pages) showCompanion(c *fiber.Ctx, res booking.Reservation, page views.Companion, status int) error {
	b, err := s.booked(c.UserContext(), res)
	if err != nil {
		return err
	}
	page.Layout, page.Token = s.layout(c), c.Params("token")
	page.Path = views.CompanionURL(page.Token)
	if page.Open = res.ExpectsCompanions() && s.now().Before(b.end); page.Open {
		page.Restaurant, page.At, page.Until, page.Party = b.restaurant, b.at, b.until, res.PartySize
		page.GoogleURL = forCompanions(s.eventOf(c, b, res), s.absolute(c, page.Path)).GoogleURL()
	}
	return respond.Render(c, status, pages.Companion(page))
}

// companionCalendar answers GET /with/:token/calendar.ics.
func (s *Pages) companionCalendar(c *fiber.Ctx, res booking.Reservation) error {
	if !res.ExpectsCompanions() {
		return booking.ErrWrongState
	}
	b, err := s.booked(c.UserContext(), res)
	if err != nil {
		return err
	}
	link := s.absolute(c, views.CompanionURL(c.Params("token")))
	return sendEvent(c, "lunchgo.ics", forCompanions(s.eventOf(c, b, res), link))
}

// linkForOthers is the address for those who come along; empty where nobody does.
func (s *Pages) linkForOthers(c *fiber.Ctx, res booking.Reservation) string {
	if !res.ExpectsCompanions() {
		return ""
	}
	return s.absolute(c, views.CompanionURL(s.CompanionLinks.Sign(res.ID)))
}
