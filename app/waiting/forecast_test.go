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

// ofTwo are the seats ahead in a line of parties of two, behind a turn in which some are served.
func ofTwo(served, parties int) []int {
	seats := make([]int, parties+1)
	for i := range seats {
		seats[i] = served + 2*i
	}
	return seats
}

func TestAhead_EndsWhereNothingIsLeft(t *testing.T) {
	t.Parallel()
	seats := func(n, smallest int) Remaining { return Remaining{n / smallest, n, smallest} }
	for name, c := range map[string]struct {
		left   Remaining
		seats  []int // nil: nobody knows
		number int
		want   estimate.Ahead
	}{
		"not known what is left":      {Remaining{Requests: math.MaxInt}, nil, 90, estimate.Ahead{Least: 90, Most: 90}},
		"room for all ahead":          {seats(200, 1), ofTwo(0, 100), 90, estimate.Ahead{Least: 90, Most: 90}},
		"room for most":               {seats(100, 1), ofTwo(0, 100), 90, estimate.Ahead{Least: 50, Most: 56}},
		"some of it for the turn":     {seats(100, 1), ofTwo(20, 100), 90, estimate.Ahead{Least: 40, Most: 45}},
		"one seat stays, for nobody":  {seats(101, 1), ofTwo(0, 100), 90, estimate.Ahead{Least: 51, Most: 90}},
		"one seat stays, too small":   {seats(101, 2), ofTwo(0, 100), 90, estimate.Ahead{Least: 50, Most: 56}},
		"taken by the turn":           {seats(16, 1), ofTwo(20, 100), 90, estimate.Ahead{Least: 1, Most: 1}},
		"asked for is not known":      {seats(100, 1), nil, 90, estimate.Ahead{Least: 11, Most: 90}},
		"seats have names":            {Remaining{Requests: 16}, ofTwo(0, 100), 90, estimate.Ahead{Least: 2, Most: 16}},
		"nothing left":                {seats(0, 1), ofTwo(0, 100), 90, estimate.Ahead{Least: 1, Most: 1}},
		"nothing left, being served":  {seats(0, 1), ofTwo(0, 100), 0, estimate.Ahead{}},
		"being served":                {seats(10, 1), ofTwo(0, 100), 0, estimate.Ahead{}},
		"ahead of where it is closed": {seats(100, 1), ofTwo(0, 100), 20, estimate.Ahead{Least: 20, Most: 20}},
	} {
		q := &queue{remaining: c.left, closing: closingOf(c.left, c.seats)}
		if got := q.ahead(position{number: c.number, seatsKnown: c.seats != nil}); got != c.want {
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
	dbtest.Must(t, first.Release(t.Context(), 1))
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
	dbtest.Must(t, room.Leave(t.Context(), last.Token(), "diner-11"))
	dbtest.Must(t, turn.Release(t.Context(), 1))
	for _, w := range watches {
		awaitResult(t, w)
	}
	if f := room.Accuracy(); f.People != 11 {
		t.Errorf("%d people were judged, want the 11 who were served", f.People)
	}
}
