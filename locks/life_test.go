package locks

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

func TestI08_TheLivingAreNeverDropped(t *testing.T) {
	testWithGuards(t, longWait, guard{
		"the life that a beat gives", opBeat, "if ARGV[11] == '1' then keep_node() end", "",
	})
}

// longWait lets tickets of two nodes wait for two lives.
func longWait(t testing.TB, edit func(*Client)) {
	h := newHarness(t)
	j := newRecordingObserver()
	a, b := h.node("a", j.attach), h.node("b", j.attach)
	edit(a)
	edit(b)
	turn := h.turnOf(a, "first")
	want := h.enterInTurn(20, a, b)
	begun := time.Now()
	eventually(t, "two lives pass", func() bool {
		if order := order(h.progress(a)); !slices.Equal(order, want) {
			t.Fatalf("after %s %v wait, want %v", time.Since(begun), order, want)
		}
		return time.Since(begun) > 2*testTimes.TTL
	})
	h.release(turn, 1)
	if got := serveAll(h, len(want), a, b); !slices.Equal(got, want) {
		t.Errorf("served %v, want %v", got, want)
	}
	if n := j.event(DeadReaped); n != 0 || len(j.departures()) != 0 {
		t.Errorf("%d reaped, departed %v", n, j.departures())
	}
}

func TestI08_ManyDeadHeadsCostOneLifeTogether(t *testing.T) {
	testWithGuards(t, manyDead,
		lossOfTheDead,
		guard{"the end of a node's life", "", "format_int(now + node_life)", "format_int(now + 3600000000)"},
	)
}

// manyDead kills a node whose tickets are the heads of the line.
func manyDead(t testing.TB, edit func(*Client)) {
	h := newHarness(t)
	j := newRecordingObserver()
	a, b := h.node("a", nil), h.node("b", j.attach)
	edit(a)
	edit(b)
	b.cfg.Lease = dbtest.Patience // the turn lasts until all have entered
	turn := h.turnOf(b, "t0")
	for i := range 150 {
		h.enter(a, fmt.Sprintf("dead%d", i))
	}
	h.enter(b, "live")
	h.kill(a)
	killed := time.Now()
	h.release(turn, 1) // to a dead head; nobody knows yet
	next := h.next(b)
	took := time.Since(killed)
	if limit := testTimes.TTL + testTimes.ClaimWindow + 2*testTimes.Beat; next.Ticket() != "live" ||
		took > limit+slack {
		t.Errorf("%s has the turn after %s, want live within %s", next.Ticket(), took, limit)
	}
	if n := j.event(DeadReaped); n < 145 || n > 150 {
		t.Errorf("%d dead reaped of 150, of which some may have got a turn they did not claim", n)
	}
}
