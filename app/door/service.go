package door

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/jobs"
	"lunchgo/app/refusal"
	"lunchgo/app/reserve"
	"lunchgo/app/team"
	"lunchgo/app/token"
	"lunchgo/app/waiting"
	"lunchgo/locks"
)

// Service is what hosts do with the queue, and what parties see of it.
type Service struct {
	Store    Store
	Bookings *reserve.Service
	Links    Links
	// ClaimTime is that of Step: the longest time in a line.
	ClaimTime time.Duration
}

// Links seals the links by which parties see their places: whoever has one cannot read which party it is. Every server
// process must have the same key.
type Links struct{ sealer token.Sealer }

// NewLinks derives the keys from the installation's secrets.
func NewLinks(secrets token.Secrets) Links {
	return Links{token.NewSealer(secrets, "lunchgo door link v1")}
}

// Seal returns the token of a party's link, the same each time, as text that is safe in a URL.
func (l Links) Seal(partyID string) string { return l.sealer.Seal(partyID) }

// FindByLink returns the party that a token was sealed for, without its place. Returns booking.ErrNotFound for anything
// else, and for a party that is forgotten.
func (s *Service) FindByLink(ctx context.Context, text string) (Party, error) {
	id, ok := s.Links.sealer.Open(text)
	if !ok {
		return Party{}, booking.ErrNotFound
	}
	return s.Store.FindParty(ctx, id)
}

// List returns the parties of a restaurant's day by number, with their places as things are.
func (s *Service) List(ctx context.Context, r booking.Restaurant, date booking.Date) ([]Party, error) {
	parties, err := s.Store.ListParties(ctx, r.ID, date)
	if err != nil || !slices.ContainsFunc(parties, Party.IsOpen) {
		return parties, err
	}
	slots, err := s.Bookings.OccupanciesOf(ctx, r, date)
	if err == nil {
		Locate(r, date, slots, parties, s.Bookings.Now())
	}
	return parties, err
}

// ListForStaff is List for who may see the evening.
func (s *Service) ListForStaff(ctx context.Context, by team.Staff, r booking.Restaurant) ([]Party, error) {
	if err := by.Check(r.ID, team.SeeEvening); err != nil {
		return nil, err
	}
	return s.List(ctx, r, s.today(r))
}

// Find returns a party of today's queue with its place. Returns booking.ErrNotFound.
func (s *Service) Find(ctx context.Context, by team.Staff, r booking.Restaurant, id string) (Party, error) {
	parties, err := s.ListForStaff(ctx, by, r)
	return find(parties, id, err)
}

func find(parties []Party, id string, err error) (Party, error) {
	at := slices.IndexFunc(parties, func(p Party) bool { return p.ID == id })
	switch {
	case err != nil:
		return Party{}, err
	case at < 0:
		return Party{}, booking.ErrNotFound
	}
	return parties[at], nil
}

func (s *Service) today(r booking.Restaurant) booking.Date {
	return booking.DateOf(s.Bookings.Now(), r.Location)
}

// IsOver returns whether nobody gets a table any more on a day.
func (s *Service) IsOver(r booking.Restaurant, date booking.Date) bool {
	d := day{restaurant: r, date: date, now: s.Bookings.Now()}
	return !slices.ContainsFunc(r.Times(date), func(at booking.TimeOfDay) bool {
		_, open := d.isOpen(at)
		return open
	})
}

// Join adds a party to today's queue. Returns *booking.InvalidError, ErrOver, and the errors of Store.Join.
func (s *Service) Join(ctx context.Context, by team.Staff, r booking.Restaurant, p Party) (Party, error) {
	if err := by.Check(r.ID, team.BookForGuest); err != nil {
		return Party{}, err
	}
	p = p.normal()
	p.RestaurantID, p.StaffID, p.Date = r.ID, by.UserID(), s.today(r)
	if err := p.Check(r); err != nil {
		return Party{}, err
	}
	if s.IsOver(r, p.Date) {
		return Party{}, ErrOver
	}
	return s.Store.Join(ctx, p)
}

// Take calls a party, marks it as gone, or takes that back: the state is Called, Gone or Waiting. Returns
// *booking.InvalidError for another one, and the errors of Store.Take.
func (s *Service) Take(ctx context.Context, by team.Staff, r booking.Restaurant, id string, state State) error {
	if err := by.Check(r.ID, team.BookForGuest); err != nil {
		return err
	}
	if !slices.Contains([]State{Called, Gone, Waiting}, state) {
		return booking.Invalid([]booking.FieldError{{Field: "state", Reason: "unknown"}})
	}
	step := s.step(r.ID, id, state)
	step.StaffID = by.UserID()
	if state == Called {
		parties, err := s.List(ctx, r, s.today(r))
		p, err := find(parties, id, err)
		if err != nil {
			return err
		}
		step.PassedOver = passedOver(parties, p)
	}
	return s.Store.Take(ctx, step)
}

func (s *Service) step(restaurantID int64, id string, to State) Step {
	return Step{RestaurantID: restaurantID, PartyID: id, State: to, ClaimTime: s.ClaimTime}
}

// Leave takes a party out of the queue, which has said so itself. Returns booking.ErrWrongState for one that does not
// wait any more, and ErrBusy for one that is being seated.
func (s *Service) Leave(ctx context.Context, p Party) error {
	return s.Store.Take(ctx, s.step(p.RestaurantID, p.ID, Left))
}

// Ask has a party notified when it is called, as Store.Ask.
func (s *Service) Ask(ctx context.Context, asked Asked) error { return s.Store.Ask(ctx, asked) }

// Seating is a party that a host seats now.
type Seating struct {
	PartyID  string
	SeatIDs  []int64           // none: the best that are free
	EndTime  string            // HH:MM, for a shorter stay; empty: it stays as long as any
	Override *booking.Override // seats it over the plan; nil: within it
	Nameless string            // the name of a party that has said none
}

// Request is the request for a party's table. Close its watch.
type Request struct {
	*waiting.Watch
	claim      Claim
	passedOver []string
}

// Seat asks for a table for a party as for any walk-in, in the line of its slots, where seats are taken. Settle the
// request with Finish. One host at a time seats a party; a repeat of theirs is the same request. Returns the errors of
// Store.Claim and reserve.Service.BookGuest, ErrOver, and booking.ErrTooEarly before the first slot.
func (s *Service) Seat(ctx context.Context, by team.Staff, r booking.Restaurant, seating Seating) (Request, error) {
	if err := by.Check(r.ID, team.BookForGuest); err != nil {
		return Request{}, err
	}
	date := s.today(r)
	parties, err := s.List(ctx, r, date)
	p, err := find(parties, seating.PartyID, err)
	if err != nil {
		return Request{}, err
	}
	d := day{restaurant: r, date: date, now: s.Bookings.Now()}
	at, open := d.walkInSlot()
	switch {
	case s.IsOver(r, date):
		return Request{}, ErrOver
	case !open:
		return Request{}, booking.ErrTooEarly
	}
	step := s.step(r.ID, seating.PartyID, Seated)
	step.StaffID = by.UserID()
	claim, err := s.Store.Claim(ctx, step)
	if err != nil {
		return Request{}, err
	}
	draft := booking.GuestDraft{Name: claim.Name, Phone: claim.Phone, Source: booking.WalkIn, Seated: true,
		EndTime: seating.EndTime, Override: seating.Override,
		Draft: booking.Draft{RestaurantID: r.ID, Date: string(date), Time: string(at), PartySize: claim.PartySize,
			SeatIDs: seating.SeatIDs}}
	if draft.Name == "" {
		draft.Name = seating.Nameless
	}
	watch, _, err := s.Bookings.BookGuest(ctx, by, claim.key(), draft)
	switch {
	case errors.Is(err, booking.ErrKeyReused):
		return Request{}, ErrBusy // another request under the same key is under way
	case isRefused(err):
		return Request{}, s.refused(ctx, claim, err)
	case err != nil:
		return Request{}, err // the request may be under way: a repeat finds it
	}
	return Request{watch, claim, passedOver(parties, p)}, nil
}

// key is that of the request for a table: the same for every repeat of the attempt.
func (c Claim) key() string { return KeyOf(c.ID, c.Attempt) }

// KeyOf is the idempotency key of the reservation that an attempt to seat a party makes.
func KeyOf(partyID string, attempt int) string { return fmt.Sprintf("door-%s-%d", partyID, attempt) }

// isRefused returns whether an error says for sure that no request is under way: no other trouble does.
func isRefused(err error) bool {
	why := refusal.Of(err)
	return why != nil && why.Kind < refusal.Broken
}

// refused ends a claim that came to nothing.
func (s *Service) refused(ctx context.Context, c Claim, why error) error {
	if err := s.Store.Release(context.WithoutCancel(ctx), c); err != nil {
		return err
	}
	return why
}

// Finish notes what came of a request: the id of the reservation, or why there is none. One whose turn has not come
// leaves its line, so that the host can do something else: ErrBusy. One whose turn has begun cannot leave, and is
// waited for once more.
func (s *Service) Finish(ctx context.Context, by team.Staff, req Request, status waiting.Status) (string, error) {
	ctx = context.WithoutCancel(ctx)
	if status.State == waiting.Waiting {
		if err := s.Bookings.Room.Leave(ctx, req.Token(), by.UserID()); err != nil &&
			!errors.Is(err, locks.ErrServing) {
			return "", err
		}
		short, cancel := context.WithTimeout(ctx, time.Second)
		status = req.WaitForResult(short)
		cancel()
	}
	switch {
	case status.State == waiting.Waiting:
		return "", ErrBusy // a repeat finds what came of it
	case status.State == waiting.Left:
		return "", s.refused(ctx, req.claim, ErrBusy)
	case status.Result.Err() != nil:
		return "", s.refused(ctx, req.claim, status.Result.Err())
	}
	id := status.Result.ReservationID
	return id, s.Store.Seat(ctx, req.claim, id, req.passedOver)
}

// forgetBatch is how many parties one step of a sweep deletes at most.
const forgetBatch = 500

// Jobs returns the job that deletes the parties of days that are over.
func Jobs(store Store, every time.Duration) []jobs.Job {
	return []jobs.Job{{Name: "delete parties at doors", Every: every,
		Run: jobs.InSteps(forgetBatch, store.Forget)}}
}
