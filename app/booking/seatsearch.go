package booking

import "slices"

// seatSearch looks for the seats of a plan that fit a party. Seats are named by where they stand in the plan.
type seatSearch struct {
	plan  SeatPlan
	party int
	any   bool // the first that fits will do

	free     []bool
	partners [][]int
	steps    int
	best     []int // ascending; nil while none was found
}

// run goes through all sets of free seats that partners join, each once: those that begin at a seat are grown by partners
// that come later in the plan. (The enumeration is ESU, Wernicke 2006.)
func (s *seatSearch) run(taken TakenSeats) []int {
	s.free, s.partners = make([]bool, len(s.plan)), make([][]int, len(s.plan))
	for i, seat := range s.plan {
		s.free[i] = seat.MinParty <= s.party && !taken.Has(seat.ID)
	}
	for first := range s.plan {
		if s.free[first] && !s.done() {
			s.grow([]int{first}, nil)
		}
	}
	return s.best
}

// partnersOf are the free seats that can be joined with one; looked up when they are first asked for, since most parties
// need one seat only.
func (s *seatSearch) partnersOf(seat int) []int {
	if s.partners[seat] == nil {
		s.partners[seat] = []int{}
		for _, id := range s.plan[seat].Partners {
			if at := s.plan.find(id); at >= 0 && s.free[at] {
				s.partners[seat] = append(s.partners[seat], at)
			}
		}
	}
	return s.partners[seat]
}

// later are the partners of a seat that come after first in the plan and are neither in the set nor known already.
func (s *seatSearch) later(seat, first int, set, known []int) []int {
	var more []int
	for _, partner := range s.partnersOf(seat) {
		if partner > first && !slices.Contains(set, partner) && !slices.Contains(known, partner) {
			more = append(more, partner)
		}
	}
	return more
}

// grow weighs a set that is large enough, and lets one grow that is not. A set that is large enough need not grow: what is
// added then could be left out.
func (s *seatSearch) grow(set, reach []int) {
	s.steps++
	if s.places(set) >= s.party {
		s.weigh(set)
		return
	}
	if len(set) == 1 {
		reach = s.later(set[0], set[0], nil, nil)
	}
	for i, next := range reach {
		if s.done() || s.cannotBeat(len(set)+1) {
			return
		}
		var around []int // what the set reaches already, those seats included that other branches have taken up
		for _, seat := range set {
			around = append(around, s.partnersOf(seat)...)
		}
		rest := append(slices.Clone(reach[i+1:]), s.later(next, set[0], set, around)...)
		s.grow(append(slices.Clone(set), next), rest)
	}
}

// done says that the search need not go on, or has gone on for long enough: of the seats that alone fit without an empty place,
// the first found comes first in the plan.
func (s *seatSearch) done() bool {
	return s.steps >= maxSeatingSteps || s.best != nil && (s.any || len(s.best) == 1 && s.places(s.best) == s.party)
}

// cannotBeat says that a set of that size is no better than one that leaves no place empty.
func (s *seatSearch) cannotBeat(size int) bool {
	return s.best != nil && s.places(s.best) == s.party && size > len(s.best)
}

func (s *seatSearch) weigh(set []int) {
	if !s.needed(set) {
		return
	}
	set = slices.Sorted(slices.Values(set))
	if s.best == nil || s.compare(set, s.best) < 0 {
		s.best = set
	}
}

// compare is negative if a fits better than b.
func (s *seatSearch) compare(a, b []int) int {
	if wasted := s.places(a) - s.places(b); wasted != 0 {
		return wasted
	}
	if more := len(a) - len(b); more != 0 {
		return more
	}
	return slices.Compare(a, b)
}

func (s *seatSearch) places(set []int) int {
	sum := 0
	for _, at := range set {
		sum += s.plan[at].Places
	}
	return sum
}

// needed says that no seat of a set could be left out with the others still joined and enough.
func (s *seatSearch) needed(set []int) bool {
	for i := range set {
		rest := slices.Delete(slices.Clone(set), i, i+1)
		if len(rest) > 0 && s.places(rest) >= s.party && s.joined(rest) {
			return false
		}
	}
	return true
}

// joined says whether partners join the seats of a set to one.
func (s *seatSearch) joined(set []int) bool {
	reached := []int{set[0]}
	for i := 0; i < len(reached); i++ {
		for _, at := range set {
			if !slices.Contains(reached, at) && slices.Contains(s.plan[reached[i]].Partners, s.plan[at].ID) {
				reached = append(reached, at)
			}
		}
	}
	return len(reached) == len(set)
}
