package db

import (
	"context"

	"lunchgo/app/booking"
)

// AddCompanion implements reserve.ReservationStore. The lock of the reservation lets one be counted at a time.
func (s *ReservationStore) AddCompanion(ctx context.Context, id string, c booking.Companion) error {
	return s.db.inTx(ctx, func(ctx context.Context, t *tx) error {
		locked, err := s.lock(ctx, t, id)
		if err != nil {
			return err
		}
		with, err := locked.AddCompanion(c)
		if err != nil {
			return err
		}
		_, err = t.exec(ctx, s.db.guarded(storeCompanions, `UPDATE reservations SET companions = $2 WHERE id = $1`), id,
			asJSON{with.Companions})
		return err
	})
}
