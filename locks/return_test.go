package locks

import (
	"errors"
	"slices"
	"testing"
)

// A returned turn loses nobody a place.
func TestReturn_KeepsPlaces(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h, a, b := newTwoNodes(t)
		turn := h.turnOf(a, "t1")
		for _, ticket := range []string{"t2", "t3"} {
			h.enter(a, ticket)
		}
		h.enter(b, "t4")
		h.take(turn, 10, "t2", "t3")
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
			next := h.next(node)
			if next.Fence() <= fence {
				t.Errorf("fence %d after %d", next.Fence(), fence)
			}
			fence = next.Fence()
			order = append(order, next.Ticket())
			h.release(next, 1)
		}
		if want := []string{"t1", "t2", "t3", "t4"}; !slices.Equal(order, want) {
			t.Errorf("served %v, want %v", order, want)
		}
	})
}

// A return that comes late changes nothing.
func TestReturn_LateChangesNothing(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	a := h.node("a", nil)
	turn := h.turnOf(a, "t1")
	h.release(turn, 1)
	now := h.turnOf(a, "t2")
	late := &heldTurn{line: turn.line, ticket: "t1", fence: turn.Fence() - 1, cancel: turn.cancel, over: true}
	if err := late.Return(t.Context()); !errors.Is(err, ErrStale) {
		t.Errorf("got %v, want ErrStale", err)
	}
	if place := h.enter(a, "t3"); place.Position != 1 || place.Granted {
		t.Errorf("t3 stands at %+v", place)
	}
	eventually(t, "t2 goes on", func() bool { return now.Context().Err() == nil })
	h.release(now, 1)
}
