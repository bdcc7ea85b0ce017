package waiting

import (
	"context"
	"maps"
	"slices"
	"time"

	"lunchgo/locks"
)

// While Redis is away (locks.IsAway), a room goes by what it knows itself: it admits requests against the tickets of
// this process, and keeps results in memory until it can store them.

// earlierRequest is a person's request that this process knows of.
type earlierRequest struct {
	ticket, key string
	enteredAt   time.Time
	answered    bool
}

// findEarlier finds a person's latest request in the queue.
func (q *queue) findEarlier(userID string) (earlierRequest, bool) {
	if q == nil {
		return earlierRequest{}, false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, t := range q.tickets { // in any order
		if t.request.UserID == userID {
			return earlierRequest{t.id, t.request.IdempotencyKey, t.enteredAt, false}, true
		}
	}
	for _, p := range q.pending { // in any order
		if p.request.UserID == userID && !p.enteredAt.IsZero() {
			return earlierRequest{p.ticket, p.request.IdempotencyKey, p.enteredAt, true}, true
		}
	}
	return earlierRequest{}, false
}

// admitLocally is admit without Redis. A person still gets one ticket a line, as far as this process
// knows. The database finds by the idempotency key whoever was served before that.
func (r *Room) admitLocally(q *queue, req Request, id string) (admission, error) {
	earlier, ok := q.findEarlier(req.UserID)
	switch {
	case !ok || earlier.answered && earlier.key != req.IdempotencyKey:
		return admission{ticket: id, isNew: true, unstored: true}, nil
	case earlier.key != req.IdempotencyKey && time.Since(earlier.enteredAt) < r.cfg.UserLock:
		return admission{}, ErrInProgress
	}
	return admission{ticket: earlier.ticket}, nil
}

// findLocal returns the record of a ticket of this process; err if it has no such ticket.
func (r *Room) findLocal(token Token, err error) (storedTicket, error) {
	q := r.queueOf(token.Line)
	if q == nil {
		return storedTicket{}, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	t := q.tickets[token.Ticket]
	if t == nil {
		return storedTicket{}, err
	}
	return t.record(), nil
}

// isUnstored says whether Redis may miss the records of tickets that wait here, or results of those that
// did.
func (q *queue) isUnstored() bool {
	if q == nil {
		return false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.unstored || len(q.pending) > 0
}

// noteUnstored makes the next refresh store the records of the queue's tickets again.
func (q *queue) noteUnstored() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.unstored = true
}

// restoreRecords stores the records of the queue's tickets again: once after each loss of Redis' data,
// and once after each time that Redis did not answer. The line itself restores their places.
func (q *queue) restoreRecords(ctx context.Context, progress locks.Progress) {
	q.mu.Lock()
	q.unstored = q.unstored || progress.Local || progress.Settling && !q.settling
	q.settling, q.local = progress.Settling, progress.Local
	var records []storedTicket
	if due := q.unstored && !q.local; due {
		q.unstored = false
		for _, t := range q.tickets { // in any order
			records = append(records, t.record())
		}
	}
	q.mu.Unlock()
	for part := range slices.Chunk(records, 500) {
		if err := q.room.store.restore(ctx, part); err != nil {
			q.room.cfg.Log.WarnContext(ctx, "restore ticket records failed; will retry", "line", q.name, "error", err)
			q.noteUnstored()
			return
		}
	}
}

// pendingResult is a result that could not be stored yet.
type pendingResult struct {
	ticketResult
	how       ending
	enteredAt time.Time // zero for a ticket of another process
}

// postpone keeps results in memory until flushPending can store them.
func (q *queue) postpone(results []ticketResult, how ending) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, r := range results {
		p := pendingResult{ticketResult: r, how: how}
		if t := q.tickets[r.ticket]; t != nil {
			p.enteredAt = t.enteredAt
		}
		q.pending[r.ticket] = p
	}
}

// watchPending watches a ticket whose result is not stored yet; nil if there is none.
func (q *queue) watchPending(token Token) *Watch {
	q.mu.Lock()
	defer q.mu.Unlock()
	p, ok := q.pending[token.Ticket]
	if !ok || p.request.UserID != token.UserID {
		return nil
	}
	return finishedWatch(q.room.signer.Sign(token), nil, p.result)
}

func (q *queue) hasPending() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.pending) > 0
}

// flushPending stores the pending results once Redis answers again.
func (q *queue) flushPending(ctx context.Context) {
	q.mu.Lock()
	pending := slices.Collect(maps.Values(q.pending))
	away := q.local
	q.mu.Unlock()
	if away {
		return
	}
	for part := range slices.Chunk(pending, q.room.cfg.BatchSize) {
		if err := q.room.storePending(ctx, part); err != nil {
			q.room.cfg.Log.WarnContext(ctx, "store results failed; will retry", "line", q.name, "tickets", len(pending),
				"error", err)
			return
		}
		q.forgetPending(part)
	}
}

// storePending stores results that could not be stored before.
func (r *Room) storePending(ctx context.Context, pending []pendingResult) error {
	results := map[ending][]ticketResult{}
	for _, p := range pending {
		results[p.how] = append(results[p.how], p.ticketResult)
	}
	for how, some := range results {
		if _, err := r.store.settle(ctx, some, how); err != nil {
			return err
		}
	}
	return nil
}

func (q *queue) forgetPending(pending []pendingResult) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, p := range pending {
		delete(q.pending, p.ticket)
	}
}
