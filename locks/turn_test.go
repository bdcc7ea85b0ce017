package locks

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// within waits for a context to end.
func within(t testing.TB, d time.Duration, ctx context.Context) {
	t.Helper()
	select {
	case <-ctx.Done():
	case <-time.After(d):
		t.Fatalf("still going on after %s", d)
	}
}

// mustHaveLapsed reports a turn whose lease goes on by its holder's clock. The end of its context may come later: timers
// wait for the machine.
func mustHaveLapsed(t testing.TB, turn *Turn) {
	t.Helper()
	if left := turn.timeLeft(); left > 0 {
		t.Fatalf("%s keeps the turn for %s while another has it", turn.Ticket(), left)
	}
	within(t, slack, turn.Context())
	if cause := context.Cause(turn.Context()); !errors.Is(cause, ErrLeaseLost) {
		t.Fatalf("the turn of %s ended with %v, want ErrLeaseLost", turn.Ticket(), cause)
	}
}

func TestI01_HolderCutOffLosesItsTurnBeforeTheNextBegins(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h := newHarness(t)
		wire, j := &breakableLink{}, newRecordingObserver()
		a, b := h.nodeOn(h.connect(wire), "a", j.attach), h.node("b", nil)
		lost := h.turnOf(a, "t1")
		h.enter(b, "t2")
		wire.cut.Store(true)
		next := h.next(b)
		mustHaveLapsed(t, lost)
		wire.cut.Store(false)
		if err := lost.Release(h.ctx(), 1); !errors.Is(err, ErrStale) {
			t.Fatalf("late release: %v, want ErrStale", err)
		}
		if _, err := lost.Take(h.ctx(), 1); !errors.Is(err, ErrStale) {
			t.Fatalf("late take: %v, want ErrStale", err)
		}
		if p := h.progress(b); !p.Holder || next.Context().Err() != nil {
			t.Fatalf("the late release freed the line: %+v", p)
		}
		eventually(t, "the loss is reported", func() bool { return j.event(LeaseLost) == 1 })
		if j.event(StaleFence) != 2 {
			t.Errorf("events %v", j.read().events)
		}
		h.release(next, 1)
	})
}

func TestTurn_WatchdogRenewsLease(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h, a, b := newTwoNodes(t)
		turn := h.turnOf(a, "t1")
		h.enter(b, "t2")
		begun := time.Now()
		eventually(t, "two leases pass", func() bool {
			if err := turn.Context().Err(); err != nil {
				t.Fatalf("lost after %s: %v", time.Since(begun), context.Cause(turn.Context()))
			}
			return time.Since(begun) > 2*testTimes.Lease
		})
		if p := h.progress(b); !p.Holder || p.Count != 1 {
			t.Fatalf("progress %+v", p)
		}
		h.release(turn, 1)
	})
}

func TestI01_NoTurnOutlastsMaxHold(t *testing.T) {
	testWithGuards(t, longestHold, guard{"the longest hold", opHold, "math.min(now + lease, last)", "now + lease"})
}

func longestHold(t testing.TB, edit func(*Client)) {
	h := newHarness(t)
	short := func(cfg *Config) { cfg.MaxHold = time.Second }
	a, b := h.node("a", short), h.node("b", short)
	edit(a)
	edit(b)
	begun := time.Now()
	turn := h.turnOf(a, "t1")
	next := h.turnOf(b, "t2")
	if took := time.Since(begun); took < time.Second || took > 2*time.Second {
		t.Errorf("t2 had to wait %s, want 1 s", took)
	}
	mustHaveLapsed(t, turn)
	h.release(next, 1)
}

func TestTake_ServesTheRunOfOwnTickets(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h := newHarness(t)
		j := newRecordingObserver()
		a, b := h.node("a", j.attach), h.node("b", nil)
		for _, in := range []struct {
			at     *Client
			ticket string
		}{{a, "t1"}, {a, "t2"}, {a, "t3"}, {b, "t4"}, {a, "t5"}} {
			h.enter(in.at, in.ticket)
		}
		turn := h.next(a)
		if first := h.take(turn, 1, "t2"); first[0].Arrival <= turn.Arrival() {
			t.Fatalf("took %v along, which arrived before the holder", first)
		}
		rest := h.take(turn, 10, "t3") // t4 is another node's
		if p := h.progress(b); p.HoldSize != 3 || !slices.Equal(order(p), []string{"t4", "t5"}) {
			t.Fatalf("progress %+v", p)
		}
		if place := h.enter(b, "t3"); !place.Serving || place.Arrival != rest[0].Arrival || place.Position != 0 {
			t.Fatalf("a taken ticket entered elsewhere: %+v", place)
		}
		h.release(turn, 3)
		next := h.next(b)
		if next.Ticket() != "t4" || len(order(h.progress(b))) != 1 {
			t.Fatalf("next is %s, %v wait, want t4 and t5 alone", next.Ticket(), order(h.progress(b)))
		}
		h.release(next, 1)
		last := h.next(a)
		if taken, err := last.Take(h.ctx(), 0); err != nil || taken != nil {
			t.Errorf("take nobody: %v, %v", taken, err)
		}
		h.release(last, 1)
		if f := j.read(); len(f.departed) != 0 || f.served != 4 {
			t.Errorf("served tickets departed: %v; %d served", f.departed, f.served)
		}
	})
}

// takeAndLose lets a holder take tickets along and lose its turn.
func takeAndLose(t testing.TB, edit func(*Client)) {
	h := newHarness(t)
	patient := func(cfg *Config) {
		cfg.Lease, cfg.ClaimWindow, cfg.TTL = time.Second, time.Second, 10*time.Second
	}
	wire := &breakableLink{}
	a, b := h.nodeOn(h.connect(wire), "a", patient), h.node("b", patient)
	edit(b)
	for _, ticket := range []string{"t1", "t2", "t3"} {
		h.enter(a, ticket)
	}
	turn := h.next(a)
	h.enter(b, "t4")
	h.take(turn, 5, "t2", "t3")
	wire.cut.Store(true)
	within(t, 5*time.Second, turn.Context())
	eventually(t, "the dead holder is replaced", func() bool { return h.progress(b).HoldSize == 1 })
	if got := strings.Join(order(h.progress(b)), " "); got != "t3 t4" && got != "t4" { // t2, or by now t3, has the turn
		t.Errorf("%v wait, want t3 and t4 behind t2", got)
	}
	wire.cut.Store(false)
	if next := h.next(a); next.Ticket() != "t2" && next.Ticket() != "t3" || next.Fence() <= turn.Fence() {
		t.Errorf("next is %s with fence %d after %d", next.Ticket(), next.Fence(), turn.Fence())
	}
}

func TestTake_LostTurnRequeuesTaken(t *testing.T) {
	testWithGuards(t, takeAndLose,
		returnOfTaken)
}
