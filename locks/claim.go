package locks

import (
	"context"
	"time"
)

// onGrantMessage deals with the message that a ticket got the turn. It begins at once if this node can tell how long it
// lasts, else after a call that renews it.
func (s *session) onGrantMessage(m message, local bool) {
	received := s.client.clock()
	s.mu.Lock()
	e := s.tickets[m.Ticket]
	known := m.Fence <= s.lastFence || e != nil && e.claiming == m.Fence
	passed, sure := s.clock.since(m.At, received)
	sure = sure && !local && s.isConnected() && passed <= micros(m.Left)/2
	if e != nil && !known && !sure {
		e.claiming = m.Fence
	}
	s.mu.Unlock()
	switch {
	case known:
	case sure:
		s.onGrant(grant{
			ticket: m.Ticket, fence: m.Fence, arrival: m.Arrival, acquired: m.At, left: micros(m.Left) - passed,
			work: m.Work,
		}, grantSource{path: ByPush, sent: received, now: m.At})
	default:
		s.client.spawn(s.line, func(s *session) { s.claim(m) })
	}
}

// claim renews a grant; call hands out the turn. If it fails, a beat finds out what became of the ticket.
func (s *session) claim(m message) {
	r, err := s.hold(s.client.ctx, m.Ticket, m.Fence)
	if err == nil && r.status == 1 {
		return
	}
	if err != nil && s.client.ctx.Err() == nil {
		s.client.cfg.Logger.Warn("locks: claim failed", "error", err)
	}
	s.mu.Lock()
	if e := s.tickets[m.Ticket]; e != nil && e.claiming == m.Fence {
		e.claiming = 0
	}
	s.beatDue = true
	s.mu.Unlock()
	s.wakeKeepAlive()
}

// hold renews the lease of a turn.
func (s *session) hold(ctx context.Context, ticket string, fence int64) (reply, error) {
	cfg := s.client.cfg
	return s.call(ctx, opHold, ticket, fence, cfg.Lease.Microseconds(), cfg.MaxHold.Microseconds())
}

// releaseUnknown passes a turn on that came for a ticket which nobody on this node waits with any more, such as one
// whose Enter was given up before Redis had answered.
func (s *session) releaseUnknown(ticket string, fence int64) {
	ctx, cancel := context.WithTimeout(s.client.ctx, s.client.cfg.ClaimWindow)
	defer cancel()
	if _, err := s.call(ctx, opRelease, ticket, fence, 0, 0); err != nil && s.client.ctx.Err() == nil {
		s.client.cfg.Logger.Warn("locks: return turn of unknown ticket failed", "error", err)
	}
}

// clockAge is how long an answer of Redis says well enough what its clock shows.
const clockAge = 30 * time.Second

// serverClock is what answers say of Redis' clock: the latest that it can show. The zero value knows nothing.
type serverClock struct {
	sent  time.Time // when the call was sent whose answer says most
	shown int64     // µs of Redis' clock in that answer
}

// learn notes an answer.
func (c *serverClock) learn(sent time.Time, shown int64) {
	if c.sent.IsZero() || sent.Sub(c.sent) > clockAge || shown < c.shown+sent.Sub(c.sent).Microseconds() {
		c.sent, c.shown = sent, shown
	}
}

// since returns how much time at most has passed on Redis' clock from a moment of it (µs) to one of this node's; false
// if no answer says so.
func (c *serverClock) since(at int64, now time.Time) (time.Duration, bool) {
	return max(micros(c.shown-at)+now.Sub(c.sent), 0), !c.sent.IsZero()
}

func (s *session) learnClock(sent time.Time, shown int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock.learn(sent, shown)
}

// isConnected reports whether Redis carries the session's operations out, for all that is known.
func (s *session) isConnected() bool {
	return s.partition == nil || s.partition.state.Load() == connected
}
