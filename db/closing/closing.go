// Package closing stores the cancellations of closed days.
package closing

import (
	"cmp"
	"context"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/app/closing"
	"lunchgo/db/columns"
	"lunchgo/db/messages"
	"lunchgo/db/pg"
)

// Guards of the package.
const (
	TakeDayCancellations pg.Guard = "take cancellations of closed days"
)

// Store implements closing.Store.
type Store struct{ db *pg.Pool }

// NewStore returns the cancellations of closed days stored in db.
func NewStore(db *pg.Pool) *Store { return &Store{db} }

// fromClosing are the reservations r of restaurant $1 in slots s on date $2 that have not begun at $3.
const fromClosing = `
		FROM slots s
		JOIN restaurants p ON p.id = s.restaurant_id
		JOIN reservations r ON r.slot_id = s.id`

const whereClosing = `
		WHERE s.restaurant_id = $1 AND s.service_date = $2::date
			AND (s.service_date + s.service_time) AT TIME ZONE p.time_zone > $3`

// ListParties implements closing.Store.
func (s *Store) ListParties(ctx context.Context, restaurantID int64, date booking.Date,
	now time.Time) ([]closing.Party, error) {
	return pg.List[closing.Party](ctx, s.db, `
		SELECT `+messages.PartyColumns+`, `+messages.IsReached+`,
			CASE WHEN r.state IN ('confirmed', 'prepaid_confirmed')
				THEN GREATEST(r.paid_amount - r.refund_amount - r.given_back, 0) ELSE 0 END AS paid,
			COALESCE(c.progress, '') AS progress, COALESCE(c.failure, '') AS failure,
			COALESCE((
				SELECT `+messages.AnswerColumn+`
				FROM guest_message_recipients g
				JOIN guest_messages m ON m.id = g.message_id AND m.offered_date IS NOT NULL
				WHERE g.reservation_id = r.id AND g.slot_id = r.slot_id AND g.reached
				ORDER BY m.created_at DESC
				LIMIT 1
			), 'none') AS answer`+fromClosing+`
		LEFT JOIN users u ON u.id = r.user_id
		LEFT JOIN day_cancellations c ON c.reservation_id = r.id`+whereClosing+`
			AND (r.state IN `+columns.HoldingStates+` AND r.state <> 'refund_pending' OR c.reservation_id IS NOT NULL)
		ORDER BY s.service_time, r.ordinal`, restaurantID, string(date), now)
}

// ListClosed implements closing.Store.
func (s *Store) ListClosed(ctx context.Context, restaurantID int64,
	from booking.Date) ([]closing.Other, error) {
	return pg.List[closing.Other](ctx, s.db, `
		SELECT s.service_date::text AS date, count(*) AS parties
		FROM closures c
		JOIN restaurants p ON p.id = c.restaurant_id
		JOIN slots s ON s.restaurant_id = c.restaurant_id AND s.service_date = c.closed_on
			AND (s.service_date + s.service_time) AT TIME ZONE p.time_zone > statement_timestamp()
		JOIN reservations r ON r.slot_id = s.id AND r.state IN ('temporary', 'confirmed', 'prepaid_confirmed')
		WHERE c.restaurant_id = $1 AND c.closed_on >= $2::date
		GROUP BY s.service_date
		ORDER BY s.service_date`, restaurantID, string(from))
}

// Note implements closing.Store.
func (s *Store) Note(ctx context.Context, o closing.Order) error {
	return s.db.Exec(ctx, `
		INSERT INTO day_cancellations AS c (reservation_id, closed_on, staff_id, reason, slot_alone)
		SELECT r.id, $2::date, $4, $5, $7`+fromClosing+whereClosing+`
			AND r.state IN ('temporary', 'confirmed', 'prepaid_confirmed') AND ($6::text[] IS NULL OR r.id = ANY ($6))
		ORDER BY r.id
		ON CONFLICT (reservation_id) DO UPDATE
		SET closed_on = excluded.closed_on, staff_id = excluded.staff_id, reason = excluded.reason,
			slot_alone = excluded.slot_alone, progress = 'pending', failure = '', attempts = 0, due_at = clock_timestamp()
		WHERE c.progress <> 'pending'`, o.RestaurantID, string(o.Date), o.Now, o.StaffID, cmp.Or(o.Message, o.Reason),
		pq.Array(o.Named), !o.IsDay())
}

// Take implements closing.Store. Takers skip what another takes at the moment.
func (s *Store) Take(ctx context.Context, restaurantID int64, now time.Time,
	limit int) ([]closing.Task, error) {
	return pg.List[closing.Task](ctx, s.db, s.db.Guarded(TakeDayCancellations, `
		WITH due AS (
			SELECT c.reservation_id, r.restaurant_id,
				s.service_date = c.closed_on AND (s.service_date + s.service_time) AT TIME ZONE p.time_zone > $3
					AND CASE WHEN c.slot_alone THEN s.closed
						ELSE EXISTS (SELECT FROM closures WHERE restaurant_id = p.id AND closed_on = c.closed_on) END AS stands
			FROM day_cancellations c
			JOIN reservations r ON r.id = c.reservation_id
			JOIN slots s ON s.id = r.slot_id
			JOIN restaurants p ON p.id = s.restaurant_id
			WHERE c.progress = 'pending' AND c.due_at <= statement_timestamp() AND ($1 = 0 OR r.restaurant_id = $1)
			ORDER BY c.due_at, c.reservation_id
			LIMIT $2
			FOR UPDATE OF c SKIP LOCKED
		), forgotten AS (
			DELETE FROM day_cancellations c USING due WHERE c.reservation_id = due.reservation_id AND NOT due.stands
		)
		UPDATE day_cancellations c
		SET attempts = attempts + 1, due_at = clock_timestamp() + 30 * 2 ^ least(attempts, 10) * interval '1 second'
		FROM due
		WHERE c.reservation_id = due.reservation_id AND due.stands
		RETURNING c.reservation_id, due.restaurant_id, c.staff_id, c.reason, c.attempts`), restaurantID, limit, now)
}

// Finish implements closing.Store.
func (s *Store) Finish(ctx context.Context, reservationID string, p closing.Progress, failure string) error {
	return s.db.Exec(ctx, `
		UPDATE day_cancellations SET progress = $2, failure = $3 WHERE reservation_id = $1 AND progress = 'pending'`,
		reservationID, string(p), failure)
}
