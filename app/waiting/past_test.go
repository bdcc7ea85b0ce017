package waiting

import (
	"strconv"
	"testing"
	"time"

	"lunchgo/app/estimate"
	"lunchgo/db/dbtest"
	"lunchgo/locks"
)

// moved is how a line of a length has moved: by so many people, again and again, once a second.
func moved(people, times, length int) *estimate.Pace {
	var p estimate.Pace
	for i := range times + 1 {
		p.Note(time.Unix(int64(i), 0), people, length)
	}
	return &p
}

// A line that is over has a process that starts later say at the press how long the next one takes, at its restaurant
// and, less surely, at others.
func TestPasts_KnowTheNextLineAtThePress(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 100)
	turn := h.takeTurn()
	before := h.room(Config{})
	if s := enter(t, before, request("first", "k")).Status(); s.RangeKnown {
		t.Errorf("before any line has moved the range is %+v", s.Range)
	}
	before.pasts.store(before.pasts.note(request("", "").Line, moved(10, 8, 100)))

	after := h.room(Config{})
	line := request("", "").Line
	dbtest.Eventually(t, "the stored paces are known", func() bool { return after.pasts.before(line).Lines > 0 })
	s := enter(t, after, request("second", "k")).Status()
	if !s.RangeKnown || s.Range.High > 5*time.Second {
		t.Errorf("of a line that serves 10 a second it says %+v, %v", s.Range, s.RangeKnown)
	}
	other := locks.Name{Partition: "r99:2026-11-28", Key: "18:00"}
	if got := after.pasts.before(other); got.Lines != 1 {
		t.Errorf("of a restaurant without a line it knows %+v", got)
	}
	dbtest.Must(t, turn.Release(t.Context(), 1))
}

// A line that hardly moved, or was short, does not speak for others: it may have moved as slowly as people came.
func TestPasts_LeaveOutWhatSaysNothing(t *testing.T) {
	t.Parallel()
	room := newHarness(t, 100).room(Config{})
	for _, pace := range []*estimate.Pace{moved(10, 4, 100), moved(1, 60, 2)} {
		if changed, _ := room.pasts.note(request("", "").Line, pace); len(changed) > 0 {
			t.Errorf("%+v leaves %+v", pace, changed)
		}
	}
}

// Of more restaurants than a process remembers, one that is not of the line is forgotten, and never what is known of
// all.
func TestPasts_ForgetOneTooMany(t *testing.T) {
	t.Parallel()
	pasts := pasts{of: map[string]estimate.Past{}}
	for i := range mostPasts + 1 {
		line := locks.Name{Partition: "r" + strconv.Itoa(i) + ":2026-11-28", Key: "18:00"}
		changed, forgotten := pasts.note(line, moved(10, 8, 100))
		if _, stays := changed[forgotten]; len(changed) != 2 || len(pasts.of) > mostPasts || stays {
			t.Fatalf("after %d lines %d are known, and %q is forgotten", i+1, len(pasts.of), forgotten)
		}
	}
	if _, known := pasts.of[anywhere]; !known {
		t.Error("what is known of all lines is forgotten")
	}
}
