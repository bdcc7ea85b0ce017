package locks

import (
	"context"
	"errors"
	"fmt"
)

// waiter is what Lock waits at: one of the channels gets one value.
type waiter struct {
	turn     chan *Turn
	departed chan Departure
}

// Lock enters the line and waits for the ticket's own turn: the simple use, without Next. When ctx ends first, the
// ticket leaves the line and ctx's error is returned. Returns ErrClosed if the line was closed, ErrNotInLine if the
// ticket was adopted, served or left elsewhere. One Lock a ticket at a time.
func (l *Line) Lock(ctx context.Context, ticket string) (*Turn, error) {
	s, err := l.client.session(l)
	if err != nil {
		return nil, err
	}
	defer l.client.endUse(s)
	w := &waiter{turn: make(chan *Turn, 1), departed: make(chan Departure, 1)}
	in := Entry{Ticket: ticket}
	for {
		place, err := s.enter(ctx, in, w)
		if err != nil {
			l.giveUp(s, in.Ticket, w)
			return nil, err
		}
		in.Arrival = place.Arrival
		select {
		case t := <-w.turn:
			return t, nil
		case gone := <-w.departed:
			if err := gone.err(); err != nil {
				return nil, err
			}
		case <-ctx.Done():
			l.giveUp(s, in.Ticket, w)
			return nil, ctx.Err()
		case <-l.client.ctx.Done():
			return nil, ErrClientClosed
		}
	}
}

// err is what Lock makes of a departure; nil: enter again at the old place.
func (gone Departure) err() error {
	switch gone.Cause {
	case Reaped:
		return nil
	case Closed:
		return fmt.Errorf("%w: %s", ErrClosed, gone.Reason)
	}
	return ErrNotInLine
}

// giveUp leaves the line, or gives the turn back if it has come in the meantime. The caller's context has ended; what
// this call cannot end within the claim window, Redis ends by itself.
func (l *Line) giveUp(s *session, ticket string, w *waiter) {
	ctx, cancel := context.WithTimeout(l.client.ctx, l.client.cfg.ClaimWindow)
	defer cancel()
	err := l.Leave(ctx, ticket)
	if errors.Is(err, ErrServing) {
		select {
		case t := <-w.turn:
			err = t.Release(ctx, 0)
		case <-w.departed:
			err = nil
		case <-ctx.Done():
		}
	}
	if err == nil {
		return
	}
	l.client.cfg.Logger.Warn("locks: leave line failed", "line", l.name, "error", err)
	select {
	case t := <-w.turn:
		t.lose(s)
	default:
		s.abandon(ticket, w)
	}
}

// abandon stops the beats of a ticket whose Lock has ended without reaching Redis.
func (s *session) abandon(ticket string, w *waiter) {
	s.mu.Lock()
	if e := s.tickets[ticket]; e != nil && e.waiter == w {
		s.removeTicket(e, e.knownAt, Departure{Cause: Elsewhere})
	}
	s.mu.Unlock()
	s.wakeKeepAlive()
}
