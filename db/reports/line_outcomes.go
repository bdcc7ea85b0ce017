package reports

import (
	"context"

	"github.com/lib/pq"

	"lunchgo/app/booking"
)

// AddTallies adds how requests for slots ended to what is stored, in one statement; those of load tests are left out.
// Rows are taken in one order, so that processes that add at once wait for each other and do not block each other.
func (s *Store) AddTallies(ctx context.Context, counted []booking.Tally) error {
	var restaurants pq.Int64Array
	var dates, times pq.StringArray
	var served, soldOut, left, timedOut, refused pq.Int64Array
	for _, t := range counted {
		restaurants = append(restaurants, t.Slot.RestaurantID)
		dates, times = append(dates, string(t.Slot.Date)), append(times, string(t.Slot.Time))
		served, soldOut, left = append(served, int64(t.Served)), append(soldOut, int64(t.SoldOut)),
			append(left, int64(t.Left))
		timedOut, refused = append(timedOut, int64(t.TimedOut)), append(refused, int64(t.Refused))
	}
	return s.db.Exec(ctx, `
		INSERT INTO line_outcomes AS known (restaurant_id, service_date, service_time, served, sold_out, left_line, timed_out, refused)
		SELECT p.id, t.day, t.at, t.served, t.sold_out, t.left_line, t.timed_out, t.refused
		FROM unnest($1::bigint[], $2::date[], $3::time[], $4::int[], $5::int[], $6::int[], $7::int[], $8::int[])
			AS t (restaurant_id, day, at, served, sold_out, left_line, timed_out, refused)
		JOIN restaurants p ON p.id = t.restaurant_id AND NOT p.shadow
		ORDER BY p.id, t.day, t.at
		ON CONFLICT ON CONSTRAINT line_outcomes_pk DO UPDATE
		SET served = known.served + excluded.served, sold_out = known.sold_out + excluded.sold_out,
			left_line = known.left_line + excluded.left_line, timed_out = known.timed_out + excluded.timed_out,
			refused = known.refused + excluded.refused`,
		restaurants, dates, times, served, soldOut, left, timedOut, refused)
}
