package wallet

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lib/pq"

	"lunchgo/app/wallet"
	"lunchgo/db/pg"
)

// A balance changes by reading the account and what the keys made before, deciding in wallet.Decide, and writing the
// account and its entries in one statement that changes nothing unless the account still has the version that was read.
// What was decided is thereby true when it is written, repeats included: an entry that was added meanwhile has changed
// the version. locked.go does without the reading, under locks.

// moveAttempts is how often moves are tried without a lock. A failed attempt has waited for the other's commit, so
// there is no pause between two. Where two processes keep moving one wallet, one retry did better than none and than
// two.
const moveAttempts = 2

// errMovedMeanwhile says that the account has another version than the one that was read.
var errMovedMeanwhile = errors.New("db: the wallet was moved meanwhile")

// ledger moves wallets, in a transaction or with each statement as its own.
type ledger struct {
	pg.Reader
	db *pg.Pool
}

// moveUnlocked returns errMovedMeanwhile when the wallet was changed by others during every attempt.
func (l ledger) moveUnlocked(ctx context.Context, userID string, moves []wallet.Move) ([]wallet.Outcome, error) {
	err := errMovedMeanwhile
	for attempt := 0; attempt < moveAttempts && errors.Is(err, errMovedMeanwhile); attempt++ {
		var outcomes []wallet.Outcome
		if outcomes, err = l.moveOnce(ctx, userID, moves); err == nil {
			return outcomes, nil
		}
	}
	return nil, err
}

// moveLocked holds the account's row until the transaction ends, so that no other can change it. The row is there:
// another transaction has changed it.
func (l ledger) moveLocked(ctx context.Context, userID string, moves []wallet.Move) ([]wallet.Outcome, error) {
	var row wallet.Account
	err := l.Get(ctx, &row, l.db.Guarded(LockAccount, `
		SELECT balance, version
		FROM accounts
		WHERE user_id = $1
		FOR UPDATE`), userID)
	if err != nil {
		return nil, err
	}
	return l.moveOnce(ctx, userID, moves)
}

func (l ledger) moveOnce(ctx context.Context, userID string, moves []wallet.Move) ([]wallet.Outcome, error) {
	before, known, err := l.read(ctx, userID, moves)
	if err != nil {
		return nil, err
	}
	outcomes, after := wallet.Decide(before, known, moves)
	if after.Version == before.Version {
		return outcomes, nil
	}
	return outcomes, l.write(ctx, before, after, outcomes)
}

type walletRow struct {
	wallet.Account
	Known []keyedEntry
}

// read returns an account and the entries that the keys of moves made before, as of one moment.
func (l ledger) read(ctx context.Context, userID string, moves []wallet.Move) (wallet.Account, map[string]wallet.Entry,
	error) {
	keys := make(pq.StringArray, 0, len(moves))
	for _, move := range moves {
		keys = append(keys, move.Key)
	}
	var row walletRow
	err := l.Get(ctx, &row, `
		SELECT who.user_id, COALESCE(a.balance, 0) AS balance, COALESCE(a.version, 0) AS version, (
			SELECT json_agg(json_build_object('id', id, 'version', version, 'amount', amount, 'kind', kind,
				'reservationId', COALESCE(reservation_id, ''), 'balanceAfter', balance_after, 'createdAt', created_at,
				'idempotencyKey', idempotency_key))
			FROM ledger_entries
			WHERE user_id = $1 AND idempotency_key = ANY ($2::text[])
		) AS known
		FROM (VALUES ($1)) AS who (user_id)
		LEFT JOIN accounts a ON a.user_id = who.user_id`, userID, keys)
	if err != nil {
		return wallet.Account{}, nil, fmt.Errorf("db: read a wallet: %w", err)
	}
	known := make(map[string]wallet.Entry, len(row.Known))
	for _, entry := range row.Known {
		entry.CreatedAt = entry.CreatedAt.UTC()
		known[entry.IdempotencyKey] = entry.Entry
	}
	return row.Account, known, nil
}

type newEntry struct {
	Version        int64  `json:"version"`
	Amount         int64  `json:"amount"`
	Kind           string `json:"kind"`
	ReservationID  string `json:"reservation_id"`
	IdempotencyKey string `json:"idempotency_key"`
	BalanceAfter   int64  `json:"balance_after"`
}

func newEntryOf(out wallet.Outcome) newEntry {
	return newEntry{out.Entry.Version, out.Amount, string(out.Kind), out.ReservationID, out.Key, out.Entry.BalanceAfter}
}

// write stores the entries that outcomes make and the account after them, and completes the outcomes with what the
// database gave the entries. Returns errMovedMeanwhile, and stores nothing, when the account is not as before any more.
func (l ledger) write(ctx context.Context, before, after wallet.Account, outcomes []wallet.Outcome) error {
	var made []newEntry
	for _, out := range outcomes {
		if out.Made {
			made = append(made, newEntryOf(out))
		}
	}
	rows, err := l.insert(ctx, before, after, made)
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		return errMovedMeanwhile
	}
	stored := make(map[int64]wallet.Entry, len(rows))
	for _, row := range rows {
		stored[row.Version] = row.Entry
	}
	for i, out := range outcomes {
		if entry, ok := stored[out.Entry.Version]; ok {
			outcomes[i].Entry = entry
		}
	}
	return nil
}

// insert stores entries and the account after them, which it makes with its first entry. It is a compare-and-set: it
// returns no rows, and stores nothing, when the account has another version than before.
func (l ledger) insert(ctx context.Context, before, after wallet.Account, entries []newEntry) ([]keyedEntry, error) {
	return pg.List[keyedEntry](ctx, l, l.db.Guarded(UpdateAccount, `
		WITH account AS (
			INSERT INTO accounts AS a (user_id, balance, version)
			VALUES ($1, $3, $4)
			ON CONFLICT (user_id) DO UPDATE SET balance = excluded.balance, version = excluded.version
			WHERE a.version = $2
			RETURNING user_id
		)
		INSERT INTO ledger_entries (user_id, version, amount, kind, reservation_id, idempotency_key, balance_after)
		SELECT user_id, input.version, amount, kind, NULLIF(reservation_id, ''), idempotency_key, balance_after
		FROM account
		CROSS JOIN json_to_recordset($5::json) AS input (
			version bigint, amount bigint, kind text, reservation_id text, idempotency_key text, balance_after bigint)
		ORDER BY input.version
		RETURNING `+entryColumns), before.UserID, before.Version, after.Balance, after.Version,
		pg.JSON(entries))
}

// Post moves a wallet in order, all moves or none, in the transaction of what they are for; a move of 0 is none.
// Returns wallet.ErrBalanceTooLow, and wallet.ErrKeyReused when a key was used before.
func Post(ctx context.Context, t *pg.Tx, userID string, moves ...wallet.Move) error {
	moves = slices.DeleteFunc(moves, func(m wallet.Move) bool { return m.Amount == 0 })
	if len(moves) == 0 {
		return nil
	}
	l := ledger{t, t.Pool}
	outcomes, err := l.moveUnlocked(ctx, userID, moves)
	if errors.Is(err, errMovedMeanwhile) {
		outcomes, err = l.moveLocked(ctx, userID, moves)
	}
	if err != nil {
		return err
	}
	for _, out := range outcomes {
		switch {
		case out.Err != nil:
			return out.Err
		case !out.Made:
			return wallet.ErrKeyReused
		}
	}
	return nil
}
