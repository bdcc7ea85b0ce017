package locks

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"
)

// enter puts a ticket into the line and on this session; waiter, if not nil, gets its turn.
func (s *session) enter(ctx context.Context, in Entry, w *waiter) (Place, error) {
	if in.Ticket == "" || len(in.Ticket) > maxTicket || !utf8.ValidString(in.Ticket) || in.Arrival < 0 ||
		!utf8.ValidString(in.Work) {
		return Place{}, fmt.Errorf("line %s: %w", s.name, ErrBadEntry)
	}
	e := s.beginEnter(in.Ticket, w) // first, because the grant may be here before the answer
	cfg := s.client.cfg
	r, err := s.call(ctx, opEnter, in.Ticket, in.Arrival, cfg.TTL.Microseconds(), in.Work,
		max(in.Arrival, s.knownArrival()), settleTime(cfg).Microseconds())
	s.endEnter(e, in, r, err)
	if err != nil {
		return Place{}, err
	}
	if r.status < 0 {
		return Place{}, fmt.Errorf("line %s: %w: arrival number lies in the future", s.name, ErrBadEntry)
	}
	return Place{
		Ticket:     in.Ticket,
		Granted:    r.status == 1,
		Serving:    r.status == 3,
		Arrival:    r.integer(0),
		Fence:      r.integer(1),
		Position:   int(r.integer(2)),
		Count:      int(r.integer(3)),
		Settling:   r.integer(5) == 1,
		Local:      r.local,
		ServerTime: time.UnixMicro(r.now),
	}, nil
}

// beginEnter notes a ticket that is about to enter.
func (s *session) beginEnter(ticket string, w *waiter) *localTicket {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.tickets[ticket]
	if e == nil {
		e = &localTicket{ticket: ticket}
		s.tickets[ticket] = e
	}
	e.entering++
	if w != nil {
		e.waiter = w
		if e.turn != nil && s.withdraw(e.turn) {
			s.handOver(e)
		}
	}
	return e
}

// endEnter notes what Redis answered to an enter. Messages and other calls may have brought later news in the
// meantime: Redis' clock in the answer decides.
func (s *session) endEnter(e *localTicket, in Entry, r reply, err error) {
	s.mu.Lock()
	e.entering--
	var out []notification
	switch {
	case err != nil || r.status < 0:
		if e.knownAt == 0 && e.turn == nil && e.entering == 0 && s.tickets[e.ticket] == e {
			delete(s.tickets, e.ticket)
		}
	case e.goneAt < r.now:
		e.arrival, e.work = r.integer(0), in.Work
		out = s.setPlace(e, r)
	}
	s.mu.Unlock()
	s.notify(out)
	s.wakeKeepAlive()
}

// setPlace notes where a ticket stands. Holds mu.
func (s *session) setPlace(e *localTicket, r reply) []notification {
	if other := s.tickets[e.ticket]; other != nil && other != e {
		if e.waiter != nil {
			other.waiter = e.waiter
		}
		other.arrival, other.work = e.arrival, e.work
		e = other
	}
	s.tickets[e.ticket] = e
	e.knownAt = max(e.knownAt, r.now)
	if e.turn != nil {
		return nil
	}
	e.servedElsewhere = r.status == 3 || r.status == 1 && r.turn == nil
	if r.status == 2 && s.closedAt > e.knownAt {
		return []notification{s.removeTicket(e, s.closedAt, Departure{Cause: Closed, Reason: s.closedReason})}
	}
	if left := r.integer(4); r.status == 2 && left >= 0 {
		s.scheduleCheck(micros(left))
	}
	return nil
}

// knownArrival is the arrival number of a ticket that stands in the line for all this node knows, 0 if there is none.
// Any will do: it is older than a line that Redis has lost.
func (s *session) knownArrival() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.tickets {
		if e.arrival > 0 && e.knownAt > 0 {
			return e.arrival
		}
	}
	return 0
}

// settleTime is how long a line that lost its data waits for older tickets: every node has beaten once by then.
func settleTime(cfg Config) time.Duration { return cfg.Beat * 5 / 4 }

// scheduleCheck makes the session check the line when the present turn's lease ends, so that a dead holder is replaced
// within milliseconds. Holds mu.
func (s *session) scheduleCheck(left time.Duration) {
	s.checkAt = s.client.clock().Add(left + time.Millisecond)
	signal(s.wake)
}
