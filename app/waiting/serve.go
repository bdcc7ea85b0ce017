package waiting

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/telemetry"
	"lunchgo/locks"
)

// fewResults are stored in the round trip that ends their turn; the next turn does not wait for more.
const fewResults = 4

// serveTurns takes the turns that tickets of this process get, one after the other, until ctx ends.
func (q *queue) serveTurns(ctx context.Context) {
	for ctx.Err() == nil { // a turn that is given back while the room closes may come again at once
		turn, err := q.line.Next(ctx)
		switch {
		case err == nil:
			q.room.takeTurn(turn, q.name)
		case ctx.Err() != nil:
			return
		default:
			q.room.cfg.Log.WarnContext(ctx, "wait for turn failed", "line", q.name, "error", err)
			if !pause(ctx, time.Second) {
				return
			}
		}
	}
}

// takeTurn serves a turn, or gives it back where the line stands still. The loops of a queue may take up a turn that
// comes after the queue was removed: the line's present queue serves it, which knows the tickets.
func (r *Room) takeTurn(turn *locks.Turn, line locks.Name) {
	q := r.beginTurn(line)
	if q == nil { // the room closes
		r.returnTurn(turn, line)
		return
	}
	defer r.endTurn(q)
	if q.steer(q.ctx) > 0 {
		q.standStill(context.WithoutCancel(turn.Context()))
		r.returnTurn(turn, line)
		return
	}
	q.serveTurn(turn)
}

// returnTurn gives a turn back of which nobody was served.
func (r *Room) returnTurn(turn *locks.Turn, line locks.Name) {
	if err := turn.Return(context.WithoutCancel(turn.Context())); err != nil && !errors.Is(err, locks.ErrStale) {
		r.cfg.Log.Warn("return turn failed", "line", line, "error", err)
	}
}

// beginTurn returns the present queue of a line, which stays until endTurn; nil while the room closes.
func (r *Room) beginTurn(line locks.Name) *queue {
	r.mu.Lock()
	defer r.mu.Unlock()
	q := r.openQueue(line)
	if q != nil {
		q.turns++
	}
	return q
}

// endTurn removes a queue that had no loops if nobody waits in it: it has done all that it was opened for.
func (r *Room) endTurn(q *queue) {
	r.mu.Lock()
	defer r.mu.Unlock()
	q.turns--
	switch {
	case q.attended:
	case r.remove(q):
		q.cancel()
	default:
		r.attend(q)
	}
}

// serveTurn serves one turn: the ticket that got it and a batch of those behind it. It releases the line
// before it publishes the results: the next batch need not wait for that. Those of a batch that could
// not be served keep their places.
//
// Turns of many lines at once would serve one ticket each, at the price of a batch. So a turn begins when this process
// has room for it, the one first whose ticket came first, and takes along who has come meanwhile.
func (q *queue) serveTurn(turn *locks.Turn) {
	if err := q.acquireFor(turn); err != nil {
		q.returnUnserved(context.WithoutCancel(turn.Context()), turn, nil,
			[]QueuedRequest{{Ticket: turn.Ticket(), Arrival: turn.Arrival()}}, nil)
		return
	}
	defer q.room.turns.release()
	begun := time.Now()
	batch, late, passed := q.gather(turn)
	work, span := q.trace(turn, begun, batch)
	ctx := context.WithoutCancel(work)
	results, closings, err := q.serveBatch(work, turn, batch)
	defer span.End(err)
	q.adjustBatchSize(len(batch), err)
	if servedLater(turn, err) {
		over := conclude(batch[:len(results)], results, nil)
		var overtaken *OvertakenError
		errors.As(err, &overtaken)
		q.returnUnserved(ctx, turn, over, batch[len(results):], overtaken)
		q.closeLines(ctx, closings)
		return
	}
	q.closeLines(ctx, closings)
	over := conclude(batch, results, err)
	if over, waiting := splitWaiting(batch, over); len(waiting) > 0 {
		q.standStill(ctx)
		q.returnUnserved(ctx, turn, over, waiting, nil)
		return
	}
	over = append(over, concludeLate(late)...)
	others := foreignResults(append(batch, late...), over)
	stored := q.room.store.settlement(over, served)
	var along func(redis.Pipeliner)
	if len(others) > 0 { // the other process finds what does not reach it stored
		q.room.finishStoring(ctx, q.name, stored)
	} else if len(over) <= fewResults {
		along = stored.send
	}
	if err := turn.ReleaseWith(ctx, along, len(over), others...); err != nil && !errors.Is(err, locks.ErrStale) {
		q.room.cfg.Log.WarnContext(ctx, "release turn failed", "line", q.name, "error", err)
	}
	if len(others) == 0 {
		q.room.finishStoring(ctx, q.name, stored)
	}
	q.room.publish(q.name, over)
	q.readmit(ctx, passed)
}

// acquireFor waits until this process has room for a turn.
func (q *queue) acquireFor(turn *locks.Turn) error {
	setUpNext := func(ticket string) {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.upNext = ticket
	}
	setUpNext(turn.Ticket())
	defer setUpNext("")
	return q.room.turns.acquireSince(turn.Context(), cameInLine(turn.Arrival()))
}

// cameInLine is when a ticket came, by its arrival number; the zero time for a lot, which says nothing of that.
func cameInLine(arrival int64) time.Time {
	if arrival < locks.LotsBelow {
		return time.Time{}
	}
	return time.UnixMicro(arrival)
}

// adjustBatchSize sets how many tickets the next turn takes. A batch of several transactions may be
// overtaken between two of them each time, while two Redis servers both grant turns of this line: it
// becomes shorter until it gets through.
func (q *queue) adjustBatchSize(tried int, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if errors.Is(err, ErrOvertaken) {
		q.batchSize = max(1, tried/2)
		return
	}
	q.batchSize = min(q.room.cfg.BatchSize, 2*q.batchSize)
}

// foreignResults returns the results of other processes' tickets, for the line to carry there.
func foreignResults(batch []QueuedRequest, over []ticketResult) []locks.Result {
	var results []locks.Result
	for i, queued := range batch {
		if !queued.foreign {
			continue
		}
		if text, err := json.Marshal(over[i].result); err == nil { // else they find it stored
			results = append(results, locks.Result{Ticket: queued.Ticket, Value: string(text)})
		}
	}
	return results
}

func (q *queue) closeLines(ctx context.Context, closings []Closing) {
	for _, closing := range closings {
		if err := q.room.CloseLine(ctx, closing.Line, closing.Result); err != nil {
			q.room.cfg.Log.WarnContext(ctx, "close line failed", "line", closing.Line, "error", err)
		}
	}
}

// gather returns the batch of a turn in arrival order, other processes' tickets among them, and those that have waited
// for too long. It passes over tickets of this process that it does not know: their diners have left, or were refused
// before the line answered. The turn ends their places, so whoever of them comes back meanwhile has to be readmitted.
func (q *queue) gather(turn *locks.Turn) (batch, late []QueuedRequest, passed []locks.Taken) {
	first := locks.Taken{Ticket: turn.Ticket(), Arrival: turn.Arrival(), Work: turn.Work()}
	first.Foreign = first.Work != "" // its own process has died
	tickets := []locks.Taken{first}
	if !turn.Alone() {
		tickets = append(tickets, q.takeAlong(turn)...)
	}
	for _, t := range tickets {
		queued, known := q.queuedRequest(t)
		switch {
		case !known:
			passed = append(passed, t)
		case q.isLate(turn, queued):
			late = append(late, queued)
		default:
			batch = append(batch, queued)
		}
	}
	return batch, late, passed
}

// takeAlong takes those behind a turn's ticket along, as many as a batch has room for.
func (q *queue) takeAlong(turn *locks.Turn) []locks.Taken {
	q.mu.Lock()
	most := q.batchSize - 1
	q.mu.Unlock()
	more, err := turn.Take(turn.Context(), most)
	if err != nil {
		q.room.cfg.Log.WarnContext(telemetry.WithTicket(turn.Context(), "", turn.Ticket()), "take batch failed",
			"line", q.name, "error", err)
	}
	return more
}

// queuedRequest returns what a ticket of a turn asks for; false for one of this process that it does not know.
func (q *queue) queuedRequest(t locks.Taken) (QueuedRequest, bool) {
	queued := QueuedRequest{Ticket: t.Ticket, Arrival: t.Arrival, foreign: t.Foreign}
	if t.Foreign {
		if err := json.Unmarshal([]byte(t.Work), &queued.Request); err != nil {
			q.room.cfg.Log.ErrorContext(telemetry.WithTicket(q.ctx, "", t.Ticket),
				"read request from another process failed", "line", q.name, "error", err)
			queued.Request = Request{Line: q.name}
		}
		return queued, true
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	own := q.tickets[t.Ticket]
	if own != nil {
		queued.Request, queued.Watched, queued.foreign = own.request, own.watchers > 0, own.adopted
	}
	return queued, own != nil
}

// servedLater says whether an error leaves what is not served yet to a later turn: this turn is lost, or
// overtaken by a later one, or what it needs is unavailable.
func servedLater(turn *locks.Turn, err error) bool {
	return err != nil && (turn.Context().Err() != nil || errors.Is(err, ErrOvertaken) || errors.Is(err, ErrUnavailable))
}

// returnUnserved returns a turn in which only some were served. The served ones get their results and leave
// the line. The others keep their places: where the line no longer knows of the turn, they enter again
// at their old ones. After an OvertakenError the next turn has a fence that the store takes.
func (q *queue) returnUnserved(ctx context.Context, turn *locks.Turn, results []ticketResult, unserved []QueuedRequest,
	overtaken *OvertakenError) {
	results = q.room.storeResults(ctx, q.name, results, served)
	q.room.publish(q.name, results)
	pause(q.ctx, firstBackoff) // what went wrong just now hardly goes right at once
	err := q.returnBehind(ctx, turn, overtaken)
	q.leaveServed(ctx, results)
	if err == nil {
		return
	}
	tickets := make([]locks.Taken, 0, len(unserved))
	for _, queued := range unserved {
		tickets = append(tickets, locks.Taken{Ticket: queued.Ticket, Arrival: queued.Arrival})
	}
	q.readmit(ctx, tickets)
}

// returnBehind returns a turn and has the fences of its line rise above the one that the store knows: those of Redis
// fall behind it when Redis loses its counter after its clock was ahead.
func (q *queue) returnBehind(ctx context.Context, turn *locks.Turn, overtaken *OvertakenError) error {
	if overtaken == nil {
		return turn.Return(ctx)
	}
	raised, err := turn.ReturnBehind(ctx, overtaken.Stored)
	if raised {
		q.room.cfg.Log.WarnContext(ctx, "fences of line were behind the database", "line", q.name,
			"fence", turn.Fence(), "stored", overtaken.Stored)
	}
	return err
}

// leaveServed takes served tickets out of the line, where the returned turn has put them. Their
// processes find the results stored. The head of the line may have the next turn already; that turn
// passes it over.
func (q *queue) leaveServed(ctx context.Context, results []ticketResult) {
	for _, r := range results {
		if err := q.line.Leave(ctx, r.ticket); err != nil && !errors.Is(err, locks.ErrServing) {
			q.room.cfg.Log.WarnContext(telemetry.WithTicket(ctx, r.request.RequestID, r.ticket),
				"take served ticket out of line failed", "line", q.name, "error", err)
		}
	}
}

// readmit lets tickets enter again at their old places if somebody still waits with them. By now the line may have
// another queue.
func (q *queue) readmit(ctx context.Context, tickets []locks.Taken) {
	current := q.room.queueOf(q.name)
	if current == nil {
		return
	}
	for _, taken := range tickets {
		current.mu.Lock()
		t := current.tickets[taken.Ticket]
		if t != nil {
			t.arrival = taken.Arrival
		}
		current.mu.Unlock()
		if t != nil {
			current.reenter(ctx, t)
		}
	}
}
