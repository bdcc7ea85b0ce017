package db

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/db/pg"
)

// prolongWindows leaves the payment windows of a reservation open for as long as its hold lasts, in the statement that
// prolongs it.
const prolongWindows = `
			WITH windows AS (
				UPDATE payments
				SET expires_at = $2
				WHERE reservation_id = $1 AND state = 'started'
			)`

// Extend prolongs a hold by what was agreed when the reservation was made, once. Returns booking.ErrNotFound when it is
// not the diner's, and the errors of booking.Reservation.CheckExtension.
func (s *ReservationStore) Extend(ctx context.Context, id, userID string) (booking.Reservation, error) {
	return s.step(ctx, id, func(ctx context.Context, t *pg.Tx, r lockedReservation) (booking.Reservation, error) {
		if r.UserID != userID {
			return r.Reservation, booking.ErrNotFound
		}
		confirmed, err := pg.One[bool](ctx, t, `SELECT email_confirmed_at IS NOT NULL FROM users WHERE id = $1`, userID)
		if err == nil {
			err = r.CheckExtension(confirmed, r.Now)
		}
		if err != nil {
			return r.Reservation, err
		}
		r.Reservation = r.See()
		r.Extended, r.HoldExpiresAt = true, r.HoldExpiresAt.Add(r.Policy.Extension())
		return r.Reservation, t.Touch(ctx, errChanged, prolongWindows+`
			UPDATE reservations
			SET hold_expires_at = $2, seen_expires_at = NULL, extended_at = clock_timestamp()
			WHERE id = $1 AND state = 'temporary' AND extended_at IS NULL`, id, r.HoldExpiresAt)
	})
}
