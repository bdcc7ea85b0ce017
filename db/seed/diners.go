package seed

import (
	"context"
	"fmt"
	"slices"

	"github.com/lib/pq"

	"lunchgo/app/identity"
	"lunchgo/app/wallet"
	"lunchgo/db/accounts"
	"lunchgo/db/pg"
	dbwallet "lunchgo/db/wallet"
)

// dinersAtOnce bounds one statement, so that it stays well within a statement's time.
const dinersAtOnce = 2_000

type newDiner struct {
	ID           string `json:"id"`
	Email        string `json:"email"`
	Name         string `json:"name"`
	Phone        string `json:"phone"`
	PasswordHash string `json:"password_hash"`
}

// CreateDiners stores users with confirmed addresses whose wallets hold balance won each, by a first charge that the
// ledger shows. It takes one statement for each 2,000 of them.
func (s *Store) CreateDiners(ctx context.Context, diners []identity.User, balance int64) error {
	for start := 0; start < len(diners); start += dinersAtOnce {
		var rows []newDiner
		for _, u := range diners[start:min(start+dinersAtOnce, len(diners))] {
			rows = append(rows, newDiner{u.ID, u.Email, u.Name, u.Phone, u.PasswordHash})
		}
		err := s.db.Exec(ctx, insertDiners, pg.JSON(rows), balance, string(wallet.KindCharge), dbwallet.ChargeKey("opening"))
		if err != nil {
			return err
		}
	}
	return nil
}

const insertDiners = `
	WITH input AS (
		SELECT id, email, name, phone, password_hash
		FROM json_to_recordset($1::json) AS d (id text, email text, name text, phone text, password_hash text)
	), made AS (
		INSERT INTO users (id, email, name, phone, password_hash, email_confirmed_at)
		SELECT id, lower(email), name, phone, password_hash, clock_timestamp()
		FROM input
	), opened AS (
		INSERT INTO accounts (user_id, balance, version)
		SELECT id, $2::bigint, 1
		FROM input
		WHERE $2::bigint > 0
	)
	INSERT INTO ledger_entries (user_id, version, amount, kind, idempotency_key, balance_after)
	SELECT id, 1, $2::bigint, $3, $4, $2::bigint
	FROM input
	WHERE $2::bigint > 0`

// DeleteDiners ends what the diners have reserved at shadow restaurants, takes the money out of their wallets, and
// deletes their accounts as DeleteAccount does, 2,000 at once. It passes over ids that nobody has, that are deleted, or
// whose address is not of the domain. Returns identity.ErrReservationsLeft, with their number, when some have
// reservations elsewhere: they keep their accounts and their money.
//
// It stores no end of their sessions, which all instances would read: only the load test had their tokens.
func (s *Store) DeleteDiners(ctx context.Context, ids []string, domain string) error {
	left := 0
	for some := range slices.Chunk(slices.Sorted(slices.Values(ids)), dinersAtOnce) {
		stay, err := pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (int, error) {
			return deleteDiners(ctx, t, some, domain)
		})
		if err != nil {
			return err
		}
		left += stay
	}
	if left > 0 {
		return fmt.Errorf("seed: %d diners stay: %w", left, identity.ErrReservationsLeft)
	}
	return nil
}

// deleteDiners returns how many stay.
func deleteDiners(ctx context.Context, t *pg.Tx, ids []string, domain string) (stay int, err error) {
	var known, free pq.StringArray
	if err := t.List(ctx, (*[]string)(&known), `
		SELECT id
		FROM users
		WHERE id = ANY ($1) AND deleted_at IS NULL AND email LIKE '%@' || $2
		ORDER BY id
		FOR UPDATE`, pq.StringArray(ids), domain); err != nil {
		return 0, err
	}
	if _, err := t.Exec(ctx, endAtShadows(`r.user_id = ANY ($1)`), known); err != nil {
		return 0, err
	}
	if err := t.List(ctx, (*[]string)(&free), `
		SELECT id
		FROM unnest($1::text[]) AS who (id)
		WHERE NOT EXISTS (
			SELECT
			FROM reservations
			WHERE user_id = who.id
				AND state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'refund_pending', 'arrived', 'seated')
		)`, known); err != nil {
		return 0, err
	}
	for _, statement := range []string{
		`UPDATE reservations SET note = '', allergies = '' WHERE user_id = ANY ($1) AND (note <> '' OR allergies <> '')`,
		`DELETE FROM user_sessions WHERE user_id = ANY ($1)`,
	} {
		if _, err := t.Exec(ctx, statement, free); err != nil {
			return 0, err
		}
	}
	_, err = t.Exec(ctx, emptyWallets, free, string(wallet.KindWithdrawal), dbwallet.WithdrawalKey("closing"))
	if err != nil {
		return 0, err
	}
	return len(known) - len(free), accounts.DeletePeople(ctx, t, free...)
}

// emptyWallets takes all money out of wallets, by an entry of each.
const emptyWallets = `
	WITH full_ones AS (
		SELECT user_id, balance, version
		FROM accounts
		WHERE user_id = ANY ($1) AND balance > 0
		ORDER BY user_id
		FOR UPDATE
	), emptied AS (
		UPDATE accounts a
		SET balance = 0, version = f.version + 1
		FROM full_ones f
		WHERE a.user_id = f.user_id
		RETURNING a.user_id, a.version, -f.balance AS amount
	)
	INSERT INTO ledger_entries (user_id, version, amount, kind, idempotency_key, balance_after)
	SELECT user_id, version, amount, $2, $3, 0
	FROM emptied`
