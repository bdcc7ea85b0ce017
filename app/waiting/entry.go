package waiting

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lunchgo/app/refusal"
	"lunchgo/app/stack"
	"lunchgo/app/telemetry"
	"lunchgo/locks"
)

// admission is the ticket that a request got or already had.
type admission struct {
	ticket   string
	isNew    bool
	unstored bool // Redis does not know of it yet
	// wasServed: the person got a reservation lately, which may be one of those that a limit counts
	wasServed bool
}

// LookTime is how long a press waits for each look at what may refuse it before it has a place: at its coupon, at its
// slots, at its limits. The turn decides the same, so a database that hangs keeps nobody from theirs.
const LookTime = 500 * time.Millisecond

// admitTries is how often a request is admitted whose ticket is gone a moment later.
const admitTries = 3

// Enter puts a person's request into its line, or finds what became of an earlier request with the same
// idempotency key. Nobody is refused before that has counted, even if Redis has lost it: the database is asked then.
// The caller must Close the watch. Returns ErrInProgress, ErrTooMany, ErrLineFull, ErrCrowded or ErrClosing, and an
// error that is refusal.Unavailable when the database had to be asked and did not answer.
func (r *Room) Enter(ctx context.Context, req Request) (watch *Watch, err error) {
	ctx, span := telemetry.Start(ctx, "line.enter")
	defer func() { span.End(err) }()
	if err := r.semaphore.acquire(ctx, req.UserID); err != nil {
		return nil, err
	}
	defer r.semaphore.release()
	looks, cancel := context.WithTimeout(ctx, LookTime)
	defer cancel()
	if result, refused := r.handler.Precheck(looks, req); refused {
		if watch, err := r.findEarlier(ctx, req); watch != nil || err != nil {
			return watch, err
		}
		return finishedWatch("", &req, result), nil
	}
	if still := r.handler.Steering(looks, req.Line).still(time.Now()); still > 0 {
		req.Since = time.Now().UnixMilli()
	}
	req.RequestID, req.Trace = telemetry.RequestID(ctx), telemetry.Traceparent(ctx)
	watch, err = r.enterAdmitted(ctx, req)
	if errors.Is(err, ErrInProgress) || errors.Is(err, ErrTooMany) || errors.Is(err, ErrLineFull) {
		if earlier, findErr := r.findEarlier(ctx, req); earlier != nil || findErr != nil {
			return earlier, findErr
		}
	}
	return watch, err
}

// enterAdmitted admits a request and enters its ticket, or watches the ticket that its person has. A ticket whose
// record is gone a moment later, because Redis lost it, is admitted again under the same id: if the line finds it
// again, it has its place.
func (r *Room) enterAdmitted(ctx context.Context, req Request) (*Watch, error) {
	id := newTicketID(req.Seats)
	for range admitTries {
		found, err := r.admit(ctx, req, id)
		if err != nil {
			return nil, err
		}
		if !found.isNew {
			watch, err := r.watchExisting(ctx, Token{Line: req.Line, Ticket: found.ticket, UserID: req.UserID})
			if !hasGone(err) {
				return watch, err
			}
			id = found.ticket
			continue
		}
		if found.wasServed {
			looks, cancel := context.WithTimeout(ctx, LookTime)
			result, refused := r.handler.CheckLimits(looks, req)
			if cancel(); refused {
				return finishedWatch("", &req, result), r.store.delete(ctx, req, found.ticket)
			}
		}
		telemetry.NoteTicket(ctx, found.ticket)
		watch, err := r.enterAndWatch(ctx, req, found.ticket, 0, false)
		if err == nil && found.unstored {
			watch.queue.noteUnstored()
		}
		return watch, err
	}
	return nil, fmt.Errorf("waiting: the ticket is lost again and again: %w", refusal.Unavailable)
}

// admit finds the ticket of a request or makes one with the given id. Redis decides; this process decides by itself
// while Redis does not answer, or does not know yet which tickets wait here. Returns ErrInProgress or ErrTooMany.
func (r *Room) admit(ctx context.Context, req Request, id string) (admission, error) {
	q := r.queueOf(req.Line)
	if q.isUnstored() {
		if found, err := r.admitLocally(q, req, id); err != nil || !found.isNew {
			return found, err
		}
	}
	found, err := r.store.admit(ctx, req, id)
	if locks.IsAway(err) {
		return r.admitLocally(q, req, id)
	}
	return found, err
}

// FindByKey finds what became of a person's earlier request in a line by its idempotency key. It makes
// no ticket: it serves requests that are refused by now but were made before. The caller must Close the
// watch. Returns ErrUnknownTicket if there was no such request, ErrCrowded or ErrClosing, and an error that is
// refusal.Unavailable when the database had to be asked and did not answer.
func (r *Room) FindByKey(ctx context.Context, line locks.Name, userID, key string) (*Watch, error) {
	if err := r.semaphore.acquire(ctx, userID); err != nil {
		return nil, err
	}
	defer r.semaphore.release()
	watch, err := r.findEarlier(ctx, Request{Line: line, UserID: userID, IdempotencyKey: key})
	if watch == nil && err == nil {
		err = ErrUnknownTicket
	}
	return watch, err
}

// Watch finds a ticket by its signed token. If the ticket waits, this process adopts it. The caller must
// Close the watch. Returns ErrUnknownTicket for a token that is forged, another person's, or long past;
// ErrUnavailable for one that another process may know; ErrCrowded.
func (r *Room) Watch(ctx context.Context, signed, userID string) (*Watch, error) {
	token, err := r.signer.Read(signed, userID)
	if err != nil {
		return nil, err
	}
	if w := r.watchLocal(token); w != nil {
		telemetry.NoteTicket(ctx, token.Ticket)
		return w, nil
	}
	if err := r.semaphore.acquire(ctx, userID); err != nil {
		return nil, err
	}
	defer r.semaphore.release()
	return r.watchExisting(ctx, token)
}

// watchExisting watches a ticket that exists: in this process, in another one, or in the database once
// it is served.
func (r *Room) watchExisting(ctx context.Context, token Token) (*Watch, error) {
	telemetry.NoteTicket(ctx, token.Ticket)
	if w := r.watchLocal(token); w != nil {
		return w, nil
	}
	rec, err := r.store.find(ctx, token)
	switch {
	case err == ErrUnknownTicket || err == ErrUnavailable || locks.IsAway(err):
		result, findErr := r.handler.FindResult(ctx, token.Line, token.Ticket)
		if findErr == ErrUnknownTicket {
			return nil, err
		}
		if findErr != nil {
			return nil, findErr
		}
		r.noteSeen(result)
		return finishedWatch(r.signer.Sign(token), nil, result), nil
	case err != nil:
		return nil, err
	case rec.Request.UserID != token.UserID:
		return nil, ErrUnknownTicket
	case rec.Result != nil:
		token.Arrival = max(token.Arrival, rec.Arrival)
		r.noteSeen(*rec.Result)
		return finishedWatch(r.signer.Sign(token), &rec.Request, *rec.Result), nil
	}
	watch, err := r.enterAndWatch(ctx, rec.Request, token.Ticket, max(token.Arrival, rec.Arrival), true)
	if err == nil && watch.queue.fellOut(watch.ticket) {
		r.answerServed(ctx, watch)
	}
	return watch, err
}

// answerServed answers a ticket that had fallen out of its line, if it was served: its process died before it stored
// the result. If not, or if that cannot be found out, the ticket waits.
func (r *Room) answerServed(ctx context.Context, w *Watch) {
	result, err := r.handler.FindResult(ctx, w.queue.name, w.ticket.id)
	if err != nil {
		return
	}
	results := r.storeResults(ctx, w.queue.name, []ticketResult{w.ticket.with(result)}, served)
	w.queue.publish(results)
	w.queue.leaveServed(ctx, results)
}

// watchLocal watches a ticket of this process; nil if it has no such ticket.
func (r *Room) watchLocal(token Token) *Watch {
	r.mu.Lock()
	var w *Watch
	q := r.queues[token.Line]
	if q != nil {
		w = q.watch(token.Ticket)
	}
	r.mu.Unlock()
	if w == nil && q != nil {
		if w = q.watchPending(token); w != nil {
			r.noteSeen(w.last.Result)
		}
	}
	return w
}

// enterAndWatch makes a ticket one of this process and enters it into the line. arrival is 0, or the place that it had
// before; again says that it is no new one.
//
// To enter outlives its caller: when that gives up, the ticket enters all the same, and stays. The line may have it at
// this process by then, and passes over tickets that their process does not know, be it for a moment; and whoever asks
// again finds the place of their first press.
func (r *Room) enterAndWatch(ctx context.Context, req Request, ticket string, arrival int64,
	again bool) (*Watch, error) {
	watch, err := r.addTicket(req, ticket, arrival, again)
	if err != nil {
		return nil, err
	}
	entered := make(chan error) // nobody but the caller takes what comes: until then the watch is not theirs
	if !r.start(func() { watch.enter(ctx, entered) }) {
		watch.giveUp()
		return nil, ErrClosing
	}
	select {
	case err = <-entered:
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return watch, nil
}

// enter puts a ticket that was just added into the line, says so, and serves the turn if it has come at once. The watch
// is closed unless somebody hears that the ticket has entered.
func (w *Watch) enter(ctx context.Context, entered chan<- error) {
	stack.Reserve()
	err := w.queue.enter(context.WithoutCancel(ctx), w.ticket)
	var turn *locks.Turn
	if err == nil && w.HasTurn() {
		turn = w.queue.line.TryNext() // nil if somebody else has taken it up
	}
	switch {
	case err != nil:
		w.giveUp()
	case turn == nil:
		w.queue.attend()
	}
	select {
	case entered <- err:
	case <-ctx.Done():
		if err == nil {
			w.Close()
		}
	}
	if turn != nil {
		w.queue.room.takeTurn(turn, w.queue.name)
	}
}

// giveUp closes the watch of a ticket that could not enter.
func (w *Watch) giveUp() {
	w.Close()
	w.queue.drop(w.ticket)
	w.queue.attend()
}

// addTicket adds a ticket to its queue before the ticket enters the line, so that a turn that comes at
// once finds it. It opens the queue for the first ticket.
func (r *Room) addTicket(req Request, ticket string, arrival int64, again bool) (*Watch, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	q := r.openQueue(req.Line)
	if q == nil {
		return nil, ErrClosing
	}
	return q.add(req, ticket, arrival, again), nil
}
