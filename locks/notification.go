package locks

import "context"

// notification is the news that a ticket is no longer in line, on its way to whoever has to know.
type notification struct {
	ticket string
	why    Departure
	waiter *waiter // the Lock that waits for the ticket, if any
}

// notify passes departures on: to the Lock that waits for the ticket, else to Config.Departed. Must not hold mu.
func (s *session) notify(news []notification) {
	s.notifyWaiters(news)
	departed := s.client.cfg.Departed
	if departed == nil || len(news) == 0 {
		return
	}
	s.notifying.Lock()
	defer s.notifying.Unlock()
	for _, f := range news {
		if f.waiter == nil {
			departed(s.name, f.ticket, f.why)
		}
	}
}

func (s *session) notifyWaiters(news []notification) {
	for _, f := range news {
		if f.waiter == nil {
			continue
		}
		select {
		case f.waiter.departed <- f.why:
		default: // it has news already
		}
	}
}

// onClosed sends away the tickets that waited in line when it was closed at a moment of Redis' clock. Later ones stay,
// and those that were being served.
func (s *session) onClosed(at int64, reason string, served []string) {
	s.mu.Lock()
	for _, ticket := range served {
		if e := s.tickets[ticket]; e != nil && e.turn == nil {
			e.servedElsewhere = true
		}
	}
	if at > s.closedAt {
		s.closedAt, s.closedReason = at, reason
	}
	var out []notification
	var gone []*localTicket
	for _, e := range s.tickets { // in any order
		if e.knownAt > 0 && e.knownAt < at && e.turn == nil && e.claiming == 0 && !e.servedElsewhere {
			out = append(out, s.removeTicket(e, at, Departure{Cause: Closed, Reason: reason}))
			gone = append(gone, e)
		}
	}
	s.mu.Unlock()
	if s.name.joint() && len(gone) > 0 { // a beat takes them out of the lines that were not closed
		s.client.spawn(s.line, func(s *session) { s.beatEach(gone) })
	}
	s.notify(out)
	s.wakeKeepAlive()
}

// onDeparted sends away a ticket that, at a moment of Redis' clock, went to, left or was served through another node.
func (s *session) onDeparted(ticket string, at int64, why Departure) {
	s.mu.Lock()
	var out []notification
	if e := s.tickets[ticket]; e != nil && e.knownAt > 0 && e.knownAt < at && e.turn == nil {
		out = append(out, s.removeTicket(e, at, why))
	}
	s.mu.Unlock()
	s.notify(out)
	s.wakeKeepAlive()
}

// turnEnd is how a turn ends.
type turnEnd int

const (
	lost     turnEnd = iota // those that others can serve wait in line again, if Redis still has them
	forced                  // the holder is out of the line and the taken ones wait again
	released                // holder and taken tickets are done
	returned                // all of them wait in line again
)

// endTurn takes a turn off the session, as of a moment of Redis' clock. What it cannot know the next beat finds out.
func (s *session) endTurn(t *heldTurn, how turnEnd, at int64) {
	s.mu.Lock()
	if s.current == t {
		s.current = nil
	}
	unseen := s.withdraw(t)
	leave := ""
	var out []notification
	for _, ticket := range t.party {
		e := s.tickets[ticket]
		switch {
		case e == nil || e.turn != nil && e.turn != t || e.turn == nil && (how != released || e.knownAt > at):
			continue
		case how == released:
			s.notifyWaiters([]notification{s.removeTicket(e, at, Departure{Cause: Elsewhere})})
		case ticket == t.ticket && (how == forced || how == lost && e.work == "" && !unseen):
			f := s.removeTicket(e, at, Departure{Cause: Reaped})
			if leave = ticket; unseen {
				out = append(out, f)
			}
		default:
			e.turn = nil
			if how == returned {
				e.knownAt = max(e.knownAt, at)
			}
			s.beatDue = true
		}
	}
	s.mu.Unlock()
	s.notify(out)
	if how == lost && leave != "" { // it may wait again, and whoever had the turn does not
		s.client.spawn(s.line, func(s *session) { s.leaveUnseen(leave) })
	}
	s.wakeKeepAlive()
}

// leaveUnseen takes a ticket out of the line. If that fails, its next turn is given back.
func (s *session) leaveUnseen(ticket string) {
	ctx, cancel := context.WithTimeout(s.client.ctx, s.client.cfg.ClaimWindow)
	defer cancel()
	_, _ = s.call(ctx, opLeave, ticket)
}

// withdraw takes back a turn that Next has not handed out; it reports whether there was one. Holds mu.
func (s *session) withdraw(t *heldTurn) bool {
	for i, r := range s.ready {
		if r == t {
			s.ready = append(s.ready[:i], s.ready[i+1:]...)
			return true
		}
	}
	return false
}
