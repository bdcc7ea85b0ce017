package db

import (
	"context"

	"lunchgo/app/booking"
)

// Arrival is where a reservation's ticket stood in line, in the order in which reservations were decided.
type Arrival struct {
	ReservationID string        `db:"id"`
	Number        int64         `db:"arrival"` // of the line
	PartySize     int           `db:"party_size"`
	State         booking.State `db:"state"`
}

// ListArrivals returns the reservations of a slot in the order in which they were decided. A load test holds their numbers
// against the line's promise: they rise.
func (s *SlotStore) ListArrivals(ctx context.Context, slot booking.SlotKey) ([]Arrival, error) {
	var arrivals []Arrival
	err := s.db.list(ctx, &arrivals, `
		SELECT r.id, r.arrival, r.party_size, r.state
		FROM slots s
		JOIN reservations r ON r.slot_id = s.id
		WHERE s.restaurant_id = $1 AND s.service_date = $2::date AND s.service_time = $3::time
		ORDER BY r.ordinal`, slot.RestaurantID, string(slot.Date), string(slot.Time))
	return arrivals, err
}
