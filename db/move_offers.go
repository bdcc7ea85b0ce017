package db

import (
	"context"

	"lunchgo/app/booking"
)

// FindMoveOffer implements reserve.ReservationStore. An offer stands while the reservation waits for its party at the
// time that it had then.
func (s *ReservationStore) FindMoveOffer(ctx context.Context, reservationID string) (booking.MoveOffer, error) {
	return find[booking.MoveOffer](ctx, s.db, booking.ErrNoMoveOffer, `
		SELECT m.offered_date::text AS date, COALESCE(to_char(m.offered_time, 'HH24:MI'), '') AS time,
			m.offered_refund AS refund, m.staff_id, m.text, g.declined_at
		FROM guest_message_recipients g
		JOIN guest_messages m ON m.id = g.message_id AND m.offered_date IS NOT NULL
		JOIN reservations r ON r.id = g.reservation_id AND r.slot_id = g.slot_id
			AND r.state IN ('confirmed', 'prepaid_confirmed')
		WHERE g.reservation_id = $1 AND g.reached
		ORDER BY m.created_at DESC
		LIMIT 1`, reservationID)
}

// DeclineMoveOffer implements reserve.ReservationStore.
func (s *ReservationStore) DeclineMoveOffer(ctx context.Context, reservationID string) error {
	return s.db.exec(ctx, `
		UPDATE guest_message_recipients g
		SET declined_at = clock_timestamp()
		FROM guest_messages m
		WHERE g.reservation_id = $1 AND m.id = g.message_id AND m.offered_date IS NOT NULL AND g.declined_at IS NULL`,
		reservationID)
}
