package locks

import (
	"context"
	"time"
)

// LotsBelow is where lots (Entry.Lot) end and the numbers of the clock begin.
const LotsBelow = int64(1) << 50

// Suspend keeps the line still for d from now: nobody gets a turn, everybody may enter and leave, and a turn that lasts
// goes on to its end. It counts instead of what was set before; with d 0 the line goes on at once. A loss of Redis'
// data ends it, so whoever keeps a line still for long says so again and again. A joint line is all of its lines.
func (l *Line) Suspend(ctx context.Context, d time.Duration) error {
	s, err := l.client.session(l)
	if err != nil {
		return err
	}
	defer l.client.endUse(s)
	if _, err := s.call(ctx, opSuspend, max(d, 0).Microseconds()); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.client.clock().Add(d)
	if len(s.tickets) > 0 && (s.checkAt.IsZero() || at.Before(s.checkAt)) {
		s.scheduleCheck(max(d, 0))
	}
	return nil
}

// later returns which of two readings of Progress.Suspended lasts longer, or ended later.
func later(a, b time.Duration) time.Duration {
	if a == 0 || b == 0 {
		return a + b
	}
	return max(a, b)
}
