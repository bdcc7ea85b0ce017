package db

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/db/pg"
)

// AddCompanion implements reserve.ReservationStore.
func (s *ReservationStore) AddCompanion(ctx context.Context, id string, c booking.Companion) error {
	return s.changeCompanions(ctx, id, func(r booking.Reservation) (booking.Reservation, error) {
		return r.AddCompanion(c)
	})
}

// RemoveCompanion implements reserve.ReservationStore.
func (s *ReservationStore) RemoveCompanion(ctx context.Context, id string, c booking.Companion) error {
	return s.changeCompanions(ctx, id, func(r booking.Reservation) (booking.Reservation, error) {
		return r.RemoveCompanion(c), nil
	})
}

// changeCompanions stores what change makes of those of a reservation. Its lock lets one change them at a time.
func (s *ReservationStore) changeCompanions(ctx context.Context, id string,
	change func(booking.Reservation) (booking.Reservation, error)) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		locked, err := s.lock(ctx, t, id)
		if err != nil {
			return err
		}
		changed, err := change(locked.Reservation)
		if err != nil {
			return err
		}
		return t.Run(ctx, s.db.Guarded(StoreCompanions, `UPDATE reservations SET companions = $2 WHERE id = $1`), id,
			pg.JSON(changed.Companions))
	})
}
