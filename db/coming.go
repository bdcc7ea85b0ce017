package db

import (
	"context"

	"lunchgo/app/booking"
)

// NoteComing implements reserve.ReservationStore. What was said first stays.
func (s *ReservationStore) NoteComing(ctx context.Context, id string) error {
	return s.db.inTx(ctx, func(ctx context.Context, t *tx) error {
		r, err := s.lock(ctx, t, id)
		if err == nil && !r.State.IsConfirmed() {
			err = booking.ErrWrongState
		}
		if err != nil {
			return err
		}
		return t.run(ctx, `
			UPDATE reservations
			SET coming_at = clock_timestamp()
			WHERE id = $1 AND coming_at IS NULL`, id)
	})
}
