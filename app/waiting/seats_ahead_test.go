package waiting

import (
	"crypto/rand"
	"slices"
	"testing"
	"time"

	"lunchgo/db/dbtest"
	"lunchgo/locks"
)

// requestFor is a request for a table.
func requestFor(user string, seats int) Request {
	req := request(user, "k")
	req.Seats = seats
	return req
}

// What those ahead ask for is known in every process, from all processes' tickets, those being served among them. While
// a turn is at work of which nobody here knows what it asks for, nothing is said.
func TestSeatsAhead_AddsUpThePartiesOfAllProcesses(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 100)
	closed := closedHandler{h.handler, make(chan struct{})}
	rooms := []*Room{h.roomOf(closed, Config{BatchSize: 1}), h.roomOf(closed, Config{BatchSize: 1})}
	turn := h.takeTurn()
	var watches []*Watch
	for i, req := range []Request{requestFor("ann", 2), requestFor("bob", 6), requestFor("cem", 1),
		requestFor("dan", 4)} {
		watches = append(watches, enter(t, rooms[i%2], req))
	}
	for _, room := range rooms {
		dbtest.Eventually(t, "both have read the line of four", func() bool {
			q := room.queueOf(evening)
			q.mu.Lock()
			defer q.mu.Unlock()
			return len(q.seats.waiting) == 4
		})
	}
	if s := watches[3].Status(); s.SeatsAheadKnown || s.Position != 4 {
		t.Errorf("during the rival's turn: %+v", s)
	}
	if err := turn.Release(t.Context(), 1); err != nil { // and ann's turn begins, and lasts
		t.Fatal(err)
	}
	for i, ahead := range []int{0, 2, 8, 9} {
		dbtest.Eventually(t, "the seats ahead are known", func() bool {
			s := watches[i].Status()
			return i == 0 || s.Position == i && s.SeatsAheadKnown && s.SeatsAhead == ahead
		})
	}
	close(closed.open)
	for _, w := range watches {
		awaitResult(t, w)
	}
}

func TestSeatsAhead_SaysOnlyWhatIsSure(t *testing.T) {
	t.Parallel()
	begun := time.Now()
	line := map[string]int{"A-2": 1, "B-6": 2, "C-1": 3}
	rest := map[string]int{"B-6": 1, "C-1": 2}
	quiet := locks.Progress{Positions: line}
	turn := func(size int, elapsed time.Duration, positions map[string]int) locks.Progress {
		return locks.Progress{Holder: true, HoldSize: size, HoldElapsed: elapsed, Positions: positions}
	}
	joint := evening
	joint.Key = locks.JointName(evening.Partition, []string{"18:00", evening.Key}).Key
	for name, test := range map[string]struct {
		line  locks.Name
		reads []locks.Progress // a second apart
		want  []int
	}{
		"nobody is served":          {evening, []locks.Progress{quiet}, []int{0, 2, 8}},
		"nobody waits":              {evening, []locks.Progress{{}}, nil},
		"the turn waited before":    {evening, []locks.Progress{quiet, turn(1, time.Millisecond, rest)}, []int{2, 8}},
		"it goes on":                {evening, []locks.Progress{quiet, turn(1, 0, rest), turn(1, time.Minute, rest)}, []int{2, 8}},
		"it takes one along":        {evening, []locks.Progress{quiet, turn(1, 0, rest), turn(2, time.Minute, map[string]int{"C-1": 1})}, []int{8}},
		"another turn has begun":    {evening, []locks.Progress{quiet, turn(1, 0, rest), turn(1, 0, map[string]int{"C-1": 1})}, []int{6}},
		"the turn is over":          {evening, []locks.Progress{quiet, turn(1, 0, rest), {Positions: rest}}, []int{0, 6}},
		"the turn never waited":     {evening, []locks.Progress{turn(1, time.Second, line)}, nil},
		"one of it never waited":    {evening, []locks.Progress{quiet, turn(2, 0, rest)}, nil},
		"one of it does not say":    {evening, []locks.Progress{{Positions: map[string]int{"old": 1}}, turn(1, 0, rest)}, nil},
		"one ahead does not say":    {evening, []locks.Progress{{Positions: map[string]int{"A-2": 1, "old": 2, "C-1": 3}}}, []int{0, 2}},
		"one ahead is not named":    {evening, []locks.Progress{{Positions: map[string]int{"A-2": 1, "C-1": 3}}}, []int{0, 2}},
		"the first is not named":    {evening, []locks.Progress{{Positions: map[string]int{"A-2": 2}}}, []int{0}},
		"Redis is away":             {evening, []locks.Progress{{Local: true, Positions: line}}, nil},
		"a stay over several slots": {joint, []locks.Progress{quiet}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var seats lineSeats
			var got []int
			for i, progress := range test.reads {
				got = seats.read(test.line, progress, begun.Add(time.Duration(i)*time.Second))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}

// An id says when it was made; ids of versions that do not say so are old.
func TestTicketID_SaysItsAge(t *testing.T) {
	t.Parallel()
	id := newTicketID(2)
	if !isYounger(id, time.Hour) || isYounger(id, 0) {
		t.Errorf("%s", id)
	}
	for _, id := range []string{"", "T-2", "OLDTICKET", rand.Text() + "-2", id[:randomPart] + "-2", id[:randomPart] + "i00000-2"} {
		if isYounger(id, time.Hour) {
			t.Errorf("%q is young", id)
		}
	}
}

func TestTicketID_SaysTheSeats(t *testing.T) {
	t.Parallel()
	for _, seats := range []int{0, 1, 12} {
		if got, ok := seatsOf(newTicketID(seats)); !ok || got != seats {
			t.Errorf("%d, %v, want %d", got, ok, seats)
		}
	}
	for _, id := range []string{"", "OLDTICKET", "T-", "T--1", "T-x", "T-99999999999"} {
		if got, ok := seatsOf(id); ok {
			t.Errorf("%q says %d", id, got)
		}
	}
}
