package diner

import (
	"crypto/rand"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/show"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/i18n"
	"lunchgo/views/pages"
)

// rushParty is for how many a visitor of a demo books.
const rushParty = 2

// rush answers GET /rush.
func (s *Pages) rush(c *fiber.Ctx) error {
	if s.Show == nil {
		return respond.NotFound
	}
	is, on, err := s.Show.Running(c.UserContext())
	if err != nil {
		return err
	}
	page := views.Rush{Layout: s.layout(c), Restaurant: &is.Restaurant, People: show.People,
		IdempotencyKey: rand.Text()}
	for _, account := range s.Demo {
		if account.Email == s.Show.Place.Host {
			page.Staff = views.DemoAccount{Email: account.Email, Password: account.Password}
		}
	}
	if on {
		lengths, err := s.Bookings.Lines.Lengths(c.UserContext(), []booking.SlotKey{is.Slot})
		if err != nil {
			return err
		}
		page.Waiting, page.OpensAt = lengths[0], is.OpensAt.In(is.Restaurant.Location)
		page.LineURL = views.StaffLineURL(is.Restaurant.ID, is.Start)
	}
	return respond.Render(c, fiber.StatusOK, pages.Rush(page))
}

// joinRush answers POST /rush: it begins a rush where none is on, and books a table in it, as the form of a booking
// does.
func (s *Pages) joinRush(c *fiber.Ctx) error {
	if s.Show == nil {
		return respond.NotFound
	}
	key, err := respond.FormKey(c)
	if err != nil {
		return err
	}
	session, err := respond.Session(c)
	if err != nil {
		userID, err := s.Show.Visitor(c.UserContext(), i18n.T(respond.Lang(c), "rush.visitor"))
		if err != nil {
			return err
		}
		var token string
		token, session = s.Identity.Sessions.Issue(userID)
		if err := s.signInBrowser(c, token, session); err != nil {
			return err
		}
	}
	is, err := s.Show.Join(c.UserContext())
	if err != nil {
		return err
	}
	party := strconv.Itoa(rushParty)
	return s.submit(c, submission{
		by:         reserve.Submitter{UserID: session.UserID, IdempotencyKey: key},
		restaurant: is.Restaurant,
		form: views.BookingForm{Date: string(is.Slot.Date), Time: string(is.Slot.Time), Party: party,
			IdempotencyKey: key},
		draft: booking.Draft{RestaurantID: is.Restaurant.ID, Date: string(is.Slot.Date), Time: string(is.Slot.Time),
			PartySize: rushParty},
	})
}
