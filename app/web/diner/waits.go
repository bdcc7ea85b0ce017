package diner

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// layout is the frame of a page, with where its reader waits.
func (s *Pages) layout(c *fiber.Ctx) views.Layout {
	f := s.Layouts.WithBalance(c)
	f.Waits = s.waitBar(c, f.Lang)
	return f
}

// layoutInRush is the frame of a page that must not cost a query in a rush.
func (s *Pages) layoutInRush(c *fiber.Ctx) views.Layout {
	f := s.Layouts.WithoutBalance(c)
	f.Waits = s.waitBar(c, f.Lang)
	return f
}

// waitBar says where the reader of a page waits, and what came of it. It asks nobody unless their browser remembers a
// ticket. A result is said until its page was seen.
func (s *Pages) waitBar(c *fiber.Ctx, lang string) views.WaitBar {
	session, err := respond.Session(c)
	hints := respond.TicketHints(c)
	if err != nil || len(hints) == 0 || c.Get("HX-Target") != "" { // a part of a page has no bar
		return views.WaitBar{}
	}
	p := placesOf{Pages: s, userID: session.UserID, lang: lang}
	places, err := p.list(c.UserContext(), hints)
	if err != nil {
		s.Log.WarnContext(c.UserContext(), "find lines of diner failed", "error", err)
		return views.WaitBar{}
	}
	for _, hint := range hints {
		if !hasPlace(places, hint) {
			respond.ForgetTicket(c, hint)
		}
	}
	places = slices.DeleteFunc(places, func(place waitPlace) bool { return place.isAbout(c) })
	bar := views.WaitBar{Lang: lang, Places: shownPlaces(places)}
	bar.Live = bar.Waits()
	return bar
}

// waitPlace is a place in a line, or what came of one.
type waitPlace struct {
	views.WaitPlace
	reservationID string // that is held until it is paid
}

// isAbout says whether the page that is asked for shows what came of the place; its reader has seen it then.
func (p waitPlace) isAbout(c *fiber.Ctx) bool {
	if p.reservationID == "" || !strings.HasPrefix(c.Path(), views.ReservationURL(p.reservationID)) {
		return false
	}
	respond.ForgetTicket(c, p.Ticket)
	return true
}

func hasPlace(places []waitPlace, ticket string) bool {
	return slices.ContainsFunc(places, func(p waitPlace) bool { return waiting.SameTicket(p.Ticket, ticket) })
}

// shownPlaces sorts places as the bar shows them.
func shownPlaces(places []waitPlace) []views.WaitPlace {
	var shown []views.WaitPlace
	for _, p := range places {
		shown = append(shown, p.WaitPlace)
	}
	order := func(p views.WaitPlace) int {
		switch {
		case p.State == views.WaitHeld:
			return -2
		case p.State != views.WaitOpen:
			return -1
		case p.Position == 0:
			return math.MaxInt
		}
		return p.Position
	}
	slices.SortStableFunc(shown, func(a, b views.WaitPlace) int { return cmp.Compare(order(a), order(b)) })
	return shown
}

// placesOf reads the places of one diner.
type placesOf struct {
	*Pages
	userID string
	lang   string
}

// list returns where the diner waits, and what came of the tickets that wait no more.
func (p placesOf) list(ctx context.Context, tickets []string) ([]waitPlace, error) {
	waits, err := p.Room.Waits(ctx, p.userID)
	if err != nil {
		return nil, err
	}
	places, err := p.open(ctx, waits)
	if err != nil {
		return nil, err
	}
	for _, ticket := range tickets {
		if hasPlace(places, ticket) {
			continue
		}
		watch, err := p.Room.Watch(ctx, ticket, p.userID)
		if errors.Is(err, waiting.ErrUnknownTicket) {
			continue
		}
		if err != nil {
			return nil, err
		}
		place, ok, err := p.read(ctx, watch, watch.Status())
		watch.Close()
		if err != nil {
			return nil, err
		}
		if ok {
			places = append(places, place)
		}
	}
	return places, nil
}

// open are the places of tickets that wait.
func (p placesOf) open(ctx context.Context, waits []waiting.Wait) ([]waitPlace, error) {
	var places []waitPlace
	for _, w := range waits {
		subject, err := p.subject(ctx, w.Request)
		if err != nil {
			return nil, err
		}
		place := p.placeOf(w.Token, subject)
		place.State, place.Position, place.Since = views.WaitOpen, w.Position, w.EnteredAt.In(p.Zone)
		places = append(places, waitPlace{WaitPlace: place})
	}
	return places, nil
}

// placeOf is a place without where it stands.
func (p placesOf) placeOf(ticket string, of ticketSubject) views.WaitPlace {
	place := views.WaitPlace{Ticket: ticket, Now: p.now()}
	if of.campaign != nil {
		place.Name = of.campaign.Name.In(p.lang)
		return place
	}
	place.Name, place.Picture = of.restaurant.Name.In(p.lang), of.restaurant.Picture
	place.At, place.Until, place.Party = of.at, of.until, of.party
	return place
}

// read is the place of a ticket with a status; false where there is nothing to say of it any more.
func (p placesOf) read(ctx context.Context, watch *waiting.Watch, status waiting.Status) (waitPlace, bool, error) {
	if status.State == waiting.Left {
		return waitPlace{}, false, nil
	}
	asked, ok := watch.OriginalRequest()
	if !ok {
		return waitPlace{}, false, nil
	}
	subject, err := p.subject(ctx, asked)
	if err != nil {
		return waitPlace{}, false, err
	}
	place := waitPlace{WaitPlace: p.placeOf(watch.Token(), subject)}
	switch {
	case status.State == waiting.Waiting:
		place.State, place.Position = views.WaitOpen, status.Position
	case status.State == waiting.Rejected:
		place.State, place.Reason = views.WaitRefused,
			pages.OutcomeTitle(p.lang, headlineOf(status.Result), place.IsCoupon())
	case status.Result.ClaimID != "" || status.Result.Changed:
		place.State = views.WaitDone
	default:
		return p.held(ctx, place, status.Result.ReservationID)
	}
	return place, true, nil
}

// held completes a place whose turn has made a reservation; false once it is paid, or its time is over.
func (p placesOf) held(ctx context.Context, place waitPlace, reservationID string) (waitPlace, bool, error) {
	res, err := p.Bookings.Find(ctx, p.userID, reservationID)
	if errors.Is(err, booking.ErrNotFound) || err == nil && res.State != booking.Temporary {
		return waitPlace{}, false, nil
	}
	place.State, place.reservationID = views.WaitHeld, reservationID
	place.Deadline = res.HoldExpiresAt.In(place.At.Location())
	return place, true, err
}
