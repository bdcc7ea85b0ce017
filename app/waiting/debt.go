package waiting

import (
	"context"
	"maps"
	"slices"
	"time"

	"lunchgo/locks"
)

// While Redis cannot be asked, a room goes by what it knows itself: presses are admitted against the tickets that stand
// here, and results wait here until they can be stored.

// debt is a result that could not be stored yet.
type debt struct {
	finished
	how  ending
	held *heldTicket // what belongs to the ticket, if this process lent it
}

// earlier is a press that this process knows of.
type earlier struct {
	ticket, key string
	since       time.Time
	answered    bool
}

// earlier finds a person's last press in the lane.
func (l *queue) earlier(userID string) (earlier, bool) {
	if l == nil {
		return earlier{}, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.standings {
		if s.wish.UserID == userID {
			return earlier{s.ticket, s.wish.IdempotencyKey, s.since, false}, true
		}
	}
	for _, d := range l.owed {
		if d.userID == userID && d.held != nil {
			return earlier{d.ticket, d.held.wish.IdempotencyKey, d.held.since, true}, true
		}
	}
	return earlier{}, false
}

// admission is the ticket of a press.
type admission struct {
	ticket   string
	isNew    bool
	unstored bool // Redis does not know of it yet
}

// admit finds the ticket of a press or makes one. Redis tells, or this process by itself while that cannot be asked, or
// does not know yet what stands here. Returns ErrInProgress or ErrTooMany.
func (r *Room) admit(ctx context.Context, w Request) (admission, error) {
	id, l := newTicketID(w.Seats), r.queueOf(w.Line)
	if l.isUnstored() {
		if found, err := r.admitHere(l, w, id); err != nil || !found.isNew {
			return found, err
		}
	}
	ticket, isNew, err := r.tickets.admit(ctx, w, id)
	if Away(err) {
		return r.admitHere(l, w, id)
	}
	return admission{ticket: ticket, isNew: isNew}, err
}

// admitHere is admit without Redis: one ticket a person and line still, as far as this process knows. Who was answered
// before that is known to the database by the idempotency key.
func (r *Room) admitHere(l *queue, w Request, id string) (admission, error) {
	press, ok := l.earlier(w.UserID)
	switch {
	case !ok || press.answered && press.key != w.IdempotencyKey:
		return admission{ticket: id, isNew: true, unstored: true}, nil
	case press.key != w.IdempotencyKey && time.Since(press.since) < r.cfg.UserLock:
		return admission{}, ErrInProgress
	}
	return admission{ticket: press.ticket}, nil
}

// pressed returns the ticket of an earlier press with the same idempotency key; false if there was none.
func (r *Room) pressed(ctx context.Context, w Request) (string, bool, error) {
	ticket, same, err := r.tickets.pressed(ctx, w)
	if Away(err) {
		if press, ok := r.queueOf(w.Line).earlier(w.UserID); ok && press.key == w.IdempotencyKey {
			return press.ticket, true, nil
		}
	}
	return ticket, same, err
}

// standsHere says whether this process lends a ticket.
func (r *Room) standsHere(p Token) bool {
	l := r.queueOf(p.Line)
	if l == nil {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.standings[p.Ticket] != nil
}

// keep stores results and frees their persons for another press. It returns the results that count.
func (r *Room) keep(ctx context.Context, line locks.Name, run []finished, how ending) []finished {
	if len(run) == 0 {
		return nil
	}
	l := r.queueOf(line)
	err := l.storeFor(ctx, run)
	if err == nil {
		var kept []finished
		if kept, err = r.tickets.finish(ctx, line, run, how); err == nil {
			return kept
		}
	}
	r.cfg.Log.Warn("results are not stored yet", "line", line, "tickets", len(run), "error", err)
	if l != nil {
		l.owe(run, how)
	}
	return run
}

// storeFor stores what belongs to tickets that get their results before Redis knows of them: a result alone is not found.
func (l *queue) storeFor(ctx context.Context, run []finished) error {
	if !l.isUnstored() {
		return nil
	}
	var held []heldTicket
	l.mu.Lock()
	for _, f := range run {
		if s := l.standings[f.ticket]; s != nil {
			h := s.held()
			h.result = &f.result
			held = append(held, h)
		}
	}
	l.mu.Unlock()
	return l.room.tickets.restore(ctx, l.name, held)
}

// owe remembers results that could not be stored.
func (l *queue) owe(run []finished, how ending) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range run {
		d := debt{finished: f, how: how}
		if s := l.standings[f.ticket]; s != nil {
			held := s.held()
			held.result = &f.result
			d.held = &held
		}
		l.owed[f.ticket] = d
	}
}

// owes watches a ticket whose result is not stored yet; nil if there is none.
func (l *queue) owes(p Token) *Watch {
	l.mu.Lock()
	defer l.mu.Unlock()
	d, ok := l.owed[p.Ticket]
	if !ok || d.userID != p.UserID {
		return nil
	}
	return settled(l.room.signer.Sign(p), nil, d.result)
}

func (l *queue) inDebt() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.owed) > 0
}

// settleDebts stores what could not be stored before, once Redis can be asked.
func (l *queue) settleDebts(ctx context.Context) {
	l.mu.Lock()
	debts := slices.Collect(maps.Values(l.owed))
	away := l.local
	l.mu.Unlock()
	if away {
		return
	}
	for part := range slices.Chunk(debts, l.room.cfg.Run) {
		if err := l.room.payBack(ctx, l.name, part); err != nil {
			l.room.cfg.Log.Warn("results are not stored yet", "line", l.name, "tickets", len(debts), "error", err)
			return
		}
		l.paid(part)
	}
}

// payBack stores results with what belongs to their tickets, so that these are found again.
func (r *Room) payBack(ctx context.Context, line locks.Name, debts []debt) error {
	var held []heldTicket
	runs := map[ending][]finished{}
	for _, d := range debts {
		if d.held != nil {
			held = append(held, *d.held)
		}
		runs[d.how] = append(runs[d.how], d.finished)
	}
	if err := r.tickets.restore(ctx, line, held); err != nil {
		return err
	}
	for how, run := range runs {
		if _, err := r.tickets.finish(ctx, line, run, how); err != nil {
			return err
		}
	}
	return nil
}

func (l *queue) paid(debts []debt) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range debts {
		delete(l.owed, d.ticket)
	}
}
