package booking

import (
	"fmt"
	"slices"
)

// Bounds of seating.
const (
	// MaxSeats is how many seats a diner may choose.
	MaxSeats = 20
	// maxSeatingSteps bounds one search for seats. Only a room in which very many small tables are all partners of each
	// other needs more; of that the best found so far is good enough.
	maxSeatingSteps = 5_000
)

// What is wrong with a choice of seats.
const (
	seatsNotNamed      = "no_seat_map"      // the restaurant names none
	seatUnknown        = "unknown"          // none of this restaurant
	seatTwice          = "duplicate"        //
	seatsTooSmall      = "seats_too_small"  // fewer places than people
	seatsApart         = "seats_apart"      // not each is joined to the others by partners
	seatsTooMany       = "seats_too_many"   // one of them less would do
	seatForLargerParty = "seats_for_larger" // the restaurant keeps it for larger parties
)

// checkSeats turns the seats that a draft names into those of a request, ascending.
func checkSeats(plan SeatPlan, ids []int64, party int) ([]int64, []FieldError) {
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
	if fault, ok := plan.fault(ids, party); ok {
		return nil, []FieldError{fault}
	}
	sorted := slices.Clone(ids)
	slices.Sort(sorted)
	return sorted, nil
}

// fault is what keeps a party from having some seats of the plan; false if nothing does.
func (p SeatPlan) fault(ids []int64, party int) (FieldError, bool) {
	search := seatSearch{plan: p, party: party}
	var set []int
	for _, id := range ids {
		at := p.find(id)
		if p[at].MinParty > party {
			return FieldError{Field: "seatIds", Reason: seatForLargerParty, Min: p[at].MinParty, Max: p[at].Places}, true
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

// Best returns the free seats that a party gets where it has not chosen any, ascending: those that leave the fewest places
// empty, then the fewest of them, then those that the plan names first. Several seats are given only if partners join
// them, and if no one of them could be left out. nil if there are none.
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

// CanSeat says whether the free seats of a slot can take a party; always where none are named.
func (p SeatPlan) CanSeat(taken TakenSeats, party int) bool {
	search := seatSearch{plan: p, party: party, any: true}
	return len(p) == 0 || search.run(taken) != nil
}

// Room is the largest party, up to most, that the free seats of a slot can take.
func (p SeatPlan) Room(taken TakenSeats, most int) int {
	for party := most; party > 0; party-- {
		if p.CanSeat(taken, party) {
			return party
		}
	}
	return 0
}

// Free is how many seats of the plan nobody has in a slot.
func (p SeatPlan) Free(taken TakenSeats) int {
	free := 0
	for _, seat := range p {
		if !taken.Has(seat.ID) {
			free++
		}
	}
	return free
}

// CheckRequest says why slots that are as full as o have nothing for a request, by what is known before its turn. Returns
// ErrClosed, *SoldOutError or *SeatTakenError.
func (o Occupancy) CheckRequest(plan SeatPlan, req Request) error {
	state := SlotState{Slots: []Occupancy{o}, Plan: plan}
	if err := refuse(state, req, false); err != nil {
		return err
	}
	_, err := state.seatsFor(req)
	return err
}

// IsFull says whether a slot that is as full as o has nothing for any party that a restaurant takes.
func (o Occupancy) IsFull(r Restaurant) bool {
	for party := r.PartyMin; party <= min(r.PartyMax, o.Remaining()); party++ {
		if r.Seats.CanSeat(o.Seats, party) {
			return false
		}
	}
	return true
}

// seatsFor gives a party its seats, the same in each slot: those that it has chosen, or else the best that are free; none where
// none are named. Returns *SeatTakenError or *SoldOutError.
func (s SlotState) seatsFor(req Request) ([]int64, error) {
	if len(s.Plan) == 0 && len(req.SeatIDs) == 0 {
		return nil, nil
	}
	all := AllOf(s.Slots)
	best := s.Plan.Best(all.Seats, req.PartySize)
	switch {
	case len(req.SeatIDs) == 0 && best == nil:
		return nil, &SoldOutError{Remaining: s.Plan.Room(all.Seats, min(all.Remaining(), req.PartySize)), OnHold: all.OnHold}
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
