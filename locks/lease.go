package locks

import (
	"context"
	"time"
)

// extend notes that the lease lasts until a later moment.
func (t *heldTurn) extend(deadline time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.over && deadline.After(t.deadline) {
		t.deadline = deadline
		t.expiry.Reset(t.line.client.until(deadline))
	}
}

// timeLeft is how long the lease still lasts.
func (t *heldTurn) timeLeft() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.line.client.until(t.deadline)
}

// renew is the watchdog: it asks for a new lease when a third of the present one has passed, and again soon after a
// failure.
func (t *heldTurn) renew(s *session) {
	t.mu.Lock()
	deadline, over := t.deadline, t.over
	t.mu.Unlock()
	if over {
		return
	}
	ctx, cancel := context.WithTimeout(t.ctx, t.line.client.until(deadline))
	defer cancel()
	r, err := s.hold(ctx, t.ticket, t.fence) // the answer extends the lease, see session.onGrant
	if err == nil && r.status == 0 {
		t.lose(s)
		return
	}
	again := s.client.cfg.Lease / 10
	t.mu.Lock()
	defer t.mu.Unlock()
	if err == nil {
		again = max(again, t.line.client.until(t.deadline)/3)
	}
	if !t.over {
		t.renewal.Reset(again)
	}
}

// expire ends the turn unless its lease was extended in the meantime.
func (t *heldTurn) expire() {
	t.mu.Lock()
	left := t.line.client.until(t.deadline)
	over := t.over
	if left > 0 && !over {
		t.expiry.Reset(left)
	}
	t.mu.Unlock()
	if left <= 0 && !over {
		t.cancel(ErrLeaseLost) // at once; the session may take its time
		t.line.client.spawn(t.line, t.lose)
	}
}

// lose ends the turn because its lease ended, unless it has ended already.
func (t *heldTurn) lose(s *session) { t.loseBy(s, lost) }

func (t *heldTurn) loseBy(s *session, how turnEnd) {
	if !t.stop() {
		return
	}
	t.cancel(ErrLeaseLost)
	s.observe(LeaseLost, 1)
	s.endTurn(t, how, 0)
}

// stop ends renewal and watch; it reports whether they were on.
func (t *heldTurn) stop() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over {
		return false
	}
	t.over = true
	t.expiry.Stop()
	t.renewal.Stop()
	return true
}

// currentTurn is the present one, or nil.
func (s *session) currentTurn() *heldTurn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current
}

// onEvicted loses the turn if it is the one that an operator has ended.
func (t *heldTurn) onEvicted(s *session, fence int64) {
	if t != nil && t.fence == fence {
		t.loseBy(s, forced)
	}
}
