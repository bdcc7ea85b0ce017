package waiting

import (
	"context"
	"testing"
)

// pausedHandler is a Handler that says when it is at work and waits to be let go on.
type pausedHandler struct {
	*seatsHandler
	begun chan struct{}
	goOn  chan struct{}
}

func (s *pausedHandler) Serve(ctx context.Context, turn Turn, batch []QueuedRequest) ([]Result, []Closing, error) {
	s.begun <- struct{}{}
	<-s.goOn
	return s.seatsHandler.Serve(ctx, turn, batch)
}

// The request of ann was given up before the line had answered, so her turn comes while nobody here knows of her. She
// asks again while that turn serves those behind her: it ends without her, and she must be served all the same.
func TestReadmit_WhoComesBackDuringATurnThatPassedThemOverIsServed(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	server := &pausedHandler{seatsHandler: h.handler, begun: make(chan struct{}, 10), goOn: make(chan struct{})}
	room := h.roomOf(server, Config{})
	turn := h.takeTurn()
	ann := enter(t, room, request("ann", "k1"))
	enter(t, room, request("bob", "k2"))
	ann.Close()
	ann.queue.drop(ann.ticket)
	if err := turn.Release(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	<-server.begun
	again := enter(t, room, request("ann", "k1"))
	close(server.goOn)
	if status := awaitResult(t, again); status.State != Reserved ||
		status.Result.ReservationID != "for-ann" {
		t.Errorf("got %+v", status)
	}
}

// Whatever becomes of a ticket in the line, who watches it is not left waiting for nothing: it is seen to be missing
// there, and takes its place again.
func TestFollowUp_AMissingTicketTakesItsPlaceAgain(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	room := h.room(Config{})
	turn := h.takeTurn()
	ann := enter(t, room, request("ann", "k1"))
	if err := room.lines.Line(evening).Leave(t.Context(), ann.ticket.id); err != nil { // without the room
		t.Fatal(err)
	}
	if err := turn.Release(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if status := awaitResult(t, ann); status.State != Reserved {
		t.Errorf("got %+v", status)
	}
}
