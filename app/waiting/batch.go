package waiting

import (
	"context"
	"errors"
	"time"

	"lunchgo/app/refusal"
	"lunchgo/app/telemetry"
	"lunchgo/locks"
)

// How a batch is retried that cannot be served just now.
const (
	serveTries   = 6
	firstBackoff = 50 * time.Millisecond
)

// serveBatch serves a batch while the turn lasts. It retries what is unavailable, with growing pauses:
// the others in line could not be served either. Any other error is one request's fault, so each is
// served by itself. The results are those of the first of the batch; after an error that servedLater
// knows, the others are not served. ctx is the turn's, with what its log lines and its trace have in common.
func (q *queue) serveBatch(ctx context.Context, turn *locks.Turn, batch []QueuedRequest) (results []Result,
	closings []Closing, err error) {
	if len(batch) == 0 {
		return nil, nil, nil
	}
	name := Turn{Line: q.name, Fence: turn.Fence()}
	backoff := firstBackoff
	for range serveTries {
		results, closings, err = q.room.serveOnce(ctx, name, batch)
		if !errors.Is(err, ErrUnavailable) || turn.Context().Err() != nil || !pause(q.ctx, backoff) {
			break
		}
		backoff *= 2
	}
	if err == nil {
		return results, closings, nil
	}
	if servedLater(turn, err) {
		return results, nil, err
	}
	q.room.cfg.Log.ErrorContext(ctx, "serve batch failed", "line", q.name, "tickets", len(batch), "error", err)
	if len(batch) == 1 {
		return nil, nil, err
	}
	return q.serveEach(ctx, turn, batch)
}

// serveEach is serveBatch for each of a batch by itself.
func (q *queue) serveEach(ctx context.Context, turn *locks.Turn, batch []QueuedRequest) (results []Result,
	closings []Closing, err error) {
	for i := range batch {
		alone := telemetry.WithTicket(ctx, batch[i].RequestID, batch[i].Ticket)
		one, last, err := q.serveBatch(alone, turn, batch[i:i+1])
		switch {
		case servedLater(turn, err):
			return results, closings, err
		case err != nil || len(one) == 0:
			one = []Result{refusedAs(refusal.Unavailable)}
		default:
			closings = last
		}
		results = append(results, one...)
	}
	return results, closings, nil
}

// serveOnce has the handler serve a batch. Processes that could not ask Redis may each have made a
// ticket for the same request: it is served once, and all its tickets get the result.
func (r *Room) serveOnce(ctx context.Context, turn Turn, batch []QueuedRequest) ([]Result, []Closing, error) {
	type identity struct{ userID, key string }
	first := map[identity]int{}
	var once []QueuedRequest
	of := make([]int, len(batch))
	for i, queued := range batch {
		who := identity{queued.UserID, queued.IdempotencyKey}
		if _, known := first[who]; !known {
			first[who] = len(once)
			once = append(once, queued)
		}
		of[i] = first[who]
	}
	results, closings, err := r.handler.Serve(ctx, turn, once)
	all := make([]Result, 0, len(batch))
	for i := range batch {
		if of[i] >= len(results) {
			break
		}
		all = append(all, results[of[i]])
	}
	return all, closings, err
}

// conclude pairs a batch with its results. A request without one gets refusal.Unavailable.
func conclude(batch []QueuedRequest, results []Result, err error) []ticketResult {
	over := make([]ticketResult, 0, len(batch))
	for i, queued := range batch {
		result := refusedAs(refusal.Unavailable)
		if err == nil && i < len(results) {
			result = results[i]
		}
		over = append(over, ticketResult{queued.Ticket, queued.Request, queued.Arrival, result})
	}
	return over
}

// concludeLate gives requests that have waited for too long their result.
func concludeLate(late []QueuedRequest) []ticketResult {
	over := make([]ticketResult, 0, len(late))
	for _, queued := range late {
		over = append(over, ticketResult{queued.Ticket, queued.Request, queued.Arrival,
			refusedAs(ErrWaitTimeout)})
	}
	return over
}

// pause waits for d; false if ctx ended first.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
