package accounts

import (
	"context"
	"time"

	"lunchgo/app/identity"
	"lunchgo/db/pg"
)

// revocationOverlap is how far back a reader looks behind the latest revocation it has seen: two that are written at
// the same moment may become visible in the other order than their times.
const revocationOverlap = 10 * time.Second

// maxRevoked is how many sessions of a person are remembered as revoked one by one. Who ends more of them, by signing
// in and out, ends all that are older than the newest so many.
const maxRevoked = 100

// forgetExpired are the steps that forget sessions that have expired, some at a time. Two writers never wait for each
// other.
const forgetExpired = `
	expired AS (
		DELETE FROM user_sessions
		WHERE session_id IN (
			SELECT session_id FROM user_sessions WHERE expires_at < statement_timestamp() LIMIT 100 FOR UPDATE SKIP LOCKED
		)
	), forgotten AS (
		DELETE FROM revoked_sessions
		WHERE session_id IN (
			SELECT session_id FROM revoked_sessions WHERE expires_at < statement_timestamp() LIMIT 100 FOR UPDATE SKIP LOCKED
		)
	), outlived AS (
		DELETE FROM ended_sessions
		WHERE user_id IN (
			SELECT user_id FROM ended_sessions WHERE expires_at < statement_timestamp() AND user_id <> $1 LIMIT 100
				FOR UPDATE SKIP LOCKED
		)
	)`

// endUntil is what follows INSERT INTO ended_sessions (user_id, issued_until, kept_id, expires_at): the later moment
// counts, with the session that goes on for all that.
const endUntil = `
	ON CONFLICT (user_id) DO UPDATE
	SET issued_until = GREATEST(ended_sessions.issued_until, excluded.issued_until),
		kept_id = CASE WHEN excluded.issued_until >= ended_sessions.issued_until THEN excluded.kept_id
			ELSE ended_sessions.kept_id END,
		expires_at = GREATEST(ended_sessions.expires_at, excluded.expires_at), revoked_at = clock_timestamp()`

// RecordSession implements identity.SessionStore.
func (s *Store) RecordSession(ctx context.Context, session identity.Session, device string) error {
	return s.db.Exec(ctx, `
		WITH `+forgetExpired+`, oldest AS (
			SELECT created_at, expires_at
			FROM user_sessions
			WHERE user_id = $1
			ORDER BY created_at DESC
			OFFSET $6 LIMIT 1
		), surplus AS (
			DELETE FROM user_sessions u
			USING oldest
			WHERE u.user_id = $1 AND u.created_at <= oldest.created_at
		), ended AS (
			INSERT INTO ended_sessions (user_id, issued_until, kept_id, expires_at)
			SELECT $1, GREATEST(created_at, (SELECT issued_until FROM ended_sessions WHERE user_id = $1)), '', expires_at
			FROM oldest`+endUntil+`
		)
		INSERT INTO user_sessions (session_id, user_id, created_at, expires_at, device)
		VALUES ($2, $1, $3, $4, left($5, 60))`,
		session.UserID, session.ID, session.Issued, session.Expires, device, identity.MaxSessions-1)
}

// revokedRow is a session, all of which last equally long, and when it was revoked.
type revokedRow struct {
	identity.Session
	RevokedAt time.Time
}

func (row revokedRow) session() identity.Session {
	row.Issued = row.Expires.Add(-identity.SessionLife)
	return row.Session
}

// ListSessions implements identity.SessionStore.
func (s *Store) ListSessions(ctx context.Context, userID string) ([]identity.SessionRecord, error) {
	return pg.List[identity.SessionRecord](ctx, s.db, `
		SELECT session_id AS id, created_at AS issued, expires_at AS expires, device
		FROM user_sessions
		WHERE user_id = $1 AND expires_at >= statement_timestamp()
		ORDER BY created_at DESC, session_id
		LIMIT $2`, userID, identity.MaxSessions)
}

// RevokeSession implements identity.SessionStore.
func (s *Store) RevokeSession(ctx context.Context, session identity.Session) error {
	return s.db.Exec(ctx, `
		WITH `+forgetExpired+`, unlisted AS (
			DELETE FROM user_sessions
			WHERE session_id = $2 AND user_id = $1
		), oldest AS (
			SELECT expires_at
			FROM revoked_sessions
			WHERE user_id = $1
			ORDER BY expires_at DESC
			OFFSET $4 LIMIT 1
		), surplus AS (
			DELETE FROM revoked_sessions r
			USING oldest
			WHERE r.user_id = $1 AND r.expires_at <= oldest.expires_at
		), older AS (
			DELETE FROM user_sessions u
			USING oldest
			WHERE u.user_id = $1 AND u.session_id <> $2 AND u.expires_at <= oldest.expires_at
		), ended AS (
			INSERT INTO ended_sessions (user_id, issued_until, kept_id, expires_at)
			SELECT $1, expires_at - $5 * interval '1 microsecond', '', expires_at
			FROM oldest`+endUntil+`
		)
		INSERT INTO revoked_sessions (session_id, user_id, expires_at)
		VALUES ($2, $1, $3)
		ON CONFLICT (session_id) DO NOTHING`,
		session.UserID, session.ID, session.Expires, maxRevoked-1, identity.SessionLife.Microseconds())
}

// EndSession implements identity.SessionStore.
func (s *Store) EndSession(ctx context.Context, userID, sessionID string) (identity.Session, error) {
	var row revokedRow
	err := s.db.Get(ctx, &row, `
		SELECT session_id AS id, user_id, expires_at AS expires
		FROM user_sessions
		WHERE session_id = $2 AND user_id = $1 AND expires_at >= statement_timestamp()`, userID, sessionID)
	if err != nil {
		return identity.Session{}, pg.OrNotFound(err, identity.ErrNoSession)
	}
	return row.session(), s.RevokeSession(ctx, row.session())
}

// EndSessions implements identity.SessionStore.
func (s *Store) EndSessions(ctx context.Context, ended identity.EndedSessions) (identity.EndedSessions, error) {
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (identity.EndedSessions, error) {
		return endSessions(ctx, t, ended)
	})
}

// endSessions ends sessions in the transaction of what they end for.
func endSessions(ctx context.Context, t *pg.Tx, ended identity.EndedSessions) (identity.EndedSessions, error) {
	err := t.Get(ctx, &ended.Until, `
		WITH unlisted AS (
			DELETE FROM user_sessions
			WHERE user_id = $1 AND session_id <> $3
			RETURNING created_at
		), until AS (
			SELECT GREATEST($2::timestamptz, max(created_at), (SELECT issued_until FROM ended_sessions WHERE user_id = $1)) AS at
			FROM unlisted
		)
		INSERT INTO ended_sessions (user_id, issued_until, kept_id, expires_at)
		SELECT $1, at, $3, at + $4 * interval '1 microsecond'
		FROM until`+endUntil+`
		RETURNING issued_until`, ended.UserID, ended.Until, ended.Keep, identity.SessionLife.Microseconds())
	return ended, err
}

// ListRevocations implements identity.SessionStore. Some that were revoked shortly before since come again.
func (s *Store) ListRevocations(ctx context.Context, since time.Time) (identity.Revocations, error) {
	found := identity.Revocations{Latest: since}
	var rows []revokedRow
	err := s.db.List(ctx, &rows, `
		SELECT session_id AS id, user_id, expires_at AS expires, revoked_at
		FROM revoked_sessions
		WHERE revoked_at > $1 AND expires_at >= statement_timestamp()`, since.Add(-revocationOverlap))
	if err != nil {
		return identity.Revocations{}, err
	}
	for _, row := range rows {
		found.Sessions = append(found.Sessions, row.session())
		found.Latest = later(found.Latest, row.RevokedAt)
	}
	var ended []struct {
		identity.EndedSessions
		RevokedAt time.Time
	}
	err = s.db.List(ctx, &ended, `
		SELECT user_id, issued_until AS until, kept_id AS keep, revoked_at
		FROM ended_sessions
		WHERE revoked_at > $1 AND expires_at >= statement_timestamp()`, since.Add(-revocationOverlap))
	if err != nil {
		return identity.Revocations{}, err
	}
	for _, row := range ended {
		found.Ended = append(found.Ended, row.EndedSessions)
		found.Latest = later(found.Latest, row.RevokedAt)
	}
	return found, nil
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
