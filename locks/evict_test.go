package locks

import (
	"context"
	"errors"
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

func TestI01_AnEvictedHolderIsReplacedAtOnce(t *testing.T) {
	testWithGuards(t, evictedHolder,
		guard{"the end of its turn", opEvict, "  end_turn(false)\n  if", "  if"},
		guard{"the message", opEvict,
			"publish(holder, {kind = 'evicted', ticket = ticket, fence = fence}, owner_session)", ""},
	)
}

// evictedHolder ends a turn by force from a node that has nothing to do with it. Beats and renewals are rare, so that
// the holder learns of it by message.
func evictedHolder(t testing.TB, edit func(*Client)) {
	h := newHarness(t)
	rare := func(cfg *Config) {
		cfg.Beat, cfg.TTL, cfg.ClaimWindow, cfg.Lease, cfg.MaxHold = time.Hour, 2*time.Hour, time.Hour, time.Hour,
			time.Hour
	}
	a, b, operator := h.node("a", rare), h.node("b", rare), h.node("operator", rare)
	edit(operator)
	turn := h.turnOf(a, "t1")
	if _, err := b.Line(h.name).Enter(h.ctx(), Entry{Ticket: "t2", Work: "work"}); err != nil {
		t.Fatal(err)
	}
	h.enter(b, "t3")
	h.enter(a, "t4")
	h.awaitSubscribed("a", "b")
	h.take(turn, 1, "t2")
	if ticket, err := operator.Line(h.name).Evict(h.ctx()); ticket != "t1" || err != nil {
		t.Fatalf("evicted %q, %v, want t1", ticket, err)
	}
	within(t, time.Second, turn.Context())
	if cause := context.Cause(turn.Context()); !errors.Is(cause, ErrLeaseLost) {
		t.Errorf("the evicted turn ended with %v", cause)
	}
	next := h.next(b)
	if next.Ticket() != "t2" || next.Fence() <= turn.Fence() {
		t.Fatalf("%s has the turn, fence %d after %d; want t2, which was taken along", next.Ticket(), next.Fence(),
			turn.Fence())
	}
	if err := turn.Release(h.ctx(), 2); !errors.Is(err, ErrStale) {
		t.Errorf("release by the evicted: %v", err)
	}
	h.release(next, 1)
	h.release(h.next(b), 1)
	h.release(h.next(a), 1)
	if ticket, err := operator.Line(h.name).Evict(h.ctx()); ticket != "" || err != nil {
		t.Errorf("evicted %q from a free line, %v", ticket, err)
	}
}

func TestEvict_JointLineByLine(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	a, operator := h.node("a", nil), h.node("operator", nil)
	turn, err := a.Joint("evening", "t1", "t2").Lock(h.ctx(), "both")
	dbtest.Must(t, err)
	if ticket, err := operator.Joint("evening", "t2", "t1").Evict(h.ctx()); ticket != "both" || err != nil {
		t.Fatalf("evicted %q, %v", ticket, err)
	}
	within(t, dbtest.Patience, turn.Context())
	for _, line := range []string{"t1", "t2"} {
		if place, err := operator.Line(Name{"evening", line}).Enter(h.ctx(), Entry{Ticket: "next"}); err != nil ||
			!place.Granted {
			t.Errorf("%s after the eviction: %+v, %v", line, place, err)
		}
	}
}

func TestI10_AnEvictionSentTwiceEndsOneTurn(t *testing.T) {
	testWithGuards(t, evictedTwice,
		guard{"the request", opEvict, "if before[1] == request then", "if false then"})
}

func evictedTwice(t testing.TB, edit func(*Client)) {
	h := newHarness(t)
	a, operator := h.node("a", nil), h.nodeOn(h.connect(&repeatingLink{}), "operator", nil)
	edit(operator)
	for _, ticket := range []string{"t1", "t2", "t3", "t4"} {
		h.enter(a, ticket)
	}
	for _, want := range []string{"t1", "t2", "t3"} { // one of three is sent once, one twice, one three times
		turn := h.next(a)
		if ticket, err := operator.Line(h.name).Evict(h.ctx()); ticket != want || turn.Ticket() != want || err != nil {
			t.Fatalf("evicted %q, %v; %s had the turn, want %s", ticket, err, turn.Ticket(), want)
		}
		within(t, 2*time.Second, turn.Context())
	}
	h.nextIs(a, "t4")
}

func TestTurn_EndsWithItsLastHandle(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	c := h.node("a", unhurried)
	turn := h.turnOf(c, "t1")
	h.enter(c, "t2")
	part, err := turn.Reenter()
	if err != nil || part.Fence() != turn.Fence() || part.Ticket() != "t1" || part.Context() != turn.Context() {
		t.Fatalf("entered again: %+v, %v", part, err)
	}
	nested, err := part.Reenter()
	dbtest.Must(t, err)
	for _, handle := range []*Turn{nested, turn, turn, nested} { // each counts once
		h.release(handle, 1)
		if p := h.progress(c); turn.Context().Err() != nil || !p.Holder || p.Count != 1 {
			t.Fatalf("the turn ended before its last handle: %+v", p)
		}
	}
	h.release(part, 1)
	if turn.Context().Err() == nil {
		t.Error("the turn goes on")
	}
	h.nextIs(c, "t2")
	if late, err := turn.Reenter(); !errors.Is(err, ErrStale) || late != nil {
		t.Errorf("entered a turn that is over: %v, %v", late, err)
	}
}

func TestTurn_LostIsLostToAllHandles(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h, a, b := newTwoNodes(t)
		turn := h.turnOf(a, "t1")
		part, err := turn.Reenter()
		dbtest.Must(t, err)
		if _, err := b.Line(h.name).Evict(h.ctx()); err != nil {
			t.Fatal(err)
		}
		within(t, 5*time.Second, part.Context())
		h.release(turn, 1) // there is another handle
		if err := part.Release(h.ctx(), 1); !errors.Is(err, ErrStale) {
			t.Errorf("the last release: %v, want ErrStale", err)
		}
	})
}
