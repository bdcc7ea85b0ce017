package db

import (
	"context"
	"time"

	"lunchgo/db/rowlock"
)

// updateSeen locks the reservations in the order given, so that no two such statements wait for each other. A hold that
// ends while it waits stays ended: its state is the one that it has once its row is locked. Nothing but the ids is asked
// of the table, or PostgreSQL reads an index of all holds where it thinks that they are few.
const updateSeen = `
	WITH unseen AS (
		SELECT r.id
		FROM unnest($1::text[]) AS seen (id)
		CROSS JOIN LATERAL (
			SELECT id, state, seen_expires_at
			FROM reservations
			WHERE id = seen.id
			LIMIT 1
			FOR NO KEY UPDATE
		) r
		WHERE r.state = 'temporary' AND r.seen_expires_at IS NOT NULL
	)
	UPDATE reservations r
	SET hold_expires_at = r.seen_expires_at, seen_expires_at = NULL
	FROM unseen
	WHERE r.id = unseen.id AND r.hold_expires_at > clock_timestamp()`

// SeeHolds implements reserve.ReservationStore.
func (s *ReservationStore) SeeHolds(ctx context.Context, ids []string) error {
	return s.db.Exec(ctx, s.db.Guarded(SeeHolds, updateSeen), rowlock.InOrder(ids))
}

// WriteToUnseen implements reserve.ReservationStore.
func (s *ReservationStore) WriteToUnseen(ctx context.Context, after time.Duration) error {
	return s.db.Exec(ctx, `
		INSERT INTO mails (kind, user_id, reservation_id)
		SELECT 'turn', r.user_id, r.id
		FROM reservations r
		JOIN restaurants p ON p.id = r.restaurant_id AND NOT p.shadow
		WHERE r.state = 'temporary' AND r.seen_expires_at IS NOT NULL
			AND r.created_at <= statement_timestamp() - $1 * interval '1 microsecond'
			AND NOT EXISTS (SELECT FROM mails WHERE reservation_id = r.id AND kind = 'turn')
		ON CONFLICT (reservation_id) WHERE kind = 'turn' DO NOTHING`, after.Microseconds())
}
