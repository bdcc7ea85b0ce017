package db

import (
	"context"
	"errors"

	"lunchgo/app/booking"
	"lunchgo/app/wallet"
	"lunchgo/db/pg"
)

// wallets are the accounts of those whose changes may move money, by user, under the locks of their rows.
type wallets map[string]wallet.Account

func (w wallets) balances() map[string]int64 {
	balances := make(map[string]int64, len(w))
	for user, account := range w {
		balances[user] = account.Balance
	}
	return balances
}

// lockWallets locks, in order, the accounts of those who have paid for what a run changes, until the transaction ends.
// It sends nothing if nobody has.
func lockWallets(ctx context.Context, t *pg.Tx, changing map[string]booking.Changing) (wallets, error) {
	var users []string
	for _, r := range changing { // in any order
		if r.State.IsConfirmed() {
			users = append(users, r.UserID)
		}
	}
	if len(users) == 0 {
		return nil, nil
	}
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
		) account`, inOrder(users))
}

// moveDifferences moves the difference of each change between its diner's wallet and the restaurant, whichever way. It
// sends nothing when no change has any.
func moveDifferences(ctx context.Context, t *pg.Tx, d decided) error {
	moves := map[string][]wallet.Move{}
	for i, out := range d.outcomes {
		if out.Changed != nil && out.Changed.Amount() != 0 {
			user, payment := out.Changed.UserID, out.Request.Change.PaymentID
			if card := d.cards[payment]; card > 0 {
				moves[user] = append(moves[user], wallet.Move{Kind: wallet.KindCard, Amount: card,
					ReservationID: out.Changed.ID, Key: cardKey(payment)})
			}
			moves[user] = append(moves[user], wallet.Move{Kind: wallet.KindChange, Amount: -out.Changed.Amount(),
				ReservationID: out.Changed.ID, Key: changeKey(d.changeIDs[i])})
		}
	}
	if len(moves) == 0 {
		return nil
	}
	var accounts []movedAccount
	var entries []movedEntry
	for user, of := range moves { // in any order
		before := d.wallets[user]
		before.UserID = user
		outcomes, after := wallet.Decide(before, nil, of)
		accounts = append(accounts, movedAccount{user, before.Version, after.Version, after.Balance})
		for _, out := range outcomes {
			if out.Err != nil {
				return out.Err
			}
			entries = append(entries, movedEntry{user, newEntry{out.Entry.Version, out.Amount, string(out.Kind),
				out.ReservationID, out.Key, out.Entry.BalanceAfter}})
		}
	}
	if err := writeMoves(ctx, t, accounts, entries); err != nil {
		return err
	}
	for _, out := range d.outcomes {
		if out.Changed == nil || out.Changed.Amount() >= 0 || out.Request.Change.Undo != nil {
			continue
		}
		if err := returnToCard(ctx, t, out.Changed.UserID, out.Changed.ID, -out.Changed.Amount()); err != nil {
			return err
		}
	}
	return nil
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
		JOIN json_to_recordset($2::json) AS input (user_id text, version bigint, amount bigint, kind text, reservation_id text,
			idempotency_key text, balance_after bigint) ON input.user_id = account.user_id
		ORDER BY account.user_id, input.version`, pg.JSON(accounts), pg.JSON(entries))
	if err == nil && int(written) != len(entries) {
		err = errMovedMeanwhile
	}
	return err
}

// mapWalletErrors gives the outcomes the error of the wallet for a balance that is too low.
func mapWalletErrors(outcomes []booking.Outcome) {
	for i, out := range outcomes {
		if errors.Is(out.Err, booking.ErrBalanceTooLow) {
			outcomes[i].Err = wallet.ErrBalanceTooLow
		}
	}
}
