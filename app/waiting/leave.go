package waiting

import (
	"context"

	"lunchgo/locks"
)

// Leave takes a ticket out of its line for good. Leaving twice, or after the turn, changes nothing.
// Returns ErrUnknownTicket, ErrCrowded.
func (r *Room) Leave(ctx context.Context, signed, userID string) error {
	token, err := r.signer.Read(signed, userID)
	if err != nil {
		return err
	}
	if err := r.semaphore.acquire(ctx); err != nil {
		return err
	}
	defer r.semaphore.release()
	rec, err := r.store.find(ctx, token.Line, token.Ticket)
	if err != nil && !(locks.IsAway(err) && r.isLocal(token)) || rec.Result != nil {
		return err
	}
	return r.leave(ctx, token.Line, ticketResult{token.Ticket, userID, Result{State: Left, Code: CodeLeft}})
}

// leave takes a ticket out of its line and ends it with a result.
func (r *Room) leave(ctx context.Context, line locks.Name, result ticketResult) error {
	if err := r.lines.Line(line).Leave(ctx, result.ticket); err != nil {
		return err
	}
	r.finishUnserved(ctx, line, []ticketResult{result})
	return nil
}
