package booking

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"
)

// waits is an entry that waits for the noon slot.
func waits(id string, party, passes int) WaitingEntry {
	return WaitingEntry{ID: id, UserID: "user-" + id, PartySize: party, Passes: passes, Times: atNoon,
		KeepBefore: morning.Add(2 * time.Hour)}
}

var (
	atNoon = []TimeOfDay{"12:00"}
	// the moment of most tests: seats can be kept for two hours more
	morning = time.Date(2040, 5, 7, 9, 0, 0, 0, time.UTC)
)

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
			map[TimeOfDay]Vacancy{"12:00": {Capacity: 10, Free: 5}, "13:00": {Capacity: 10, Free: 3}}, "b", []int{1, 0},
			3},
		"a stay takes all its slots": {Waitlist{{ID: "a", PartySize: 4, Times: long}, {ID: "b", PartySize: 2, Times: []TimeOfDay{"13:00"}}},
			map[TimeOfDay]Vacancy{"12:00": {Capacity: 10, Free: 5}, "13:00": {Capacity: 10, Free: 5}}, "a", []int{0, 0},
			1},
	}
	for name, c := range cases {
		got := c.list.Allocate(nil, c.rooms, morning)
		if offered := c.list.names(got.Offered); offered != c.offered || !reflect.DeepEqual(got.Passes, c.passes) ||
			got.Remaining["12:00"] != c.left {
			t.Errorf("%s: offered %q, passes %v, %d left; want %q, %v, %d", name, offered, got.Passes,
				got.Remaining["12:00"], c.offered, c.passes, c.left)
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
		state := SlotState{Slots: []Occupancy{{Capacity: 10, Held: 10 - c.free}}, Waitlist: c.list, Times: atNoon,
			Now: morning}
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
	_, all := Decide(SlotState{Slots: []Occupancy{{Capacity: 10, Held: 5}}, Waitlist: list, Times: atNoon,
		Now: morning}, nil)
	if after := all[0]; after.Promised != 2 || after.Waitlisted != 2 || after.Remaining() != 3 {
		t.Errorf("got %+v, want 2 of 5 seats promised to 2 parties", all)
	}
	if list[1].Passes != 0 {
		t.Error("looking counted a pass")
	}
}

func TestOfferRequest_EndsBeforeSlotBegins(t *testing.T) {
	t.Parallel()
	r := Restaurant{DepositPerPerson: 1_000, Settings: Settings{LeadMinutes: 5, ExtensionMinutes: 5, PartyMin: 1}}
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
		if ok != c.ok || req.HoldTime != c.stands || req.Policy.ExtensionMinutes != c.extension ||
			ok && req.DepositAmount != 3_000 {
			t.Errorf("%v before the start: %v, %+v", c.before, ok, req)
		}
	}
}

func TestAllocate_KeepsSeatsForSomeTime(t *testing.T) {
	t.Parallel()
	entry := func(change func(e *WaitingEntry)) Waitlist {
		e := waits("a", 4, MaxPasses)
		change(&e)
		return Waitlist{e, waits("b", 2, 0)}
	}
	cases := map[string]struct {
		list    Waitlist
		offered string
		left    int
		begins  time.Duration // of the span that begins; 0: none
		until   time.Duration
	}{
		"it begins":                  {entry(func(*WaitingEntry) {}), "", 0, KeepTime, KeepTime},
		"not beyond the last moment": {entry(func(e *WaitingEntry) { e.KeepBefore = morning.Add(time.Minute) }), "", 0, time.Minute, time.Minute},
		"not from the last moment":   {entry(func(e *WaitingEntry) { e.KeepBefore = morning }), "b", 1, 0, 0},
		"not a third time":           {entry(func(e *WaitingEntry) { e.Keeps = MaxKeeps }), "b", 1, 0, 0},
		"a second time":              {entry(func(e *WaitingEntry) { e.Keeps = 1 }), "", 0, KeepTime, KeepTime},
		"it goes on": {entry(func(e *WaitingEntry) { e.Passes, e.Keeps, e.KeptUntil = 0, 2, morning.Add(1) }), "", 0,
			0, 1},
		"it ends":                {entry(func(e *WaitingEntry) { e.Passes, e.Keeps, e.KeptUntil = 0, 1, morning }), "b", 1, 0, 0},
		"not while a slot rests": {entry(func(e *WaitingEntry) { e.SlotsKeptUntil = morning.Add(1 - RestTime) }), "b", 1, 0, 0},
		"when it has rested":     {entry(func(e *WaitingEntry) { e.SlotsKeptUntil = morning.Add(-RestTime) }), "", 0, KeepTime, KeepTime},
	}
	for name, c := range cases {
		got := c.list.Allocate(nil,
			map[TimeOfDay]Vacancy{"12:00": {Capacity: 10, Free: 3}, "13:00": {Capacity: 10, Free: 3}}, morning)
		begins := time.Duration(0)
		if len(got.Begins) > 0 {
			begins = got.Begins[0].Until.Sub(morning)
		}
		until := max(got.KeptUntil["12:00"].Sub(morning), 0)
		if offered := c.list.names(got.Offered); offered != c.offered || got.Remaining["12:00"] != c.left ||
			begins != c.begins || until != c.until {
			t.Errorf("%s: offered %q, %d left, begins %v, until %v; want %q, %d, %v, %v", name, offered,
				got.Remaining["12:00"], begins, until, c.offered, c.left, c.begins, c.until)
		}
	}
	full := Waitlist{waits("a", 4, MaxPasses)}.Allocate(nil, lunch(10, 0), morning)
	if len(full.Begins) != 0 {
		t.Error("the time began before a seat was free")
	}
}
