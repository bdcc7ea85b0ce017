package waiting

import (
	"context"
	"maps"
	"slices"
	"time"
)

// While Redis cannot be asked, a room goes by what it knows itself: presses are admitted against the tickets that stand
// here, and results wait here until they can be stored.

// debt is a result that could not be stored yet.
type debt struct {
	finished
	how ending
}

// admitHere is admit without Redis: one ticket a person and line still, as far as this process knows.
func (r *Room) admitHere(w Wish, id string) (ticket string, isNew bool, err error) {
	l := r.laneOf(w.Line)
	if l == nil {
		return id, true, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.standings {
		if s.wish.UserID != w.UserID {
			continue
		}
		if s.wish.IdempotencyKey != w.IdempotencyKey && time.Since(s.since) < r.cfg.UserLock {
			return s.ticket, false, ErrInProgress
		}
		return s.ticket, false, nil
	}
	return id, true, nil // who was answered already is known to the database by the idempotency key
}

// standsHere says whether this process lends a ticket.
func (r *Room) standsHere(p Pass) bool {
	l := r.laneOf(p.Line)
	if l == nil {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.standings[p.Ticket] != nil
}

// owe remembers results that could not be stored.
func (l *lane) owe(run []finished, how ending) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range run {
		l.owed[f.ticket] = debt{f, how}
	}
}

// owes watches a ticket whose result is not stored yet; nil if there is none.
func (l *lane) owes(p Pass) *Watch {
	l.mu.Lock()
	defer l.mu.Unlock()
	d, ok := l.owed[p.Ticket]
	if !ok || d.userID != p.UserID {
		return nil
	}
	return settled(l.room.signer.Sign(p), nil, d.result)
}

func (l *lane) inDebt() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.owed) > 0
}

// settleDebts stores what could not be stored before.
func (l *lane) settleDebts(ctx context.Context) {
	l.mu.Lock()
	debts := slices.Collect(maps.Values(l.owed))
	l.mu.Unlock()
	for _, how := range []ending{unserved, served} {
		var run []finished
		for _, d := range debts {
			if d.how == how {
				run = append(run, d.finished)
			}
		}
		for part := range slices.Chunk(run, l.room.cfg.Run) {
			if _, err := l.room.tickets.finish(ctx, l.name, part, how); err != nil {
				return
			}
			l.paid(part)
		}
	}
}

func (l *lane) paid(run []finished) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range run {
		delete(l.owed, f.ticket)
	}
}
