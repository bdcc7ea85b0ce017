package locks

import "testing"

// Whoever has the turn is alone as far as the node knows: until another ticket comes to it, and not where the answer that
// granted the turn counted others.
func TestTurn_Alone(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	line, other := h.node("a", unhurried).Line(h.name), h.node("b", unhurried).Line(h.name)
	enter := func(l *Line, ticket string) {
		t.Helper()
		if _, err := l.Enter(h.ctx(), Entry{Ticket: ticket, Work: "w"}); err != nil {
			t.Fatal(err)
		}
	}
	next := func() *Turn {
		t.Helper()
		turn, err := line.Next(h.ctx())
		if err != nil {
			t.Fatal(err)
		}
		return turn
	}
	enter(line, "t1")
	first := line.TryNext()
	if first == nil || !first.Alone() || line.TryNext() != nil {
		t.Fatalf("turn %v", first)
	}
	enter(line, "t2")
	if first.Alone() {
		t.Error("t1 is alone though t2 waits at its node")
	}
	enter(other, "t3")
	if err := first.Release(h.ctx(), 1); err != nil {
		t.Fatal(err)
	}
	second := next()
	if second.Alone() {
		t.Error("t2 is alone though t3 waits at another node")
	}
	if taken, err := second.Take(h.ctx(), 5); err != nil || len(taken) != 1 {
		t.Errorf("took %v, %v", taken, err)
	}
	if err := second.Release(h.ctx(), 2, Result{Ticket: "t3", Value: "done"}); err != nil {
		t.Fatal(err)
	}
}
