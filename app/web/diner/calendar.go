package diner

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/ics"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// calendar answers GET /reservations/:id/calendar.ics. Only a table that is sure belongs into a calendar.
func (s *Pages) calendar(c *fiber.Ctx, res booking.Reservation) error {
	if res.State != booking.Confirmed && res.State != booking.PrepaidConfirmed && res.State != booking.Completed {
		return booking.ErrWrongState
	}
	b, err := s.booked(c.UserContext(), res)
	if err != nil {
		return err
	}
	return sendEvent(c, "lunchgo-"+res.Code()+".ics", s.eventOf(c, b, res))
}

// sendEvent answers with a file that calendars take.
func sendEvent(c *fiber.Ctx, name string, event ics.Event) error {
	c.Attachment(name)
	c.Set(fiber.HeaderContentType, "text/calendar; charset=utf-8")
	return c.SendString(event.String())
}

// eventOf is a reservation as an entry of a calendar.
func (s *Pages) eventOf(c *fiber.Ctx, b booked, res booking.Reservation) ics.Event {
	lang := respond.Lang(c)
	return ics.Event{
		UID: res.ID + "@lunchgo", Sequence: res.Changes,
		Made:    s.now(),
		Start:   b.at,
		End:     b.end,
		Summary: i18n.T(lang, "calendar.summary", "Name", b.restaurant.Name.In(lang), "Party", i18n.Party(lang, res.PartySize)),
		Place:   b.restaurant.Address.In(lang),
		Text:    i18n.T(lang, "calendar.details", "Code", res.Code()),
		URL:     s.absolute(c, views.ReservationURL(res.ID)),
	}
}
