package ratelimit

import (
	"context"
	"errors"
	"time"

	"lunchgo/app/identity"
	"lunchgo/app/web/respond"
)

// proofs are how many passwords a signed-in person may get wrong who is asked for theirs once more.
var proofs = pace{burst: 10, every: 30 * time.Second}

// Prove runs something that asks a signed-in person for their password once more, unless they failed too often: whoever
// finds a browser signed in must not guess the password there. It counts by account. Returns a problem with Code and
// the time until the next try too.
func (g *Guard) Prove(ctx context.Context, userID string, do func() error) error {
	of := bucket{key: "{proof:" + userID + "}", pace: proofs}
	if wait := g.counter.take(ctx, of); wait > 0 {
		return limited(respond.TooManyAttempts, wait)
	}
	err := do()
	switch {
	case err == nil:
		g.counter.forgive(ctx, of)
	case !errors.Is(err, identity.ErrWrongPassword): // no word about the password
		g.counter.undoTake(ctx, of)
	}
	return err
}
