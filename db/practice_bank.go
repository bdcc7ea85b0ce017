package db

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"lunchgo/app/payments"
	"lunchgo/app/payments/practice"
)

// PracticeBankStore implements practice.Store.
type PracticeBankStore struct{ db *DB }

var _ practice.Store = (*PracticeBankStore)(nil)

// NewPracticeBankStore returns the bank's accounts that are stored in db.
func NewPracticeBankStore(db *DB) *PracticeBankStore { return &PracticeBankStore{db} }

type practiceAccountRow struct {
	ID        string `db:"id"`
	Amount    int64  `db:"amount"`
	Returned  int64  `db:"returned"`
	Title     string `db:"title"`
	ReturnURL string `db:"return_url"`
	LeaveURL  string `db:"leave_url"`
	Stand     string `db:"stand"`
	Overdrawn bool   `db:"overdrawn"`
	Late      bool   `db:"late"`
}

const practiceColumns = `
	id, amount, returned, title, return_url, leave_url, stand, overdrawn, known_at > clock_timestamp() AS late`

func (r practiceAccountRow) account() practice.Account {
	return practice.Account{ID: r.ID, Amount: r.Amount, Returned: r.Returned, Title: r.Title, ReturnURL: r.ReturnURL,
		LeaveURL: r.LeaveURL, Stand: payments.Stand(r.Stand), Overdrawn: r.Overdrawn, Late: r.Late}
}

// Open implements practice.Store.
func (s *PracticeBankStore) Open(ctx context.Context, a practice.Account) error {
	return s.db.exec(ctx, `
		INSERT INTO practice_accounts (id, amount, title, return_url, leave_url, stand)
		VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (id) DO NOTHING`, a.ID, a.Amount, a.Title, a.ReturnURL, a.LeaveURL, string(a.Stand))
}

// Find implements practice.Store.
func (s *PracticeBankStore) Find(ctx context.Context, id string) (practice.Account, error) {
	var row practiceAccountRow
	err := s.db.get(ctx, &row, `SELECT `+practiceColumns+` FROM practice_accounts WHERE id = $1`, id)
	return row.account(), orNotFound(err, practice.ErrUnknown)
}

// Move implements practice.Store.
func (s *PracticeBankStore) Move(ctx context.Context, id string, from []payments.Stand,
	to practice.Move) (practice.Account, error) {
	stands := make([]string, 0, len(from))
	for _, stand := range from {
		stands = append(stands, string(stand))
	}
	err := s.db.exec(ctx, `
		UPDATE practice_accounts
		SET stand = $3, known_at = clock_timestamp() + make_interval(secs => $4), overdrawn = overdrawn OR $5,
			taken_at = CASE WHEN $3 = 'captured' THEN clock_timestamp() END
		WHERE id = $1 AND stand = ANY ($2::text[])`, id, inOrder(stands), string(to.To), to.After.Seconds(),
		to.Overdrawn)
	if err != nil {
		return practice.Account{}, err
	}
	return s.Find(ctx, id)
}

// Refund implements practice.Store.
func (s *PracticeBankStore) Refund(ctx context.Context, id string, refund payments.Refund) (practice.Account, error) {
	var row practiceAccountRow
	err := s.db.inTx(ctx, func(ctx context.Context, t *tx) error {
		err := t.get(ctx, &row, `SELECT `+practiceColumns+` FROM practice_accounts WHERE id = $1 FOR UPDATE`, id)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return practice.ErrUnknown
		case err != nil:
			return err
		}
		var known bool
		err = t.get(ctx, &known, `SELECT EXISTS (SELECT FROM practice_refunds WHERE id = $1)`, refund.ID)
		switch {
		case err != nil || known:
			return err
		case payments.Stand(row.Stand) != payments.StandCaptured || row.Returned+refund.Amount > row.Amount:
			return &payments.RefusedError{Code: "too_much"}
		}
		_, err = t.exec(ctx, `INSERT INTO practice_refunds (id, account_id, amount) VALUES ($1, $2, $3)`, refund.ID, id,
			refund.Amount)
		if err == nil {
			err = t.get(ctx, &row, `
				UPDATE practice_accounts
				SET returned = returned + $2
				WHERE id = $1
				RETURNING `+practiceColumns, id, refund.Amount)
		}
		return err
	})
	return row.account(), err
}

type practiceMovementRow struct {
	PaymentID string    `db:"payment_id"`
	Amount    int64     `db:"amount"`
	At        time.Time `db:"at"`
}

// List implements practice.Store.
func (s *PracticeBankStore) List(ctx context.Context, from, until time.Time) ([]payments.Movement, error) {
	var rows []practiceMovementRow
	err := s.db.list(ctx, &rows, `
		SELECT id AS payment_id, amount, taken_at AS at
		FROM practice_accounts
		WHERE taken_at >= $1 AND taken_at < $2
		UNION ALL
		SELECT account_id, -amount, created_at
		FROM practice_refunds
		WHERE created_at >= $1 AND created_at < $2`, from, until)
	list := make([]payments.Movement, 0, len(rows))
	for _, row := range rows {
		list = append(list, payments.Movement{PaymentID: row.PaymentID, Amount: row.Amount, At: row.At})
	}
	return list, err
}
