package booking

import (
	"slices"
	"time"
)

// ChangeState is what a turn reads, under the locks of all that a change moves, before it decides.
type ChangeState struct {
	Reservation Reservation
	Start       time.Time             // of its slot
	Now         time.Time             // by the database's clock
	Slots       map[SlotKey]Occupancy // those that are asked for, its own seats among the held ones
	Plan        SeatPlan              // of the restaurant
	Duplicate   string                // another live reservation of the diner in one of them
	Stock       Stock                 // what is left on the day asked for, its own portions added
	Coupon      CouponTerms           // of the coupon that it has
	Waitlist    Waitlist              // those who wait for seats in one of the slots asked for
	Rooms       map[TimeOfDay]Room    // other slots that some of them need as well
}

// DecideChange says what becomes of a reservation. Like Decide it reads nothing but its arguments, and is right while the
// locks are held. Returns ErrChangedMeanwhile, the errors of CheckChange and Revise, those of Decide, and
// *AmountChangedError.
func DecideChange(state ChangeState, req Request) (Revision, error) {
	r := state.Reservation
	if r.Changes != req.Change.Number {
		return Revision{}, ErrChangedMeanwhile
	}
	if err := r.CheckChange(state.Start, state.Now); err != nil {
		return Revision{}, err
	}
	next, err := r.Revise(req, state.Coupon, state.Start, state.Now)
	if err != nil {
		return Revision{}, err
	}
	if !slices.Equal(r.Slots(), next.Slots()) || r.PartySize != next.PartySize || len(req.SeatIDs) > 0 {
		err = state.seat(&next, req)
	} else if short := state.Stock.short(req.Items); len(short) > 0 {
		err = &OutOfStockError{Items: short}
	}
	if err != nil {
		return Revision{}, err
	}
	return next, next.Check(req.Change.Quoted)
}

// seat gives a changed party its seats, or says why it gets none.
func (s ChangeState) seat(next *Revision, req Request) (err error) {
	others := s.others(req)
	if err := refuse(others, req, s.Duplicate != ""); err != nil {
		return err
	}
	if next.Seats, err = others.seatsAfter(s.Reservation, next.Reservation, req.SeatIDs); err != nil {
		return err
	}
	next.Passed = s.passed(req)
	return nil
}

// asked is the state of the slots asked for, as it is.
func (s ChangeState) asked(slots []SlotKey) SlotState {
	asked := SlotState{Plan: s.Plan, Stock: s.Stock, Waitlist: s.Waitlist, Rooms: s.Rooms}
	for _, slot := range slots {
		asked.Slots, asked.Times = append(asked.Slots, s.Slots[slot]), append(asked.Times, slot.Time)
	}
	return asked
}

// others is the state of the slots asked for as if the reservation were not there: what is its own is there to be had again,
// also of a slot that is closed, and is not the waitlist's.
func (s ChangeState) others(req Request) SlotState {
	r := s.Reservation
	others := s.asked(req.Slots()).withoutOwnEntry(r.UserID)
	others.Slots = slices.Clone(others.Slots)
	for i, slot := range req.Slots() {
		if !slices.Contains(r.Slots(), slot) {
			continue
		}
		o := &others.Slots[i]
		o.Held -= r.PartySize
		if r.State == Temporary {
			o.OnHold -= r.PartySize
		}
		o.Seats = o.Seats.without(r.SeatIDs())
		o.Closed = o.Closed && req.Further(slot) > 0
	}
	return others
}

// passed are the entries of the waitlist that a change is seated past: where it takes seats that it did not have.
func (s ChangeState) passed(req Request) []string {
	asked := s.asked(req.Slots())
	var times []TimeOfDay
	for _, slot := range req.Slots() {
		if req.Further(slot) > 0 {
			times = append(times, slot.Time)
		}
	}
	if len(times) == 0 || len(s.Waitlist) == 0 {
		return nil
	}
	return slices.Clone(s.Waitlist.Without(s.Reservation.UserID)).Pass(times, s.Plan, asked.rooms())
}

// After is how full the slots of a turn are once the reservation has become another, and what of that is the waitlist's.
func (s ChangeState) After(slots []SlotKey, is Reservation) []Occupancy {
	after := s.asked(slots)
	for i, slot := range slots {
		after.Slots[i] = after.Slots[i].after(slot, s.Reservation, is)
	}
	after.applyPromises()
	return after.Slots
}

// after is how full a slot is once a reservation has become another.
func (o Occupancy) after(slot SlotKey, was, is Reservation) Occupancy {
	if slices.Contains(was.Slots(), slot) {
		o.Held -= was.PartySize
		o.Seats = o.Seats.without(was.SeatIDs())
	}
	if slices.Contains(is.Slots(), slot) {
		o.Held += is.PartySize
		o.Seats = o.Seats.With(is.SeatIDs())
	}
	return o
}

// seatsAfter gives a changed party its named seats: those that it chooses now, or else those that it had if they are free and
// still do, or else the best that are free.
func (s SlotState) seatsAfter(r, next Reservation, chosen []int64) ([]ReservedSeat, error) {
	had := r.SeatIDs()
	if len(chosen) == 0 && s.canKeep(had, next.PartySize) {
		return r.Seats, nil
	}
	ids, err := s.seatsFor(Request{PartySize: next.PartySize, SeatIDs: chosen})
	if err != nil {
		return nil, err
	}
	var seats []ReservedSeat
	for _, id := range ids {
		seat, _ := s.Plan.Find(id)
		seats = append(seats, ReservedSeat{ID: id, Label: seat.Label, Chosen: len(chosen) > 0})
	}
	return seats, nil
}

// canKeep says whether a party may keep seats that it has, and nobody else has them in another slot.
func (s SlotState) canKeep(ids []int64, party int) bool {
	all := AllOf(s.Slots)
	for _, id := range ids {
		if s.Plan.find(id) < 0 || all.Seats.Has(id) {
			return false
		}
	}
	if len(ids) == 0 {
		return false
	}
	_, wrong := s.Plan.fault(ids, party)
	return !wrong
}

// without returns the seats that are taken by others than whoever has some.
func (t TakenSeats) without(ids []int64) TakenSeats {
	return slices.DeleteFunc(slices.Clone(t), func(use SeatUse) bool { return slices.Contains(ids, use.ID) })
}
