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

// Holder cut off loses its turn before the next begins.
func TestI01_HolderCutOffLosesItsTurnBeforeTheNextBegins(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	wire, j := &breakableLink{}, newRecordingObserver()
	a, b := r.nodeOn(r.connect(wire), "a", j.attach), r.node("b", nil)
	r.enter(a, "t1")
	lost := r.next(a)
	r.enter(b, "t2")
	wire.cut.Store(true)
	next := r.next(b)
	if err := context.Cause(lost.Context()); !errors.Is(err, ErrLeaseLost) {
		t.Fatalf("t2 has the turn while the context of t1's turn says %v", err)
	}
	wire.cut.Store(false)
	if err := lost.Release(r.ctx(), 1); !errors.Is(err, ErrStale) {
		t.Fatalf("late release: %v, want ErrStale", err)
	}
	if _, err := lost.Take(r.ctx(), 1); !errors.Is(err, ErrStale) {
		t.Fatalf("late take: %v, want ErrStale", err)
	}
	if p := r.progress(b); !p.Holder || next.Context().Err() != nil {
		t.Fatalf("the late release freed the line: %+v", p)
	}
	if j.event(LeaseLost) != 1 || j.event(StaleFence) != 2 {
		t.Errorf("events %v", j.read().events)
	}
	r.release(next, 1)
}

// Watchdog keeps a long turn.
func TestTurn_WatchdogRenewsLease(t *testing.T) {
	t.Parallel()
	skipIfShort(t)
	r := newHarness(t)
	a, b := r.node("a", nil), r.node("b", nil)
	r.enter(a, "t1")
	turn := r.next(a)
	r.enter(b, "t2")
	begun := time.Now()
	eventually(t, 4*testTimes.Lease, "two leases pass", func() bool {
		if err := turn.Context().Err(); err != nil {
			t.Fatalf("lost after %s: %v", time.Since(begun), context.Cause(turn.Context()))
		}
		return time.Since(begun) > 2*testTimes.Lease
	})
	if p := r.progress(b); !p.Holder || p.Count != 1 {
		t.Fatalf("progress %+v", p)
	}
	r.release(turn, 1)
}

// No turn outlasts max hold.
func TestI01_NoTurnOutlastsMaxHold(t *testing.T) {
	testWithGuards(t, longestHold, guard{"the longest hold", opHold, "math.min(now + lease, last)", "now + lease"})
}

func longestHold(t testing.TB, edit func(*Client)) {
	r := newHarness(t)
	short := func(cfg *Config) { cfg.MaxHold = time.Second }
	a, b := r.node("a", short), r.node("b", short)
	edit(a)
	edit(b)
	r.enter(a, "t1")
	turn := r.next(a)
	begun := time.Now()
	r.enter(b, "t2")
	next := r.next(b)
	if took := time.Since(begun); took < time.Second-50*time.Millisecond || took > 2*time.Second {
		t.Errorf("t2 had to wait %s, want 1 s", took)
	}
	if cause := context.Cause(turn.Context()); !errors.Is(cause, ErrLeaseLost) {
		t.Errorf("the long turn: %v", cause)
	}
	r.release(next, 1)
}

// Take serves the run of own tickets.
func TestTake_ServesTheRunOfOwnTickets(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	j := newRecordingObserver()
	a, b := r.node("a", j.attach), r.node("b", nil)
	for _, in := range []struct {
		at     *Client
		ticket string
	}{{a, "t1"}, {a, "t2"}, {a, "t3"}, {b, "t4"}, {a, "t5"}} {
		r.enter(in.at, in.ticket)
	}
	turn := r.next(a)
	first, err := turn.Take(r.ctx(), 1)
	if err != nil || len(first) != 1 || first[0].Ticket != "t2" || first[0].Arrival <= turn.Arrival() {
		t.Fatalf("took %v, %v, want t2", first, err)
	}
	rest, err := turn.Take(r.ctx(), 10)
	if err != nil || len(rest) != 1 || rest[0].Ticket != "t3" {
		t.Fatalf("took %v, %v, want t3: t4 is another node's", rest, err)
	}
	if p := r.progress(b); p.HoldSize != 3 || !slices.Equal(order(p), []string{"t4", "t5"}) {
		t.Fatalf("progress %+v", p)
	}
	if place := r.enter(b, "t3"); !place.Serving || place.Arrival != rest[0].Arrival || place.Position != 0 {
		t.Fatalf("a taken ticket entered elsewhere: %+v", place)
	}
	r.release(turn, 3)
	next := r.next(b)
	if next.Ticket() != "t4" || len(order(r.progress(b))) != 1 {
		t.Fatalf("next is %s, %v wait, want t4 and t5 alone", next.Ticket(), order(r.progress(b)))
	}
	r.release(next, 1)
	last := r.next(a)
	if taken, err := last.Take(r.ctx(), 0); err != nil || taken != nil {
		t.Errorf("take nobody: %v, %v", taken, err)
	}
	r.release(last, 1)
	if f := j.read(); len(f.departed) != 0 || f.served != 4 {
		t.Errorf("served tickets departed: %v; %d served", f.departed, f.served)
	}
}

// takeAndLose lets a holder take tickets along and lose its turn.
func takeAndLose(t testing.TB, edit func(*Client)) {
	r := newHarness(t)
	patient := func(cfg *Config) {
		cfg.Lease, cfg.ClaimWindow, cfg.TTL = 600*time.Millisecond, 600*time.Millisecond, 10*time.Second
	}
	wire := &breakableLink{}
	a, b := r.nodeOn(r.connect(wire), "a", patient), r.node("b", patient)
	edit(b)
	for _, ticket := range []string{"t1", "t2", "t3"} {
		r.enter(a, ticket)
	}
	turn := r.next(a)
	r.enter(b, "t4")
	if taken, err := turn.Take(r.ctx(), 5); err != nil || len(taken) != 2 {
		t.Fatalf("took %v, %v", taken, err)
	}
	wire.cut.Store(true)
	within(t, 5*time.Second, turn.Context())
	eventually(t, 5*time.Second, "the dead holder is replaced", func() bool { return r.progress(b).HoldSize == 1 })
	if got := strings.Join(order(r.progress(b)), " "); got != "t3 t4" && got != "t4" { // t2, or by now t3, has the turn
		t.Errorf("%v wait, want t3 and t4 behind t2", got)
	}
	wire.cut.Store(false)
	if next := r.next(a); next.Ticket() != "t2" && next.Ticket() != "t3" || next.Fence() <= turn.Fence() {
		t.Errorf("next is %s with fence %d after %d", next.Ticket(), next.Fence(), turn.Fence())
	}
}

// Taken tickets stand again when the turn is lost.
func TestTake_LostTurnRequeuesTaken(t *testing.T) {
	testWithGuards(t, takeAndLose,
		guard{"the return of those taken along", "", "for i = 1, #run, 2 do call('ZADD', waiting, run[i + 1], run[i]) end", ""})
}
