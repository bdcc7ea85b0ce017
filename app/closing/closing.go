// Package closing closes a day of a restaurant, or some of its slots, and deals with everybody whom that touches: their
// reservations stay, and the host calls them or writes to all, or all are cancelled with a full refund. A cancellation
// is noted first, so that a crash loses none, and is the one that staff make of a single reservation.
package closing

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/messages"
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

// Hours are what is closed of a date: the slots that begin from First to Last; both are empty for the whole day.
type Hours struct {
	Date        booking.Date
	First, Last booking.TimeOfDay
}

// IsDay says whether they are the whole day.
func (h Hours) IsDay() bool { return h.First == "" }

// Has says whether a slot of the date is among them.
func (h Hours) Has(at booking.TimeOfDay) bool { return h.IsDay() || h.First <= at && at <= h.Last }

// HoursOf are the slots of a date from one to another, which is the first where last is empty; the whole day where
// both are. Returns an error for a time that is none, or before the first.
func HoursOf(date booking.Date, first booking.TimeOfDay, last string) (Hours, error) {
	if first == "" {
		return Hours{Date: date}, nil
	}
	at, err := booking.ParseTimeOfDay(cmp.Or(last, string(first)))
	if err == nil && at < first {
		err = booking.ErrNotFound
	}
	return Hours{date, first, at}, err
}

// Action is what somebody has to be allowed to do who closes them.
func (h Hours) Action() team.Action {
	if h.IsDay() {
		return team.ChangeHours
	}
	return team.OpenCloseSlot
}

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
	Answer        messages.Answer   `json:"answer"`  // to another time that it was offered, while it has its own
	Progress      Progress          `json:"-"`       // of its cancellation; empty: none was asked for
	Failure       string            `json:"-"`       // code of the refusal because of which the cancellation failed
}

// Comes says whether the party still has its reservation.
func (p Party) Comes() bool { return p.State.HoldsSeats() && p.State != booking.RefundPending }

// HasFailed says whether the party still comes because it could not be cancelled.
func (p Party) HasFailed() bool { return p.Progress == Failed && p.Comes() }

// CanCancel says whether the reservation can be cancelled: a party that is there stays.
func (p Party) CanCancel() bool { return p.State == booking.Temporary || p.State.IsConfirmed() }

// Day is a date of a restaurant, or some of its slots, with everybody whom their closing touches.
type Day struct {
	Hours
	Closed  bool    // in the set-up; of slots: all that have not begun
	Reason  string  // why it is closed; empty where it is open, or nobody said
	Parties []Party // that have not begun and come, or were to be cancelled; by time
	Others  []Other // other closed days to come on which somebody comes; none for some slots

	Later []booking.TimeOfDay // of some slots: those of the date that begin after First, ascending
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

// Order is what a manager wants of a day, or of some of its slots.
type Order struct {
	RestaurantID int64
	Hours
	Reason string   // why they are closed, for all; may be empty
	Cancel bool     // all reservations, with a full refund; else they stay
	Named  []string // ids of those that may be cancelled; nil: whoever comes
	Write  bool     // to all who keep their reservations
	// Message goes to the guests of those that are cancelled or written to; empty: the reason, if cancelled.
	Message string
	Offer   booking.OfferedTime // with Write, another time for each of them
	StaffID string
	Now     time.Time // reservations that have begun are not touched
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
	// or a slot that is open again, and of reservations that have moved to another or have begun by now.
	Take(ctx context.Context, restaurantID int64, now time.Time, limit int) ([]Task, error)
	// Finish notes what came of a cancellation; failure is empty when it is done.
	Finish(ctx context.Context, reservationID string, p Progress, failure string) error
}

// Service closes days.
type Service struct {
	Store    Store
	Bookings *reserve.Service
	Rules    *setup.Service
	Messages *messages.Service
	Now      func() time.Time
}

// Find returns a day, or some of its slots, with everybody whom their closing touches, or has touched. Returns
// booking.ErrNotFound if there is no slot at First.
func (s *Service) Find(ctx context.Context, by team.Staff, r booking.Restaurant, hours Hours) (Day, error) {
	if err := by.Check(r.ID, hours.Action()); err != nil {
		return Day{}, err
	}
	find := s.findSlots
	if hours.IsDay() {
		find = s.findDay
	}
	day, err := find(ctx, by, r, hours)
	if err != nil {
		return Day{}, err
	}
	day.Parties, err = s.parties(ctx, r.ID, hours, s.Now())
	return day, err
}

// parties are those of ListParties in some slots.
func (s *Service) parties(ctx context.Context, restaurantID int64, hours Hours, now time.Time) ([]Party, error) {
	parties, err := s.Store.ListParties(ctx, restaurantID, hours.Date, now)
	return slices.DeleteFunc(parties, func(p Party) bool { return !hours.Has(p.Time) }), err
}

func (s *Service) findDay(ctx context.Context, by team.Staff, r booking.Restaurant, hours Hours) (Day, error) {
	state, err := s.Rules.Find(ctx, by, r.ID) // the catalogue may be some seconds old
	if err != nil {
		return Day{}, err
	}
	day := Day{Hours: hours, Closed: slices.Contains(state.Restaurant.Closures, hours.Date),
		Reason: state.Restaurant.ClosureReasons[hours.Date]}
	day.Others, err = s.Store.ListClosed(ctx, r.ID, booking.DateOf(s.Now(), r.Location))
	day.Others = slices.DeleteFunc(day.Others, func(o Other) bool { return o.Date == hours.Date })
	return day, err
}

func (s *Service) findSlots(ctx context.Context, by team.Staff, r booking.Restaurant, hours Hours) (Day, error) {
	known, err := s.Bookings.Occupancies(ctx, by, r, hours.Date)
	if err != nil {
		return Day{}, err
	}
	first, ok := known[hours.First]
	if !ok {
		return Day{}, booking.ErrNotFound
	}
	day := Day{Hours: hours, Closed: true, Reason: first.Reason}
	for _, at := range slices.Sorted(maps.Keys(known)) {
		if start, err := r.Start(hours.Date, at); hours.Has(at) && err == nil && s.Now().Before(start) {
			day.Closed = day.Closed && known[at].Closed
		}
		if at > hours.First {
			day.Later = append(day.Later, at)
		}
	}
	return day, nil
}

// Close closes a day: the date in the set-up, and its slots at once, so that nobody gets seats that come free; or some
// slots alone. With Cancel it goes on to cancel what can be cancelled, and returns when that is done or takes too long;
// a job goes on. With Write all who come get the message. A repeat does what is left, and tries once more what has
// failed. Returns *booking.InvalidError, booking.ErrPast for what is over, setup.ErrChanged when the set-up is written
// at the same moment, and booking.ErrChangedMeanwhile, with nothing changed, when somebody comes whom Named lacks.
func (s *Service) Close(ctx context.Context, by team.Staff, r booking.Restaurant, o Order) (err error) {
	o.RestaurantID, o.StaffID, o.Now = r.ID, by.UserID(), s.Now()
	o.Reason, o.Message = booking.PlainText(o.Reason), strings.TrimSpace(booking.Lines(o.Message))
	if err := s.check(by, r, o); err != nil {
		return err
	}
	if o, err = s.checkNamed(ctx, o); err != nil {
		return err
	}
	if o.IsDay() {
		err = s.closeDay(ctx, by, o)
	} else {
		err = s.closeSlots(ctx, by, r, o)
	}
	switch {
	case err != nil:
		return err
	case o.Write:
		return s.write(ctx, by, r, o)
	case !o.Cancel:
		return nil
	}
	if o.Named == nil && !o.IsDay() {
		if o.Named, err = s.all(ctx, o); err != nil {
			return err
		}
	}
	if err := s.Store.Note(ctx, o); err != nil {
		return err
	}
	s.cancelNow(ctx, r.ID)
	return nil
}

func (s *Service) check(by team.Staff, r booking.Restaurant, o Order) error {
	actions := []team.Action{o.Action(), team.OpenCloseSlot}
	if o.Cancel || o.Offer.Refund {
		actions = append(actions, team.CancelWithRefund)
	}
	if o.Write {
		actions = append(actions, team.MoveGuest)
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
	if o.Write && o.Message == "" {
		faults = append(faults, booking.FieldError{Field: "message", Reason: "required"})
	}
	if o.Write {
		faults = append(faults, s.checkOffer(r, o)...)
	}
	return booking.Invalid(faults)
}

// checkOffer returns what is wrong with the other time that an order offers: it is none of those that it closes.
func (s *Service) checkOffer(r booking.Restaurant, o Order) []booking.FieldError {
	switch {
	case o.Offer.Date != o.Date:
	case o.IsDay():
		return []booking.FieldError{{Field: "offer.date", Reason: "outside_hours"}}
	case o.Offer.Time != "" && o.Has(o.Offer.Time):
		return []booking.FieldError{{Field: "offer.time", Reason: "outside_hours"}}
	}
	return s.Messages.CheckOffer(r, o.Offer)
}

// checkNamed checks that an order to cancel names everybody who comes, and leaves those whom it touches.
func (s *Service) checkNamed(ctx context.Context, o Order) (Order, error) {
	if !o.Cancel || o.Named == nil {
		return o, nil
	}
	parties, err := s.parties(ctx, o.RestaurantID, o.Hours, o.Now)
	touched := []string{}
	for _, p := range parties {
		if slices.Contains(o.Named, p.ReservationID) {
			touched = append(touched, p.ReservationID)
		} else if p.Comes() {
			return o, booking.ErrChangedMeanwhile
		}
	}
	o.Named = touched
	return o, err
}

// all are the reservations that are in the slots of an order.
func (s *Service) all(ctx context.Context, o Order) ([]string, error) {
	parties, err := s.parties(ctx, o.RestaurantID, o.Hours, o.Now)
	ids := []string{}
	for _, p := range parties {
		ids = append(ids, p.ReservationID)
	}
	return ids, err
}

// closeDay adds a date to the closed ones of the set-up, if it is none of them, and closes its slots.
func (s *Service) closeDay(ctx context.Context, by team.Staff, o Order) error {
	if err := s.closeDate(ctx, by, o); err != nil {
		return err
	}
	_, err := s.Bookings.ChangeDay(ctx, by, o.Date, o.change(), false)
	if errors.Is(err, booking.ErrOutsideHours) || errors.Is(err, booking.ErrPast) {
		return nil
	}
	return err
}

// change closes slots.
func (o Order) change() reserve.SlotChange {
	closed := true
	return reserve.SlotChange{Closed: &closed, Reason: &o.Reason}
}

// closeSlots closes those of an order that have not begun.
func (s *Service) closeSlots(ctx context.Context, by team.Staff, r booking.Restaurant, o Order) error {
	day, err := s.findSlots(ctx, by, r, o.Hours)
	if err != nil {
		return err
	}
	times := append([]booking.TimeOfDay{o.First}, day.Later...)
	times = slices.DeleteFunc(times, func(at booking.TimeOfDay) bool { return !o.Has(at) })
	_, err = s.Bookings.ChangeDay(ctx, by, o.Date, o.change(), false, times...)
	return err
}

// write sends the message to all who come. A repeat of the same words in the same slots finds what was sent.
func (s *Service) write(ctx context.Context, by team.Staff, r booking.Restaurant, o Order) error {
	parties, err := s.parties(ctx, o.RestaurantID, o.Hours, o.Now)
	if err != nil {
		return err
	}
	what := strings.TrimSpace(fmt.Sprint(o.Message, " ", o.Offer.Date, " ", o.Offer.Time))
	if o.Offer.Refund {
		what += " refund"
	}
	said := sha256.Sum256([]byte(what))
	written := map[booking.TimeOfDay]bool{}
	for _, p := range parties {
		if at := p.Time; p.Comes() && !written[at] {
			written[at] = true
			key := fmt.Sprintf("closing-%s-%s-%x", o.Date, at, said[:8])
			_, err := s.Messages.Send(ctx, by, r, messages.Message{Key: key, Text: o.Message, Offer: o.Offer,
				Audience: messages.Audience{Date: o.Date, Time: at}})
			if err != nil && !errors.Is(err, messages.ErrNobody) {
				return err
			}
		}
	}
	return nil
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
