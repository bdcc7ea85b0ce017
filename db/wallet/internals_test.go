package wallet

import (
	"context"

	"lunchgo/app/wallet"
	"lunchgo/db/pg"
)

// What the tests of package wallet_test reach of the inside: they use db/testkit, which imports this package.
const MoveAttempts = moveAttempts

var ErrMovedMeanwhile = errMovedMeanwhile

func (s *Store) Move(userID string, moves []wallet.Move) ([]wallet.Outcome, error) {
	return s.move(userID, moves)
}

// NewLedger is a ledger that reads through another reader than its pool.
func NewLedger(r pg.Reader, p *pg.Pool) ledger { return ledger{r, p} }

func (l ledger) MoveUnlocked(ctx context.Context, userID string, moves []wallet.Move) ([]wallet.Outcome, error) {
	return l.moveUnlocked(ctx, userID, moves)
}

func (l ledger) MoveLocked(ctx context.Context, userID string, moves []wallet.Move) ([]wallet.Outcome, error) {
	return l.moveLocked(ctx, userID, moves)
}
