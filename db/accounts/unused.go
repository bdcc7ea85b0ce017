package accounts

import (
	"context"
	"time"

	"lunchgo/app/identity"
	"lunchgo/db/pg"
)

// isUnused says of a user u whether nobody has confirmed the address, nor used the account for $1 microseconds.
// Whoever is staff or waits for seats stays.
const isUnused = `
	u.email_confirmed_at IS NULL AND u.deleted_at IS NULL AND NOT u.demo AND NOT u.operator
	AND u.created_at < statement_timestamp() - $1 * interval '1 microsecond'
	AND NOT EXISTS (SELECT FROM user_sessions WHERE user_id = u.id AND expires_at > statement_timestamp())
	AND NOT EXISTS (SELECT FROM staff_members WHERE user_id = u.id)
	AND NOT EXISTS (SELECT FROM waitlist_entries WHERE user_id = u.id AND state IN ('waiting', 'offered'))
	AND NOT EXISTS (
		SELECT
		FROM reservations r
		WHERE r.user_id = u.id AND (
			r.created_at > statement_timestamp() - $1 * interval '1 microsecond'
			OR r.state IN ('temporary', 'refund_pending', 'arrived', 'seated'))
	)
	AND COALESCE((SELECT balance FROM accounts WHERE user_id = u.id), 0) = 0`

// ListUnconfirmed implements identity.UnconfirmedStore.
func (s *Store) ListUnconfirmed(ctx context.Context, age time.Duration, after identity.Unconfirmed,
	limit int) ([]identity.Unconfirmed, error) {
	return pg.List[identity.Unconfirmed](ctx, s.db, `
		SELECT u.id, u.created_at
		FROM users u
		WHERE `+isUnused+` AND (u.created_at, u.id) > ($2, $3)
		ORDER BY u.created_at, u.id
		LIMIT $4`, age.Microseconds(), after.CreatedAt, after.ID, limit)
}

// DeleteUnconfirmed implements identity.UnconfirmedStore. What was listed is asked again under the lock of the user's
// row: a confirmation, or a hold that is being made, comes before or after.
func (s *Store) DeleteUnconfirmed(ctx context.Context, age time.Duration,
	ended identity.EndedSessions) (identity.EndedSessions, error) {
	return s.deleteAccount(ctx, ended, func(ctx context.Context, t *pg.Tx) error {
		return t.Touch(ctx, identity.ErrNotFound, t.Pool.Guarded(CheckUnused, `
			SELECT u.id
			FROM users u
			WHERE u.id = $2 AND `+isUnused), age.Microseconds(), ended.UserID)
	})
}
