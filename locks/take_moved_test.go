package locks

import "testing"

// A ticket that a turn takes along may be adopted by another node before the turn's node has read the answer. The turn
// names it all the same: its place ends with the turn, so nobody else can serve it.
func TestTake_NamesATicketThatMovedMeanwhile(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	a := h.node("a", unhurried)
	turn := h.turnOf(a, "first")
	h.offer(a, "moved")
	s, err := a.session(a.Line(h.name))
	if err != nil {
		t.Fatal(err)
	}
	defer a.endUse(s)
	s.mu.Lock()
	delete(s.tickets, "moved") // as the message of the adoption does
	s.mu.Unlock()
	taken, err := turn.Take(h.ctx(), 5)
	if err != nil || len(taken) != 1 || taken[0].Ticket != "moved" {
		t.Errorf("the turn names %v, %v", taken, err)
	}
	h.release(turn, 2)
}
