package db

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/db/pg"
)

// NoteComing implements reserve.ReservationStore. What was said first stays.
func (s *ReservationStore) NoteComing(ctx context.Context, id string) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		r, err := s.lock(ctx, t, id)
		if err == nil && !r.State.IsConfirmed() {
			err = booking.ErrWrongState
		}
		if err != nil {
			return err
		}
		return t.Run(ctx, `
			UPDATE reservations
			SET coming_at = clock_timestamp()
			WHERE id = $1 AND coming_at IS NULL`, id)
	})
}
