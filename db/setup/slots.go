package setup

import (
	"context"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/app/setup"
	"lunchgo/db/columns"
	"lunchgo/db/pg"
)

// followCapacity gives the coming slots that had the restaurant's capacity its new one, or what their guests need if
// that is more. Slots that staff gave another capacity keep it. It locks the slots before it reads their guests: in one
// statement the guests would be read as they were before the lock.
func followCapacity(ctx context.Context, t *pg.Tx, was, next booking.Restaurant) ([]booking.SlotKey, error) {
	if was.Capacity == next.Capacity {
		return nil, nil
	}
	var ids pq.Int64Array
	err := t.List(ctx, &ids, `
		SELECT id
		FROM slots
		WHERE restaurant_id = $1 AND capacity = $2 AND service_date >= (now() AT TIME ZONE $3)::date
		ORDER BY service_date, service_time
		FOR UPDATE`, next.ID, was.Capacity, next.Location.String())
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	var slots []booking.SlotKey
	err = t.List(ctx, &slots, `
		UPDATE slots s
		SET capacity = GREATEST($2, (
			SELECT COALESCE(sum(o.party_size), 0)
			FROM occupations o
			WHERE o.slot_id = s.id AND o.state IN `+columns.HoldingStates+`
		))
		WHERE s.id = ANY($1)
		RETURNING s.restaurant_id, to_char(s.service_date, 'YYYY-MM-DD') AS date,
			to_char(s.service_time, 'HH24:MI') AS time`,
		ids, next.Capacity)
	return slots, err
}

// comingSlots are the slots of a restaurant from today on that have a row.
func comingSlots(ctx context.Context, t *pg.Tx, r booking.Restaurant) ([]booking.SlotKey, error) {
	return pg.List[booking.SlotKey](ctx, t, `
		SELECT restaurant_id, to_char(service_date, 'YYYY-MM-DD') AS date, to_char(service_time, 'HH24:MI') AS time
		FROM slots
		WHERE restaurant_id = $1 AND service_date >= (now() AT TIME ZONE $2)::date`, r.ID, r.Location.String())
}

// ListBooked implements setup.Store.
func (s *DocumentStore) ListBooked(ctx context.Context, restaurantID int64, from booking.Date) ([]setup.Booked, error) {
	return pg.List[setup.Booked](ctx, s.db, `
		SELECT r.id, `+columns.SlotKey+`,
			`+columns.FurtherTimes+` AS stay, `+columns.SlotMinutes+` AS minutes, r.party_size, r.state,
			r.paid_amount AS paid,
			COALESCE(r.guest_name, u.name, '') AS name, s.opens_at
		FROM slots s
		JOIN reservations r ON r.slot_id = s.id
		JOIN restaurants p ON p.id = s.restaurant_id
		LEFT JOIN users u ON u.id = r.user_id
		WHERE s.restaurant_id = $1 AND s.service_date >= $2::date
			AND r.state IN ('temporary', 'confirmed', 'prepaid_confirmed')
			AND (s.service_date + s.service_time) AT TIME ZONE p.time_zone > now()
		ORDER BY s.service_date, s.service_time, r.ordinal`, restaurantID, string(from))
}
