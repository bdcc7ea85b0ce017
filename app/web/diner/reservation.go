package diner

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// own is the reservation that an address names, if it is the signed-in diner's.
func (s *Pages) own(c *fiber.Ctx) (booking.Reservation, error) {
	session, err := respond.Session(c)
	if err != nil {
		return booking.Reservation{}, err
	}
	return s.Bookings.Find(c.UserContext(), session.UserID, c.Params("id"))
}

// reservation answers GET /reservations/:id.
func (s *Pages) reservation(c *fiber.Ctx, res booking.Reservation) error {
	page, err := s.pageWithCode(c, res)
	if err != nil {
		return err
	}
	page.Keep = s.keep(c, views.ReservationURL(res.ID), views.ReservationsURL())
	return respond.Render(c, fiber.StatusOK, pages.Reservation(page))
}

// pass answers GET /c/:id, where the QR code of a reservation leads, for its diner. Whoever it is not theirs, it leaves
// to the page of the restaurant's staff.
func (s *Pages) pass(c *fiber.Ctx) error {
	res, err := s.own(c)
	if errors.Is(err, booking.ErrNotFound) {
		return c.Next()
	}
	if err != nil {
		return err
	}
	page, err := s.pageWithCode(c, res)
	return respond.RenderFound(c, page, err, pages.Pass)
}

// pageWithCode returns the model of a reservation's page, with the QR code that leads to its pass.
func (s *Pages) pageWithCode(c *fiber.Ctx, res booking.Reservation) (views.Reservation, error) {
	asked, err := respond.ReadPageAfter(c, views.FieldAfter)
	if err != nil {
		return views.Reservation{}, err
	}
	page, err := s.reservationPage(c, res)
	if err != nil {
		return views.Reservation{}, err
	}
	if page.State == booking.Temporary {
		if page.PaymentID, err = s.Checkout.UnderWay(c.UserContext(), res); err != nil {
			return views.Reservation{}, err
		}
	}
	written, open, err := s.ownReviews(c.UserContext(), []booking.Reservation{res})
	if err != nil {
		return views.Reservation{}, err
	}
	page.Reviewable = open[res.ID]
	if review, ok := written[res.ID]; ok {
		page.Review = &review
	}
	var next string
	page.History, next = s.historyOf(c.UserContext(), page.Lang, res, asked)
	page.Pager = respond.Pager(c, views.ReservationURL(res.ID), views.FieldAfter, next)
	page.ForOthers = s.linkForOthers(c, res)
	page.QR = respond.QR(s.absolute(c, views.PassURL(res.ID)))
	return page, nil
}

// reservations answers GET /reservations.
func (s *Pages) reservations(c *fiber.Ctx, session identity.Session) error {
	page := views.Reservations{Layout: s.layout(c), Later: c.Query(views.FieldAfter) != ""}
	if err := s.listPast(c, session.UserID, &page); err != nil {
		return err
	}
	if !page.Later {
		if err := s.listComing(c, session.UserID, &page); err != nil {
			return err
		}
		s.listLines(c, session.UserID, &page)
		page.Keep = s.keepComing(c, page.Upcoming)
	}
	return respond.Render(c, fiber.StatusOK, pages.Reservations(page))
}

// listLines puts the places in lines on the page, those of other devices too: from now on this browser shows them on
// every page.
func (s *Pages) listLines(c *fiber.Ctx, userID string, page *views.Reservations) {
	p := placesOf{Pages: s, userID: userID, lang: page.Lang}
	places, err := p.list(c.UserContext(), nil)
	if err != nil {
		s.Log.WarnContext(c.UserContext(), "find lines of diner failed", "error", err)
		return // the rest of the list matters more
	}
	for _, place := range places {
		page.Lines = append(page.Lines, place.WaitPlace)
		respond.RememberTickets(c, place.Ticket)
	}
}

// listPast puts on the page those reservations of a page of all of them that are over.
func (s *Pages) listPast(c *fiber.Ctx, userID string, page *views.Reservations) error {
	asked, err := respond.ReadPageAfter(c, views.FieldAfter)
	if err != nil {
		return err
	}
	all, err := s.Bookings.List(c.UserContext(), userID, asked)
	if err != nil {
		return err
	}
	page.PastPager = respond.Pager(c, views.ReservationsURL(), views.FieldAfter, all.Next)
	rows, err := s.rowsOf(c.UserContext(), page.Lang, all.Items)
	page.Ended, page.Past = rows.ended, rows.past
	return err
}

// listComing puts the reservations to come on the page, the offers, and the places on waitlists.
func (s *Pages) listComing(c *fiber.Ctx, userID string, page *views.Reservations) error {
	asked, err := respond.ReadPageAfter(c, views.FieldAfterComing)
	if err != nil {
		return err
	}
	coming, err := s.Bookings.ListUpcoming(c.UserContext(), userID, asked)
	if err != nil {
		return err
	}
	page.ComingPager = respond.Pager(c, views.ReservationsURL(), views.FieldAfterComing, coming.Next)
	rows, err := s.rowsOf(c.UserContext(), page.Lang, coming.Items)
	if err != nil {
		return err
	}
	page.Upcoming = rows.upcoming
	waits, err := s.waitRows(c.UserContext(), page.Lang, userID)
	if err == nil {
		page.SetWaits(waits)
	}
	return err
}

// absolute is a page's address for use outside of this site. Without a known one it is the address at which the server
// received the request: the Host header says whatever a sender likes.
func (s *Pages) absolute(c *fiber.Ctx, path string) string { return respond.Site(c, s.BaseURL) + path }
