// Package wallet stores accounts and their ledger.
package wallet

import (
	"context"
	"database/sql"
	"errors"

	"lunchgo/app/keyset"
	"lunchgo/app/wallet"
	"lunchgo/db/pg"
)

// Guards of the package.
const (
	LockAccount   pg.Guard = "lock an account"
	UpdateAccount pg.Guard = "change an account"
)

// Store implements wallet.Store.
type Store struct {
	db      *pg.Pool
	batches batches
	byUser  pg.ByKey[wallet.Account]
}

// NewStore returns the accounts and ledgers stored in db. A process needs one, so that the moves of a wallet that
// it orders at the same moment go into one batch.
func NewStore(db *pg.Pool) *Store {
	return &Store{db: db, batches: batches{queues: map[string][]*order{}},
		byUser: pg.NewByKey(db, `SELECT user_id, balance, version FROM accounts WHERE user_id = ANY ($1)`,
			func(a wallet.Account) string { return a.UserID })}
}

// keyedEntry is an entry with the key that it was made under.
type keyedEntry struct {
	wallet.Entry
	IdempotencyKey string
}

const entryColumns = `
	id, version, amount, kind, COALESCE(reservation_id, '') AS reservation_id, balance_after, created_at, idempotency_key`

// Find returns the account of a diner; an empty one if there were no entries yet.
func (s *Store) Find(ctx context.Context, userID string) (wallet.Account, error) {
	account, err := s.byUser.Get(ctx, userID)
	if errors.Is(err, sql.ErrNoRows) {
		return wallet.Account{UserID: userID}, nil
	}
	return account, err
}

// ListEntries returns a page of the entries, the newest first.
func (s *Store) ListEntries(ctx context.Context, userID string, page keyset.Request) (keyset.Page[wallet.Entry],
	error) {
	key := func(row keyedEntry) keyset.Cursor { return keyset.Cursor{Number: row.Version} }
	show := func(row keyedEntry) wallet.Entry { return row.Entry }
	return pg.Paged(ctx, s.db, page, key, show, `
		SELECT `+entryColumns+`
		FROM ledger_entries
		WHERE user_id = $1 AND version < $2
		ORDER BY version DESC
		LIMIT $3`, userID, page.Below().Number, page.Rows())
}

// Charge puts money in exactly once for a key. Returns the errors of wallet.Charge.Check, wallet.ErrKeyReused for the
// same key with another amount, wallet.ErrBalanceLimit, and identity.ErrInvalidSession for a user this database does
// not know.
func (s *Store) Charge(ctx context.Context, charge wallet.Charge) (wallet.Entry, wallet.Account, error) {
	if err := charge.Check(); err != nil {
		return wallet.Entry{}, wallet.Account{}, err
	}
	return s.order(ctx, charge.UserID, wallet.Move{
		Kind: wallet.KindCharge, Amount: charge.Amount, Key: ChargeKey(charge.IdempotencyKey),
	})
}

// Withdraw takes money out exactly once for a key. Returns the errors of wallet.Withdrawal.Check, wallet.ErrKeyReused
// for the same key with another amount and wallet.ErrBalanceTooLow.
func (s *Store) Withdraw(ctx context.Context, w wallet.Withdrawal) (wallet.Entry, wallet.Account, error) {
	if err := w.Check(); err != nil {
		return wallet.Entry{}, wallet.Account{}, err
	}
	return s.order(ctx, w.UserID, wallet.Move{
		Kind: wallet.KindWithdrawal, Amount: -w.Amount, Key: WithdrawalKey(w.IdempotencyKey),
	})
}

// order has a move made in a batch of its wallet. When ctx ends before, the move may still be made: a repeat with the
// same key finds out.
func (s *Store) order(ctx context.Context, userID string, move wallet.Move) (wallet.Entry, wallet.Account,
	error) {
	o := &order{move: move, done: make(chan struct{})}
	s.batches.enter(userID, o, s.work)
	select {
	case <-o.done:
	case <-ctx.Done():
		return wallet.Entry{}, wallet.Account{}, s.db.MapError(ctx.Err())
	}
	if o.outcome.Err != nil {
		return wallet.Entry{}, wallet.Account{}, o.outcome.Err
	}
	entry := o.outcome.Entry
	return entry, wallet.Account{UserID: userID, Balance: entry.BalanceAfter, Version: entry.Version}, nil
}

// work makes the moves of a batch of orders for one wallet.
func (s *Store) work(userID string, batch []*order) {
	moves := make([]wallet.Move, 0, len(batch))
	for _, o := range batch {
		moves = append(moves, o.move)
	}
	outcomes, err := s.move(userID, moves)
	for i, o := range batch {
		o.outcome.Err = err
		if err == nil {
			o.outcome = outcomes[i]
		}
		close(o.done)
	}
}

// move makes moves of one wallet, all in one statement: without a lock unless others change the wallet at every
// attempt, else under its row's lock, so that a contended wallet never fails. The moves belong to several callers, so
// it outlives each.
func (s *Store) move(userID string, moves []wallet.Move) ([]wallet.Outcome, error) {
	ctx, cancel := s.db.Bounded(context.Background())
	defer cancel()
	outcomes, err := (ledger{s.db, s.db}).moveUnlocked(ctx, userID, moves)
	if errors.Is(err, errMovedMeanwhile) {
		err = s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
			outcomes, err = (ledger{t, t.Pool}).moveLocked(ctx, userID, moves)
			return err
		})
	}
	return outcomes, err
}
