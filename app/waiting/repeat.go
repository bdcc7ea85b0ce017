package waiting

import (
	"context"

	"lunchgo/locks"
)

// Repeat finds what became of a person's earlier press in a line under an idempotency key, without making one: for a wish
// that can no longer be made, but was. The caller must Close the watch. Returns ErrUnknownTicket if there was no such
// press, ErrCrowded or ErrClosing.
func (r *Room) Repeat(ctx context.Context, line locks.Name, userID, key string) (*Watch, error) {
	if err := r.door.enter(ctx); err != nil {
		return nil, err
	}
	defer r.door.leave()
	ticket, same, err := r.pressed(ctx, Request{Line: line, UserID: userID, IdempotencyKey: key})
	if err != nil {
		return nil, err
	}
	if !same {
		return nil, ErrUnknownTicket
	}
	return r.resume(ctx, Token{Line: line, Ticket: ticket, UserID: userID})
}
