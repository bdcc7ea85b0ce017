// Package practicebank stores the accounts of the practice bank, at which demo diners pay.
package practicebank

import (
	"context"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/payments"
	"lunchgo/app/payments/practice"
	"lunchgo/db/pg"
)

// Store implements practice.Store.
type Store struct{ db *pg.Pool }

// NewStore returns the bank's accounts that are stored in db.
func NewStore(db *pg.Pool) *Store { return &Store{db} }

const practiceColumns = `
	id, amount, returned, title, return_url, leave_url, stand, overdrawn, known_at > clock_timestamp() AS late`

// Open implements practice.Store.
func (s *Store) Open(ctx context.Context, a practice.Account) error {
	return s.db.Exec(ctx, `
		INSERT INTO practice_accounts (id, amount, title, return_url, leave_url, stand)
		VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (id) DO NOTHING`, a.ID, a.Amount, a.Title, a.ReturnURL, a.LeaveURL, string(a.Stand))
}

// Find implements practice.Store.
func (s *Store) Find(ctx context.Context, id string) (practice.Account, error) {
	return pg.Find[practice.Account](ctx, s.db, practice.ErrUnknown,
		`SELECT `+practiceColumns+` FROM practice_accounts WHERE id = $1`, id)
}

// Move implements practice.Store.
func (s *Store) Move(ctx context.Context, id string, from []payments.Stand,
	to practice.Move) (practice.Account, error) {
	stands := make(pq.StringArray, 0, len(from))
	for _, stand := range from {
		stands = append(stands, string(stand))
	}
	err := s.db.Exec(ctx, `
		UPDATE practice_accounts
		SET stand = $3, known_at = clock_timestamp() + make_interval(secs => $4), overdrawn = overdrawn OR $5,
			taken_at = CASE WHEN $3 = 'captured' THEN clock_timestamp() END
		WHERE id = $1 AND stand = ANY ($2::text[])`, id, stands, string(to.To), to.After.Seconds(), to.Overdrawn)
	if err != nil {
		return practice.Account{}, err
	}
	return s.Find(ctx, id)
}

// Refund implements practice.Store.
func (s *Store) Refund(ctx context.Context, id string, refund payments.Refund) (practice.Account, error) {
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (practice.Account, error) {
		account, err := pg.Find[practice.Account](ctx, t, practice.ErrUnknown,
			`SELECT `+practiceColumns+` FROM practice_accounts WHERE id = $1 FOR UPDATE`, id)
		if err != nil {
			return account, err
		}
		known, err := pg.One[bool](ctx, t, `SELECT EXISTS (SELECT FROM practice_refunds WHERE id = $1)`, refund.ID)
		switch {
		case err != nil || known:
			return account, err
		case account.Stand != payments.StandCaptured || account.Returned+refund.Amount > account.Amount:
			return account, &payments.RefusedError{Code: "too_much"}
		}
		err = t.Run(ctx, `INSERT INTO practice_refunds (id, account_id, amount) VALUES ($1, $2, $3)`, refund.ID, id,
			refund.Amount)
		if err != nil {
			return account, err
		}
		return pg.One[practice.Account](ctx, t, `
			UPDATE practice_accounts
			SET returned = returned + $2
			WHERE id = $1
			RETURNING `+practiceColumns, id, refund.Amount)
	})
}

// List implements practice.Store.
func (s *Store) List(ctx context.Context, from, until time.Time) ([]payments.Movement, error) {
	return pg.List[payments.Movement](ctx, s.db, `
		SELECT id AS payment_id, amount, taken_at AS at
		FROM practice_accounts
		WHERE taken_at >= $1 AND taken_at < $2
		UNION ALL
		SELECT account_id, -amount, created_at
		FROM practice_refunds
		WHERE created_at >= $1 AND created_at < $2`, from, until)
}
