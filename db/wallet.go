package db

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"lunchgo/app/wallet"
)

// WalletStore implements wallet.Store.
type WalletStore struct {
	db *DB
}

var _ wallet.Store = (*WalletStore)(nil)

// NewWalletStore returns the accounts and ledgers kept in db.
func NewWalletStore(db *DB) *WalletStore { return &WalletStore{db: db} }

// Keys of the ledger carry what they are for, so that a charge and a payment under the same key do not meet.
func chargeKey(key string) string           { return "charge:" + key }
func paymentKey(key string) string          { return "payment:" + key }
func refundKey(reservationID string) string { return "refund:" + reservationID }

type accountRow struct {
	Balance int64 `db:"balance"`
	Version int64 `db:"version"`
}

type entryRow struct {
	ID            int64     `db:"id"`
	Amount        int64     `db:"amount"`
	Kind          string    `db:"kind"`
	ReservationID string    `db:"reservation_id"`
	BalanceAfter  int64     `db:"balance_after"`
	CreatedAt     time.Time `db:"created_at"`
}

func (r entryRow) entry() wallet.Entry {
	return wallet.Entry{
		ID: r.ID, Amount: r.Amount, Kind: wallet.Kind(r.Kind), ReservationID: r.ReservationID,
		BalanceAfter: r.BalanceAfter, CreatedAt: r.CreatedAt,
	}
}

const entryColumns = `id, amount, kind, COALESCE(reservation_id, '') AS reservation_id, balance_after, created_at`

// Find returns the account of a diner; an empty one if there were no entries yet.
func (s *WalletStore) Find(ctx context.Context, userID string) (wallet.Account, error) {
	var row accountRow
	err := s.db.get(ctx, &row, `SELECT balance, version FROM accounts WHERE user_id = $1`, userID)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return wallet.Account{}, err
	}
	return wallet.Account{UserID: userID, Balance: row.Balance, Version: row.Version}, nil
}

// ListEntries returns the newest entries first, at most limit.
func (s *WalletStore) ListEntries(ctx context.Context, userID string, limit int) ([]wallet.Entry, error) {
	var rows []entryRow
	err := s.db.list(ctx, &rows, `
		SELECT `+entryColumns+`
		FROM ledger_entries
		WHERE user_id = $1
		ORDER BY id DESC
		LIMIT $2`, userID, limit)
	if err != nil {
		return nil, err
	}
	entries := make([]wallet.Entry, 0, len(rows))
	for _, row := range rows {
		entries = append(entries, row.entry())
	}
	return entries, nil
}

// Charge puts money in exactly once for a key. Returns wallet.ErrKeyReused for the same key with another amount,
// wallet.ErrBalanceLimit, and identity.ErrInvalidSession for a user this database does not know.
//
// Charges of one wallet go one after another, by the lock on its account. Whoever holds it sees every entry made before,
// so a repeat is known before anything is written, and the balance after an entry is the account's.
func (s *WalletStore) Charge(ctx context.Context, charge wallet.Charge) (wallet.Entry, wallet.Account, error) {
	var entry entryRow
	var account accountRow
	err := s.db.inTx(ctx, func(ctx context.Context, t *tx) error {
		var err error
		if account, err = lockAccount(ctx, t, charge.UserID); err != nil {
			return err
		}
		err = t.get(ctx, &entry, s.db.guards.findEntry, charge.UserID, chargeKey(charge.IdempotencyKey))
		switch {
		case err == nil && entry.Amount != charge.Amount:
			return wallet.ErrKeyReused
		case err == nil || !errors.Is(err, sql.ErrNoRows):
			return err
		case account.Balance+charge.Amount > wallet.MaxBalance:
			return wallet.ErrBalanceLimit
		}
		account = accountRow{Balance: account.Balance + charge.Amount, Version: account.Version + 1}
		return t.get(ctx, &entry, insertEntry, charge.UserID, charge.Amount, string(wallet.KindCharge), "",
			chargeKey(charge.IdempotencyKey))
	})
	if err != nil {
		return wallet.Entry{}, wallet.Account{}, err
	}
	return entry.entry(), wallet.Account{UserID: charge.UserID, Balance: account.Balance, Version: account.Version}, nil
}

// lockAccount makes a diner's account if there is none and holds it until the transaction ends.
func lockAccount(ctx context.Context, t *tx, userID string) (accountRow, error) {
	var account accountRow
	err := t.get(ctx, &account, `
		INSERT INTO accounts AS a (user_id, balance, version)
		VALUES ($1, 0, 0)
		ON CONFLICT (user_id) DO UPDATE SET version = a.version
		RETURNING balance, version`, userID)
	return account, err
}

// posting is money that enters or, with a negative amount, leaves a wallet because of a reservation.
type posting struct {
	UserID        string
	Amount        int64
	Kind          wallet.Kind
	ReservationID string
	Key           string
}

// postEntry changes the balance and writes the entry that says why, in one statement. Nothing is written for an amount of
// 0. Returns wallet.ErrBalanceTooLow.
func postEntry(ctx context.Context, t *tx, p posting) error {
	if p.Amount == 0 {
		return nil
	}
	var entry entryRow
	err := t.get(ctx, &entry, insertEntry, p.UserID, p.Amount, string(p.Kind), p.ReservationID, p.Key)
	return orNotFound(err, wallet.ErrBalanceTooLow)
}

// insertEntry returns no row, and changes nothing, when there is no account or too little in it.
const insertEntry = `
	WITH account AS (
		UPDATE accounts
		SET balance = balance + $2, version = version + 1
		WHERE user_id = $1 AND balance + $2 >= 0
		RETURNING balance
	)
	INSERT INTO ledger_entries (user_id, amount, kind, reservation_id, idempotency_key, balance_after)
	SELECT $1, $2, $3, NULLIF($4, ''), $5, balance
	FROM account
	RETURNING ` + entryColumns
