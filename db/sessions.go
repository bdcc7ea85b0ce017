package db

import (
	"context"
	"time"
)

// revocationOverlap is how far back a reader looks behind the latest revocation it has seen: two that are written at the
// same moment may become visible in the other order than their times.
const revocationOverlap = 10 * time.Second

// RevokeSession makes a session invalid until it would have expired anyway. It forgets those that have expired.
func (s *UserStore) RevokeSession(ctx context.Context, sessionID string, expires time.Time) error {
	return s.db.exec(ctx, `
		WITH forgotten AS (
			DELETE FROM revoked_sessions
			WHERE expires_at < statement_timestamp() AND session_id <> $1
		)
		INSERT INTO revoked_sessions (session_id, expires_at)
		VALUES ($1, $2)
		ON CONFLICT (session_id) DO NOTHING`, sessionID, expires)
}

type revokedRow struct {
	SessionID string    `db:"session_id"`
	RevokedAt time.Time `db:"revoked_at"`
}

// ListRevokedSessions returns those revoked after since and not expired yet, with the time of the latest; since itself
// when there is none. Some that were revoked shortly before since come again.
func (s *UserStore) ListRevokedSessions(ctx context.Context, since time.Time) (ids []string, latest time.Time, err error) {
	var rows []revokedRow
	err = s.db.list(ctx, &rows, `
		SELECT session_id, revoked_at
		FROM revoked_sessions
		WHERE revoked_at > $1 AND expires_at >= statement_timestamp()
		ORDER BY revoked_at`, since.Add(-revocationOverlap))
	if err != nil {
		return nil, since, err
	}
	latest = since
	for _, row := range rows {
		ids = append(ids, row.SessionID)
		if row.RevokedAt.After(latest) {
			latest = row.RevokedAt
		}
	}
	return ids, latest, nil
}
