package diner

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/ics"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// accompanied is the reservation that a link is for.
type accompanied struct {
	booking.Reservation
	booked
	open bool // those who come along see it, and can say something: it stands, and is not over
}

// accompanied is the reservation that an address's token names. Who has the token comes along, signed in or not.
// Returns booking.ErrNotFound for a token that was never sealed.
func (s *Pages) accompanied(c *fiber.Ctx) (a accompanied, err error) {
	id, err := s.CompanionLinks.Read(c.Params("token"))
	if err != nil {
		return a, err
	}
	if a.Reservation, err = s.Bookings.Reservations.Find(c.UserContext(), id); err != nil {
		return a, err
	}
	a.booked, err = s.booked(c.UserContext(), a.Reservation)
	a.open = a.ExpectsCompanions() && s.now().Before(a.end)
	return a, err
}

// accompaniedOpen is accompanied by a link that is open. Returns booking.ErrWrongState for one that is not any more.
func (s *Pages) accompaniedOpen(c *fiber.Ctx) (accompanied, error) {
	a, err := s.accompanied(c)
	if err == nil && !a.open {
		err = booking.ErrWrongState
	}
	return a, err
}

// companion answers GET /with/:token.
func (s *Pages) companion(c *fiber.Ctx, a accompanied) error {
	return s.showCompanion(c, a, views.Companion{}, fiber.StatusOK)
}

// addCompanion answers POST /with/:token.
func (s *Pages) addCompanion(c *fiber.Ctx, a accompanied) error {
	page := views.Companion{Form: readCompanion(c)}
	err := s.Bookings.AddCompanion(c.UserContext(), a.ID, page.Form)
	problem := respond.ProblemOf(err)
	switch {
	case err == nil:
		return respond.RedirectSaying(c, views.CompanionURL(c.Params("token")), views.FlashSuccess,
			"flash.companion_added")
	case errors.Is(err, booking.ErrCompanionsFull):
		page.Errors = views.FieldErrors{views.FieldForm: respond.Sentence(respond.Lang(c), problem)}
	case len(problem.Fields) > 0:
		page.Errors = errorsOf(respond.Lang(c), problem.Fields)
	default:
		return err
	}
	return s.showCompanion(c, a, page, problem.Status)
}

func readCompanion(c *fiber.Ctx) booking.Companion {
	return booking.Companion{Name: respond.FormValue(c, views.FieldName),
		Allergies: respond.FormValue(c, views.FieldAllergies)}
}

// showCompanion shows what is no secret among those who come along. Of a reservation that is not open it says no more
// than that.
func (s *Pages) showCompanion(c *fiber.Ctx, a accompanied, page views.Companion, status int) error {
	page.Layout, page.Token = s.layout(c), c.Params("token")
	page.Path = views.CompanionURL(page.Token)
	if page.Open = a.open; page.Open {
		page.Visit = a.visit(a.Reservation)
		page.GoogleURL = s.eventForCompanions(c, a).GoogleURL()
	}
	return respond.Render(c, status, pages.Companion(page))
}

// companionCalendar answers GET /with/:token/calendar.ics.
func (s *Pages) companionCalendar(c *fiber.Ctx, a accompanied) error {
	return sendEvent(c, "lunchgo.ics", s.eventForCompanions(c, a))
}

// eventForCompanions is an entry without what is its diner's alone, the id among it: it leads to their page.
func (s *Pages) eventForCompanions(c *fiber.Ctx, a accompanied) ics.Event {
	event := s.eventOf(c, a.booked, a.Reservation)
	hash := sha256.Sum256([]byte("companions of " + a.ID))
	event.UID = hex.EncodeToString(hash[:16]) + "@lunchgo"
	event.Text, event.URL = "", s.absolute(c, views.CompanionURL(c.Params("token")))
	return event
}

// removeCompanion answers POST /reservations/:id/companions/remove, for the reservation's diner.
func (s *Pages) removeCompanion(c *fiber.Ctx, res booking.Reservation) error {
	return respond.Done(c, s.Bookings.Reservations.RemoveCompanion(c.UserContext(), res.ID, readCompanion(c)),
		views.ReservationURL(res.ID), views.FlashInfo, "flash.companion_removed")
}

// linkForOthers is the address for those who come along; empty where nobody does.
func (s *Pages) linkForOthers(c *fiber.Ctx, res booking.Reservation) string {
	if !res.ExpectsCompanions() {
		return ""
	}
	return s.absolute(c, views.CompanionURL(s.CompanionLinks.Seal(res.ID)))
}
