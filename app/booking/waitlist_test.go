package booking

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

// waits is an entry that waits for the noon slot.
func waits(id string, party, passes int) WaitingEntry {
	return WaitingEntry{ID: id, UserID: "user-" + id, PartySize: party, Passes: passes, Times: atNoon}
}

var atNoon = []TimeOfDay{"12:00"}

func lunch(capacity, free int) map[TimeOfDay]Vacancy {
	return map[TimeOfDay]Vacancy{"12:00": {Capacity: capacity, Free: free}}
}

func (w Waitlist) names(indexes []int) (names string) {
	for _, i := range indexes {
		names += w[i].ID
	}
	return names
}

func TestSettle_OffersInOrder(t *testing.T) {
	t.Parallel()
	long := []TimeOfDay{"12:00", "13:00"}
	cases := map[string]struct {
		list    Waitlist
		rooms   map[TimeOfDay]Vacancy
		offered string
		passes  []int
		left    int // at noon
	}{
		"nobody waits":                     {nil, lunch(10, 3), "", nil, 3},
		"nothing is free":                  {Waitlist{waits("a", 2, 0)}, lunch(10, 0), "", []int{0}, 0},
		"the first first":                  {Waitlist{waits("a", 2, 0), waits("b", 2, 0)}, lunch(10, 3), "a", []int{0, 0}, 1},
		"all that fit":                     {Waitlist{waits("a", 2, 0), waits("b", 1, 0)}, lunch(10, 4), "ab", []int{0, 0}, 1},
		"a smaller one passes":             {Waitlist{waits("a", 6, 0), waits("b", 2, 0)}, lunch(10, 3), "b", []int{1, 0}, 1},
		"some smaller ones pass":           {Waitlist{waits("a", 6, 0), waits("b", 2, 0), waits("c", 1, 0)}, lunch(10, 4), "bc", []int{2, 0, 0}, 1},
		"until the bound":                  {Waitlist{waits("a", 6, 2), waits("b", 1, 0), waits("c", 1, 0)}, lunch(10, 4), "b", []int{3, 0, 0}, 0},
		"not past the bound":               {Waitlist{waits("a", 6, 3), waits("b", 1, 0)}, lunch(10, 5), "", []int{3, 0}, 0},
		"seats were kept until it fits":    {Waitlist{waits("a", 6, 3), waits("b", 1, 0)}, lunch(10, 7), "ab", []int{3, 0}, 0},
		"one of equal size does not pass":  {Waitlist{waits("a", 3, 0), waits("b", 3, 0)}, lunch(10, 2), "", []int{0, 0}, 2},
		"larger than the slot: not in way": {Waitlist{waits("a", 12, 3), waits("b", 4, 0)}, lunch(10, 4), "b", []int{3, 0}, 0},
		"a stay needs all its slots": {Waitlist{{ID: "a", PartySize: 4, Times: long}, waits("b", 2, 0)},
			map[TimeOfDay]Vacancy{"12:00": {Capacity: 10, Free: 5}, "13:00": {Capacity: 10, Free: 3}}, "b", []int{1, 0}, 3},
		"a stay takes all its slots": {Waitlist{{ID: "a", PartySize: 4, Times: long}, {ID: "b", PartySize: 2, Times: []TimeOfDay{"13:00"}}},
			map[TimeOfDay]Vacancy{"12:00": {Capacity: 10, Free: 5}, "13:00": {Capacity: 10, Free: 5}}, "a", []int{0, 0}, 1},
	}
	for name, c := range cases {
		got := c.list.Allocate(nil, c.rooms)
		if offered := c.list.names(got.Offered); offered != c.offered || !reflect.DeepEqual(got.Passes, c.passes) || got.Remaining["12:00"] != c.left {
			t.Errorf("%s: offered %q, passes %v, %d left; want %q, %v, %d", name, offered, got.Passes, got.Remaining["12:00"],
				c.offered, c.passes, c.left)
		}
	}
}

func TestDecide_RespectsWaitlist(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		list   Waitlist
		free   int
		by     string
		party  int
		passed []string // nil: the press is refused
	}{
		"they go to the list":               {Waitlist{waits("a", 2, 0)}, 2, "x", 2, nil},
		"what the list cannot use":          {Waitlist{waits("a", 4, 0)}, 3, "x", 3, []string{"a"}},
		"what is left beside an offer":      {Waitlist{waits("a", 2, 0), waits("b", 6, 1)}, 5, "x", 3, []string{"b"}},
		"more than is left beside an offer": {Waitlist{waits("a", 2, 0)}, 5, "x", 4, nil},
		"not past the bound":                {Waitlist{waits("a", 4, 3)}, 3, "x", 1, nil},
		"an offer to come uses the bound":   {Waitlist{waits("a", 6, 2), waits("b", 2, 0)}, 3, "x", 1, nil},
		"not in one's own way":              {Waitlist{waits("a", 6, 3)}, 3, "user-a", 3, []string{}},
	}
	for name, c := range cases {
		state := SlotState{Slots: []Occupancy{{Capacity: 10, Held: 10 - c.free}}, Waitlist: c.list, Times: atNoon}
		outcomes, _ := Decide(state, []Request{{UserID: c.by, IdempotencyKey: "k", PartySize: c.party}})
		out := outcomes[0]
		var full *SoldOutError
		switch {
		case c.passed == nil && !errors.As(out.Err, &full):
			t.Errorf("%s: got %+v, want sold out", name, out)
		case c.passed != nil && (!out.Reserves() || fmt.Sprint(out.Passed) != fmt.Sprint(c.passed)):
			t.Errorf("%s: got %+v, want seats past %v", name, out, c.passed)
		}
	}
}

func TestDecide_ReportsPromisedSeats(t *testing.T) {
	t.Parallel()
	list := Waitlist{waits("a", 2, 0), waits("b", 8, 0)}
	_, all := Decide(SlotState{Slots: []Occupancy{{Capacity: 10, Held: 5}}, Waitlist: list, Times: atNoon}, nil)
	if after := all[0]; after.Promised != 2 || after.Waitlisted != 2 || after.Remaining() != 3 {
		t.Errorf("got %+v, want 2 of 5 seats promised to 2 parties", all)
	}
	if list[1].Passes != 0 {
		t.Error("looking counted a pass")
	}
}

func TestOfferRequest_EndsBeforeSlotBegins(t *testing.T) {
	t.Parallel()
	r := Restaurant{LeadMinutes: 5, ExtensionMinutes: 5, DepositPerPerson: 1_000, PartyMin: 1}
	start := time.Date(2040, 5, 7, 12, 0, 0, 0, time.UTC)
	cases := []struct {
		before, stands time.Duration
		ok             bool
		extension      int
	}{
		{time.Hour, OfferTime, true, 5},
		{12 * time.Minute, OfferTime, true, 0},
		{6 * time.Minute, 6 * time.Minute, true, 0},
		{4 * time.Minute, 0, false, 0},
		{-time.Minute, 0, false, 0},
	}
	for _, c := range cases {
		req, ok := r.OfferRequest(SlotKey{}, waits("a", 3, 0), start, start.Add(-c.before))
		if ok != c.ok || req.HoldTime != c.stands || req.Policy.ExtensionMinutes != c.extension || ok && req.DepositAmount != 3_000 {
			t.Errorf("%v before the start: %v, %+v", c.before, ok, req)
		}
	}
}

// evening is a slot with its waitlist and the outcomes of its entries.
type evening struct {
	list     Waitlist
	capacity int
	held     []int // by reservations
	next     int
}

func (e *evening) free() int {
	free := e.capacity
	for _, party := range e.held {
		free -= party
	}
	return free
}

// settle makes the due offers and fails when one jumps the order.
func (e *evening) settle(t *testing.T) {
	t.Helper()
	got := e.list.Allocate(nil, lunch(e.capacity, e.free()))
	offered := map[int]bool{}
	for _, i := range got.Offered {
		offered[i] = true
		e.held = append(e.held, e.list[i].PartySize)
		for j := range i {
			if !offered[j] && e.list[j].PartySize <= e.list[i].PartySize {
				t.Fatalf("%v: %s went before %s, which needs no more", e.list, e.list[i].ID, e.list[j].ID)
			}
		}
	}
	var rest Waitlist
	for i, entry := range e.list {
		entry.Passes = got.Passes[i]
		if !offered[i] {
			rest = append(rest, entry)
		}
	}
	e.list = rest
}

// press books for a diner and fails when that takes seats promised to the waitlist.
func (e *evening) press(t *testing.T, party int) {
	t.Helper()
	state := SlotState{Slots: []Occupancy{{Capacity: e.capacity, Held: e.capacity - e.free()}}, Waitlist: e.list, Times: atNoon}
	outcomes, _ := Decide(state, []Request{{UserID: "x", IdempotencyKey: "k", PartySize: party}})
	if !outcomes[0].Reserves() {
		return
	}
	before := e.list.names(e.list.Allocate(nil, lunch(e.capacity, e.free())).Offered)
	e.held = append(e.held, party)
	for i := range e.list {
		for _, id := range outcomes[0].Passed {
			if e.list[i].ID == id {
				e.list[i].Passes++
			}
		}
	}
	if after := e.list.names(e.list.Allocate(nil, lunch(e.capacity, e.free())).Offered); after != before {
		t.Fatalf("%v: after a press for %d %q are offered seats, before it %q were", e.list, party, after, before)
	}
}

func TestSettle_PassesAreBounded(t *testing.T) {
	t.Parallel()
	most := 0
	for seed := range uint64(400) {
		random := rand.New(rand.NewPCG(seed, 14))
		e := &evening{capacity: 8 + random.IntN(5)}
		for range 150 {
			switch random.IntN(4) {
			case 0:
				e.next++
				e.list = append(e.list, waits(fmt.Sprintf("%c%d", 'a'+e.next%26, e.next), 1+random.IntN(e.capacity), 0))
			case 1:
				e.press(t, 1+random.IntN(4))
			case 2:
				if n := len(e.held); n > 0 {
					at := random.IntN(n)
					e.held = append(e.held[:at:at], e.held[at+1:]...)
				}
			default:
				e.settle(t)
			}
			for _, entry := range e.list {
				if most = max(most, entry.Passes); entry.Passes > MaxPasses {
					t.Fatalf("seed %d: %+v", seed, entry)
				}
			}
			if e.free() < 0 {
				t.Fatalf("seed %d: oversold by %d", seed, -e.free())
			}
		}
	}
	if most != MaxPasses {
		t.Errorf("nobody was passed more than %d times: the bound was not tried", most)
	}
}
