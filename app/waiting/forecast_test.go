package waiting

import (
	"fmt"
	"math"
	"testing"
	"time"

	"lunchgo/app/estimate"
	"lunchgo/db/dbtest"
	"lunchgo/locks"
)

// inLine is a reading of a line of tickets in order.
func inLine(tickets ...string) locks.Progress {
	p := locks.Progress{Count: len(tickets), Positions: map[string]int{}}
	for i, ticket := range tickets {
		p.Positions[ticket] = i + 1
	}
	return p
}

func TestForecast_CountsByHowMuchTheLineMoved(t *testing.T) {
	t.Parallel()
	var all []string
	for i := range 100 {
		all = append(all, fmt.Sprint("ticket-", i))
	}
	for name, c := range map[string]struct {
		left []string
		want int
	}{
		"nobody":                    {all, 0},
		"a batch":                   {all[64:], 64},
		"all but the last":          {all[99:], 99},
		"new ones at the end":       {append(all[10:100:100], "new"), 10},
		"all":                       {[]string{"new"}, 100},
		"one returns to the head":   {append([]string{"older"}, all...), 0},
		"the last leaves by itself": {all[:99], 0},
	} {
		var f forecast
		f.read(time.Now(), inLine(all...))
		if got := f.moved(inLine(c.left...).Positions); got != c.want {
			t.Errorf("%s: moved by %d, want %d", name, got, c.want)
		}
	}
}

// Redis goes away, and only this process' own tickets count: that is no move of the line.
func TestForecast_BeginsAnewWhenTheLineBecomesLocal(t *testing.T) {
	t.Parallel()
	var f forecast
	now := time.Now()
	f.read(now, inLine("a", "b", "c", "d"))
	f.read(now.Add(time.Second), inLine("c", "d"))
	if _, ok := f.outlook.Between(estimate.Ahead{Least: 1, Most: 1}); !ok {
		t.Fatal("nothing is known after a move")
	}
	local := inLine("d")
	local.Local = true
	f.read(now.Add(2*time.Second), local)
	if r, ok := f.outlook.Between(estimate.Ahead{Least: 1, Most: 1}); ok {
		t.Errorf("it says %+v", r)
	}
}

func TestAhead_EndsWhereNothingIsLeft(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		remaining int
		at        position
		want      estimate.Ahead
	}{
		"not known what is left": {math.MaxInt, position{number: 90}, estimate.Ahead{Least: 90, Most: 90}},
		"room for all ahead":     {200, position{number: 90, seatsAhead: 180, seatsKnown: true}, estimate.Ahead{Least: 90, Most: 90}},
		"room for most":          {100, position{number: 90, seatsAhead: 180, seatsKnown: true}, estimate.Ahead{Least: 11, Most: 90}},
		"asked for is not known": {100, position{number: 90}, estimate.Ahead{Least: 11, Most: 90}},
		"far behind":             {16, position{number: 90, seatsAhead: 180, seatsKnown: true}, estimate.Ahead{Least: 2, Most: 16}},
		"nothing left":           {0, position{number: 90, seatsAhead: 180, seatsKnown: true}, estimate.Ahead{Least: 1, Most: 1}},
		"being served":           {10, position{}, estimate.Ahead{}},
	} {
		q := &queue{remaining: c.remaining}
		if got := q.ahead(c.at, 2); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// A range is shown once a turn was measured; who is served is judged by what they were shown, and who leaves is not.
func TestStatus_ShowsARangeAndJudgesIt(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 100)
	first := h.takeTurn()
	room := h.room(Config{})
	early := enter(t, room, request("early", "k"))
	if s := early.Status(); s.RangeKnown {
		t.Errorf("before a turn was measured the range is %+v", s.Range)
	}
	if err := first.Release(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	awaitResult(t, early)

	turn := h.takeTurn()
	var watches []*Watch
	for i := range 12 {
		watches = append(watches, enter(t, room, request(fmt.Sprint("diner-", i), "k")))
	}
	last := watches[len(watches)-1]
	dbtest.Eventually(t, "a range is known", func() bool {
		for _, w := range watches {
			if !w.Status().RangeKnown {
				return false
			}
		}
		return true
	})
	s := last.Status()
	if s.Range.Low < 0 || s.Range.High < s.Range.Low || s.Estimate < s.Range.Low || s.Estimate > s.Range.High {
		t.Errorf("estimated %v in %+v", s.Estimate, s.Range)
	}
	if err := room.Leave(t.Context(), last.Token(), "diner-11"); err != nil {
		t.Fatal(err)
	}
	if err := turn.Release(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	for _, w := range watches {
		awaitResult(t, w)
	}
	if f := room.Accuracy(); f.People != 11 {
		t.Errorf("%d people were judged, want the 11 who were served", f.People)
	}
}
