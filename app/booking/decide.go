package booking

import (
	"slices"
	"time"
)

// Occupancy is how full a slot is.
type Occupancy struct {
	Capacity   int        // covers
	Held       int        // covers of all reservations that hold seats
	OnHold     int        // the part of Held that waits for payment and may return
	Promised   int        // free covers that are promised to the waitlist
	Waitlisted int        // parties on the waitlist
	KeptUntil  time.Time  // until when the free covers are kept for a waitlist entry at the latest; zero: they are not
	Closed     bool       // by staff
	Seats      TakenSeats // named seats, including those promised to the waitlist
}

// Free returns how many seats no reservation holds; never negative.
func (o Occupancy) Free() int { return max(0, o.Capacity-o.Held) }

// Remaining returns how many seats a new reservation can take; never negative.
func (o Occupancy) Remaining() int { return max(0, o.Free()-o.Promised) }

// SlotState is what the booking transaction reads of a turn's slots under their row locks.
type SlotState struct {
	// Slots has the occupancy of each slot of the turn; at least one. Every request of the run needs seats in all of them.
	Slots []Occupancy
	Plan  SeatPlan // of the restaurant
	// Live has, by user id, the reservation that already holds seats in one of the slots.
	Live map[string]Reservation
	// Stock has the remaining portions of the limited items that the run orders.
	Stock Stock
	// Coupons has the coupons that the run asks for and its users own.
	Coupons map[Owner]Coupon
	Now     time.Time // by the database's clock
	// Repeats has, by user id, the reservation of an earlier request with the same idempotency key, in any state.
	Repeats map[string]Reservation
	// Waitlist has the entries that wait for seats in one of the slots; Times are the times of Slots. Vacancies has the further
	// slots that some entries need.
	Waitlist  Waitlist
	Times     []TimeOfDay
	Vacancies map[TimeOfDay]Vacancy
	// Diners has, by user id, what the limits look at; they bind nobody else. Start and End are those of the stay.
	Diners     map[string]Diner
	Limits     Limits
	Start, End time.Time
}

// Outcome is the answer to one request of a run. Either Err is nil and the request makes a new reservation; or Err is nil
// and Existing is the reservation of an earlier request with the same key; or Err is the reason for the refusal.
type Outcome struct {
	Request       Request
	ReservationID string       // of the new reservation, the repeated one, or the one that makes it a duplicate
	Existing      *Reservation // set on a repeat
	SeatIDs       []int64      // of the new reservation, ascending
	Discount      Discount     // of the new reservation
	Passed        []string     // ids of the waitlist entries that the new reservation overtakes
	Err           error        // ErrDuplicate, ErrClosed, ErrKeyReused, *SoldOutError, *SeatTakenError, *OutOfStockError, an ErrCoupon, or one of Limits
}

// Reserves returns whether the outcome makes a new reservation.
func (o Outcome) Reserves() bool { return o.Err == nil && o.Existing == nil }

// Decide returns the outcome of each request of a run, and the occupancy of each slot after the run. It takes the requests
// in arrival order. A request that does not fit, or that orders more of a dish than is left, does not block later ones.
// Seats promised to the waitlist are not available. Decide reads only its arguments and changes none of them, so its
// result holds exactly while the locks on the rows of slots, stock and coupons are held.
func Decide(state SlotState, run []Request) ([]Outcome, []Occupancy) {
	outcomes := make([]Outcome, 0, len(run))
	seated := map[string]bool{}
	state.Stock, state.Slots = state.Stock.clone(), slices.Clone(state.Slots)
	state.Waitlist = slices.Clone(state.Waitlist)
	for _, req := range run {
		out := Outcome{Request: req}
		if earlier, ok := state.Repeats[req.UserID]; ok && earlier.IdempotencyKey == req.IdempotencyKey {
			out = repeat(earlier, req)
		} else if live, ok := state.Live[req.UserID]; ok {
			out.ReservationID, out.Err = live.ID, ErrDuplicate
		} else if state.withoutOwnEntry(req.UserID).accept(&out, seated[req.UserID]); out.Err == nil {
			seated[req.UserID] = true
			out.Passed = state.overtake(req.UserID)
			state.seat(out)
			state.Stock.take(req.Items)
		}
		outcomes = append(outcomes, out)
	}
	state.applyPromises()
	return outcomes, state.Slots
}

// seat adds a new reservation to the occupancy of each slot.
func (s SlotState) seat(out Outcome) {
	for i := range s.Slots {
		s.Slots[i].Held += out.Request.PartySize
		s.Slots[i].OnHold += out.Request.PartySize
		s.Slots[i].Seats = s.Slots[i].Seats.With(out.SeatIDs)
	}
}

func repeat(earlier Reservation, req Request) Outcome {
	if earlier.Slot != req.Slot || earlier.PartySize != req.PartySize {
		return Outcome{Request: req, Err: ErrKeyReused}
	}
	return Outcome{Request: req, Existing: &earlier, ReservationID: earlier.ID}
}

// accept sets the seats and the discount of an outcome, or the error that refuses its request.
func (s SlotState) accept(out *Outcome, seated bool) {
	if out.Err = refuse(s, out.Request, seated); out.Err != nil {
		return
	}
	if out.SeatIDs, out.Err = s.seatsFor(out.Request); out.Err == nil {
		out.Discount, out.Err = s.discount(out.Request)
	}
	if out.Err == nil {
		out.Err = s.limit(*out)
	}
}

func refuse(state SlotState, req Request, seated bool) error {
	all := AllOf(state.Slots)
	switch {
	case seated:
		return ErrDuplicate
	case all.Closed:
		return ErrClosed
	case req.PartySize > all.Remaining():
		return &SoldOutError{Remaining: all.Remaining(), OnHold: all.OnHold}
	}
	if short := state.Stock.short(req.Items); len(short) > 0 {
		return &OutOfStockError{Items: short}
	}
	return nil
}
