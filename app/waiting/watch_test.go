package waiting

import (
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

// A ticket is at the end of its line until it has a place there, and has its place also while an older answer of the
// line does not show it. Position 0 is that of a ticket that is being served.
func TestWatch_NobodyIsServedWhoHasYetToEnter(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	room := h.room(Config{})
	turn := h.takeTurn()
	first := enter(t, room, request("first", "k"))
	second, err := room.addTicket(request("second", "k"), newTicketID(2), 0, false)
	dbtest.Must(t, err)
	defer second.Close()
	if at := second.Status(); at.Position != 2 || at.Count != 2 {
		t.Errorf("before it enters: position %d of %d, want 2 of 2", at.Position, at.Count)
	}
	q := first.queue
	positionAfter := func(asked time.Time) int {
		q.mu.Lock()
		defer q.mu.Unlock()
		return q.ownPositions(asked, nil, nil)[first.ticket.id].number
	}
	if at := positionAfter(time.Now().Add(-time.Minute)); at != 1 {
		t.Errorf("position %d by an answer that is older than the entry, want 1", at)
	}
	if at := positionAfter(time.Now()); at != 0 {
		t.Errorf("position %d by an answer without the ticket, want 0", at)
	}
	dbtest.Must(t, turn.Release(t.Context(), 1))
}
