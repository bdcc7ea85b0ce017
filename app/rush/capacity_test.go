package rush

import (
	"fmt"
	"slices"
	"testing"
)

func TestProcesses_AreAsManyAsConnectionsNeed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ diners, each, want int }{{1, 10, 1}, {10, 10, 1}, {11, 10, 2}, {50_000, 19_000, 3}} {
		o := Options{Diners: test.diners, PerProcess: test.each}
		if got := o.processes(nil); got != test.want {
			t.Errorf("%d diners, %d a process: %d processes, want %d", test.diners, test.each, got, test.want)
		}
	}
	if got := (Options{Diners: 1}).processes(nil); got != 1 {
		t.Errorf("one diner needs %d processes", got)
	}
}

func TestSourceOf_GivesTheLoopbackMorePorts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		address string
		i       int
		want    string
	}{
		{"127.0.0.1:8080", 0, ""},
		{"127.0.0.1:8080", perSource - 1, ""},
		{"127.0.0.1:8080", perSource, "127.0.0.2"},
		{"localhost:8080", 2 * perSource, "127.0.0.3"},
		{"192.0.2.1:8080", perSource, ""}, // we do not know what other addresses the machine has
		{"lunch.example:443", perSource, ""},
		{"[::1]:8080", perSource, ""},
	} {
		if got := sourceOf(server{address: test.address}, test.i); got != test.want {
			t.Errorf("diner %d of %s connects from %q, want %q", test.i, test.address, got, test.want)
		}
	}
}

func TestSplit_DealsEveryDinerOnce(t *testing.T) {
	t.Parallel()
	whole := plan{URLs: []string{"http://a"}, Drafts: make([]draft, 10)}
	for i := range 10 {
		whole.Diners = append(whole.Diners, planned{Slot: i})
	}
	seen := map[int]bool{}
	for _, p := range split(whole, 3) {
		if len(p.URLs) != 1 || len(p.Diners) < 3 {
			t.Errorf("a part is %+v", p)
		}
		for _, d := range p.Diners {
			seen[d.Slot] = true
		}
	}
	if len(seen) != 10 {
		t.Errorf("%d diners have a part, want 10", len(seen))
	}
}

// Each slot, also each restaurant, is pressed for by as many diners, at every server and in every process.
func TestPlanDiners_SpreadsThemEvenly(t *testing.T) {
	t.Parallel()
	var stage Stage
	for id := range int64(2) {
		stage.Restaurants = append(stage.Restaurants,
			Restaurant{ID: id, Slots: []Slot{{id, "2030-01-01", "12:00"}, {id, "2030-01-01", "12:15"}}})
	}
	for i := range 48 {
		stage.Diners = append(stage.Diners, Diner{UserID: fmt.Sprint(i)})
	}
	whole := planDiners(Options{Party: 2}, stage, []server{{base: "a"}, {base: "b"}, {base: "c"}})
	bodies := map[string]int{}
	for part, p := range split(whole, 2) {
		for _, d := range p.Diners {
			bodies[string(p.Drafts[d.Slot].json())]++
			bodies[fmt.Sprintf("slot %d, server %d", d.Slot, d.Server)]++
			bodies[fmt.Sprintf("slot %d, process %d", d.Slot, part)]++
		}
	}
	for what, want := range map[string]int{
		`{"date":"2030-01-01","partySize":2,"restaurantId":0,"time":"12:15"}`: 12,
		`{"date":"2030-01-01","partySize":2,"restaurantId":1,"time":"12:00"}`: 12,
		"slot 0, server 0": 4, "slot 0, server 1": 4, "slot 0, server 2": 4, "slot 3, server 1": 4,
		"slot 0, process 0": 6, "slot 0, process 1": 6, "slot 1, process 0": 6, "slot 3, process 1": 6,
	} {
		if bodies[what] != want {
			t.Errorf("%s: %d diners, want %d", what, bodies[what], want)
		}
	}
	for i, d := range whole.Diners[:len(whole.Drafts)] {
		if d.Slot != i || d.Server != i%3 {
			t.Errorf("diner %d presses for slot %d at server %d: a small crowd has one diner a slot, at all servers",
				i, d.Slot, d.Server)
		}
	}
}

func TestStage_TakesTheSlotsOfRestaurantsInTurn(t *testing.T) {
	t.Parallel()
	stage := Stage{Restaurants: []Restaurant{
		{ID: 1, Slots: []Slot{{1, "d", "a"}, {1, "d", "b"}, {1, "d", "c"}}},
		{ID: 2, Slots: []Slot{{2, "d", "a"}}},
		{ID: 3, Slots: []Slot{{3, "d", "a"}, {3, "d", "b"}}},
	}}
	want := []Slot{{1, "d", "a"}, {2, "d", "a"}, {3, "d", "a"}, {1, "d", "b"}, {3, "d", "b"}, {1, "d", "c"}}
	if got := stage.slots(); !slices.Equal(got, want) {
		t.Errorf("slots %v, want %v", got, want)
	}
}

func TestOptions_ShareSlotsAndBoards(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		restaurants, slots, boards int
		first, last                [2]int // slots and boards of a restaurant
	}{
		{1, 96, 8, [2]int{96, 8}, [2]int{96, 8}},
		{50, 2000, 0, [2]int{40, 0}, [2]int{40, 0}},
		{3, 7, 2, [2]int{3, 1}, [2]int{2, 0}},
	} {
		o := Options{Restaurants: test.restaurants, Slots: test.slots, Boards: test.boards}
		slots, boards := 0, 0
		var shares [][2]int
		for i := range o.Restaurants {
			s, b := o.Share(i)
			slots, boards, shares = slots+s, boards+b, append(shares, [2]int{s, b})
		}
		if slots != o.Slots || boards != o.Boards || shares[0] != test.first ||
			shares[len(shares)-1] != test.last {
			t.Errorf("%+v: shares %v", test, shares)
		}
	}
}
