package db

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
)

var _ reserve.Owners = (*UserStore)(nil)

// theirs are the accounts whose things the person $1 may read and act on, as an array: the planner looks each up in the
// index, as it does a single one.
const theirs = `ANY (ARRAY(SELECT accounts_of($1)))`

const ownsAccount = `SELECT $2 = ` + theirs

// Owns implements reserve.Owners.
func (s *UserStore) Owns(ctx context.Context, personID, accountID string) (owns bool, err error) {
	if personID == accountID {
		return true, nil
	}
	return owns, s.db.get(ctx, &owns, ownsAccount, personID, accountID)
}

// ListAccounts implements reserve.Owners.
func (s *UserStore) ListAccounts(ctx context.Context, personID string, limit int) (ids []string, err error) {
	err = s.db.list(ctx, &ids, `
		SELECT id
		FROM users
		WHERE id = `+theirs+` AND id <> $1
		ORDER BY created_at DESC, id
		LIMIT $2`, personID, limit)
	return append([]string{personID}, ids...), err
}

// checkOwner returns booking.ErrNotFound unless a person owns the account whose a reservation is. An account of one's
// own costs no query.
func checkOwner(ctx context.Context, t *tx, personID string, r booking.Reservation) error {
	owns := r.UserID == personID
	if !owns {
		if err := t.get(ctx, &owns, ownsAccount, personID, r.UserID); err != nil {
			return err
		}
	}
	if !owns {
		return booking.ErrNotFound
	}
	return nil
}
