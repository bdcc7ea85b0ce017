package diner

import (
	"context"
	"crypto/rand"
	"errors"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// waitRequest is what somebody wants to wait for.
type waitRequest struct {
	restaurant booking.Restaurant
	slot       booking.SlotKey
	at         time.Time
	typed      string // party
}

// waitOf reads a slot and a party. Returns respond.NotFound for a time that does not exist.
func (s *Pages) waitOf(c *fiber.Ctx, value func(c *fiber.Ctx, name string) string) (waitRequest, error) {
	r, err := s.Bookings.Catalog.FindRestaurantBySlug(c.UserContext(), c.Params("slug"))
	if err != nil {
		return waitRequest{}, err
	}
	w := waitRequest{restaurant: r, typed: value(c, views.FieldParty)}
	date, dateErr := booking.ParseDate(value(c, views.FieldDate))
	at, timeErr := booking.ParseTimeOfDay(value(c, views.FieldTime))
	if dateErr != nil || timeErr != nil {
		return w, respond.NotFound
	}
	w.slot = booking.SlotKey{RestaurantID: r.ID, Date: date, Time: at}
	if w.at, err = r.Start(date, at); err != nil {
		return w, respond.NotFound
	}
	return w, nil
}

// waitlistURL is where a diner whose booking found too few seats can wait for some.
func (p submission) waitlistURL() string {
	at, err := p.restaurant.Start(booking.Date(p.draft.Date), booking.TimeOfDay(p.draft.Time))
	if err != nil {
		return ""
	}
	return views.JoinWaitlistURL(p.restaurant.Slug, at, strconv.Itoa(p.draft.PartySize))
}

// untilOf is when a party leaves that does not stay for a slot; zero for one that does.
func untilOf(r booking.Restaurant, slot booking.SlotKey, party int) time.Time {
	minutes := booking.StayMinutes(r, slot, party, nil)
	stay := r.StayFrom(slot.Time, booking.StayOf(r, slot, party, nil))
	end, err := r.LeaveAt(slot, stay, booking.Policy{StayMinutes: minutes})
	if err != nil || minutes == r.SlotMinutes {
		return time.Time{}
	}
	return end
}

func queryValue(c *fiber.Ctx, name string) string { return c.Query(name) }

// joinForm answers GET /restaurants/:slug/waitlist.
func (s *Pages) joinForm(c *fiber.Ctx) error {
	w, err := s.waitOf(c, queryValue)
	if err != nil {
		return err
	}
	return s.showJoin(c, w, fiber.StatusOK, nil)
}

// join answers POST /restaurants/:slug/waitlist.
func (s *Pages) join(c *fiber.Ctx) error {
	w, err := s.waitOf(c, respond.FormValue)
	if err != nil {
		return err
	}
	session, err := respond.Session(c)
	if err != nil {
		return respond.Redirect(c, views.SignInURL(views.JoinWaitlistURL(w.restaurant.Slug, w.at, w.typed)))
	}
	key, err := respond.FormKey(c)
	if err != nil {
		return err
	}
	party, ok := respond.ReadPartySize(w.typed, 0)
	if !ok {
		return s.showJoin(c, w, fiber.StatusUnprocessableEntity,
			respond.Problem{Fields: []respond.Field{{Name: views.FieldParty, Reason: "invalid_number"}}})
	}
	entry, err := s.Waitlists.Join(c.UserContext(), session.UserID, key, reserve.WaitDraft{
		RestaurantID: w.restaurant.ID, Date: string(w.slot.Date), Time: string(w.slot.Time), PartySize: party})
	var invalid *booking.InvalidError
	switch {
	case err == nil:
		return respond.Redirect(c, views.WaitlistURL(entry.ID))
	case errors.As(err, &invalid):
		return s.showJoin(c, w, fiber.StatusUnprocessableEntity,
			respond.Problem{Fields: formErrors(booking.Draft{}, invalid.Fields)})
	case respond.ProblemOf(err).Status == fiber.StatusConflict:
		return s.showJoin(c, w, fiber.StatusConflict, err)
	}
	return err
}

// showJoin shows the form, and why it was refused if it was.
func (s *Pages) showJoin(c *fiber.Ctx, w waitRequest, status int, refused error) error {
	page := views.JoinWaitlist{Layout: s.layout(c), PartyTyped: w.typed, IdempotencyKey: rand.Text(),
		Visit: views.Visit{Restaurant: &w.restaurant, At: w.at, Party: usualParty(w.restaurant)}}
	if party, ok := respond.ReadPartySize(w.typed, 0); ok && party >= w.restaurant.PartyMin &&
		party <= w.restaurant.PartyMax {
		page.Party = party
	}
	page.Until = untilOf(w.restaurant, w.slot, page.Party)
	if page.PartyTyped == "" {
		page.PartyTyped = strconv.Itoa(page.Party)
	}
	if o, err := s.occupancy(c.UserContext(), w.restaurant, w.slot); err == nil {
		page.Listed = o.Waitlisted
	}
	var what respond.Problem
	switch {
	case errors.Is(refused, booking.ErrSeatsAvailable):
		page.Available = true
	case errors.Is(refused, booking.ErrDuplicate):
		page.HasReservation = true
	case errors.Is(refused, booking.ErrClosed):
		page.Closed = true
	case errors.As(refused, &what):
		page.Errors = errorsOf(page.Lang, what.Fields)
		if len(page.Errors) > 0 && page.Errors[views.FieldParty] == "" {
			page.Closed = true // the time, not the party, is what cannot be had
		}
	case refused != nil:
		page.Errors = views.FieldErrors{views.FieldForm: page.T("error." + respond.ProblemOf(refused).Code)}
	}
	return respond.Render(c, status, pages.JoinWaitlist(page))
}

// ownEntry is the place on a waitlist that an address names, if it is the signed-in diner's.
func (s *Pages) ownEntry(c *fiber.Ctx) (booking.Entry, error) {
	session, err := respond.Session(c)
	if err != nil {
		return booking.Entry{}, err
	}
	return s.Waitlists.Find(c.UserContext(), session.UserID, c.Params("id"))
}

// waitlistPause is the mean time after which a browser without JavaScript asks for its place on a waitlist again.
const waitlistPause = 10 * time.Second

// waitlist answers GET /waitlist/:id.
func (s *Pages) waitlist(c *fiber.Ctx, entry booking.Entry) error {
	f := s.layout(c)
	visit, err := s.waitedFor(c.UserContext(), entry)
	if err != nil {
		return err
	}
	return respond.Render(c, fiber.StatusOK, pages.Waitlist(views.Waitlist{
		Layout: f, ID: entry.ID, Visit: visit,
		Status:  s.waitStatus(f.Lang, entry, visit.At.Location()),
		Push:    s.pushOf(c, entry.Slot),
		Refresh: respond.Seconds(respond.RandomPause(waitlistPause, time.Second)),
	}))
}

// waitedFor is the visit that somebody waits for.
func (s *Pages) waitedFor(ctx context.Context, entry booking.Entry) (views.Visit, error) {
	r, err := s.Bookings.Catalog.FindRestaurant(ctx, entry.Slot.RestaurantID)
	if err != nil {
		return views.Visit{}, err
	}
	at, err := r.Start(entry.Slot.Date, entry.Slot.Time)
	return views.Visit{Restaurant: &r, At: at, Until: untilOf(r, entry.Slot, entry.PartySize),
		Party: entry.PartySize}, err
}

// waitStatus is the moving part of the page. It links to an offer that is still open.
func (s *Pages) waitStatus(lang string, entry booking.Entry, zone *time.Location) views.WaitlistStatus {
	status := views.WaitlistStatus{Lang: lang, State: entry.State, Ahead: entry.Ahead,
		SeatsAhead: entry.SeatsAhead, Passes: entry.Passes, MaxPasses: booking.MaxPasses,
		Phase: string(entry.Phase(s.now())), MaxKeeps: booking.MaxKeeps, KeptUntil: entry.KeptUntil.In(zone)}
	if entry.Offer != nil {
		status.ReservationID, status.Deadline = entry.Offer.ReservationID, entry.Offer.Deadline.In(zone)
		if entry.Offer.Stands(s.now()) {
			status.Offer = s.Offers.Sign(entry.ID)
		} else if entry.State == booking.EntryOffered {
			status.State = booking.EntryLapsed // in the moment until its seats are taken back
		}
	}
	return status
}

// leaveWaitlist answers POST /waitlist/:id/leave.
func (s *Pages) leaveWaitlist(c *fiber.Ctx, entry booking.Entry) error {
	_, err := s.Waitlists.Leave(c.UserContext(), entry.UserID, entry.ID)
	if err != nil && !errors.Is(err, booking.ErrOfferOver) {
		return err
	}
	return respond.Redirect(c, views.WaitlistURL(entry.ID))
}

// waitRows are a diner's places on waitlists that still lead somewhere.
func (s *Pages) waitRows(ctx context.Context, lang, userID string) ([]views.WaitlistRow, error) {
	all, err := s.Waitlists.Store.ListOpen(ctx, userID)
	if err != nil {
		return nil, err
	}
	var rows []views.WaitlistRow
	for _, entry := range all {
		visit, err := s.waitedFor(ctx, entry)
		if err != nil {
			return nil, err
		}
		status := s.waitStatus(lang, entry, visit.At.Location())
		if entry.State.Live() && status.State != booking.EntryLapsed {
			rows = append(rows, views.WaitlistRow{ID: entry.ID, Visit: visit, State: status.State,
				Ahead: entry.Ahead, Offer: status.Offer, ReservationID: status.ReservationID,
				Deadline: status.Deadline})
		}
	}
	return rows, nil
}
