package booking

import (
	"fmt"
	"time"

	"lunchgo/app/refusal"
)

// OfferedTime is when a restaurant would have a party that it cannot have as booked. The zero value offers nothing.
type OfferedTime struct {
	Date Date
	Time TimeOfDay // that it proposes; empty: the time that the party has
	// Refund says that the party may cancel instead, and gets back all that was paid.
	Refund bool
}

// IsNone returns whether nothing is offered.
func (o OfferedTime) IsNone() bool { return o.Date == "" }

// For returns the time that is proposed to a party that has one.
func (o OfferedTime) For(has TimeOfDay) TimeOfDay {
	if o.Time == "" {
		return has
	}
	return o.Time
}

// MoveOffer is another day that a restaurant offers to a party, of which it may choose any time that is open to it. What
// was agreed stays, as where staff move the party: the price, the dishes and the terms; and no deadline of the diner's
// changes binds.
type MoveOffer struct {
	OfferedTime
	StaffID    string    // who offers it
	Text       string    // of the restaurant
	DeclinedAt time.Time // zero: the diner has not answered
	// WithdrawnAt is when staff took the offer back; zero while it stands.
	WithdrawnAt time.Time
}

// ErrNoMoveOffer reports that no other time is offered for a reservation any more.
var ErrNoMoveOffer = refusal.New(refusal.Conflict, "no_time_offered", "booking: no other time is offered")

// ErrOfferWithdrawn is the ErrNoMoveOffer of an offer that staff have withdrawn.
var ErrOfferWithdrawn = fmt.Errorf("withdrawn: %w", ErrNoMoveOffer)

// Standing returns ErrOfferWithdrawn for an offer that does not stand any more.
func (o MoveOffer) Standing() error {
	if !o.WithdrawnAt.IsZero() {
		return ErrOfferWithdrawn
	}
	return nil
}

// Check turns the time that the diner of a reservation takes into a request that can enter the line. Returns the errors
// of GuestChange.Check.
func (o MoveOffer) Check(r Restaurant, res Reservation, at string, menu []MenuItem, now time.Time) (Request, error) {
	date := string(o.Date)
	req, err := GuestChange{Date: &date, Time: &at}.Check(r, res, menu, now)
	if err != nil {
		return Request{}, err
	}
	req.Change.ByStaff, req.Change.Diner, req.Change.Offered = false, "", true
	return req, nil
}

// OfferAsk returns how the party of a reservation asks for the times that are offered to it: as staff would for it.
func (r Reservation) OfferAsk(restaurant Restaurant, menu []MenuItem) Ask {
	return Ask{PartyStay: r.PartyStay(restaurant, r.PartySize, menu), Staff: true, Own: &r}
}

// byRestaurant returns whether the restaurant gives what is asked for, by its own rules: staff ask, or a diner takes
// what they have offered.
func (r Request) byRestaurant() bool { return r.IsByStaff() || r.Change != nil && r.Change.Offered }

// decideOffered is DecideChange for a diner who takes another time that the restaurant has offered. The present visit
// has not begun, nor has the one that is taken, and staff have not withdrawn the offer.
func (s ChangeState) decideOffered(req Request) (Revision, error) {
	if s.Reservation.State != Confirmed && s.Reservation.State != PrepaidConfirmed {
		return Revision{}, ErrWrongState
	}
	switch {
	case !s.Offered:
		return Revision{}, ErrNoMoveOffer
	case !s.Now.Before(s.Start), !s.Now.Before(s.NextStart):
		return Revision{}, ErrPast
	case s.Slots[req.Slot].Closed: // although the party may stay in it now
		return Revision{}, ErrClosed
	}
	next, err := s.decideByStaff(req)
	if err == nil {
		err = s.limit(next, req.HoldTime)
	}
	return next, err
}
