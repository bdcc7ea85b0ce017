// Package messages is what staff write to guests: to the party of one reservation, or to all parties of a slot or of a
// day. Each guest gets a letter of their own, and a push where the browser takes them; nobody learns of another.
package messages

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/refusal"
	"lunchgo/app/team"
)

// Bounds of messages.
const (
	MaxRunes = 500 // of a text
	MaxADay  = 100 // messages of a restaurant in 24 hours, to however many guests each
)

// ErrNobody says that nobody comes to whom a message could go.
var ErrNobody = refusal.New(refusal.Conflict, "nobody_to_write_to", "messages: nobody comes")

// Audience is for whom a message is.
type Audience struct {
	RestaurantID  int64
	ReservationID string            // of the one guest; empty: all who come at the time, or on the date
	Date          booking.Date      // of the one guest's reservation too, once it is known
	Time          booking.TimeOfDay // empty: the whole day
}

// States returns the states of the reservations whose guests are written to: of a whole slot or day those that come or
// are there, of one also a party that has left.
func (a Audience) States() []booking.State {
	states := []booking.State{booking.Temporary, booking.Confirmed, booking.PrepaidConfirmed, booking.Arrived,
		booking.Seated}
	if a.ReservationID != "" {
		states = append(states, booking.Completed)
	}
	return states
}

// Answer is what became of another time that a message offers to a guest.
type Answer string

// What can become of it.
const (
	NotAsked Answer = "none"    // no other time was offered
	Waiting  Answer = "waiting" // for the guest's answer
	Moved    Answer = "moved"   // the reservation has another time, whoever gave it that
	Declined Answer = "declined"
	// Withdrawn is a time that staff offer no more.
	Withdrawn Answer = "withdrawn"
	Ended     Answer = "ended" // the reservation is cancelled, or the visit has begun
)

// Recipient is a guest for whom a message is.
type Recipient struct {
	ReservationID string            `json:"reservationId"`
	Date          booking.Date      `json:"date"`
	Time          booking.TimeOfDay `json:"time"`
	Name          string            `json:"name"`  // empty of a deleted account
	Phone         string            `json:"phone"` // empty when none is known
	PartySize     int               `json:"partySize"`
	State         booking.State     `json:"state"`   // of the reservation, as it is now
	Reached       bool              `json:"reached"` // false: there is no address; the host calls
	Answer        Answer            `json:"answer"`  // to another time that the message offers
}

// Message is a text that staff have written.
type Message struct {
	ID string
	Audience
	StaffID    string
	By         string // the name of who wrote it; empty of a deleted account
	Key        string // idempotency key of the member of staff
	Text       string
	Offer      booking.OfferedTime // another time that each guest may have instead
	CreatedAt  time.Time
	Recipients []Recipient // by time
}

// Store keeps messages.
type Store interface {
	// ListRecipients returns for whom a message is as things are, by time.
	ListRecipients(ctx context.Context, to Audience) ([]Recipient, error)
	// Send stores a message, with a letter to each recipient who has an address and an entry of the log. A repeat with
	// the same key finds the first one. Returns booking.ErrKeyReused for one that says something else, ErrNobody,
	// and *identity.LetterLimitError beyond MaxADay.
	Send(ctx context.Context, m Message) (Message, error)
	// Find returns a message of a restaurant. Returns booking.ErrNotFound.
	Find(ctx context.Context, restaurantID int64, id string) (Message, error)
}

// Service is how staff write to guests.
type Service struct {
	Store Store
	Now   func() time.Time
}

// Recipients returns for whom a message is as things are. Returns ErrNobody, and booking.ErrPast for a day that is over
// for longer than a day: messages are about a visit, no advertisements.
func (s *Service) Recipients(ctx context.Context, by team.Staff, r booking.Restaurant,
	to Audience) ([]Recipient, error) {
	to.RestaurantID = r.ID
	if err := by.Check(r.ID, team.MoveGuest); err != nil {
		return nil, err
	}
	found, err := s.Store.ListRecipients(ctx, to)
	switch {
	case err != nil:
		return nil, err
	case len(found) == 0:
		return nil, ErrNobody
	case s.isOver(r, found[0].Date):
		return nil, booking.ErrPast
	}
	return found, nil
}

// isOver says whether nobody is written to any more who came on a date.
func (s *Service) isOver(r booking.Restaurant, date booking.Date) bool {
	return date < booking.DateOf(s.Now(), r.Location).AddDays(-1)
}

// CanWrite says whether a member of staff may write to the guest of a reservation.
func (s *Service) CanWrite(by team.Staff, r booking.Restaurant, res booking.Reservation) bool {
	states := Audience{ReservationID: res.ID}.States()
	return by.Check(res.RestaurantID, team.MoveGuest) == nil && slices.Contains(states, res.State) &&
		!s.isOver(r, res.Slot.Date)
}

// Send writes to guests. Returns *booking.InvalidError for a text that is none, and the errors of Recipients and
// Store.Send.
func (s *Service) Send(ctx context.Context, by team.Staff, r booking.Restaurant, m Message) (Message, error) {
	m.Text, m.StaffID, m.RestaurantID = strings.TrimSpace(booking.Lines(m.Text)), by.UserID(), r.ID
	// A repeat may find nobody by now.
	if _, err := s.Recipients(ctx, by, r, m.Audience); err != nil && !errors.Is(err, ErrNobody) {
		return Message{}, err
	}
	if m.Offer.Refund {
		if err := by.Check(r.ID, team.CancelWithRefund); err != nil {
			return Message{}, err
		}
	}
	faults := booking.CheckLines("text", m.Text, MaxRunes)
	if m.Text == "" {
		faults = append(faults, booking.FieldError{Field: "text", Reason: "required"})
	}
	faults = append(faults, s.CheckOffer(r, m.Offer)...)
	if len(faults) > 0 {
		return Message{}, &booking.InvalidError{Fields: faults}
	}
	return s.Store.Send(ctx, m)
}

// Find returns a message with whom it reached.
func (s *Service) Find(ctx context.Context, by team.Staff, restaurantID int64, id string) (Message, error) {
	if err := by.Check(restaurantID, team.MoveGuest); err != nil {
		return Message{}, err
	}
	return s.Store.Find(ctx, restaurantID, id)
}

// CheckOffer returns what is wrong with another time that is to be offered: it has to be one of the restaurant's, to
// come. Whether it has seats left each guest sees by then.
func (s *Service) CheckOffer(r booking.Restaurant, o booking.OfferedTime) []booking.FieldError {
	if o.IsNone() {
		return nil
	}
	times := slices.DeleteFunc(r.Times(o.Date), func(at booking.TimeOfDay) bool {
		start, err := r.Start(o.Date, at)
		return err != nil || !s.Now().Before(start)
	})
	switch {
	case len(times) == 0:
		return []booking.FieldError{{Field: "offer.date", Reason: "outside_hours"}}
	case o.Time != "" && !slices.Contains(times, o.Time):
		return []booking.FieldError{{Field: "offer.time", Reason: "outside_hours"}}
	}
	return nil
}
