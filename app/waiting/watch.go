package waiting

import (
	"context"
	"time"
)

// Watch is somebody looking at a ticket: a request, a poll, an open stream. While it is open the diner is present.
// It belongs to one goroutine.
type Watch struct {
	lane     *queue // nil when it is over
	standing *standing
	pass     string   // when lane is nil
	wish     *Request // when lane is nil; nil if it is not known any more
	last     Status
	told     bool
}

// settled watches a ticket whose result is known.
func settled(pass string, wish *Request, result Result) *Watch {
	return &Watch{pass: pass, wish: wish, last: Status{State: result.State, Result: result}}
}

// Token is the signed ticket; empty for a press that was refused before it got one.
func (w *Watch) Token() string {
	if w.lane == nil {
		return w.pass
	}
	s := w.standing
	w.lane.mu.Lock()
	defer w.lane.mu.Unlock()
	return w.lane.room.signer.Sign(Token{Line: w.lane.name, Ticket: s.ticket, UserID: s.wish.UserID, Arrival: s.arrival})
}

// Request is what the ticket waits for; false when it is over.
func (w *Watch) Request() (Request, bool) {
	if w.lane == nil {
		return Request{}, false
	}
	return w.standing.wish, true
}

// Asked is what the ticket waits for or has waited for; false when that is not known any more.
func (w *Watch) Asked() (Request, bool) {
	if w.lane == nil && w.wish != nil {
		return *w.wish, true
	}
	return w.Request()
}

// Status is where the ticket stands now.
func (w *Watch) Status() Status {
	status, _ := w.look()
	return status
}

// Next waits for a status that differs from the one it gave before; its first call returns at once, and so does every
// call after a final status. When the room is about to close it returns a status with Reconnect set. Returns ctx's error
// when that ends first.
func (w *Watch) Next(ctx context.Context) (Status, error) {
	for {
		status, tick := w.look()
		if !w.told || status != w.last || status.State != Waiting {
			w.last, w.told = status, true
			return status, nil
		}
		select {
		case <-tick:
		case <-w.standing.done:
		case <-w.lane.room.closing:
			status.Reconnect = true
			return status, nil
		case <-ctx.Done():
			return status, ctx.Err()
		}
	}
}

// Settled waits until the ticket's result is known or ctx ends, and returns where it stands then.
func (w *Watch) Settled(ctx context.Context) Status {
	if w.lane != nil {
		select {
		case <-w.standing.done:
		case <-w.lane.room.closing:
		case <-ctx.Done():
		}
	}
	return w.Status()
}

// Close ends the watch. The diner counts as present for a while after.
func (w *Watch) Close() {
	if w.lane == nil {
		return
	}
	w.lane.mu.Lock()
	defer w.lane.mu.Unlock()
	w.standing.watchers--
	w.standing.seen = time.Now()
}

// look is the status and the channel that closes when there is news of the line.
func (w *Watch) look() (Status, <-chan struct{}) {
	if w.lane == nil {
		return w.last, nil
	}
	l, s := w.lane, w.standing
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-s.done:
		return Status{State: s.result.State, Result: s.result}, l.tick
	default:
	}
	at := l.positions[s.ticket]
	turns := min(at.number, max(l.left, 1)) // when nothing is left, everybody behind is told at once
	estimate := l.progress.Estimate(max(1, turns)).Round(time.Second)
	return Status{State: Waiting, Position: at.number, Count: l.progress.Count, SeatsAhead: at.seatsAhead,
		SeatsAheadKnown: at.seatsKnown, Estimate: estimate, Local: l.local}, l.tick
}
