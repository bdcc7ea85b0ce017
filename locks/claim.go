package locks

import "context"

// onGrantMessage deals with the message that a ticket of this node got the turn: it is claimed, once.
func (s *session) onGrantMessage(ticket string, fence int64) {
	s.mu.Lock()
	e := s.tickets[ticket]
	known := fence <= s.lastFence || e != nil && e.claiming == fence
	if e != nil && !known {
		e.claiming = fence
	}
	s.mu.Unlock()
	switch {
	case known:
	case e == nil:
		s.client.spawn(s.line, func(s *session) { s.releaseUnknown(ticket, fence) })
	default:
		s.client.spawn(s.line, func(s *session) { s.claim(e, fence) })
	}
}

// claim takes possession of a grant within its window; call hands out the turn. If it fails, a beat finds out what
// became of the ticket.
func (s *session) claim(e *localTicket, fence int64) {
	r, err := s.hold(s.client.ctx, e.ticket, fence)
	if err == nil && r.status == 1 {
		return
	}
	if err != nil && s.client.ctx.Err() == nil {
		s.client.cfg.Logger.Warn("locks: claim failed", "error", err)
	}
	s.mu.Lock()
	if e.claiming == fence {
		e.claiming = 0
	}
	s.beatDue = true
	s.mu.Unlock()
	s.wakeKeepAlive()
}

// hold claims a grant or renews its lease.
func (s *session) hold(ctx context.Context, ticket string, fence int64) (reply, error) {
	cfg := s.client.cfg
	return s.call(ctx, opHold, ticket, fence, cfg.Lease.Microseconds(), cfg.MaxHold.Microseconds())
}

// releaseUnknown passes a turn on that came for a ticket which nobody on this node waits with any more, such as one
// whose Enter was given up before Redis had answered.
func (s *session) releaseUnknown(ticket string, fence int64) {
	ctx, cancel := context.WithTimeout(s.client.ctx, s.client.cfg.ClaimWindow)
	defer cancel()
	if _, err := s.call(ctx, opRelease, ticket, fence, 0); err != nil && s.client.ctx.Err() == nil {
		s.client.cfg.Logger.Warn("locks: turn of an unknown ticket not given back", "error", err)
	}
}
