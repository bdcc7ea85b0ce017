package locks

import (
	"context"
	"errors"
	"testing"
	"time"
)

// An evicted holder is replaced at once.
func TestI01_AnEvictedHolderIsReplacedAtOnce(t *testing.T) {
	testWithGuards(t, evicted,
		guard{"the end of its turn", opEvict, "  end_turn(h[1], h[2])\n  if", "  if"},
		guard{"the message", opEvict, "publish(h[4], {kind = 'evicted', ticket = h[1], fence = h[3]}, h[5])", ""},
	)
}

// evicted ends a turn by force from a node that has nothing to do with it. Beats and renewals are rare, so that the holder
// learns of it by message.
func evicted(t testing.TB, edit func(*Client)) {
	r := newHarness(t)
	rare := func(cfg *Config) {
		cfg.Beat, cfg.TTL, cfg.ClaimWindow, cfg.Lease, cfg.MaxHold = time.Hour, 2*time.Hour, time.Hour, time.Hour, time.Hour
	}
	a, b, operator := r.node("a", rare), r.node("b", rare), r.node("operator", rare)
	edit(operator)
	r.enter(a, "t1")
	turn := r.next(a)
	r.enter(a, "t2")
	r.enter(b, "t3")
	for _, channel := range []string{"a", "b"} {
		channel = lineKeys(r.prefix, r.name).channel + channel
		eventually(t, 5*time.Second, "they listen", func() bool { return r.rdb.PubSubNumSub(r.ctx(), channel).Val()[channel] == 1 })
	}
	if taken, err := turn.Take(r.ctx(), 1); err != nil || len(taken) != 1 {
		t.Fatal(taken, err)
	}
	if ticket, err := operator.Line(r.name).Evict(r.ctx()); ticket != "t1" || err != nil {
		t.Fatalf("evicted %q, %v, want t1", ticket, err)
	}
	within(t, time.Second, turn.Context())
	if cause := context.Cause(turn.Context()); !errors.Is(cause, ErrLeaseLost) {
		t.Errorf("the evicted turn ended with %v", cause)
	}
	next := r.next(a)
	if next.Ticket() != "t2" || next.Fence() <= turn.Fence() {
		t.Fatalf("%s has the turn, fence %d after %d; want t2, which was taken along", next.Ticket(), next.Fence(), turn.Fence())
	}
	if err := turn.Release(r.ctx(), 2); !errors.Is(err, ErrStale) {
		t.Errorf("release by the evicted: %v", err)
	}
	r.release(next, 1)
	r.release(r.next(b), 1)
	if ticket, err := operator.Line(r.name).Evict(r.ctx()); ticket != "" || err != nil {
		t.Errorf("evicted %q from a free line, %v", ticket, err)
	}
}

// A joint line is evicted line by line.
func TestEvict_JointLineByLine(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	a, operator := r.node("a", nil), r.node("operator", nil)
	turn, err := a.Joint("evening", "t1", "t2").Lock(r.ctx(), "both")
	if err != nil {
		t.Fatal(err)
	}
	if ticket, err := operator.Joint("evening", "t2", "t1").Evict(r.ctx()); ticket != "both" || err != nil {
		t.Fatalf("evicted %q, %v", ticket, err)
	}
	within(t, 5*time.Second, turn.Context())
	for _, line := range []string{"t1", "t2"} {
		if place, err := operator.Line(Name{"evening", line}).Enter(r.ctx(), Entry{Ticket: "next"}); err != nil || !place.Granted {
			t.Errorf("%s after the eviction: %+v, %v", line, place, err)
		}
	}
}

// An eviction sent twice ends one turn.
func TestI10_AnEvictionSentTwiceEndsOneTurn(t *testing.T) {
	testWithGuards(t, evictedTwice,
		guard{"the request", opEvict, "if before[1] == request then", "if false then"})
}

func evictedTwice(t testing.TB, edit func(*Client)) {
	r := newHarness(t)
	a, operator := r.node("a", nil), r.nodeOn(r.connect(&repeatingLink{}), "operator", nil)
	edit(operator)
	for _, ticket := range []string{"t1", "t2", "t3", "t4"} {
		r.enter(a, ticket)
	}
	for _, want := range []string{"t1", "t2", "t3"} { // one of three is sent once, one twice, one three times
		turn := r.next(a)
		if ticket, err := operator.Line(r.name).Evict(r.ctx()); ticket != want || turn.Ticket() != want || err != nil {
			t.Fatalf("evicted %q, %v; %s had the turn, want %s", ticket, err, turn.Ticket(), want)
		}
		within(t, 2*time.Second, turn.Context())
	}
	if last := r.next(a); last.Ticket() != "t4" {
		t.Errorf("%s has the turn, want t4", last.Ticket())
	}
}

// A turn ends with the last of its handles.
func TestTurn_EndsWithItsLastHandle(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	c := r.node("a", nil)
	r.enter(c, "t1")
	turn := r.next(c)
	r.enter(c, "t2")
	part, err := turn.Reenter()
	if err != nil || part.Fence() != turn.Fence() || part.Ticket() != "t1" || part.Context() != turn.Context() {
		t.Fatalf("entered again: %+v, %v", part, err)
	}
	nested, err := part.Reenter()
	if err != nil {
		t.Fatal(err)
	}
	for _, handle := range []*Turn{nested, turn, turn, nested} { // each counts once
		r.release(handle, 1)
		if p := r.progress(c); turn.Context().Err() != nil || !p.Holder || p.Count != 1 {
			t.Fatalf("the turn ended before its last handle: %+v", p)
		}
	}
	r.release(part, 1)
	if turn.Context().Err() == nil {
		t.Error("the turn goes on")
	}
	if next := r.next(c); next.Ticket() != "t2" {
		t.Errorf("%s has the turn, want t2", next.Ticket())
	}
	if late, err := turn.Reenter(); !errors.Is(err, ErrStale) || late != nil {
		t.Errorf("entered a turn that is over: %v, %v", late, err)
	}
}

// A lost turn is lost to all its handles.
func TestTurn_LostIsLostToAllHandles(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	a, b := r.node("a", nil), r.node("b", nil)
	r.enter(a, "t1")
	turn := r.next(a)
	part, err := turn.Reenter()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Line(r.name).Evict(r.ctx()); err != nil {
		t.Fatal(err)
	}
	within(t, 5*time.Second, part.Context())
	r.release(turn, 1) // there is another handle
	if err := part.Release(r.ctx(), 1); !errors.Is(err, ErrStale) {
		t.Errorf("the last release: %v, want ErrStale", err)
	}
}
