package locks

import (
	"errors"
	"slices"
	"testing"
	"time"
)

// The parked are out of the line but not out of their place.
func TestI03_TheParkedAreOutOfTheLineButNotOutOfTheirPlace(t *testing.T) {
	testWithGuards(t, parkedInPlace,
		absenceOfParked,
		parkedAhead,
		placeOfParked,
		guard{"the grace", opPark, "format_int(now + ARGV[9])", "format_int(now)"},
	)
}

// parkedInPlace parks a ticket in the middle of the line, serves one behind it, and brings it back at another node.
func parkedInPlace(t testing.TB, edit func(*Client)) {
	h := newHarness(t)
	j := newRecordingObserver()
	a, b := h.node("a", j.attach), h.node("b", nil)
	edit(a)
	edit(b)
	turn := h.turnOf(a, "t1")
	old := h.enter(a, "t2")
	h.enter(b, "t3")
	h.enter(a, "t4")
	for range 2 { // again is no error
		if err := a.Line(h.name).Park(h.ctx(), "t2"); err != nil {
			t.Fatal(err)
		}
	}
	if again := h.enter(b, "t3"); again.Position != 2 || again.Count != 3 {
		t.Errorf("behind a parked one: %+v, want position 2 of 3", again)
	}
	if p := h.progress(b); p.Count != 3 || p.Positions["t3"] != 2 || p.Positions["t4"] != 3 || len(p.Positions) != 2 {
		t.Errorf("progress: %+v", p)
	}
	h.release(turn, 1)
	third := h.nextIs(b, "t3")
	back := h.enter(b, "t2")
	if back.Arrival != old.Arrival || back.Position != 1 {
		t.Fatalf("came back to %+v, want the place of %+v", back, old)
	}
	if again := h.enter(a, "t4"); again.Position != 2 {
		t.Errorf("t4 stands at %d, want 2", again.Position)
	}
	h.release(third, 1)
	if got := serveAll(h, 2, a, b); !slices.Equal(got, []string{"t2", "t4"}) {
		t.Errorf("served %v, want t2 and t4", got)
	}
	if gone := j.departures(); len(gone) != 0 {
		t.Errorf("departed: %v", gone)
	}
}

// A grant that nobody claimed passes on when its ticket is parked.
func TestI04_AGrantThatNobodyClaimedPassesOnWhenItsTicketIsParked(t *testing.T) {
	testWithGuards(t, parkedGrant, guard{"the end of its turn", opPark, "if h[1] == ticket then clear_holder() end", ""})
}

// parkedGrant parks a ticket whose turn has come, unheard.
func parkedGrant(t testing.TB, edit func(*Client)) {
	h := newHarness(t)
	rare := func(cfg *Config) { cfg.Beat, cfg.TTL, cfg.ClaimWindow = time.Hour, 2*time.Hour, time.Hour }
	a, b := h.node("a", rare), h.node("b", rare)
	dropMessages(t, b)
	edit(a)
	turn := h.turnOf(b, "t1")
	entered := h.enter(a, "t2").ServerTime
	eventually(t, 5*time.Second, "a listens and has beaten",
		func() bool { return a.lastSeen(h.name, "t2") > entered.UnixMicro() })
	h.enter(b, "t3")
	h.release(turn, 1)
	if err := a.Line(h.name).Park(h.ctx(), "t2"); err != nil {
		t.Fatal(err)
	}
	third := h.nextIs(b, "t3")
	if back := h.enter(a, "t2"); back.Position != 1 || back.Granted {
		t.Errorf("came back to %+v, want position 1", back)
	}
	h.release(third, 1)
}

// The grace of the parked ends.
func TestPark_GraceEnds(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h, a, b := newTwoNodes(t)
		turn := h.turnOf(b, "t1")
		old := h.enter(a, "t2")
		h.enter(b, "t3")
		parked := time.Now()
		if err := a.Line(h.name).Park(h.ctx(), "t2"); err != nil {
			t.Fatal(err)
		}
		eventually(t, 5*time.Second, "the parked one's place is given up", func() bool { return h.progress(b).Count == 1 })
		if after := time.Since(parked); after < testTimes.Grace || after > testTimes.Grace+2*testTimes.Beat+slack {
			t.Errorf("the place was kept for %s, want %s", after, testTimes.Grace)
		}
		if place := h.enter(b, "t3"); place.Position != 1 {
			t.Errorf("t3 stands at %d", place.Position)
		}
		if back := h.enter(a, "t2"); back.Arrival <= old.Arrival || back.Position != 2 {
			t.Errorf("came back too late, to %+v", back)
		}
		h.release(turn, 1)
	})
}

// Who can be parked.
func TestPark_Statuses(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h, a, b := newTwoNodes(t)
		park := func(c *Client, ticket string, want error) {
			t.Helper()
			if err := c.Line(h.name).Park(h.ctx(), ticket); !errors.Is(err, want) {
				t.Errorf("park %s: %v, want %v", ticket, err, want)
			}
		}
		turn := h.turnOf(a, "t1")
		h.enter(a, "t2")
		h.enter(a, "t3")
		park(a, "nobody", ErrNotInLine)
		park(a, "t1", ErrServing)
		park(b, "t1", ErrOwnedElsewhere)
		park(b, "t3", ErrOwnedElsewhere)
		h.take(turn, 1, "t2")
		park(a, "t2", ErrServing)
		park(a, "t3", nil)
		if err := b.Line(h.name).Leave(h.ctx(), "t3"); err != nil { // as somebody who gave up for good
			t.Error(err)
		}
		park(a, "t3", ErrNotInLine)
		h.release(turn, 2)
		if p := h.progress(a); p.Count != 0 || p.Holder {
			t.Errorf("left: %+v", p)
		}
	})
}
