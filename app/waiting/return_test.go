package waiting

import (
	"context"
	"testing"
	"time"
)

// slow is a Server that says when it is at work and waits to be let go on.
type slow struct {
	*counter
	begun chan struct{}
	goOn  chan struct{}
}

func (s *slow) Serve(ctx context.Context, turn Turn, run []Served) ([]Result, []Closing, error) {
	s.begun <- struct{}{}
	<-s.goOn
	return s.counter.Serve(ctx, turn, run)
}

// The press of ann was given up before the line had answered, so her turn comes while nobody here knows of her. She
// presses again while that turn serves those behind her: it ends without her, and she must be served all the same.
func TestWhoComesBackDuringATurnThatPassesThemOverIsServed(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 10)
	server := &slow{counter: p.server, begun: make(chan struct{}, 10), goOn: make(chan struct{})}
	room := p.roomOf(server, Config{})
	turn := p.rival()
	ann := press(t, room, wish("ann", "k1"))
	press(t, room, wish("bob", "k2"))
	ann.Close()
	ann.lane.drop(ann.standing)
	if err := turn.Release(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	<-server.begun
	again := press(t, room, wish("ann", "k1"))
	close(server.goOn)
	if status := settledWithin(t, again, 5*time.Second); status.State != Reserved || status.Result.ReservationID != "for-ann" {
		t.Errorf("got %+v", status)
	}
}

// Whatever becomes of a ticket in the line, who watches it is not left waiting for nothing: it is seen to be missing
// there, and takes its place again.
func TestATicketThatIsMissingFromTheLineTakesItsPlaceAgain(t *testing.T) {
	t.Parallel()
	p := newPlace(t, 10)
	room := p.room(Config{})
	turn := p.rival()
	ann := press(t, room, wish("ann", "k1"))
	if err := room.lines.Line(evening).Leave(t.Context(), ann.standing.ticket); err != nil { // and the room is not told
		t.Fatal(err)
	}
	if err := turn.Release(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if status := settledWithin(t, ann, 20*time.Second); status.State != Reserved {
		t.Errorf("got %+v", status)
	}
}
