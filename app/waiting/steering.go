package waiting

import (
	"context"
	"crypto/rand"
	"errors"
	"math/big"
	"time"

	"lunchgo/app/estimate"
	"lunchgo/app/group"
	"lunchgo/locks"
)

// Steering is what staff have set of a line: whether it stands still, and what they say to those who wait.
type Steering struct {
	Paused  bool
	Reason  string    // why it is paused or closed; may be empty
	Notice  string    // to all who wait; may be empty
	OpensAt time.Time // UTC; zero, or past: it is open
	Draw    bool      // who waits when it opens stands in drawn order, not in that of arrival
}

// Opens returns when the line opens; false once it has.
func (s Steering) Opens(now time.Time) (at time.Time, ahead bool) {
	return s.OpensAt, s.OpensAt.After(now)
}

// Draws returns whether places are still drawn.
func (s Steering) Draws(now time.Time) bool { return s.Draw && s.OpensAt.After(now) }

// How lines are kept still. A standstill lasts in Redis for stillFor, and every process that has tickets in the line
// says again every stillEvery that it lasts on, so that it outlives processes and a loss of Redis' data, and ends by
// itself where nobody knows of it. lookAgain is how long a line stands still that the database refused to serve and the
// cache does not know of yet.
const (
	stillFor   = 6 * time.Second
	stillEvery = 2 * time.Second
	lookAgain  = 500 * time.Millisecond
)

// still returns how long the line stands still from now on, at most stillFor; 0 if it does not.
func (s Steering) still(now time.Time) time.Duration {
	until := min(max(s.OpensAt.Sub(now), 0), stillFor)
	if s.Paused {
		until = stillFor
	}
	return until
}

// At returns the steering as it is at a moment: an opening that is past is none.
func (s Steering) At(now time.Time) Steering {
	if !s.OpensAt.After(now) {
		s.OpensAt, s.Draw = time.Time{}, false
	}
	return s
}

// steer reads how the line is steered, and returns how long it stands still from now on.
func (q *queue) steer(ctx context.Context) time.Duration {
	s := q.room.handler.Steering(ctx, q.name)
	q.mu.Lock()
	q.steering = s
	q.mu.Unlock()
	return s.still(time.Now())
}

// keepStill has the line stand still, or go on, as staff want it. read is how the line stood a moment ago.
func (q *queue) keepStill(ctx context.Context, read locks.Progress) {
	still := q.steer(ctx)
	now := time.Now()
	q.mu.Lock()
	if read.Suspended != 0 {
		q.stillUntil = now.Add(read.Suspended)
	}
	due := now.After(q.nextStill) || read.Suspended <= 0
	q.mu.Unlock()
	switch {
	case still > 0 && due:
		q.suspend(ctx)
	case still == 0 && read.Suspended > 0:
		if err := q.line.Suspend(ctx, 0); err != nil {
			q.room.cfg.Log.WarnContext(ctx, "resume line failed", "line", q.name, "error", err)
		}
	}
}

// suspend keeps those of the queue's lines still that have to be. It returns how many.
func (q *queue) suspend(ctx context.Context) (n int) {
	for _, key := range q.name.Lines() {
		name := locks.Name{Partition: q.name.Partition, Key: key}
		still := q.room.handler.Steering(ctx, name).still(time.Now())
		if still == 0 {
			continue
		}
		if err := q.room.lines.Line(name).Suspend(ctx, still); err != nil {
			q.room.cfg.Log.WarnContext(ctx, "suspend line failed", "line", name, "error", err)
			continue
		}
		n++
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.nextStill = time.Now().Add(stillEvery)
	return n
}

// standStill keeps the line still that was just refused: as long as staff want, or for a moment if the cache does not
// know of that yet.
func (q *queue) standStill(ctx context.Context) {
	if q.suspend(ctx) > 0 {
		return
	}
	if err := q.line.Suspend(ctx, lookAgain); err != nil {
		q.room.cfg.Log.WarnContext(ctx, "suspend line failed", "line", q.name, "error", err)
		pause(q.ctx, lookAgain)
	}
}

// splitWaiting separates what is over of a batch from those that have to wait on.
func splitWaiting(batch []QueuedRequest, results []ticketResult) (over []ticketResult, waiting []QueuedRequest) {
	for i, r := range results {
		if r.result.State == Waiting {
			waiting = append(waiting, batch[i])
		} else {
			over = append(over, r)
		}
	}
	return over, waiting
}

// waitedSince is from when on a ticket's time in the line counts that came at a moment: that, or the last time that the
// line stood still. Whoever waits because staff let them wait loses no time by it. Holds mu.
func (q *queue) waitedSince(came time.Time) time.Time {
	now := time.Now()
	for _, still := range []time.Time{q.stillUntil, q.steering.OpensAt} {
		if still.After(now) {
			still = now
		}
		if still.After(came) {
			came = still
		}
	}
	return came
}

// isLate says whether the ticket of a turn has waited for too long: one of this process by its own clock, others by
// Redis'.
func (q *queue) isLate(turn *locks.Turn, queued QueuedRequest) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	came := time.Now().Add(-turn.Since(queued.Arrival))
	if own := q.tickets[queued.Ticket]; own != nil {
		came = own.enteredAt
	} else if queued.Since > 0 {
		came = time.UnixMilli(queued.Since)
	}
	return time.Since(q.waitedSince(came)) > q.room.cfg.MaxWait
}

// keepRecords keeps the records of the queue's tickets from expiring while the line stands still for long.
func (q *queue) keepRecords(ctx context.Context) {
	q.mu.Lock()
	var kept []localTicket
	if q.steering.still(time.Now()) > 0 && time.Since(q.keptAt) > q.room.cfg.MaxWait/2 {
		q.keptAt = time.Now()
		for _, t := range q.tickets { // in any order
			kept = append(kept, localTicket{id: t.id, request: t.request})
		}
	}
	q.mu.Unlock()
	if err := q.room.store.keep(ctx, kept); err != nil {
		q.room.cfg.Log.WarnContext(ctx, "extend ticket records failed; will retry", "line", q.name, "error", err)
	}
}

// keep keeps the records of tickets that wait from expiring.
func (t *ticketStore) keep(ctx context.Context, tickets []localTicket) (err error) {
	people := make([]scriptPerson, len(tickets))
	for i, ticket := range tickets {
		people[i] = scriptPerson{key: t.key(ticket.request.UserID), args: []any{ticket.id}}
	}
	for _, answer := range group.RunScripts(ctx, t.rdb, t.calls(keepScript, []any{t.life.Milliseconds()}, people)) {
		err = errors.Join(err, answer.Err())
	}
	return err
}

// lot draws a ticket's place, if places are drawn; 0 else. Redis decides whether it came in time.
func (q *queue) lot(ctx context.Context, t *localTicket) (lot int64, until time.Time) {
	if t.request.Since == 0 {
		return 0, time.Time{}
	}
	q.steer(ctx)
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.steering.Draws(time.Now()) {
		return 0, time.Time{}
	}
	drawn, err := rand.Int(rand.Reader, big.NewInt(locks.LotsBelow-1)) // nobody can guess what comes next
	if err != nil {
		return 0, time.Time{}
	}
	return 1 + drawn.Int64(), q.steering.OpensAt
}

// place returns an arrival number as its ticket's token names it: a drawn one only once the line has opened. The ticket
// keeps its place all the same. Holds mu.
func (q *queue) place(arrival int64) int64 {
	if arrival < locks.LotsBelow && q.steering.Draws(time.Now()) {
		return 0
	}
	return arrival
}

// steer says in a status what the line's steering means for the ticket: how long a standstill lasts is not measured,
// and where places are drawn nobody's is final before the line opens.
func (s *Status) steer(now time.Time) {
	if s.Still = s.Steering.still(now) > 0; !s.Still {
		return
	}
	s.Range, s.RangeKnown = estimate.Range{}, false
	if s.Steering.Draws(now) {
		s.Position, s.SeatsAhead, s.SeatsAheadKnown = s.Count, 0, false
	}
}
