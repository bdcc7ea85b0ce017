// Package closing closes a day of a restaurant, and deals with everybody whom that touches: their reservations stay,
// and the host calls them, or all are cancelled with a full refund. A cancellation is noted first, so that a crash
// loses none, and is the one that staff make of a single reservation.
package closing

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/setup"
	"lunchgo/app/team"
)

// Progress is how far the cancellation of a reservation is.
type Progress string

// How far a cancellation is. A reservation that nobody wants to cancel has none.
const (
	Pending Progress = "pending"
	Done    Progress = "done"
	Failed  Progress = "failed"
)

// Party is a reservation of a day that is closed.
type Party struct {
	ReservationID string            `json:"reservationId"`
	Time          booking.TimeOfDay `json:"time"`
	Name          string            `json:"name"`  // empty of a deleted account
	Phone         string            `json:"phone"` // empty when none is known
	PartySize     int               `json:"partySize"`
	State         booking.State     `json:"state"`
	Paid          int64             `json:"paid"`    // won that would go back
	Reached       bool              `json:"reached"` // false: there is no address for a letter; the host calls
	Progress      Progress          `json:"-"`       // of its cancellation; empty: none was asked for
	Failure       string            `json:"-"`       // code of the refusal because of which the cancellation failed
}

// Comes says whether the party still has its reservation.
func (p Party) Comes() bool { return p.State.HoldsSeats() && p.State != booking.RefundPending }

// HasFailed says whether the party still comes because it could not be cancelled.
func (p Party) HasFailed() bool { return p.Progress == Failed && p.Comes() }

// CanCancel says whether the reservation can be cancelled: a party that is there stays.
func (p Party) CanCancel() bool { return p.State == booking.Temporary || p.State.IsConfirmed() }

// Day is a date of a restaurant with everybody whom its closing touches.
type Day struct {
	Date    booking.Date
	Closed  bool    // in the set-up
	Reason  string  // why it is closed; empty where it is open, or nobody said
	Parties []Party // that have not begun and come, or were to be cancelled; by time
	Others  []Other // other closed days to come on which somebody comes
}

// Other is a closed day on which somebody comes.
type Other struct {
	Date    booking.Date
	Parties int
}

// MostShown is how many parties of a day are named at once: the others follow when those are dealt with.
const MostShown = 50

// First returns the parties to name: those that could not be cancelled, then those that come, then the others.
func (d Day) First() []Party {
	rank := func(p Party) int {
		switch {
		case p.HasFailed():
			return 0
		case p.Comes():
			return 1
		}
		return 2
	}
	sorted := slices.SortedStableFunc(slices.Values(d.Parties), func(a, b Party) int { return rank(a) - rank(b) })
	return sorted[:min(len(sorted), MostShown)]
}

// Money returns how many won go back when all are cancelled who still come.
func (d Day) Money() int64 {
	var sum int64
	for _, p := range d.Coming() {
		sum += p.Paid
	}
	return sum
}

// Count returns how many of the parties have some progress; those that failed, while they come.
func (d Day) Count(p Progress) int {
	n := 0
	for _, party := range d.Parties {
		if party.Progress == p && (p != Failed || party.Comes()) {
			n++
		}
	}
	return n
}

// Coming are the parties that still have their reservations.
func (d Day) Coming() []Party {
	return slices.DeleteFunc(slices.Clone(d.Parties), func(p Party) bool { return !p.Comes() })
}

// Order is what a manager wants of a day.
type Order struct {
	RestaurantID int64
	Date         booking.Date
	Reason       string   // why the day is closed, for all; may be empty
	Cancel       bool     // all reservations, with a full refund; else they stay
	Named        []string // ids of those that may be cancelled; nil: whoever comes
	Message      string   // to the guests of those that are cancelled; empty: the reason
	StaffID      string
	Now          time.Time // reservations that have begun are not touched
}

// Task is a cancellation that is due.
type Task struct {
	ReservationID string
	RestaurantID  int64
	StaffID       string
	Reason        string
	Attempts      int // this one among them
}

// Store keeps which reservations are to be cancelled, and what came of it.
type Store interface {
	// ListParties returns the parties of a date that have not begun by now and come, or were to be cancelled.
	ListParties(ctx context.Context, restaurantID int64, date booking.Date, now time.Time) ([]Party, error)
	// ListClosed returns the closed days to come of a restaurant on which somebody comes, the soonest first.
	ListClosed(ctx context.Context, restaurantID int64, from booking.Date) ([]Other, error)
	// Note notes that the reservations of a date that the order names are to be cancelled, if they can be. Those that
	// are noted already stay as they are; those that failed are due once more.
	Note(ctx context.Context, o Order) error
	// Take takes up to limit cancellations that are due: of a restaurant, or of all for 0. Whoever takes one has until
	// its next attempt is due to make it: half a minute, which doubles with every attempt. It forgets those of a day
	// that is open again, and of reservations that have moved to another or have begun by now.
	Take(ctx context.Context, restaurantID int64, now time.Time, limit int) ([]Task, error)
	// Finish notes what came of a cancellation; failure is empty when it is done.
	Finish(ctx context.Context, reservationID string, p Progress, failure string) error
}

// Service closes days.
type Service struct {
	Store    Store
	Bookings *reserve.Service
	Rules    *setup.Service
	Now      func() time.Time
}

// Find returns a day with everybody whom its closing touches, or has touched.
func (s *Service) Find(ctx context.Context, by team.Staff, r booking.Restaurant, date booking.Date) (Day, error) {
	if err := by.Check(r.ID, team.ChangeHours); err != nil {
		return Day{}, err
	}
	state, err := s.Rules.Find(ctx, by, r.ID) // the catalogue may be some seconds old
	if err != nil {
		return Day{}, err
	}
	day := Day{Date: date, Closed: slices.Contains(state.Restaurant.Closures, date),
		Reason: state.Restaurant.ClosureReasons[date]}
	if day.Parties, err = s.Store.ListParties(ctx, r.ID, date, s.Now()); err != nil {
		return Day{}, err
	}
	day.Others, err = s.Store.ListClosed(ctx, r.ID, booking.DateOf(s.Now(), r.Location))
	day.Others = slices.DeleteFunc(day.Others, func(o Other) bool { return o.Date == date })
	return day, err
}

// Close closes a day: the date in the set-up, and its slots at once, so that nobody gets seats that come free. With
// Cancel it goes on to cancel what can be cancelled, and returns when that is done or takes too long; a job goes on. A
// repeat does what is left, and tries once more what has failed. Returns *booking.InvalidError, booking.ErrPast for a
// day that is over, setup.ErrChanged when the set-up is written at the same moment, and booking.ErrChangedMeanwhile,
// with nothing changed, when somebody comes whom Named lacks.
func (s *Service) Close(ctx context.Context, by team.Staff, r booking.Restaurant, o Order) error {
	o.RestaurantID, o.StaffID, o.Now = r.ID, by.UserID(), s.Now()
	o.Reason, o.Message = booking.PlainText(o.Reason), strings.TrimSpace(booking.Lines(o.Message))
	if err := s.check(by, r, o); err != nil {
		return err
	}
	if err := s.checkNamed(ctx, o); err != nil {
		return err
	}
	if err := s.closeDate(ctx, by, o); err != nil {
		return err
	}
	closed := true
	change := reserve.SlotChange{Closed: &closed, Reason: &o.Reason}
	_, err := s.Bookings.ChangeDay(ctx, by, o.Date, change, false)
	if err != nil && !errors.Is(err, booking.ErrOutsideHours) && !errors.Is(err, booking.ErrPast) {
		return err
	}
	if !o.Cancel {
		return nil
	}
	if err := s.Store.Note(ctx, o); err != nil {
		return err
	}
	s.cancelNow(ctx, r.ID)
	return nil
}

func (s *Service) check(by team.Staff, r booking.Restaurant, o Order) error {
	actions := []team.Action{team.ChangeHours, team.OpenCloseSlot}
	if o.Cancel {
		actions = append(actions, team.CancelWithRefund)
	}
	for _, action := range actions {
		if err := by.Check(r.ID, action); err != nil {
			return err
		}
	}
	if o.Date < booking.DateOf(o.Now, r.Location) {
		return booking.ErrPast
	}
	faults := booking.CheckText("reason", o.Reason, booking.MaxReason)
	faults = append(faults, booking.CheckNote("message", o.Message)...)
	return booking.Invalid(faults)
}

// checkNamed checks that an order to cancel names everybody who comes.
func (s *Service) checkNamed(ctx context.Context, o Order) error {
	if !o.Cancel || o.Named == nil {
		return nil
	}
	parties, err := s.Store.ListParties(ctx, o.RestaurantID, o.Date, o.Now)
	for _, p := range parties {
		if p.Comes() && !slices.Contains(o.Named, p.ReservationID) {
			return booking.ErrChangedMeanwhile
		}
	}
	return err
}

// closeDate adds a date to the closed ones of the set-up, if it is none of them.
func (s *Service) closeDate(ctx context.Context, by team.Staff, o Order) error {
	state, err := s.Rules.Find(ctx, by, o.RestaurantID)
	if err != nil || slices.Contains(state.Restaurant.Closures, o.Date) {
		return err
	}
	document, _ := setup.Of(setup.DocClosures, state.Restaurant).(setup.Closures)
	document.Closures = append(document.Closures, setup.Closure{From: o.Date, To: o.Date, Reason: o.Reason})
	_, err = s.Rules.Save(ctx, by, setup.Replacement{RestaurantID: o.RestaurantID,
		Documents: []setup.Document{document},
		Tag:       setup.TagOf(state.Restaurant, setup.DocClosures)})
	return err
}
