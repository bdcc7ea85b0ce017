package booking

import (
	"slices"
	"time"
)

// ChangeState is what the transaction of a change reads, under the locks of all rows it may write.
type ChangeState struct {
	Reservation Reservation
	Start       time.Time             // of its slot
	Offered     bool                  // staff offer another time instead
	Now         time.Time             // by the database's clock
	Slots       map[SlotKey]Occupancy // the requested ones; the reservation's own seats count as held
	Plan        SeatPlan              // of the restaurant
	Duplicate   string                // another live reservation of the diner in one of the slots
	Stock       Stock                 // of the requested day, with the reservation's own portions added
	Coupon      CouponTerms           // of the reservation's coupon
	Waitlist    Waitlist              // entries that wait for seats in one of the slots
	Vacancies   map[TimeOfDay]Vacancy // further slots that some of these entries need
	Limits      Limits
	FireLimit   int       // as in SlotState
	Diner       Diner     // whose reservation it is
	NextStart   time.Time // of the requested stay
	NextEnd     time.Time
}

// DecideChange returns the changed reservation. Like Decide it reads only its arguments, and its result holds while the
// locks are held. Returns ErrChangedMeanwhile, *AmountChangedError, and the errors of CheckChange, Revise and Decide;
// of Limits those about its time and its price.
func DecideChange(state ChangeState, req Request) (Revision, error) {
	r := state.Reservation
	if r.Changes != req.Change.Number {
		return Revision{}, ErrChangedMeanwhile
	}
	switch {
	case req.Change.ByStaff:
		return state.decideByStaff(req)
	case req.Change.Offered:
		return state.decideOffered(req)
	case req.Change.Undo != nil:
		return state.decideUndo(req)
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
	if err == nil {
		err = state.limit(next, req.HoldTime)
	}
	if err != nil {
		return Revision{}, err
	}
	next.Reservation = next.endHoldBy(state.NextStart)
	return next, next.Check(req.Change.Quoted)
}

// endHoldBy returns the reservation with a hold that does not outlast the start of the slot that it is moved to.
func (r Reservation) endHoldBy(start time.Time) Reservation {
	if r.State == Temporary && start.Before(r.HoldExpiresAt) {
		r.HoldExpiresAt = start
	}
	if r.IsUnseen() && start.Before(r.SeenExpiresAt) {
		r.SeenExpiresAt = start
	}
	return r
}

// seat assigns the changed party its seats, or returns why it gets none.
func (s ChangeState) seat(next *Revision, req Request) error {
	asked := s.asked(req.Slots())
	others := s.others(asked.withoutOwnEntry(s.Reservation.UserID), req)
	give := func(slots SlotState) (err error) {
		next.Seats, err = slots.seatsAfter(s.Reservation, next.Reservation, req)
		return err
	}
	err := refuse(others, req, s.Duplicate != "")
	if err == nil {
		err = give(others)
	}
	next.Reseated, next.Lacks = true, nil
	if err == nil {
		next.Passed = s.passed(req)
		return nil
	}
	others = s.others(asked, req)
	err = others.override(req, err, give)
	next.Overridden, next.Lacks = err == nil, others.lacking(next.SeatIDs())
	return err
}

// lacking returns which of some seats somebody else has in the slots, or nobody is given there.
func (s SlotState) lacking(ids []int64) (lacks []SeatAt) {
	for i, slot := range s.Slots {
		for _, id := range ids {
			if slot.Seats.Has(id) {
				lacks = append(lacks, SeatAt{s.Times[i], id})
			}
		}
	}
	return lacks
}

// asked returns the present state of the requested slots.
func (s ChangeState) asked(slots []SlotKey) SlotState {
	asked := SlotState{Plan: s.Plan, Stock: s.Stock, Waitlist: s.Waitlist, Vacancies: s.Vacancies, Now: s.Now,
		FireLimit: s.FireLimit}
	for _, slot := range slots {
		asked.Slots, asked.Times = append(asked.Slots, s.Slots[slot]), append(asked.Times, slot.Time)
	}
	return asked
}

// others returns the state of the requested slots without the reservation: its own seats are free for it again, even in
// a slot that is closed or paused, and the waitlist has no claim to them.
func (s ChangeState) others(asked SlotState, req Request) SlotState {
	r, others := s.Reservation, asked
	others.Slots = slices.Clone(others.Slots)
	for i, slot := range req.Slots() {
		if !slices.Contains(r.Slots(), slot) {
			continue
		}
		others.Slots[i] = others.Slots[i].freed(slot, r, req.PartySize)
	}
	return others
}

// passed returns the waitlist entries that a change overtakes: those of slots in which it takes additional seats.
func (s ChangeState) passed(req Request) []string {
	asked := s.asked(req.Slots())
	var times []TimeOfDay
	for _, slot := range req.Slots() {
		if req.AdditionalSeats(slot) > 0 {
			times = append(times, slot.Time)
		}
	}
	if len(times) == 0 || len(s.Waitlist) == 0 {
		return nil
	}
	return slices.Clone(s.Waitlist.withoutUser(s.Reservation.UserID)).countPasses(times, s.Plan, asked.vacancies(),
		s.Now)
}

// seatsAfter returns the named seats of a changed party: the chosen ones, else its present ones if they are free and
// fit, else the best free ones.
func (s SlotState) seatsAfter(r, next Reservation, req Request) ([]ReservedSeat, error) {
	had, chosen := r.SeatIDs(), req.SeatIDs
	if len(chosen) == 0 && s.canKeep(had, next.PartySize, req.byRestaurant()) {
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

// canKeep returns whether seats fit a party and are free in every slot of the turn.
func (s SlotState) canKeep(ids []int64, party int, byStaff bool) bool {
	all := AllOf(s.Slots)
	for _, id := range ids {
		if s.Plan.find(id) < 0 || all.Seats.Has(id) {
			return false
		}
	}
	if len(ids) == 0 {
		return false
	}
	_, wrong := s.Plan.faultFor(ids, party, byStaff)
	return !wrong
}

// without returns the taken seats less those with the given ids.
func (t TakenSeats) without(ids []int64) TakenSeats {
	return slices.DeleteFunc(slices.Clone(t), func(use SeatUse) bool { return slices.Contains(ids, use.ID) })
}
