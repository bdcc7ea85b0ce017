package lineup

import (
	"context"
	"errors"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/refusal"
	"lunchgo/app/waiting"
	"lunchgo/locks"
)

// Bookings decides over requests whose turn has come, and says how full slots are; reserve.Service does.
type Bookings interface {
	FindRestaurant(ctx context.Context, id int64) (booking.Restaurant, error)
	// CachedOccupancy returns how full the slots of a date were a moment ago.
	CachedOccupancy(ctx context.Context, restaurantID int64,
		date booking.Date) (map[booking.TimeOfDay]booking.Occupancy, error)
	// Serve decides new reservations and changes in one transaction, in the order of the run.
	Serve(ctx context.Context, turn booking.Turn, run []booking.Request) ([]booking.Outcome, []booking.Occupancy, error)
	// CheckHolds returns the limit that speaks against another hold of the requesting diner, as things are now.
	CheckHolds(ctx context.Context, req booking.Request) error
	// FindServed returns the reservation that a ticket made, or changed. Returns booking.ErrNotFound.
	FindServed(ctx context.Context, ticket string) (reservationID string, changed bool, err error)
	// FindReserved returns the reservations that some submissions made, and FindChanged the ids of those that they
	// changed. What came to nothing is left out.
	FindReserved(ctx context.Context, asked []booking.Submission) (map[booking.Submission]booking.Reservation, error)
	FindChanged(ctx context.Context, asked []booking.Submission) (map[booking.Submission]string, error)
}

// Slots serves lines of slots and of stays: each request holds a booking.Request.
type Slots struct {
	ids

	Bookings   Bookings
	HoldUnseen time.Duration // how long a hold lasts at most for whom nobody watched, until they see it; 0: in full
}

// Precheck implements waiting.Handler: sold out, closed and seats that somebody has are answered from the availability
// cache, with no query and no place in the line. What the cache does not know enters the line.
func (s Slots) Precheck(ctx context.Context, w waiting.Request) (waiting.Result, bool) {
	req, err := BookingOf(w)
	if err != nil || isChangeWithin(req) {
		return waiting.Result{}, false
	}
	o, ok := s.known(ctx, req.Slots())
	r, err := s.Bookings.FindRestaurant(ctx, req.Slot.RestaurantID)
	if !ok || err != nil {
		return waiting.Result{}, false
	}
	o.ArrivalLimit = r.ArrivalsPerSlot
	err = o.CheckRequest(r.Seats, req)
	return resultOf(booking.Outcome{Err: err}), err != nil
}

// CheckLimits implements waiting.Handler.
func (s Slots) CheckLimits(ctx context.Context, w waiting.Request) (waiting.Result, bool) {
	req, err := BookingOf(w)
	if err != nil || req.Change != nil || req.Guest != nil {
		return waiting.Result{}, false
	}
	err = s.Bookings.CheckHolds(ctx, req)
	var many *booking.TooManyHoldsError
	var recently *booking.HeldRecentlyError
	if !errors.As(err, &many) && !errors.As(err, &recently) {
		return waiting.Result{}, false
	}
	return waiting.Refused(err), true
}

// Remaining implements waiting.Handler: the smallest party that the restaurant takes fits so often into the seats that
// are left, and where they have names each party gets one.
func (s Slots) Remaining(ctx context.Context, line locks.Name) (waiting.Remaining, bool) {
	slots, err := SlotsOf(line)
	if err != nil {
		return waiting.Remaining{}, false
	}
	o, ok := s.known(ctx, slots)
	if !ok {
		return waiting.Remaining{}, false
	}
	r, err := s.Bookings.FindRestaurant(ctx, slots[0].RestaurantID)
	if err != nil {
		return waiting.Remaining{}, false
	}
	o.ArrivalLimit = r.ArrivalsPerSlot
	seats, smallest := o.Remaining(), max(r.PartyMin, 1)
	if len(r.Seats) > 0 {
		return waiting.Remaining{Requests: min(seats/smallest, r.Seats.Free(o.Seats))}, true
	}
	return waiting.Remaining{Requests: seats / smallest, Seats: seats, Smallest: smallest}, true
}

// Serve implements waiting.Handler.
func (s Slots) Serve(ctx context.Context, turn waiting.Turn, run []waiting.QueuedRequest) ([]waiting.Result,
	[]waiting.Closing, error) {
	slots, err := SlotsOf(turn.Line)
	if err != nil {
		return nil, nil, err
	}
	requests := make([]booking.Request, len(run))
	for i, served := range run {
		if requests[i], err = BookingOf(served.Request); err != nil {
			return nil, nil, err
		}
		requests[i].Ticket, requests[i].Arrival = served.Ticket, served.Arrival
		if !served.Watched && requests[i].Guest == nil {
			requests[i].UnseenTime = s.HoldUnseen
		}
		if g := requests[i].Guest; g != nil && !g.PayBy.IsZero() { // whose time to pay has run since staff booked
			requests[i].HoldTime = max(booking.LeastTimeToPay, min(requests[i].HoldTime, time.Until(g.PayBy)))
		}
	}
	outcomes, after, err := s.Bookings.Serve(ctx, turnOver(slots, turn.Fence), requests)
	if err != nil {
		return nil, nil, notServed(err)
	}
	results := make([]waiting.Result, len(outcomes))
	for i, o := range outcomes {
		if results[i] = resultOf(o); mustWait(o.Err) {
			results[i] = waiting.Result{State: waiting.Waiting}
		}
	}
	return results, s.closings(ctx, slots, after), nil
}

// Closing is the answer to everyone who waits for a slot, once no party the restaurant takes could still be seated; nil
// while one could. How many may arrive does not matter: who stays on in it arrives in another.
func (s Slots) Closing(ctx context.Context, slot booking.SlotKey, o booking.Occupancy) *waiting.Result {
	if err := o.CheckClosed(); err != nil {
		result := waiting.Refused(err)
		return &result
	}
	o.ArrivalLimit = 0
	r, err := s.Bookings.FindRestaurant(ctx, slot.RestaurantID)
	if err != nil || !o.IsFull(r) {
		return nil
	}
	full := &booking.SoldOutError{Remaining: r.Seats.LargestParty(o.Seats, o.Remaining()), OnHold: o.OnHold}
	result := waiting.Refused(full)
	return &result
}

// FindResult implements waiting.Handler.
func (s Slots) FindResult(ctx context.Context, _ locks.Name, ticket string) (waiting.Result, error) {
	id, changed, err := s.Bookings.FindServed(ctx, ticket)
	switch {
	case errors.Is(err, booking.ErrNotFound):
		return waiting.Result{}, waiting.ErrUnknownTicket
	case err != nil:
		return waiting.Result{}, err
	}
	return waiting.Result{State: waiting.Reserved, ReservationID: id, Changed: changed, Unseen: !changed}, nil
}

// resultOf is the answer to somebody who reserves a table, or changes a reservation.
func resultOf(o booking.Outcome) waiting.Result {
	if o.Err == nil {
		changed := o.Request.Change != nil
		return waiting.Result{State: waiting.Reserved, ReservationID: o.ReservationID, Changed: changed,
			Confirmed: o.AtOnce, Unseen: !changed && !o.AtOnce && o.Request.UnseenTime > 0}
	}
	if errors.Is(o.Err, booking.ErrDuplicate) {
		result := waiting.Refused(&booking.DuplicateError{ReservationID: o.ReservationID})
		result.ReservationID = o.ReservationID
		return result
	}
	result := waiting.Refused(o.Err)
	result.ReservationID = refusal.Details[booking.OverlappingError](o.Err).ReservationID
	return result
}

// turnOver is a turn over slots of one date under a fence.
func turnOver(slots []booking.SlotKey, fence int64) booking.Turn {
	turn := booking.Turn{Slot: slots[0], Fence: fence}
	for _, slot := range slots[1:] {
		turn.Stay = append(turn.Stay, slot.Time)
	}
	return turn
}

// known is what the availability cache knows of slots of one date, for somebody who needs all of them; false when
// it knows none of them.
func (s Slots) known(ctx context.Context, slots []booking.SlotKey) (booking.Occupancy, bool) {
	day, err := s.Bookings.CachedOccupancy(ctx, slots[0].RestaurantID, slots[0].Date)
	if err != nil {
		return booking.Occupancy{}, false
	}
	var known []booking.Occupancy
	for i, slot := range slots {
		if o, ok := day[slot.Time]; ok {
			if i > 0 {
				o.Arriving = 0 // nobody is known to arrive in the first
			}
			known = append(known, o)
		}
	}
	return booking.AllOf(known), len(known) > 0
}

// closings are the lines of those slots in which nobody can be seated any more. Whoever waits for one of them
// together with others is answered as well.
func (s Slots) closings(ctx context.Context, slots []booking.SlotKey, after []booking.Occupancy) []waiting.Closing {
	var closings []waiting.Closing
	for i, slot := range slots {
		if answer := s.Closing(ctx, slot, after[i]); answer != nil {
			closings = append(closings, waiting.Closing{Line: OfSlot(slot), Result: *answer})
		}
	}
	return closings
}

// SteeringOf is the part of an occupancy that steers a line.
func SteeringOf(o booking.Occupancy) waiting.Steering {
	s := waiting.Steering{Paused: o.Paused, Notice: o.Notice, Draw: o.Draw}
	if s.Paused || o.Closed {
		s.Reason = o.Reason
	}
	if !o.OpensAt.IsZero() {
		s.OpensAt = o.OpensAt.UTC().Truncate(time.Microsecond)
	}
	return s
}

// Steering implements waiting.Handler.
func (s Slots) Steering(ctx context.Context, line locks.Name) waiting.Steering {
	slots, err := SlotsOf(line)
	if err != nil {
		return waiting.Steering{}
	}
	r, err := s.Bookings.FindRestaurant(ctx, slots[0].RestaurantID)
	if err != nil {
		return waiting.Steering{}
	}
	day, err := s.Bookings.CachedOccupancy(ctx, r.ID, slots[0].Date)
	if err != nil {
		day = nil // what the restaurant's rule says is known all the same
	}
	return SteeringOf(booking.AllOf(r.Occupancies(slots, day)))
}

// mustWait says whether the database does not serve a request now, but will.
func mustWait(err error) bool {
	return errors.Is(err, booking.ErrPaused) || errors.Is(err, booking.ErrNotOpenYet)
}
