package db

import (
	"context"
	"errors"
	"strings"

	"lunchgo/app/booking"
	"lunchgo/db/auditlog"
	"lunchgo/db/pg"
)

// FindMoveOffer implements reserve.ReservationStore.
func (s *ReservationStore) FindMoveOffer(ctx context.Context, reservationID string) (booking.MoveOffer, error) {
	return findMoveOffer(ctx, s.db, reservationID)
}

// findMoveOffer is FindMoveOffer. An offer stands while the reservation waits for its party at the time that it had
// then, and staff have not withdrawn it.
func findMoveOffer(ctx context.Context, from pg.Reader, reservationID string) (booking.MoveOffer, error) {
	offer, err := pg.Find[booking.MoveOffer](ctx, from, booking.ErrNoMoveOffer, `
		SELECT m.offered_date::text AS date, COALESCE(to_char(m.offered_time, 'HH24:MI'), '') AS time,
			m.offered_refund AS refund, m.staff_id, m.text, g.declined_at, g.withdrawn_at
		FROM guest_message_recipients g
		JOIN guest_messages m ON m.id = g.message_id AND m.offered_date IS NOT NULL
		JOIN reservations r ON r.id = g.reservation_id AND r.slot_id = g.slot_id
			AND r.state IN ('confirmed', 'prepaid_confirmed')
		WHERE g.reservation_id = $1 AND g.reached
		ORDER BY m.created_at DESC
		LIMIT 1`, reservationID)
	if err == nil {
		err = offer.Standing()
	}
	return offer, err
}

// offeredColumn says whether another time is offered for a reservation r, by an offer that stands.
const offeredColumn = `EXISTS (
				SELECT
				FROM guest_message_recipients g
				JOIN guest_messages m ON m.id = g.message_id AND m.offered_date IS NOT NULL
				WHERE g.reservation_id = r.id AND g.slot_id = r.slot_id AND g.reached AND g.withdrawn_at IS NULL
			) AS offered`

// DeclineMoveOffer implements reserve.ReservationStore.
func (s *ReservationStore) DeclineMoveOffer(ctx context.Context, reservationID string) error {
	return s.db.Exec(ctx, `
		UPDATE guest_message_recipients g
		SET declined_at = clock_timestamp()
		FROM guest_messages m
		WHERE g.reservation_id = $1 AND m.id = g.message_id AND m.offered_date IS NOT NULL AND g.declined_at IS NULL`,
		reservationID)
}

// WithdrawMoveOffer implements reserve.ReservationStore. Whoever takes the time locks the reservation too, and looks at
// the offer under that lock: one of the two comes first.
func (s *ReservationStore) WithdrawMoveOffer(ctx context.Context, id, staffID string) (booking.Reservation, error) {
	return s.step(ctx, id, func(ctx context.Context, t *pg.Tx, r lockedReservation) (booking.Reservation, error) {
		offer, err := findMoveOffer(ctx, t, id)
		if errors.Is(err, booking.ErrOfferWithdrawn) {
			return r.Reservation, nil
		}
		if err == nil {
			err = t.Run(ctx, t.Pool.Guarded(WithdrawOffer, `
				UPDATE guest_message_recipients g
				SET withdrawn_at = clock_timestamp()
				FROM guest_messages m
				WHERE g.reservation_id = $1 AND m.id = g.message_id AND m.offered_date IS NOT NULL
					AND g.withdrawn_at IS NULL`), id)
		}
		if err == nil {
			err = auditlog.Write(ctx, t, r.act(staffID, "reservation.offer_withdrawn", map[string]any{
				"offered_time": strings.TrimSpace(string(offer.Date) + " " + string(offer.Time))}))
		}
		return r.Reservation, err
	})
}

// CancelOffered implements reserve.ReservationStore. The reason is what staff wrote with the offer.
func (s *ReservationStore) CancelOffered(ctx context.Context, id, staffID string) (booking.Reservation, error) {
	return s.cancel(ctx, id, func(ctx context.Context, t *pg.Tx, r lockedReservation) (booking.Cancellation, error) {
		offer, err := findMoveOffer(ctx, t, id)
		if err == nil && !offer.Refund {
			err = booking.ErrNoMoveOffer
		}
		if err != nil {
			return booking.Cancellation{}, err
		}
		return r.cancelByStaff(ctx, t, staffID, offer.Text)
	})
}
