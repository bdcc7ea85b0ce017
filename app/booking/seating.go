package booking

import (
	"fmt"
	"slices"
	"time"
)

// Bounds of seating.
const (
	// MaxSeats is how many seats a diner may choose.
	MaxSeats = 20
	// maxSeatingSteps bounds one search for seats. Only a plan in which very many small tables are partners of each
	// other needs more; for such a plan the best result so far is good enough.
	maxSeatingSteps = 5_000
)

// Reasons why a party cannot have the seats that it chose.
const (
	seatsNotNamed      = "no_seat_map"      // the restaurant has no seat plan
	seatUnknown        = "unknown"          // not a seat of this restaurant
	seatTwice          = "duplicate"        // chosen twice
	seatsTooSmall      = "seats_too_small"  // fewer places than people
	seatsApart         = "seats_apart"      // not all connected through partners
	seatsTooMany       = "seats_too_many"   // fewer seats would do
	seatForLargerParty = "seats_for_larger" // reserved for larger parties
)

// checkSeats returns the chosen seats in ascending order, or what is wrong with them. Of those that staff choose only
// the places count: they know which tables they can put together.
func checkSeats(plan SeatPlan, ids []int64, party int, byStaff bool) ([]int64, []FieldError) {
	switch {
	case len(ids) == 0:
		return nil, nil
	case len(plan) == 0:
		return nil, []FieldError{{Field: "seatIds", Reason: seatsNotNamed}}
	case len(ids) > MaxSeats:
		return nil, []FieldError{{Field: "seatIds", Reason: "too_many", Max: MaxSeats}}
	}
	var faults []FieldError
	for i, id := range ids {
		field := fmt.Sprintf("seatIds[%d]", i)
		if plan.find(id) < 0 {
			faults = append(faults, FieldError{Field: field, Reason: seatUnknown})
		} else if slices.Contains(ids[:i], id) {
			faults = append(faults, FieldError{Field: field, Reason: seatTwice})
		}
	}
	if len(faults) > 0 {
		return nil, faults
	}
	if fault, ok := plan.faultFor(ids, party, byStaff); ok {
		return nil, []FieldError{fault}
	}
	sorted := slices.Clone(ids)
	slices.Sort(sorted)
	return sorted, nil
}

// faultFor is fault, for staff as far as the places go.
func (p SeatPlan) faultFor(ids []int64, party int, byStaff bool) (FieldError, bool) {
	places := p.Places(ids)
	switch {
	case !byStaff:
		return p.fault(ids, party)
	case places < party:
		return FieldError{Field: "seatIds", Reason: seatsTooSmall, Min: 1, Max: places}, true
	}
	return FieldError{}, false
}

// fault returns why a party cannot have some seats of the plan; false if it can.
func (p SeatPlan) fault(ids []int64, party int) (FieldError, bool) {
	search := seatSearch{plan: p, party: party}
	var set []int
	for _, id := range ids {
		at := p.find(id)
		if p[at].MinParty > party {
			return FieldError{Field: "seatIds", Reason: seatForLargerParty, Min: p[at].MinParty, Max: p[at].Places},
				true
		}
		set = append(set, at)
	}
	switch {
	case search.places(set) < party:
		return FieldError{Field: "seatIds", Reason: seatsTooSmall, Min: 1, Max: search.places(set)}, true
	case !search.joined(set):
		return FieldError{Field: "seatIds", Reason: seatsApart}, true
	case !search.needed(set):
		return FieldError{Field: "seatIds", Reason: seatsTooMany}, true
	}
	return FieldError{}, false
}

// Best returns the free seats for a party that has not chosen any, in ascending order: tables before counter seats
// where the party is larger than counterParty, then the ones with the fewest empty places, then the fewest seats, then
// those that the fewest other free seats join, then the first of the plan. Several seats must be connected through
// partners, and none of them can be superfluous. Returns nil if there are none.
func (p SeatPlan) Best(taken TakenSeats, party int) []int64 {
	search := seatSearch{plan: p, party: party}
	best := search.run(taken)
	if best == nil {
		return nil
	}
	ids := make([]int64, 0, len(best))
	for _, at := range best {
		ids = append(ids, p[at].ID)
	}
	slices.Sort(ids)
	return ids
}

// CanSeat returns whether the free seats of a slot can take a party; always true for an empty plan.
func (p SeatPlan) CanSeat(taken TakenSeats, party int) bool {
	search := seatSearch{plan: p, party: party, any: true}
	return len(p) == 0 || search.run(taken) != nil
}

// LargestParty returns the size of the largest party, up to most, that the free seats of a slot can take.
func (p SeatPlan) LargestParty(taken TakenSeats, most int) int {
	for party := most; party > 0; party-- {
		if p.CanSeat(taken, party) {
			return party
		}
	}
	return 0
}

// Free returns how many seats of the plan are free in a slot.
func (p SeatPlan) Free(taken TakenSeats) int {
	free := 0
	for _, seat := range p {
		if !taken.Has(seat.ID) {
			free++
		}
	}
	return free
}

// CheckRequest returns why a slot with this occupancy cannot take a request: ErrClosed, *SoldOutError or
// *SeatTakenError. It is for cached occupancies; the booking transaction decides again. Who asks for a slot that is
// paused, or not open yet, may wait for it: that is no reason here.
func (o Occupancy) CheckRequest(plan SeatPlan, req Request) error {
	o.Paused, o.OpensAt = false, time.Time{}
	state := SlotState{Slots: []Occupancy{o}, Plan: plan}
	err := refuse(state, req, false)
	if err == nil {
		_, err = state.seatsFor(req)
	}
	if req.Overrides() && CanOverride(err) {
		return nil // how many people may be in the house is not cached
	}
	return err
}

// IsFull returns whether a slot with this occupancy cannot take any party that the restaurant accepts.
func (o Occupancy) IsFull(r Restaurant) bool {
	for party := r.PartyMin; party <= min(r.PartyMax, o.Remaining()); party++ {
		if o.takes(r.Seats, party) {
			return false
		}
	}
	return true
}

// seatsFor returns the seats of a party, the same in each slot: the chosen ones, else the best free ones; none for an
// empty plan. Returns *SeatTakenError or *SoldOutError.
func (s SlotState) seatsFor(req Request) ([]int64, error) {
	if len(s.Plan) == 0 && len(req.SeatIDs) == 0 {
		return nil, nil
	}
	all := AllOf(s.Slots)
	all.Seats = all.Seats.With(req.Occupied)
	best := s.Plan.Best(all.Seats, req.PartySize)
	switch {
	case len(req.SeatIDs) == 0 && best == nil:
		return nil, &SoldOutError{Remaining: all.largest(s.Plan, req.PartySize), OnHold: all.OnHold}
	case len(req.SeatIDs) == 0:
		return best, nil
	}
	var gone []int64
	for _, id := range req.SeatIDs {
		if all.Seats.Has(id) || s.Plan.find(id) < 0 {
			gone = append(gone, id)
		}
	}
	if len(gone) > 0 {
		return nil, &SeatTakenError{Taken: gone, Instead: best}
	}
	return req.SeatIDs, nil
}
