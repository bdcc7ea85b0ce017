package waiting

import (
	"context"
	"errors"
	"time"

	"lunchgo/locks"
)

// parkAbsent parks the tickets of absent diners, ends those whose grace is over, and ends those that
// have waited for too long.
func (q *queue) parkAbsent(ctx context.Context) {
	cfg, now := q.room.cfg, time.Now()
	var park, expire []*localTicket
	var tooLate []ticketResult
	q.mu.Lock()
	for ticket, t := range q.tickets {
		away := now.Sub(t.lastSeen)
		switch {
		case now.Sub(t.enteredAt) > cfg.MaxWait:
			tooLate = append(tooLate, ticketResult{ticket, t.request.UserID, Result{State: Rejected, Code: CodeWaitTimeout}})
		case t.watchers > 0 || away <= cfg.Present:
		case !t.goneSince.IsZero(): // the other process looks after it
			delete(q.tickets, ticket)
		case !t.parked:
			park = append(park, t)
		case away > cfg.Present+cfg.Grace+refreshInterval: // the line's own count has ended by now
			expire = append(expire, t)
		}
	}
	q.mu.Unlock()
	for _, t := range park {
		q.park(ctx, t)
	}
	for _, t := range expire {
		q.expire(ctx, t)
	}
	for _, r := range tooLate {
		if err := q.room.leave(ctx, q.name, r); err != nil && err != locks.ErrServing {
			cfg.Log.Warn("a ticket that has waited for too long stays in line", "line", q.name, "error", err)
		}
	}
}

// park keeps an absent diner's place without giving it a turn.
func (q *queue) park(ctx context.Context, t *localTicket) {
	err := q.line.Park(ctx, t.id)
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case err == nil && t.watchers > 0: // back in the meantime
		t.parked, t.goneSince = true, time.Now() // so that followUp takes the place again
	case err == nil:
		t.parked = true
	case errors.Is(err, locks.ErrOwnedElsewhere), errors.Is(err, locks.ErrNotInLine):
		t.goneSince = time.Now()
	case !errors.Is(err, locks.ErrServing):
		q.room.cfg.Log.Warn("an absent ticket is not parked", "line", q.name, "error", err)
	}
}

// expire ends a place whose grace is over, unless its diner came back through another process.
func (q *queue) expire(ctx context.Context, t *localTicket) {
	err := q.line.Park(ctx, t.id)
	if errors.Is(err, locks.ErrNotInLine) {
		q.room.finishUnserved(ctx, q.name, []ticketResult{{t.id, t.request.UserID, Result{State: Left, Code: CodeLeft}}})
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if errors.Is(err, locks.ErrOwnedElsewhere) {
		t.goneSince = time.Now()
	}
}

// unpark takes a parked ticket's place again for a diner who has returned. If that fails, the next
// refresh tries again.
func (q *queue) unpark(ctx context.Context, w *Watch) *Watch {
	if w == nil {
		return nil
	}
	q.mu.Lock()
	parked := w.ticket.parked
	q.mu.Unlock()
	if parked {
		q.reenter(ctx, w.ticket)
	}
	return w
}
