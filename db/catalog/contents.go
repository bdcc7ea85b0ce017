package catalog

import (
	"context"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/db/pg"
)

// PutContents stores what belongs to a restaurant: hours are replaced, closures are added, menu items are replaced by
// position and retain their ids, as seats do by their labels.
func PutContents(ctx context.Context, t *pg.Tx, id int64, r booking.Restaurant, menu []booking.MenuItem) error {
	if err := PutHours(ctx, t, id, r.Hours); err != nil {
		return err
	}
	if err := putClosures(ctx, t, id, r.Closures); err != nil {
		return err
	}
	if err := putSeats(ctx, t, id, r); err != nil {
		return err
	}
	return putMenu(ctx, t, id, r, menu)
}

// PutHours replaces the opening hours of a restaurant.
func PutHours(ctx context.Context, t *pg.Tx, restaurantID int64, hours []booking.Opening) error {
	var weekdays pq.Int64Array
	var first, last, services pq.StringArray
	for _, h := range hours {
		weekdays, services = append(weekdays, int64(h.Weekday)), append(services, h.Service)
		first, last = append(first, string(h.From)), append(last, string(h.Last))
	}
	if _, err := t.Exec(ctx, `DELETE FROM opening_hours WHERE restaurant_id = $1`, restaurantID); err != nil {
		return err
	}
	return t.Run(ctx, `
		INSERT INTO opening_hours (restaurant_id, weekday, first_time, last_time, service)
		SELECT $1, weekday, first_time, last_time, service
		FROM unnest($2::smallint[], $3::time[], $4::time[], $5::text[]) AS h (weekday, first_time, last_time, service)`,
		restaurantID, weekdays, first, last, services)
}

// putClosures adds days on which a restaurant is closed.
func putClosures(ctx context.Context, t *pg.Tx, restaurantID int64, closures []booking.Date) error {
	var dates pq.StringArray
	for _, date := range closures {
		dates = append(dates, string(date))
	}
	return t.Run(ctx, `
		INSERT INTO closures (restaurant_id, closed_on)
		SELECT $1, closed_on
		FROM unnest($2::date[]) AS c (closed_on)
		ON CONFLICT DO NOTHING`, restaurantID, dates)
}

// ReplaceSpecialDays replaces the days on which a restaurant has other hours.
func ReplaceSpecialDays(ctx context.Context, t *pg.Tx, r booking.Restaurant) error {
	if _, err := t.Exec(ctx, `DELETE FROM special_hours WHERE restaurant_id = $1`, r.ID); err != nil {
		return err
	}
	return t.Run(ctx, `
		INSERT INTO special_hours (restaurant_id, opens_on, spans)
		SELECT $1, date, spans
		FROM jsonb_to_recordset($2::jsonb) AS d (date date, spans jsonb)`, r.ID,
		pg.JSON(r.SpecialDays))
}

// ReplaceClosures replaces the days on which a restaurant is closed, with their reasons.
func ReplaceClosures(ctx context.Context, t *pg.Tx, r booking.Restaurant) error {
	if _, err := t.Exec(ctx, `DELETE FROM closures WHERE restaurant_id = $1`, r.ID); err != nil {
		return err
	}
	if err := putClosures(ctx, t, r.ID, r.Closures); err != nil {
		return err
	}
	if len(r.ClosureReasons) == 0 {
		return nil
	}
	return t.Run(ctx, `
		UPDATE closures c
		SET reason = said.value
		FROM json_each_text($2::json) said
		WHERE c.restaurant_id = $1 AND c.closed_on = said.key::date`, r.ID, pg.JSON(r.ClosureReasons))
}
