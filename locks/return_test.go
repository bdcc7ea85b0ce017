package locks

import (
	"errors"
	"slices"
	"testing"
	"time"
)

// A returned turn loses nobody a place.
func TestReturn_KeepsPlaces(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	a, b := r.node("a", nil), r.node("b", nil)
	r.enter(a, "t1")
	turn := r.next(a)
	for _, ticket := range []string{"t2", "t3"} {
		r.enter(a, ticket)
	}
	r.enter(b, "t4")
	if taken, err := turn.Take(t.Context(), 10); err != nil || len(taken) != 2 {
		t.Fatalf("took %v, %v", taken, err)
	}
	for range 2 { // again is no error
		if err := turn.Return(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if turn.Context().Err() == nil {
		t.Error("the turn's context goes on")
	}
	var order []string
	fence := turn.Fence()
	for _, node := range []*Client{a, a, a, b} {
		next := r.next(node)
		if next.Fence() <= fence {
			t.Errorf("fence %d after %d", next.Fence(), fence)
		}
		fence = next.Fence()
		order = append(order, next.Ticket())
		r.release(next, 1)
	}
	if want := []string{"t1", "t2", "t3", "t4"}; !slices.Equal(order, want) {
		t.Errorf("served %v, want %v", order, want)
	}
}

// A return that comes late changes nothing.
func TestReturn_LateChangesNothing(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	a := r.node("a", nil)
	r.enter(a, "t1")
	turn := r.next(a)
	r.release(turn, 1)
	r.enter(a, "t2")
	now := r.next(a)
	late := &heldTurn{line: turn.line, ticket: "t1", fence: turn.Fence() - 1, cancel: turn.cancel, over: true}
	if err := late.Return(t.Context()); !errors.Is(err, ErrStale) {
		t.Errorf("got %v, want ErrStale", err)
	}
	if place := r.enter(a, "t3"); place.Position != 1 || place.Granted {
		t.Errorf("t3 stands at %+v", place)
	}
	eventually(t, time.Second, "t2 goes on", func() bool { return now.Context().Err() == nil })
	r.release(now, 1)
}
