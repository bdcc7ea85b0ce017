package waiting

import (
	"context"
	"time"

	"lunchgo/locks"
)

// How often a queue reads its line: at most 4 times a second, and less often the longer the line, since a refresh wakes
// every watcher, and the more lines this process reads. Even then a place is seen to move once a second.
const (
	refreshInterval  = 250 * time.Millisecond
	refreshPerTicket = 300 * time.Microsecond
	refreshPerLine   = time.Millisecond
	longestRefresh   = 900 * time.Millisecond
)

// refreshAfter is how long after a refresh of a line with so many tickets the next one is due.
func refreshAfter(tickets, lines int) time.Duration {
	work := max(time.Duration(tickets)*refreshPerTicket, time.Duration(lines)*refreshPerLine)
	return min(max(refreshInterval, work), longestRefresh)
}

// takeBackAfter is when this process takes back a ticket that neither the line shows nor has a result: longer than a
// turn should last.
const takeBackAfter = 5 * time.Second

// refreshLoop keeps the queue's progress fresh and looks after its tickets, until the queue is empty or
// ctx ends.
func (q *queue) refreshLoop(ctx context.Context) {
	timer := time.NewTimer(refreshInterval)
	defer timer.Stop()
	interval := refreshInterval
	for {
		select {
		case <-ctx.Done():
			return
		case <-q.wake:
			q.settleDepartures(ctx)
			continue
		case <-timer.C:
		}
		if left := q.wakeNext(); left > 0 {
			timer.Reset(interval / wakeGroups)
			continue
		}
		if q.size() == 0 && q.room.removeIfEmpty(q) {
			q.notePast()
			q.cancel()
			return
		}
		count := q.refresh(ctx)
		q.flushPending(ctx)
		q.followUp(ctx)
		q.endTooOld(ctx)
		q.keepRecords(ctx)
		interval = refreshAfter(count, q.room.countQueues())
		timer.Reset(q.beginWaking(interval))
	}
}

// refresh reads the line once for all tickets of the queue.
func (q *queue) refresh(ctx context.Context) (count int) {
	orphans, asked := q.orphaned(), time.Now()
	progress, err := q.line.Progress(ctx)
	if err != nil {
		if ctx.Err() == nil {
			q.room.cfg.Log.WarnContext(ctx, "read progress of line failed", "line", q.name, "error", err)
		}
		return 0
	}
	q.restoreRecords(ctx, progress)
	q.keepStill(ctx, progress)
	remaining, known := q.room.handler.Remaining(ctx, q.name)
	q.mu.Lock()
	defer q.mu.Unlock()
	if known {
		q.remaining = remaining
	}
	if q.orphans == orphans && progress.Count == 0 && !progress.Holder && !progress.Settling {
		q.orphans = 0
	}
	if !progress.Settling { // else positions are lower than they were and will be
		now := time.Now()
		seatsAhead := q.seats.read(q.name, progress, now)
		q.positions = q.ownPositions(asked, progress.Positions, seatsAhead)
		q.closing = closingOf(q.remaining, seatsAhead)
		if q.forecast.read(now, progress); q.steering.still(now) > 0 {
			q.forecast = newForecast(q.forecast.past, progress.Local) // a standstill is not how fast it goes
		}
		q.everyone, progress.Positions = progress.Positions, nil // lineSeats keeps them too
		q.progress = progress
		q.noteMissing(now)
	}
	return progress.Count
}

// ownPositions picks the positions of the queue's tickets, and the seats asked for ahead of them. A ticket that took its
// place after the line was asked keeps the position that it got there: the answer may be too old to have it. Holds mu.
func (q *queue) ownPositions(asked time.Time, all map[string]int, seatsAhead []int) map[string]position {
	positions := make(map[string]position, len(q.tickets))
	for ticket, t := range q.tickets {
		at, waits := all[ticket]
		if !waits {
			if given, known := q.positions[ticket]; known && t.placedAt.After(asked) {
				positions[ticket] = given
			}
			continue
		}
		p := position{number: at}
		if p.seatsKnown = at <= len(seatsAhead); p.seatsKnown {
			p.seatsAhead = seatsAhead[at-1]
		}
		positions[ticket] = p
	}
	return positions
}

// noteMissing marks tickets as gone that the line has not shown for longer than a turn should last. Whatever became of
// them, nobody waits for nothing. A ticket that another process serves is gone from when the line last showed it. Holds
// mu.
func (q *queue) noteMissing(now time.Time) {
	for ticket, t := range q.tickets {
		switch {
		case t.adopted && q.positions[ticket].number > 0:
			t.goneSince = now
		case q.positions[ticket].number > 0 || !t.goneSince.IsZero() || ticket == q.upNext:
			t.missingSince = time.Time{}
		case t.missingSince.IsZero():
			t.missingSince = now
		case now.Sub(t.missingSince) > takeBackAfter:
			t.goneSince = t.missingSince
		}
	}
}

// followUp finds the results of tickets that left this process or their line, and takes back those without a result. It
// forgets those that another process serves and nobody watches here, once no turn of this process can have them along:
// the answer that names them may be on its way while the diner moves.
func (q *queue) followUp(ctx context.Context) {
	q.mu.Lock()
	gone := map[*localTicket]bool{} // and whether for too long
	for ticket, t := range q.tickets {
		switch {
		case t.goneSince.IsZero():
		case t.adopted && t.watchers == 0:
			if time.Since(t.adoptedAt) > takeBackAfter {
				delete(q.tickets, ticket)
				delete(q.positions, ticket)
			}
		case t.adopted && q.positions[ticket].number > 0:
		default:
			gone[t] = time.Since(t.goneSince) > takeBackAfter
		}
	}
	q.mu.Unlock()
	for t, long := range gone {
		if long {
			q.reenter(ctx, t)
		} else {
			q.publishStored(ctx, t)
		}
	}
}

// endTooOld ends the tickets that have waited for too long.
func (q *queue) endTooOld(ctx context.Context) {
	var over []ticketResult
	q.mu.Lock()
	for _, t := range q.tickets { // in any order
		if !t.adopted && time.Since(q.waitedSince(t.enteredAt)) > q.room.cfg.MaxWait {
			over = append(over, t.with(refusedAs(ErrWaitTimeout)))
		}
	}
	q.mu.Unlock()
	for _, r := range over {
		if err := q.room.leave(ctx, q.name, r); err != nil && err != locks.ErrServing {
			q.room.cfg.Log.WarnContext(ctx, "take expired ticket out of line failed", "line", q.name,
				"error", err)
		}
	}
}
