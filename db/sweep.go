package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/app/refusal"
	"lunchgo/db/columns"
	"lunchgo/db/pg"
)

// updateExpired frees the seats, dishes and coupons of holds that have ended, and has those guests written to whom
// staff asked for the deposit. statement_timestamp is the server's clock in a form that an index can be searched by. A
// reservation that its diner changed while the statement looked for it is left for the next one: this one would return
// the dishes of before.
const updateExpired = `
	WITH due AS (
		SELECT id, changes
		FROM reservations
		WHERE state = 'temporary' AND hold_expires_at <= statement_timestamp()
		ORDER BY hold_expires_at
		LIMIT $1
		FOR UPDATE SKIP LOCKED
	), freed AS (
		UPDATE reservations r
		SET state = 'expired'
		FROM due
		JOIN reservations seen ON seen.id = due.id AND seen.changes = due.changes
		WHERE r.id = due.id AND r.state = 'temporary'
		RETURNING r.id, r.slot_id, r.restaurant_id, r.user_id, r.booked_by
	), unpaid AS (
		INSERT INTO mails (kind, user_id, reservation_id)
		SELECT 'unpaid', freed.user_id, freed.id
		FROM freed
		JOIN restaurants p ON p.id = freed.restaurant_id AND NOT p.shadow
		WHERE freed.booked_by IS NOT NULL
	),` + ReturnTaken + slotsOfFreed

// slotsOfFreed returns the slots of reservations that a statement's CTE freed (id, slot_id) has just ended, each once.
const slotsOfFreed = `
	SELECT DISTINCT s.restaurant_id,
		to_char(s.service_date, 'YYYY-MM-DD') AS date, to_char(s.service_time, 'HH24:MI') AS time
	FROM freed
	CROSS JOIN LATERAL (
		SELECT freed.slot_id
		UNION ALL
		SELECT slot_id FROM reservation_stays WHERE reservation_id = freed.id
	) stay
	JOIN slots s ON s.id = stay.slot_id`

// ExpireHolds expires up to limit reservations whose hold has ended by the database's clock and returns their slots,
// each once. Several instances may call it at once: each passes over the rows that another holds, and over one that is
// being paid for at that moment.
func (s *ReservationStore) ExpireHolds(ctx context.Context, limit int) ([]booking.SlotKey, error) {
	return s.sweep(ctx, s.db.Guarded(ExpireHolds, updateExpired), limit)
}

// sweep runs a statement that ends up to limit reservations and returns their slots.
func (s *ReservationStore) sweep(ctx context.Context, statement string, args ...any) ([]booking.SlotKey, error) {
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) ([]booking.SlotKey, error) {
		return pg.List[booking.SlotKey](ctx, t, statement, args...)
	})
}

// SettleRefunds pays out up to limit pending refunds, oldest first, each in its own transaction, and returns the slots
// whose seats came free, each once. Several instances may call it at once. One that cannot be paid out stays pending
// and delays none of the others; its error is returned with the slots of the others.
func (s *ReservationStore) SettleRefunds(ctx context.Context, limit int) ([]booking.SlotKey, error) {
	var slots []booking.SlotKey
	var failed error
	seen, passed := map[booking.SlotKey]bool{}, pq.StringArray{}
	for range limit {
		refund, err := s.settleOne(ctx, passed)
		if errors.Is(err, sql.ErrNoRows) {
			break
		}
		if err != nil && (refund.ID == "" || errors.Is(err, refusal.ErrUnavailable)) {
			return slots, errors.Join(failed, err)
		}
		if err != nil {
			passed, failed = append(passed, refund.ID),
				errors.Join(failed, fmt.Errorf("db: refund of %s: %w", refund.ID, err))
			continue
		}
		for _, slot := range refund.Slots() {
			if !seen[slot] {
				seen[slot] = true
				slots = append(slots, slot)
			}
		}
	}
	return slots, failed
}

// settleOne pays out the oldest refund that no other transaction holds and that is not among passed. Returns
// sql.ErrNoRows when there is none.
func (s *ReservationStore) settleOne(ctx context.Context, passed pq.StringArray) (refund booking.Reservation,
	err error) {
	err = s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		err := t.Get(ctx, &refund, `
			WITH due AS (
				SELECT id
				FROM reservations
				WHERE state = 'refund_pending' AND id <> ALL ($1)
				ORDER BY ordinal
				LIMIT 1
				FOR UPDATE SKIP LOCKED
			)
			UPDATE reservations r
			SET state = 'refunded'
			FROM due, slots s
			WHERE r.id = due.id AND r.state = 'refund_pending' AND s.id = r.slot_id
			RETURNING r.id, r.user_id, r.refund_amount, `+columns.SlotKey+`, `+columns.FurtherTimes+` AS stay`, passed)
		if err != nil {
			return err
		}
		return postRefund(ctx, t, refund.UserID, refund.ID, refund.RefundAmount)
	})
	return refund, err
}
