package locks

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"
)

// beatSize bounds the tickets of one beat call, so that none keeps Redis busy for long.
const beatSize = 500

// keepAlive is the one goroutine of a line that has tickets on this node. It beats and checks the line when the present
// turn's lease ends. It ends when no ticket waits any more.
func (s *session) keepAlive() {
	s.client.retainSubscription(s.name.Partition)
	defer s.client.releaseSubscription(s.name.Partition)
	period := s.client.cfg.Beat
	next := s.client.clock().Add(period/2 + rand.N(period/2)) // lines opened together do not beat together
	timer := time.NewTimer(period)
	defer timer.Stop()
	for {
		stay, due, wake := s.plan()
		if !stay {
			return
		}
		now := s.client.clock()
		if due || !now.Before(next) {
			s.beat()
			next = s.client.clock().Add(period)
			continue
		}
		if !wake.IsZero() && !now.Before(wake) {
			s.beatTickets(nil)
			continue
		}
		until := next
		if !wake.IsZero() && wake.Before(next) {
			until = wake
		}
		timer.Reset(until.Sub(now))
		select {
		case <-timer.C:
		case <-s.wake:
		case <-s.client.ctx.Done():
		}
	}
}

// plan decides for keepAlive whether to stay, whether a beat is due now, and when to check the line.
func (s *session) plan() (stay, due bool, wake time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	due, s.beatDue = s.beatDue, false
	wake = s.checkAt
	if !wake.IsZero() && s.client.until(wake) <= 0 {
		s.checkAt = time.Time{} // the answer to the look sets it again
	}
	s.keepingAlive = s.needsBeats() && s.client.ctx.Err() == nil
	return s.keepingAlive, due, wake
}

// beat says that this node is alive, asks for its tickets, and deals with what Redis says of each.
func (s *session) beat() {
	s.mu.Lock()
	all := make([]*localTicket, 0, len(s.tickets))
	for _, e := range s.tickets { // in any order
		if e.needsBeat() {
			all = append(all, e)
		}
	}
	s.mu.Unlock()
	s.beatEach(all)
}

// beatEach sends as many beats as the tickets need.
func (s *session) beatEach(tickets []*localTicket) {
	for run := range slices.Chunk(tickets, beatSize) {
		if _, ok := s.beatTickets(run); !ok {
			return
		}
	}
}

// beatTickets sends one beat and returns how many stand in line. Without tickets it only looks after the line.
func (s *session) beatTickets(tickets []*localTicket) (standing int, ok bool) {
	c := s.client
	ctx, cancel := context.WithTimeout(c.ctx, c.cfg.TTL)
	defer cancel()
	args := make([]any, 0, 2+len(tickets))
	args = append(args, s.knownArrival(), min(len(tickets), 1))
	for _, e := range tickets {
		args = append(args, e.ticket)
	}
	r, err := s.call(ctx, opBeat, args...)
	if err != nil {
		if c.ctx.Err() == nil {
			c.cfg.Logger.Warn("locks: beat failed", "error", err)
		}
		return 0, false
	}
	s.mu.Lock()
	if left := r.integer(1); left >= 0 {
		s.scheduleCheck(micros(left))
	}
	var out []notification
	var unknown []*localTicket
	marks := r.text(0)
	for i, e := range tickets {
		switch {
		case i >= len(marks):
		case marks[i] == 'l' && e.turn == nil && s.tickets[e.ticket] == e:
			unknown = append(unknown, e)
		default:
			out = append(out, s.applyMark(e, marks[i], r)...)
		}
	}
	s.mu.Unlock()
	s.notify(out)
	s.restore(ctx, unknown)
	s.wakeKeepAlive()
	return int(r.integer(4)), true
}

// restoredFields is how many values restore.lua and rejoin.lua take for each ticket.
const restoredFields = 4

// restore puts tickets back in their places that Redis has lost with its data, but those that are about to leave. Those
// that come too late depart.
func (s *session) restore(ctx context.Context, unknown []*localTicket) {
	args := make([]any, 0, restoredFields*len(unknown))
	s.mu.Lock()
	unknown = slices.DeleteFunc(unknown, func(e *localTicket) bool { return e.leaving > 0 })
	for _, e := range unknown {
		args = append(args, e.ticket, e.arrival, e.work, commitment(e.ticket))
	}
	s.mu.Unlock()
	if len(unknown) == 0 {
		return
	}
	r, err := s.call(ctx, opRestore, args...)
	if err != nil {
		return // the next beat finds them missing again
	}
	var out []notification
	s.mu.Lock()
	for _, e := range unknown {
		switch {
		case s.tickets[e.ticket] != e || e.knownAt >= r.now || e.leaving > 0:
		case r.status == 1:
			e.knownAt = r.now
		default:
			out = append(out, s.removeTicket(e, r.now, Departure{Cause: Reaped}))
		}
	}
	s.mu.Unlock()
	s.notify(out)
}

// applyMark notes what a beat said of a ticket. Holds mu. A turn of this node knows better than a beat what becomes of
// its tickets, and later news outdate it.
func (s *session) applyMark(e *localTicket, mark byte, r reply) []notification {
	if s.tickets[e.ticket] != e || e.knownAt >= r.now || e.turn != nil {
		return nil
	}
	switch mark {
	case 'w', 'h':
		e.knownAt = r.now
		e.servedElsewhere = mark == 'h' && r.turn == nil
		return nil
	case 'a':
		return []notification{s.removeTicket(e, r.now, Departure{Cause: Adopted})}
	}
	why := Departure{Cause: Reaped}
	if closed := r.integer(2); e.servedElsewhere {
		why.Cause = Elsewhere
	} else if closed >= e.knownAt {
		why = Departure{Cause: Closed, Reason: r.text(3)}
	}
	return []notification{s.removeTicket(e, r.now, why)}
}
