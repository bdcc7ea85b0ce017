package booking

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// better returns whether set a fits a party better than b by the documented rules, for small plans.
func better(p SeatPlan, used TakenSeats, party int, a, b []int64) bool {
	for _, worth := range []func(set []int64) int{
		func(set []int64) int {
			if party > counterParty && slices.ContainsFunc(set, p.isCounter) {
				return 1
			}
			return 0
		},
		p.Places,
		func(set []int64) int { return len(set) },
		func(set []int64) int { return p.joinsOf(used, set) },
	} {
		if worth(a) != worth(b) {
			return worth(a) < worth(b)
		}
	}
	return slices.Compare(a, b) < 0 // the ids are in the order of the plan
}

func (p SeatPlan) isCounter(id int64) bool { return p[p.find(id)].Kind == CounterSeat }

// joinsOf counts the pairs of a seat of a set and a free one beside it.
func (p SeatPlan) joinsOf(used TakenSeats, set []int64) (n int) {
	for _, seat := range p {
		if used.Has(seat.ID) || slices.Contains(set, seat.ID) {
			continue
		}
		for _, id := range set {
			if slices.Contains(seat.Partners, id) {
				n++
			}
		}
	}
	return n
}

// randomPlan returns a plan of up to most seats, some at a counter, some joined, and which of them are taken.
func randomPlan(random *rand.Rand, most int) (plan SeatPlan, used TakenSeats) {
	plan = make(SeatPlan, 1+random.IntN(most))
	for i := range plan {
		plan[i] = Seat{ID: int64(i + 1), Kind: TableSeat, Places: 1 + random.IntN(5), MinParty: random.IntN(3)}
		if random.IntN(3) == 0 {
			plan[i].Kind, plan[i].Places = CounterSeat, 1
		}
		if random.IntN(4) == 0 {
			used = used.With([]int64{plan[i].ID})
		}
	}
	for i := range plan {
		for j := range i {
			if random.IntN(3) == 0 {
				plan[i].Partners = append(plan[i].Partners, plan[j].ID)
				plan[j].Partners = append(plan[j].Partners, plan[i].ID)
			}
		}
	}
	return plan, used
}

func TestSeatSearch_AgreesWithAllSubsets(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		plan, used := randomPlan(rand.New(rand.NewPCG(seed, 2)), 8)
		for party := 1; party < 14; party++ {
			var best []int64
			for mask := 1; mask < 1<<len(plan); mask++ {
				var set []int64
				free := true
				for i, seat := range plan {
					if mask&(1<<i) != 0 {
						set, free = append(set, seat.ID), free && !used.Has(seat.ID)
					}
				}
				if _, wrong := plan.fault(set, party); free && !wrong &&
					(best == nil || better(plan, used, party, set, best)) {
					best = set
				}
			}
			if got := plan.Best(used, party); !slices.Equal(got, best) {
				t.Fatalf("seed %d, party of %d: got %v, want %v of %+v without %v", seed, party, got, best, plan, used)
			}
			if plan.CanSeat(used, party) != (best != nil) {
				t.Fatalf("seed %d, party of %d: can sit: %v, gets %v", seed, party, best == nil, best)
			}
		}
	}
}

// Tables that fit come before counter seats for parties that would sit in a row, and joined tables stay together for
// those that need them.
func TestBest_PrefersTablesThatFit(t *testing.T) {
	t.Parallel()
	plan := counterOf(8)
	for id := int64(21); id <= 24; id++ {
		plan = append(plan, Seat{ID: id, Kind: TableSeat, Places: 4})
	}
	for at := 8; at < 11; at++ { // 21, 22 and 23 are joined, 24 stands alone
		if at < 10 {
			plan[at].Partners = append(plan[at].Partners, plan[at+1].ID)
			plan[at+1].Partners = append(plan[at+1].Partners, plan[at].ID)
		}
	}
	for name, c := range map[string]struct {
		party int
		taken TakenSeats
		want  []int64
	}{
		"two joined tables for seven, not seven stools":  {7, nil, []int64{21, 22}},
		"the stools where no tables are free together":   {7, taken(22), []int64{1, 2, 3, 4, 5, 6, 7}},
		"a table that no other joins for four":           {4, nil, []int64{24}},
		"the end of a row, so that two stay together":    {4, taken(24), []int64{21}},
		"the gap in a row of stools":                     {1, taken(1, 3), []int64{2}},
		"a counter for three":                            {3, nil, []int64{1, 2, 3}},
		"a table rather than five stools":                {5, taken(24), []int64{21, 22}},
		"four stools where all tables are taken":         {4, taken(21, 22, 23, 24), []int64{1, 2, 3, 4}},
		"two tables where the third of the row is taken": {8, taken(23), []int64{21, 22}},
		"more than the tables take sit at the counter":   {8, taken(21, 23), []int64{1, 2, 3, 4, 5, 6, 7, 8}},
		"and nobody where neither has enough in a row":   {8, taken(22, 5), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := plan.Best(c.taken, c.party); !slices.Equal(got, c.want) {
				t.Errorf("a party of %d gets %v, want %v", c.party, got, c.want)
			}
		})
	}
}

// A hall of small tables, each a partner of all tables around it, is the worst case of the search.
func TestSeatSearch_BoundedInLargeHall(t *testing.T) {
	t.Parallel()
	const rows = 8
	var hall SeatPlan
	for i := range int64(rows * rows) {
		seat := Seat{ID: i + 1, Kind: TableSeat, Places: 2}
		for _, other := range []int64{i - rows, i + rows} {
			if other >= 0 && other < rows*rows {
				seat.Partners = append(seat.Partners, other+1)
			}
		}
		if i%rows > 0 {
			seat.Partners = append(seat.Partners, i)
		}
		if i%rows < rows-1 {
			seat.Partners = append(seat.Partners, i+2)
		}
		hall = append(hall, seat)
	}
	search := seatSearch{plan: hall, party: 40}
	if set := search.run(nil); search.places(set) != 40 || search.steps > maxSeatingSteps {
		t.Errorf("%d places in %d steps", search.places(set), search.steps)
	}
}
