package waiting

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lunchgo/app/group"
	"lunchgo/app/refusal"
	"lunchgo/locks"
)

// Earlier is what a request came to that was made before. Its Result has no State where there was none.
type Earlier struct {
	Request Request
	Result  Result
}

// How the database is asked for earlier requests: one group at a time, so that a crowd that is refused takes one
// connection.
const (
	earlierTime  = 5 * time.Second // for a group
	earlierTries = 3               // for tickets that end without a turn
)

func newEarlierBatch(handler Handler) *group.Batch[Request, Earlier] {
	return group.NewBatch(mostPeople, 1, func(ctx context.Context, requests []Request) ([]Earlier, error) {
		ctx, cancel := context.WithTimeout(ctx, earlierTime)
		defer cancel()
		return handler.FindEarlier(ctx, requests)
	})
}

// findEarlier watches the ticket of an earlier request with the same idempotency key, or what the database has of it
// where Redis may have lost the ticket; nil if there was none.
func (r *Room) findEarlier(ctx context.Context, req Request) (*Watch, error) {
	ticket, kept, err := r.store.findByKey(ctx, req)
	if locks.IsAway(err) {
		if earlier, ok := r.queueOf(req.Line).findEarlier(req.UserID); ok && earlier.key == req.IdempotencyKey {
			ticket = earlier.ticket
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if ticket == "" {
		if !r.losses.possible(ctx, kept) {
			return nil, nil
		}
		return r.watchStored(ctx, req)
	}
	watch, err := r.watchExisting(ctx, Token{Line: req.Line, Ticket: ticket, UserID: req.UserID})
	if !hasGone(err) {
		return watch, err
	}
	watch, storedErr := r.watchStored(ctx, req)
	if watch == nil && storedErr == nil && locks.IsAway(err) { // the ticket may wait still
		storedErr = fmt.Errorf("%w: %w", refusal.Unavailable, err)
	}
	return watch, storedErr
}

// watchStored watches what the database has of an earlier request with the same idempotency key; nil if it has nothing.
func (r *Room) watchStored(ctx context.Context, req Request) (*Watch, error) {
	found, err := r.earlier.Ask(ctx, req)
	if err != nil || found.Result.State == "" {
		return nil, err
	}
	r.noteSeen(found.Result)
	return finishedWatch("", &found.Request, found.Result), nil
}

// hasGone says whether an error of watchExisting means that nobody has the record of the ticket any more.
func hasGone(err error) bool {
	return errors.Is(err, ErrUnknownTicket) || errors.Is(err, ErrUnavailable) || locks.IsAway(err)
}

// withEarlier gives tickets that are to be refused without a turn what earlier requests with the same keys came to,
// where Redis may have lost those, or the tickets fell out of their line: then the process that served them may have
// died before it stored the results.
func (q *queue) withEarlier(ctx context.Context, refused []ticketResult, fellOut bool) []ticketResult {
	if !fellOut && !q.room.mayHaveLost(ctx, refused) {
		return refused
	}
	requests := make([]Request, len(refused))
	for i, of := range refused {
		requests[i] = of.request
	}
	var found []Earlier
	var err error
	backoff := firstBackoff
	for range earlierTries {
		if found, err = q.room.earlier.AskAll(ctx, requests); err == nil || !pause(ctx, backoff) {
			break
		}
		backoff *= 2
	}
	if err != nil {
		q.room.cfg.Log.WarnContext(ctx, "find earlier requests failed", "line", q.name, "tickets", len(refused),
			"error", err)
	}
	for i := range refused {
		switch {
		case err != nil:
			refused[i].result = refusedAs(refusal.Unavailable)
		case found[i].Result.State != "":
			refused[i].result = found[i].Result
		}
	}
	return refused
}

// mayHaveLost says whether Redis may have lost earlier tickets of the people of some tickets.
func (r *Room) mayHaveLost(ctx context.Context, of []ticketResult) bool {
	var marks []string
	known := map[string]bool{}
	for _, t := range of {
		if mark := r.store.epochKey(r.store.key(t.request.UserID)); !known[mark] {
			known[mark] = true
			marks = append(marks, mark)
		}
	}
	lost := false
	for _, e := range r.store.epochs(ctx, marks, "", false) {
		lost = r.losses.possible(ctx, e) || lost
	}
	return lost
}
