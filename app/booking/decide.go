package booking

import (
	"slices"
	"time"
)

// Occupancy is how full a slot is.
type Occupancy struct {
	Capacity int        // covers
	Held     int        // covers of all reservations that hold seats
	OnHold   int        // those among Held that wait for payment and may return
	Promised int        // covers that nobody holds but that are the waitlist's
	Listed   int        // parties that wait on the waitlist
	Closed   bool       // by staff
	Seats    TakenSeats // where the restaurant names them; those that are the waitlist's among them
}

// Free is how many seats nobody holds; never negative.
func (o Occupancy) Free() int { return max(0, o.Capacity-o.Held) }

// Remaining is how many seats are left for those who press; never negative.
func (o Occupancy) Remaining() int { return max(0, o.Free()-o.Promised) }

// SlotState is what a turn reads of its slots under their row locks before it decides.
type SlotState struct {
	// Slots say how full each slot of the turn is; at least one. Every request of the run needs its seats in all of them.
	Slots []Occupancy
	Plan  SeatPlan // of the restaurant
	// Live has the reservation that holds seats in one of the slots for each person of the run who has one.
	Live map[string]Reservation
	// Stock is what is left on the slot's day of the limited items that the run orders.
	Stock Stock
	// Coupons are those that the run asks for and its persons have.
	Coupons map[Owner]Coupon
	Now     time.Time // by the database's clock; set if there are Coupons
	// Repeats has what each person of the run was given before under the same idempotency key, whatever became of it.
	Repeats map[string]Reservation
	// Waitlist are those who wait for seats in one of the slots, whose Times go with it. Rooms are the other slots that some of
	// them need as well.
	Waitlist Waitlist
	Times    []TimeOfDay
	Rooms    map[TimeOfDay]Room
}

// Outcome is the answer to one request of a run. Exactly one of these holds: Err is nil and the request gets a new
// reservation; Err is nil and Existing is what an earlier request with the same key was given; Err says why not.
type Outcome struct {
	Request       Request
	ReservationID string       // of the new reservation, the repeated one, or the one that makes it a duplicate
	Existing      *Reservation // set on a repeat
	SeatIDs       []int64      // of the new reservation, ascending
	Discount      Discount     // of the new reservation
	Passed        []string     // entries of the waitlist that the new reservation was seated past
	Err           error        // ErrDuplicate, ErrClosed, ErrKeyReused, *SoldOutError, *SeatTakenError, *OutOfStockError or an ErrCoupon
}

// Reserves says whether the outcome makes a new reservation.
func (o Outcome) Reserves() bool { return o.Err == nil && o.Existing == nil }

// Decide gives each request of a run its outcome, in arrival order: whoever came first is looked at first, and a party
// that does not fit, or that orders more of a dish than is left, does not keep a later one from the seats and dishes that
// are. Seats to which somebody on the waitlist has a right are given to nobody here. It returns how full each slot is after the
// run. It reads nothing but its arguments and changes none of them, so what it decides is right exactly while the locks of the slots' rows and of the stock's and the coupons' rows are held.
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
			out.Passed = state.pass(req.UserID)
			state.seat(out)
			state.Stock.take(req.Items)
		}
		outcomes = append(outcomes, out)
	}
	state.applyPromises()
	return outcomes, state.Slots
}

// seat holds the seats of a new reservation in each slot.
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

// accept writes into an outcome why its request cannot be met, or else its seats and what a coupon takes off.
func (s SlotState) accept(out *Outcome, seated bool) {
	if out.Err = refuse(s, out.Request, seated); out.Err != nil {
		return
	}
	if out.SeatIDs, out.Err = s.seatsFor(out.Request); out.Err == nil {
		out.Discount, out.Err = s.discount(out.Request)
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
