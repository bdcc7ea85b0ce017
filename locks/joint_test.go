package locks

import (
	"slices"
	"testing"
)

// A joint ticket has its turn when the last of its lines is free.
func TestJoint_TurnWhenAllLinesAreFree(t *testing.T) {
	t.Parallel()
	h, a, b := newTwoNodes(t)
	lock := func(c *Client, ticket, line string) *Turn {
		turn, err := c.Line(Name{"evening", line}).Lock(h.ctx(), ticket)
		if err != nil {
			t.Fatal(err)
		}
		return turn
	}
	first, second := lock(a, "one", "t1"), lock(a, "two", "t2")
	both := b.Joint("evening", "t2", "t1", "t2")
	place, err := both.Enter(h.ctx(), Entry{Ticket: "both"})
	if err != nil || place.Granted || place.Position != 1 {
		t.Fatalf("%+v, %v", place, err)
	}
	behind, err := a.Line(Name{"evening", "t1"}).Enter(h.ctx(), Entry{Ticket: "behind"})
	if err != nil || behind.Position != 2 {
		t.Fatalf("behind a joint ticket: %+v, %v", behind, err)
	}
	h.release(first, 1)
	p, err := both.Progress(h.ctx())
	if err != nil || p.Positions["both"] != 1 || !p.Holder {
		t.Fatalf("%+v, %v", p, err)
	}
	h.release(second, 1)
	turn, err := both.Next(h.ctx())
	if err != nil || turn.Ticket() != "both" || turn.Fence() <= second.Fence() {
		t.Fatalf("%+v, %v", turn, err)
	}
	if taken, err := turn.Take(h.ctx(), 10); taken != nil || err != nil {
		t.Errorf("a joint turn took %v along, %v", taken, err)
	}
	if n, err := b.Lengths(h.ctx(), []Name{{"evening", "t1"}, {"evening", "t2"}}); err != nil ||
		!slices.Equal(n, []int{2, 1}) {
		t.Errorf("lengths %v, %v", n, err)
	}
	h.release(turn, 1)
	last, err := a.Line(Name{"evening", "t1"}).Next(h.ctx())
	if err != nil || last.Ticket() != "behind" {
		t.Fatalf("%+v, %v", last, err)
	}
}
