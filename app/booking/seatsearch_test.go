package booking

import (
	"math/rand/v2"
	"testing"
)

// better returns whether set a fits a party better than b by the documented rules, for small plans.
func better(p SeatPlan, a, b []int64) bool {
	if p.Places(a) != p.Places(b) {
		return p.Places(a) < p.Places(b)
	}
	return len(a) < len(b)
}

func TestSeatSearch_AgreesWithAllSubsets(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 2))
		plan, used := make(SeatPlan, 1+random.IntN(8)), TakenSeats(nil)
		for i := range plan {
			plan[i] = Seat{ID: int64(i + 1), Kind: TableSeat, Places: 1 + random.IntN(5), MinParty: random.IntN(3)}
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
				if _, wrong := plan.fault(set, party); free && !wrong && (best == nil || better(plan, set, best)) {
					best = set
				}
			}
			got := plan.Best(used, party)
			if (got == nil) != (best == nil) || got != nil && (better(plan, best, got) || better(plan, got, best)) {
				t.Fatalf("seed %d, party of %d: got %v, want one like %v of %+v without %v", seed, party, got,
					best, plan, used)
			}
		}
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
