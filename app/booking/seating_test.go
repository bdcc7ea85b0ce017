package booking

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// room is a plan with a counter of four seats (1 to 4), and tables: for two (11, 12), for four (13, 14) and for six,
// kept for parties from four on (15). The two smallest tables join, and each of them with one for four: 13-11-12-14.
func room() SeatPlan {
	return SeatPlan{
		{ID: 1, Label: "C1", Kind: CounterSeat, Places: 1, Partners: []int64{2}},
		{ID: 2, Label: "C2", Kind: CounterSeat, Places: 1, Partners: []int64{1, 3}},
		{ID: 3, Label: "C3", Kind: CounterSeat, Places: 1, Partners: []int64{2, 4}},
		{ID: 4, Label: "C4", Kind: CounterSeat, Places: 1, Partners: []int64{3}},
		{ID: 11, Label: "T1", Kind: TableSeat, Places: 2, Partners: []int64{12, 13}},
		{ID: 12, Label: "T2", Kind: TableSeat, Places: 2, Partners: []int64{11, 14}},
		{ID: 13, Label: "T3", Kind: TableSeat, Places: 4, Partners: []int64{11}},
		{ID: 14, Label: "T4", Kind: TableSeat, Places: 4, Partners: []int64{12}},
		{ID: 15, Label: "T5", Kind: TableSeat, Places: 6, MinParty: 4},
	}
}

func taken(ids ...int64) TakenSeats { return TakenSeats(nil).With(ids) }

func TestBest(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		party int
		taken TakenSeats
		want  []int64
	}{
		"one sits at the counter, at the first seat":      {1, nil, []int64{1}},
		"one table beats two seats":                       {2, nil, []int64{11}},
		"neighbours at the counter":                       {2, taken(11, 12, 2), []int64{3, 4}},
		"no place empty beats fewer seats":                {3, taken(11, 12), []int64{1, 2, 3}},
		"seats apart are not given":                       {2, taken(2, 4, 11, 12), []int64{13}},
		"a table for four":                                {4, nil, []int64{13}},
		"two tables for two, where none for four is free": {4, taken(13, 14, 15, 1), []int64{11, 12}},
		"the table for six":                               {6, nil, []int64{15}},
		"two joined tables for six":                       {6, taken(15), []int64{11, 13}},
		"three joined tables":                             {8, nil, []int64{11, 12, 13}},
		"all that join":                                   {12, nil, []int64{11, 12, 13, 14}},
		"more than can sit together":                      {13, nil, nil},
		"a taken table between two parts them":            {8, taken(12, 15), nil},
		"the table for six is kept for larger parties":    {3, taken(1, 2, 3, 4, 11, 12, 13, 14), nil},
		"and goes to one that is large enough":            {4, taken(1, 2, 3, 4, 11, 12, 13, 14), []int64{15}},
		"nothing is free":                                 {1, taken(1, 2, 3, 4, 11, 12, 13, 14, 15), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := room().Best(c.taken, c.party); !slices.Equal(got, c.want) {
				t.Errorf("a party of %d gets %v, want %v", c.party, got, c.want)
			}
			if can := room().CanSeat(c.taken, c.party); can != (c.want != nil) {
				t.Errorf("can seat a party of %d: %v", c.party, can)
			}
		})
	}
}

func TestDraftCheck_ChosenSeats(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		party  int
		ids    []int64
		faults []FieldError
	}{
		"none":                        {2, nil, nil},
		"a table":                     {2, []int64{11}, nil},
		"a larger one than is needed": {2, []int64{13}, nil},
		"a table for one":             {1, []int64{11}, nil},
		"joined tables, in any order": {6, []int64{13, 11}, nil},
		"the ends and the middle":     {3, []int64{1, 3, 2}, nil},
		"a middle that joins":         {8, []int64{14, 12, 11, 13}, []FieldError{{Field: "seatIds", Reason: "seats_too_many"}}},
		"unknown":                     {2, []int64{11, 99, -1}, []FieldError{{Field: "seatIds[1]", Reason: "unknown"}, {Field: "seatIds[2]", Reason: "unknown"}}},
		"twice":                       {4, []int64{11, 12, 11}, []FieldError{{Field: "seatIds[2]", Reason: "duplicate"}}},
		"too small":                   {3, []int64{11}, []FieldError{{Field: "seatIds", Reason: "seats_too_small", Min: 1, Max: 2}}},
		"apart":                       {2, []int64{1, 3}, []FieldError{{Field: "seatIds", Reason: "seats_apart"}}},
		"tables that do not join":     {8, []int64{13, 14}, []FieldError{{Field: "seatIds", Reason: "seats_apart"}}},
		"more than needed":            {2, []int64{11, 12}, []FieldError{{Field: "seatIds", Reason: "seats_too_many"}}},
		"kept for larger parties":     {3, []int64{15}, []FieldError{{Field: "seatIds", Reason: "seats_for_larger", Min: 4, Max: 6}}},
		"very many":                   {2, make([]int64, 21), []FieldError{{Field: "seatIds", Reason: "too_many", Max: 20}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, faults := checkSeats(room(), c.ids, c.party, false)
			if !reflect.DeepEqual(faults, c.faults) {
				t.Errorf("got %+v, want %+v", faults, c.faults)
			}
			if len(faults) == 0 && (len(got) != len(c.ids) || !slices.IsSorted(got)) {
				t.Errorf("%v became %v", c.ids, got)
			}
		})
	}
	if _, faults := checkSeats(nil, []int64{1}, 2, false); len(faults) != 1 || faults[0].Reason != "no_seat_map" {
		t.Errorf("seats where none are named: %+v", faults)
	}
}

func TestIsFull_WhenNoPartyFits(t *testing.T) {
	t.Parallel()
	r := Restaurant{Seats: room(), Settings: Settings{PartyMin: 2, PartyMax: 6}}
	for name, c := range map[string]struct {
		o    Occupancy
		full bool
	}{
		"free":                      {Occupancy{Capacity: 22}, false},
		"no covers":                 {Occupancy{Capacity: 22, Held: 21}, true},
		"seats apart only":          {Occupancy{Capacity: 22, Seats: taken(1, 3, 11, 12, 13, 14, 15)}, true},
		"kept for larger parties":   {Occupancy{Capacity: 22, Seats: taken(1, 2, 3, 4, 11, 12, 13, 14)}, false},
		"and too few covers for it": {Occupancy{Capacity: 22, Held: 19, Seats: taken(1, 2, 3, 4, 11, 12, 13, 14)}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if full := c.o.IsFull(r); full != c.full {
				t.Errorf("full: %v", full)
			}
		})
	}
}

// seated lets parties come to the room one after the other: a choice of seats, or none, each.
func seated(party int, seats ...int64) Request {
	req := request(fmt.Sprintf("%d at %v", party, seats), party)
	req.SeatIDs = seats
	return req
}

func TestDecide_AssignsSeatsInArrivalOrder(t *testing.T) {
	t.Parallel()
	first, rival, other := seated(2, 11), seated(4, 11, 12), seated(2, 12)
	outcomes, after := Decide(SlotState{Slots: []Occupancy{{Capacity: 22}}, Plan: room()},
		[]Request{first, rival, other, seated(2)})
	var gone *SeatTakenError
	if !errors.As(outcomes[1].Err, &gone) || !slices.Equal(gone.Taken, []int64{11}) ||
		!slices.Equal(gone.Instead, []int64{13}) {
		t.Errorf("the rival's error: %v", outcomes[1].Err)
	}
	if !slices.Equal(outcomes[0].SeatIDs, []int64{11}) || !slices.Equal(outcomes[2].SeatIDs, []int64{12}) ||
		!slices.Equal(outcomes[3].SeatIDs, []int64{1, 2}) {
		t.Errorf("got %+v", outcomes)
	}
	if after[0].Held != 6 || !reflect.DeepEqual(after[0].Seats, taken(1, 2, 11, 12)) {
		t.Errorf("after the run: %+v", after)
	}
}

// A party keeps its seats for its whole stay: a seat that is taken in one of the slots is not free for it.
func TestDecide_SameSeatsInEachSlotOfStay(t *testing.T) {
	t.Parallel()
	stay := SlotState{Plan: room(), Slots: []Occupancy{
		{Capacity: 22, Seats: taken(11)}, {Capacity: 22, Seats: TakenSeats{{ID: 11}, {ID: 13, OnHold: true}}}, {Capacity: 22}}}
	outcomes, after := Decide(stay, []Request{seated(4), seated(4, 13), seated(4, 14)})
	var gone *SeatTakenError
	if !slices.Equal(outcomes[0].SeatIDs, []int64{14}) || !errors.As(outcomes[1].Err, &gone) ||
		!errors.As(outcomes[2].Err, &gone) {
		t.Errorf("got %+v", outcomes)
	}
	for i, o := range after {
		if !o.Seats.Has(14) || o.Held != 4 {
			t.Errorf("slot %d after the run: %+v", i, o)
		}
	}
	if all := AllOf(stay.Slots); !reflect.DeepEqual(all.Seats, TakenSeats{{ID: 11}, {ID: 13, OnHold: true}}) {
		t.Errorf("taken in all of the stay: %+v", all.Seats)
	}
}

func TestDecide_CoversAndNamedSeatsBothLimit(t *testing.T) {
	t.Parallel()
	all := []int64{1, 2, 3, 4, 11, 12, 13, 14}
	for name, c := range map[string]struct {
		state SlotState
		req   Request
		left  int
	}{
		"covers are out, seats are not":            {SlotState{Slots: []Occupancy{{Capacity: 1}}, Plan: room()}, seated(2, 11), 1},
		"seats are out, covers are not":            {SlotState{Slots: []Occupancy{{Capacity: 22, Seats: taken(all...)}}, Plan: room()}, seated(2), 0},
		"what is left is the largest that can sit": {SlotState{Slots: []Occupancy{{Capacity: 22, Seats: taken(13, 14, 15)}}, Plan: room()}, seated(5), 4},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			outcomes, after := Decide(c.state, []Request{c.req})
			var full *SoldOutError
			if !errors.As(outcomes[0].Err, &full) || full.Remaining != c.left {
				t.Errorf("got %v, want sold out with %d left", outcomes[0].Err, c.left)
			}
			if !reflect.DeepEqual(after, c.state.Slots) {
				t.Errorf("a refusal changed %+v to %+v", c.state.Slots, after)
			}
		})
	}
}

// For random runs, no two parties share a seat, every party has enough connected places, and Decide changes none of its
// arguments.
func TestDecide_NeverAssignsSeatTwice(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 3))
		state, holders := SlotState{Slots: []Occupancy{{Capacity: 22}}, Plan: room()}, map[int64]string{}
		for turn := range 4 {
			var run []Request
			for i := range random.IntN(12) {
				req := request(fmt.Sprintf("u%d-%d", turn, i), 1+random.IntN(7))
				if random.IntN(2) == 0 {
					req.SeatIDs = room().Best(taken(int64(11+random.IntN(5))), req.PartySize)
				}
				run = append(run, req)
			}
			before := slices.Clone(state.Slots)
			outcomes, after := Decide(state, run)
			if !reflect.DeepEqual(before, state.Slots) {
				t.Fatalf("seed %d: the turn changed what it was given", seed)
			}
			for _, o := range outcomes {
				if _, wrong := room().fault(o.SeatIDs, o.Request.PartySize); o.Reserves() && wrong {
					t.Fatalf("seed %d: a party of %d got %v", seed, o.Request.PartySize, o.SeatIDs)
				}
				for _, id := range o.SeatIDs {
					if holders[id] != "" {
						t.Fatalf("seed %d: seat %d of %s was given to %s", seed, id, holders[id], o.Request.UserID)
					}
					holders[id] = o.Request.UserID
				}
			}
			state.Slots = after
		}
	}
}
