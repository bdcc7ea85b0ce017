package db

import (
	"context"

	"lunchgo/app/booking"
	evenings "lunchgo/app/evening"
)

type eveningRow struct {
	guestRow
	FirstVisit bool `db:"first_visit"`
}

// ListParties implements evening.Store. A first visit is one of an account that has had
// no stay at the restaurant before; of a guest without an account nobody knows.
func (s *ReservationStore) ListParties(ctx context.Context, restaurantID int64, date booking.Date) ([]evenings.Party, error) {
	var rows []eveningRow
	err := s.db.list(ctx, &rows, `
		SELECT `+reservationColumns+`, `+guestColumns+`, r.user_id IS NOT NULL AND NOT EXISTS (
				SELECT
				FROM reservations visit
				JOIN slots earlier ON earlier.id = visit.slot_id
				WHERE visit.user_id = r.user_id AND visit.restaurant_id = r.restaurant_id
					AND visit.state IN ('arrived', 'seated', 'completed')
					AND earlier.service_date + earlier.service_time < s.service_date + s.service_time
			) AS first_visit
		FROM slots s
		JOIN reservations r ON r.slot_id = s.id
		LEFT JOIN users u ON u.id = r.user_id
		WHERE s.restaurant_id = $1 AND s.service_date = $2::date
		ORDER BY s.service_time, r.ordinal`, restaurantID, string(date))
	if err != nil {
		return nil, err
	}
	parties := make([]evenings.Party, len(rows))
	for i, row := range rows {
		guest, err := row.guest()
		if err != nil {
			return nil, err
		}
		parties[i] = evenings.Party{Guest: guest, FirstVisit: row.FirstVisit}
	}
	return parties, nil
}

// FindByCode returns the id of the reservation with a code at a restaurant: the one whose date is closest to the given one, from
// the day before it on. Returns booking.ErrNotFound.
func (s *ReservationStore) FindByCode(ctx context.Context, restaurantID int64, date booking.Date, code string) (string, error) {
	var id string
	err := s.db.get(ctx, &id, `
		SELECT r.id
		FROM slots s
		JOIN reservations r ON r.slot_id = s.id
		WHERE s.restaurant_id = $1 AND s.service_date >= $2::date - 1 AND upper(left(r.id, length($3))) = $3
		ORDER BY abs(s.service_date - $2::date), r.ordinal DESC
		LIMIT 1`, restaurantID, string(date), code)
	return id, orNotFound(err, booking.ErrNotFound)
}
