package waiting

import (
	"context"
	"errors"
	"time"

	"lunchgo/locks"
)

// MaxWait is the longest time that a ticket waits in a line.
func (r *Room) MaxWait() time.Duration { return r.cfg.MaxWait }

// Leave takes a ticket out of its line for good. Leaving twice, or after the turn, changes nothing.
// Returns ErrUnknownTicket, ErrUnavailable for a ticket that another process may know, ErrCrowded.
func (r *Room) Leave(ctx context.Context, signed, userID string) error {
	token, err := r.signer.Read(signed, userID)
	if err != nil {
		return err
	}
	if err := r.semaphore.acquire(ctx, userID); err != nil {
		return err
	}
	defer r.semaphore.release()
	rec, err := r.store.find(ctx, token)
	if err != nil {
		rec, err = r.findLocal(token, err)
	}
	if err != nil || rec.Result != nil {
		return err
	}
	left := ticketResult{token.Ticket, rec.Request, token.Arrival, Result{State: Left, Code: ErrLeft.Code}}
	return r.leave(ctx, token.Line, left)
}

// leave takes a ticket out of its line and ends it with a result.
func (r *Room) leave(ctx context.Context, line locks.Name, result ticketResult) error {
	if err := r.lines.Line(line).Leave(ctx, result.ticket); err != nil {
		return err
	}
	r.finishUnserved(ctx, line, []ticketResult{result})
	// Its process may have missed it in the line, and put it back before there was a result to see.
	if err := r.lines.Line(line).Leave(ctx, result.ticket); err != nil && !errors.Is(err, locks.ErrServing) {
		r.cfg.Log.WarnContext(ctx, "take ticket out of line once more failed", "line", line, "error", err)
	}
	return nil
}
