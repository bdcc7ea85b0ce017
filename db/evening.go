package db

import (
	"context"

	"lunchgo/app/booking"
	evenings "lunchgo/app/evening"
)

// sourceWeb is how diners book.
const sourceWeb = "web"

type eveningRow struct {
	guestRow
	FirstVisit bool `db:"first_visit"`
}

// ListParties implements evening.Store. A first visit is one before which the guest has had no stay at the restaurant.
func (s *ReservationStore) ListParties(ctx context.Context, restaurantID int64, date booking.Date) ([]evenings.Party, error) {
	var rows []eveningRow
	err := s.db.list(ctx, &rows, `
		SELECT `+reservationColumns+`, u.name AS guest_name, u.phone AS guest_phone, NOT EXISTS (
				SELECT
				FROM reservations visit
				JOIN slots earlier ON earlier.id = visit.slot_id
				WHERE visit.user_id = r.user_id AND visit.restaurant_id = r.restaurant_id
					AND visit.state IN ('arrived', 'seated', 'completed')
					AND earlier.service_date + earlier.service_time < s.service_date + s.service_time
			) AS first_visit
		FROM slots s
		JOIN reservations r ON r.slot_id = s.id
		JOIN users u ON u.id = r.user_id
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
		parties[i] = evenings.Party{Guest: guest, Source: sourceWeb, FirstVisit: row.FirstVisit}
	}
	return parties, nil
}
