package db

import (
	"context"

	"lunchgo/app/booking"
)

// Extend prolongs a hold by what was agreed when the reservation was made, once. Returns booking.ErrNotFound when it is
// not the diner's, and the errors of booking.Reservation.CheckExtension.
func (s *ReservationStore) Extend(ctx context.Context, id, userID string) (booking.Reservation, error) {
	var extended booking.Reservation
	err := s.db.inTx(ctx, func(ctx context.Context, t *tx) error {
		r, err := s.lock(ctx, t, id)
		switch {
		case err != nil:
			return err
		case r.UserID != userID:
			return booking.ErrNotFound
		}
		var confirmed bool
		if err := t.get(ctx, &confirmed, `SELECT email_confirmed_at IS NOT NULL FROM users WHERE id = $1`,
			userID); err != nil {
			return err
		}
		if err := r.CheckExtension(confirmed, r.Now); err != nil {
			return err
		}
		r.Reservation = r.See()
		r.Extended, r.HoldExpiresAt = true, r.HoldExpiresAt.Add(r.Policy.Extension())
		changed, err := t.exec(ctx, `
			UPDATE reservations
			SET hold_expires_at = $2, seen_expires_at = NULL, extended_at = clock_timestamp()
			WHERE id = $1 AND state = 'temporary' AND extended_at IS NULL`, id, r.HoldExpiresAt)
		if err == nil && changed != 1 {
			err = errChanged
		}
		extended = r.Reservation
		return err
	})
	if err != nil {
		return booking.Reservation{}, err
	}
	return extended, nil
}
