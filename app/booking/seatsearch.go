package booking

import "slices"

// seatSearch finds the best seats of a plan for a party. It identifies a seat by its index in the plan.
type seatSearch struct {
	plan  SeatPlan
	party int
	any   bool // stop at the first set that fits

	free     []bool
	partners [][]int
	steps    int
	best     []int // ascending; nil until one is found
}

// run enumerates all connected sets of free seats, each once: a set that begins at a seat grows only by partners that
// come later in the plan. (The enumeration is ESU, Wernicke 2006.)
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

// partnersOf returns the free partners of a seat. It computes them on first use, since most parties need one seat only.
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

// later returns the partners of a seat that come after first in the plan and are neither in the set nor known.
func (s *seatSearch) later(seat, first int, set, known []int) []int {
	var more []int
	for _, partner := range s.partnersOf(seat) {
		if partner > first && !slices.Contains(set, partner) && !slices.Contains(known, partner) {
			more = append(more, partner)
		}
	}
	return more
}

// grow considers a set that is large enough, and extends one that is not. It never extends a large enough set: the
// added seat would be superfluous.
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
		var around []int // all partners of the set, including those that other branches of the search have taken
		for _, seat := range set {
			around = append(around, s.partnersOf(seat)...)
		}
		rest := append(slices.Clone(reach[i+1:]), s.later(next, set[0], set, around)...)
		s.grow(append(slices.Clone(set), next), rest)
	}
}

// done returns whether the search can stop: after maxSeatingSteps, or with a perfect result. The first single seat
// without an empty place is perfect, because it comes first in the plan.
func (s *seatSearch) done() bool {
	return s.steps >= maxSeatingSteps || s.best != nil && (s.any || len(s.best) == 1 && s.places(s.best) == s.party)
}

// cannotBeat returns whether a set of that size cannot be better than the best one, which leaves no place empty.
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

// compare returns a negative number if a fits better than b.
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

// needed returns whether no seat of a set is superfluous: without it the others would not suffice or not be connected.
func (s *seatSearch) needed(set []int) bool {
	for i := range set {
		rest := slices.Delete(slices.Clone(set), i, i+1)
		if len(rest) > 0 && s.places(rest) >= s.party && s.joined(rest) {
			return false
		}
	}
	return true
}

// joined returns whether partners connect all seats of a set.
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
