package waiting

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/refusal"
	"lunchgo/locks"
)

// LineOf is the line of a slot. All slots of one restaurant and date share a partition.
func LineOf(slot booking.SlotKey) locks.Name {
	return locks.Name{
		Partition: fmt.Sprintf("r%d:%s", slot.RestaurantID, slot.Date),
		Key:       string(slot.Time),
	}
}

// RequestFor makes a checked booking into a request for the line of its slots.
func RequestFor(req booking.Request) (Request, error) {
	payload, err := json.Marshal(req)
	if err != nil {
		return Request{}, fmt.Errorf("waiting: write a request: %w", err)
	}
	return Request{Line: LineOfStay(req.Slots()), UserID: personOf(req), IdempotencyKey: req.IdempotencyKey,
		Payload: payload, Seats: furtherSeats(req), HoldsSeats: req.Change != nil && furtherSeats(req) == 0,
		booking: &req}, nil
}

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

// Reservations serves lines of slots and of stays: each request holds a booking.Request.
type Reservations struct {
	Bookings   Bookings
	HoldUnseen time.Duration // how long a hold lasts at most for whom nobody watched, until they see it; 0: in full
}

// Precheck implements Handler: sold out, closed and seats that somebody has are answered from the availability
// cache, with no query and no place in the line. What the cache does not know enters the line.
func (s Reservations) Precheck(ctx context.Context, w Request) (Result, bool) {
	req, err := w.BookingRequest()
	if err != nil || isChangeWithin(req) {
		return Result{}, false
	}
	o, ok := s.known(ctx, req.Slots())
	r, err := s.Bookings.FindRestaurant(ctx, req.Slot.RestaurantID)
	if !ok || err != nil {
		return Result{}, false
	}
	err = o.CheckRequest(r.Seats, req)
	return resultOf(booking.Outcome{Err: err}), err != nil
}

// CheckLimits implements Handler.
func (s Reservations) CheckLimits(ctx context.Context, w Request) (Result, bool) {
	req, err := w.BookingRequest()
	if err != nil || req.Change != nil || req.Guest != nil {
		return Result{}, false
	}
	err = s.Bookings.CheckHolds(ctx, req)
	var many *booking.TooManyHoldsError
	var recently *booking.HeldRecentlyError
	if !errors.As(err, &many) && !errors.As(err, &recently) {
		return Result{}, false
	}
	return Refused(err), true
}

// Remaining implements Handler: the smallest party that the restaurant takes fits so often into the seats that are
// left, and where they have names each party gets one.
func (s Reservations) Remaining(ctx context.Context, line locks.Name) (Remaining, bool) {
	slots, err := SlotsOf(line)
	if err != nil {
		return Remaining{}, false
	}
	o, ok := s.known(ctx, slots)
	if !ok {
		return Remaining{}, false
	}
	r, err := s.Bookings.FindRestaurant(ctx, slots[0].RestaurantID)
	if err != nil {
		return Remaining{}, false
	}
	seats, smallest := o.Remaining(), max(r.PartyMin, 1)
	if len(r.Seats) > 0 {
		return Remaining{Requests: min(seats/smallest, r.Seats.Free(o.Seats))}, true
	}
	return Remaining{Requests: seats / smallest, Seats: seats, Smallest: smallest}, true
}

// Serve implements Handler.
func (s Reservations) Serve(ctx context.Context, turn Turn, run []QueuedRequest) ([]Result, []Closing, error) {
	slots, err := SlotsOf(turn.Line)
	if err != nil {
		return nil, nil, err
	}
	requests := make([]booking.Request, len(run))
	for i, served := range run {
		if requests[i], err = served.BookingRequest(); err != nil {
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
	results := make([]Result, len(outcomes))
	for i, o := range outcomes {
		if results[i] = resultOf(o); mustWait(o.Err) {
			results[i] = Result{State: Waiting}
		}
	}
	return results, s.closings(ctx, slots, after), nil
}

// Closing is the answer to everyone who waits for a slot, once no party the restaurant takes could still be seated; nil
// while one could.
func (s Reservations) Closing(ctx context.Context, slot booking.SlotKey, o booking.Occupancy) *Result {
	if err := o.CheckClosed(); err != nil {
		result := Refused(err)
		return &result
	}
	r, err := s.Bookings.FindRestaurant(ctx, slot.RestaurantID)
	if err != nil || !o.IsFull(r) {
		return nil
	}
	result := Refused(&booking.SoldOutError{Remaining: r.Seats.LargestParty(o.Seats, o.Remaining()), OnHold: o.OnHold})
	return &result
}

// Lines counts those who wait for slots; it implements reserve.Lines.
type Lines struct {
	Room *Room
}

// Lengths implements reserve.Lines.
func (l Lines) Lengths(ctx context.Context, slots []booking.SlotKey) ([]int, error) {
	names := make([]locks.Name, len(slots))
	for i, slot := range slots {
		names[i] = LineOf(slot)
	}
	return l.Room.Lengths(ctx, names)
}

// CountByRestaurant returns how many wait in the lines of slots, those being served among them, by restaurant and over
// all processes. Restaurants without any are left out.
func (l Lines) CountByRestaurant(ctx context.Context) (map[int64]int, error) {
	registered, err := l.Room.lines.Registered(ctx)
	if err != nil {
		return nil, err
	}
	var names []locks.Name
	var restaurants []int64
	known := map[locks.Name]bool{}
	for _, line := range registered {
		slots, err := SlotsOf(line)
		if first := firstLine(line); err == nil && !known[first] {
			known[first] = true
			names, restaurants = append(names, first), append(restaurants, slots[0].RestaurantID)
		}
	}
	lengths, err := l.Room.Lengths(ctx, names)
	waiting := map[int64]int{}
	for i, n := range lengths {
		if n > 0 {
			waiting[restaurants[i]] += n
		}
	}
	return waiting, err
}

// FindResult implements Handler.
func (s Reservations) FindResult(ctx context.Context, _ locks.Name, ticket string) (Result, error) {
	id, changed, err := s.Bookings.FindServed(ctx, ticket)
	switch {
	case errors.Is(err, booking.ErrNotFound):
		return Result{}, ErrUnknownTicket
	case err != nil:
		return Result{}, err
	}
	return Result{State: Reserved, ReservationID: id, Changed: changed, Unseen: !changed}, nil
}

// resultOf is the answer to somebody who reserves a table, or changes a reservation.
func resultOf(o booking.Outcome) Result {
	if o.Err == nil {
		changed := o.Request.Change != nil
		return Result{State: Reserved, ReservationID: o.ReservationID, Changed: changed,
			Confirmed: o.AtOnce, Unseen: !changed && !o.AtOnce && o.Request.UnseenTime > 0}
	}
	if errors.Is(o.Err, booking.ErrDuplicate) {
		result := Refused(&booking.DuplicateError{ReservationID: o.ReservationID})
		result.ReservationID = o.ReservationID
		return result
	}
	result := Refused(o.Err)
	result.ReservationID = refusal.Details[booking.OverlappingError](o.Err).ReservationID
	return result
}
