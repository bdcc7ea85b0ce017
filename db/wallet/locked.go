package wallet

import (
	"context"

	"github.com/lib/pq"

	"lunchgo/app/wallet"
	"lunchgo/db/pg"
)

// Accounts are accounts by user, under the locks of their rows.
type Accounts map[string]wallet.Account

// Balances returns what the accounts hold, in won, by user.
func (a Accounts) Balances() map[string]int64 {
	balances := make(map[string]int64, len(a))
	for user, account := range a {
		balances[user] = account.Balance
	}
	return balances
}

// Lock locks the accounts of users, in their order, until the transaction ends. Who has no account is not among them.
func Lock(ctx context.Context, t *pg.Tx, users ...string) (Accounts, error) {
	byUser := func(a wallet.Account) (string, wallet.Account) { return a.UserID, a }
	return pg.Mapped(ctx, t, byUser, `
		SELECT account.user_id, account.balance, account.version
		FROM unnest($1::text[]) AS run (user_id)
		CROSS JOIN LATERAL (
			SELECT user_id, balance, version
			FROM accounts
			WHERE user_id = run.user_id
			LIMIT 1
			FOR UPDATE
		) account`, pq.StringArray(users))
}

// movedAccount and movedEntry are rows to write.
type movedAccount struct {
	UserID  string `json:"user_id"`
	Before  int64  `json:"before"` // version
	Version int64  `json:"version"`
	Balance int64  `json:"balance"`
}

type movedEntry struct {
	UserID string `json:"user_id"`
	newEntry
}

// PostLocked moves locked wallets, each by its user's moves in order, all moves or none. It sends nothing for no moves.
// Returns wallet.ErrBalanceTooLow.
func PostLocked(ctx context.Context, t *pg.Tx, locked Accounts, moves map[string][]wallet.Move) error {
	if len(moves) == 0 {
		return nil
	}
	var accounts []movedAccount
	var entries []movedEntry
	for user, of := range moves { // in any order
		before := locked[user]
		before.UserID = user
		outcomes, after := wallet.Decide(before, nil, of)
		accounts = append(accounts, movedAccount{user, before.Version, after.Version, after.Balance})
		for _, out := range outcomes {
			if out.Err != nil {
				return out.Err
			}
			entries = append(entries, movedEntry{user, newEntryOf(out)})
		}
	}
	return writeMoves(ctx, t, accounts, entries)
}

// writeMoves stores entries of several accounts and the accounts after them in one statement. It is a compare-and-set
// on the version of each account, which its lock makes sure of.
func writeMoves(ctx context.Context, t *pg.Tx, accounts []movedAccount, entries []movedEntry) error {
	written, err := t.Exec(ctx, `
		WITH account AS (
			UPDATE accounts a
			SET balance = input.balance, version = input.version
			FROM json_to_recordset($1::json) AS input (user_id text, before bigint, version bigint, balance bigint)
			WHERE a.user_id = input.user_id AND a.version = input.before
			RETURNING a.user_id
		)
		INSERT INTO ledger_entries (user_id, version, amount, kind, reservation_id, idempotency_key, balance_after)
		SELECT account.user_id, input.version, amount, kind, NULLIF(reservation_id, ''), idempotency_key, balance_after
		FROM account
		JOIN json_to_recordset($2::json) AS input (user_id text, version bigint, amount bigint, kind text,
			reservation_id text, idempotency_key text, balance_after bigint) ON input.user_id = account.user_id
		ORDER BY account.user_id, input.version`, pg.JSON(accounts), pg.JSON(entries))
	if err == nil && int(written) != len(entries) {
		err = errMovedMeanwhile
	}
	return err
}
