package waiting

import (
	"context"
	"errors"
	"time"

	"lunchgo/locks"
)

// mindAbsent parks the tickets of diners who are away, forgets those whose grace has ended, and sends home who has stood
// in line for too long.
func (l *queue) mindAbsent(ctx context.Context) {
	cfg, now := l.room.cfg, time.Now()
	var park, expire []*standing
	var home []finished
	l.mu.Lock()
	for ticket, s := range l.standings {
		away := now.Sub(s.seen)
		switch {
		case now.Sub(s.since) > cfg.MaxWait:
			home = append(home, finished{ticket, s.wish.UserID, Result{State: Rejected, Code: CodeWaitTimeout}})
		case s.watchers > 0 || away <= cfg.Present:
		case !s.gone.IsZero(): // the other process looks after it
			delete(l.standings, ticket)
		case !s.parked:
			park = append(park, s)
		case away > cfg.Present+cfg.Grace+lookEvery: // the line's own count has ended by now
			expire = append(expire, s)
		}
	}
	l.mu.Unlock()
	for _, s := range park {
		l.park(ctx, s)
	}
	for _, s := range expire {
		l.expire(ctx, s)
	}
	for _, f := range home {
		if err := l.room.leave(ctx, l.name, f); err != nil && err != locks.ErrServing {
			cfg.Log.Warn("a ticket that has waited for too long stays in line", "line", l.name, "error", err)
		}
	}
}

// park keeps an absent diner's place without giving it a turn.
func (l *queue) park(ctx context.Context, s *standing) {
	err := l.line.Park(ctx, s.ticket)
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err == nil && s.watchers > 0: // back in the meantime
		s.parked, s.gone = true, time.Now() // so that followUp takes the place again
	case err == nil:
		s.parked = true
	case errors.Is(err, locks.ErrLentElsewhere), errors.Is(err, locks.ErrNotInLine):
		s.gone = time.Now()
	case !errors.Is(err, locks.ErrServing):
		l.room.cfg.Log.Warn("an absent ticket is not parked", "line", l.name, "error", err)
	}
}

// expire ends a place whose grace is over, unless its diner came back through another process.
func (l *queue) expire(ctx context.Context, s *standing) {
	err := l.line.Park(ctx, s.ticket)
	if errors.Is(err, locks.ErrNotInLine) {
		l.room.settle(ctx, l.name, []finished{{s.ticket, s.wish.UserID, Result{State: Left, Code: CodeLeft}}})
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if errors.Is(err, locks.ErrLentElsewhere) {
		s.gone = time.Now()
	}
}

// back takes a parked ticket's place again for a diner who has returned. Where that fails now, look tries later.
func (l *queue) back(ctx context.Context, w *Watch) *Watch {
	if w == nil {
		return nil
	}
	l.mu.Lock()
	parked := w.standing.parked
	l.mu.Unlock()
	if parked {
		l.reenter(ctx, w.standing)
	}
	return w
}
