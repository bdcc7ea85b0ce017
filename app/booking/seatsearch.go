package booking

import (
	"cmp"
	"slices"
)

// counterParty is the largest party that sits as well at a counter as at a table. A larger one would sit in a row, so
// it gets counter seats only where no tables take it.
const counterParty = 3

// seatSearch finds the best seats of a plan for a party. It identifies a seat by its index in the plan.
type seatSearch struct {
	plan  SeatPlan
	party int
	any   bool // stop at the first set that fits

	taken     TakenSeats
	free      []bool // whether the party can have a seat
	partners  [][]int
	steps     int
	best      []int // ascending; nil until one is found
	bestJoins int   // of the seats of best
}

// run returns the best set of free seats; nil if there is none. It looks at tables alone first for a party that is too
// large for a counter.
func (s *seatSearch) run(taken TakenSeats) []int {
	s.taken, s.free = taken, make([]bool, len(s.plan))
	left := false // whether counter seats are left out
	for i, seat := range s.plan {
		free := seat.MinParty <= s.party && !taken.Has(seat.ID)
		s.free[i] = free && (s.party <= counterParty || seat.Kind != CounterSeat)
		left = left || free != s.free[i]
	}
	if s.search(); s.best != nil || !left {
		return s.best
	}
	for i, seat := range s.plan {
		s.free[i] = seat.MinParty <= s.party && !taken.Has(seat.ID)
	}
	s.search()
	return s.best
}

// search enumerates all connected sets of free seats, each once: a set that begins at a seat grows only by partners
// that come later in the plan. (The enumeration is ESU, Wernicke 2006.)
func (s *seatSearch) search() {
	s.partners = make([][]int, len(s.plan))
	s.single()
	for first, seat := range s.plan {
		if s.free[first] && seat.Places < s.party && !s.done() {
			s.grow([]int{first}, nil)
		}
	}
}

// single considers the seats that are large enough alone. It allocates for the best only: most parties need one seat.
func (s *seatSearch) single() {
	best, joins := -1, 0
	for i, seat := range s.plan {
		if !s.free[i] || seat.Places < s.party || best >= 0 && seat.Places > s.plan[best].Places {
			continue
		}
		more := s.joins([]int{i})
		if best < 0 || seat.Places < s.plan[best].Places || more < joins {
			best, joins = i, more
		}
		if s.any || seat.Places == s.party && joins == 0 {
			break
		}
	}
	if best >= 0 {
		s.best, s.bestJoins = []int{best}, joins
	}
}

// joins returns how many free seats join a set that are not in it: with as few as possible the larger parties to come
// find seats together.
func (s *seatSearch) joins(set []int) int {
	n := 0
	for _, at := range set {
		for _, id := range s.plan[at].Partners {
			if !s.taken.Has(id) && !slices.ContainsFunc(set, func(in int) bool { return s.plan[in].ID == id }) {
				n++
			}
		}
	}
	return n
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
	var around []int // all partners of the set, including those that other branches of the search have taken
	for i, next := range reach {
		if s.done() || s.cannotBeat(len(set)+1) {
			return
		}
		if around == nil {
			for _, seat := range set {
				around = append(around, s.partnersOf(seat)...)
			}
		}
		rest := append(slices.Clone(reach[i+1:]), s.later(next, set[0], set, around)...)
		s.grow(append(slices.Clone(set), next), rest)
	}
}

// done returns whether the search can stop: after maxSeatingSteps, or with a single seat without an empty place, which
// no set of several can beat.
func (s *seatSearch) done() bool {
	return s.steps >= maxSeatingSteps || s.best != nil && (s.any || len(s.best) == 1 && s.places(s.best) == s.party)
}

// cannotBeat returns whether a set of that size cannot be better than the best one, which leaves no place empty.
func (s *seatSearch) cannotBeat(size int) bool {
	return s.best != nil && s.places(s.best) == s.party && size > len(s.best)
}

// weigh makes a set the best one if it is better than that: by the order that Best documents.
func (s *seatSearch) weigh(set []int) {
	if s.best != nil && s.worse(set) || !s.needed(set) {
		return
	}
	set = slices.Sorted(slices.Values(set))
	joins := s.joins(set)
	if s.best == nil || s.places(set) < s.places(s.best) || len(set) < len(s.best) || joins < s.bestJoins ||
		joins == s.bestJoins && slices.Compare(set, s.best) < 0 {
		s.best, s.bestJoins = set, joins
	}
}

// worse returns whether a set has more empty places than the best one, or as many and more seats.
func (s *seatSearch) worse(set []int) bool {
	return cmp.Or(s.places(set)-s.places(s.best), len(set)-len(s.best)) > 0
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
