package booking

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSeatReason_IsTrue holds what is said of seats against what was free when Best gave them, on random plans.
func TestSeatReason_IsTrue(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 11))
	said := map[SeatReason]int{}
	for range 3000 {
		plan, taken := randomPlan(random, 8)
		party := 1 + random.IntN(6)
		res := Reservation{PartySize: party, Seats: reserved(false, plan.Best(taken, party)...)}
		why, empty := plan.SeatReason(res, false)
		said[why]++
		tighter := slices.ContainsFunc(plan, func(s Seat) bool { // one that the party could have had instead
			return !taken.Has(s.ID) && s.MinParty <= party && s.Places >= party && s.Places < party+empty &&
				(party <= counterParty || s.Kind == TableSeat)
		})
		single := slices.ContainsFunc(plan, func(s Seat) bool {
			return !taken.Has(s.ID) && s.MinParty <= party && s.Places == party+empty
		})
		switch {
		case why == SeatsExact && plan.Places(res.SeatIDs()) != party,
			(why == SeatsClosest || why == SeatsJoined) && tighter, why == SeatsJoined && single,
			(why == "") != (len(res.Seats) == 0):
			t.Fatalf("%v (%d empty) is said of %v for %d; taken %v of %+v", why, empty, res.SeatIDs(), party, taken, plan)
		}
	}
	for _, why := range []SeatReason{SeatsExact, SeatsClosest, SeatsJoined} {
		if said[why] < 100 {
			t.Errorf("%s was said %d times: the plans do not try it", why, said[why])
		}
	}
}

func reserved(chosen bool, ids ...int64) (seats []ReservedSeat) {
	for _, id := range ids {
		seats = append(seats, ReservedSeat{ID: id, Chosen: chosen})
	}
	return seats
}

func TestSeatReason(t *testing.T) {
	t.Parallel()
	plan := room()
	for i, c := range []struct {
		res  Reservation
		over bool
		want string
	}{
		{Reservation{PartySize: 2, Seats: reserved(true, 13)}, false, "chosen 2"},
		{Reservation{PartySize: 2, Seats: reserved(false, 11)}, false, "exact 0"},
		{Reservation{PartySize: 3, Seats: reserved(false, 13)}, false, "closest 1"},
		{Reservation{PartySize: 3, Seats: reserved(false, 13), Changes: 1}, false, "stayed 1"},
		{Reservation{PartySize: 4, Seats: reserved(false, 11, 12)}, false, "joined 0"},
		{Reservation{PartySize: 9, Seats: reserved(true, 13)}, true, "over 0"},
		{Reservation{PartySize: 2, Seats: reserved(false, 99)}, false, " 0"}, // a table of before
		{Reservation{PartySize: 2}, false, " 0"},
	} {
		if why, empty := plan.SeatReason(c.res, c.over); fmt.Sprintf("%s %d", why, empty) != c.want {
			t.Errorf("%d: %s %d, want %s", i, why, empty, c.want)
		}
	}
}
