// Package catalog stores restaurants with their hours, closures, menus and seats.
package catalog

import (
	"context"
	"fmt"

	"lunchgo/app/booking"
	"lunchgo/db/pg"
)

// Store implements reserve.CatalogStore.
type Store struct {
	db *pg.Pool
}

// NewStore returns the restaurants and menus stored in db.
func NewStore(db *pg.Pool) *Store { return &Store{db: db} }

// restaurantRow is a restaurant without its place, with its time zone.
type restaurantRow struct {
	booking.Restaurant
	TimeZone string
}

var selectRestaurants = `
	SELECT p.id, p.slug, ` + eachColumn(`p.% AS "@"`) + `, p.shadow, p.state = 'draft' AS draft,
		p.unpublished_at IS NOT NULL AS unpublished, p.stopped_at IS NOT NULL AS stopped, p.stop_reason,
		(
			SELECT json_agg(json_build_object(
				'weekday', h.weekday,
				'service', h.service,
				'from', to_char(h.first_time, 'HH24:MI'),
				'last', to_char(h.last_time, 'HH24:MI')) ORDER BY h.weekday, h.first_time)
			FROM opening_hours h
			WHERE h.restaurant_id = p.id
		) AS hours,
		(
			SELECT array_agg(to_char(c.closed_on, 'YYYY-MM-DD') ORDER BY c.closed_on)
			FROM closures c
			WHERE c.restaurant_id = p.id
		) AS closures,
		(
			SELECT json_object_agg(to_char(c.closed_on, 'YYYY-MM-DD'), c.reason)
			FROM closures c
			WHERE c.restaurant_id = p.id AND c.reason <> ''
		) AS closure_reasons,
		(
			SELECT json_agg(json_build_object('date', to_char(d.opens_on, 'YYYY-MM-DD'), 'spans', d.spans) ORDER BY d.opens_on)
			FROM special_hours d
			WHERE d.restaurant_id = p.id
		) AS special_days,
		` + RestaurantSeats + ` AS seats, p.floor,
		COALESCE(rated.stars, 0) AS "rating.stars", COALESCE(rated.reviews, 0) AS "rating.reviews"
	FROM restaurants p
	LEFT JOIN ratings rated ON rated.restaurant_id = p.id `

// published restaurants are all that the catalogue knows: a draft does not exist for anybody who asks it, and so is
// neither found nor booked.
const published = `p.state = 'published'`

// listed restaurants are all that diners find. One that is published no more is at work for who has a reservation.
const listed = `NOT p.shadow AND ` + published + ` AND p.unpublished_at IS NULL`

// ListRestaurants returns all that are listed to diners, by id.
func (s *Store) ListRestaurants(ctx context.Context) ([]booking.Restaurant, error) {
	var rows []restaurantRow
	if err := s.db.List(ctx, &rows, selectRestaurants+`WHERE `+listed+` ORDER BY p.id`); err != nil {
		return nil, err
	}
	restaurants := make([]booking.Restaurant, 0, len(rows))
	for _, row := range rows {
		r, err := located(row)
		if err != nil {
			return nil, err
		}
		restaurants = append(restaurants, r)
	}
	return restaurants, nil
}

// ListRatings implements reserve.CatalogStore.
func (s *Store) ListRatings(ctx context.Context) (map[int64]booking.Rating, error) {
	type ratingRow struct {
		booking.Rating
		RestaurantID int64
	}
	byRestaurant := func(row ratingRow) (int64, booking.Rating) { return row.RestaurantID, row.Rating }
	return pg.Mapped(ctx, s.db, byRestaurant, `SELECT restaurant_id, stars, reviews FROM ratings`)
}

// Version returns the number of rows and the sum of their transactions, for each table of the catalogue: a change makes
// the sum greater, and a row that goes is missing in the number.
func (s *Store) Version(ctx context.Context) (string, error) {
	return pg.One[string](ctx, s.db, `
		SELECT string_agg(rows || ':' || transactions, ' ' ORDER BY part)
		FROM (
			SELECT 1 AS part, count(*) AS rows, COALESCE(sum(xmin::text::bigint), 0) AS transactions FROM restaurants
			UNION ALL SELECT 2, count(*), COALESCE(sum(xmin::text::bigint), 0) FROM opening_hours
			UNION ALL SELECT 3, count(*), COALESCE(sum(xmin::text::bigint), 0) FROM special_hours
			UNION ALL SELECT 4, count(*), COALESCE(sum(xmin::text::bigint), 0) FROM closures
			UNION ALL SELECT 5, count(*), COALESCE(sum(xmin::text::bigint), 0) FROM seats
			UNION ALL SELECT 6, count(*), COALESCE(sum(xmin::text::bigint), 0) FROM seat_partners
			UNION ALL SELECT 7, count(*), COALESCE(sum(xmin::text::bigint), 0) FROM menu_items
		) parts`)
}

// FindRestaurant returns booking.ErrNotFound if none is published with that id. It finds shadow restaurants and those
// that an operator has unpublished too.
func (s *Store) FindRestaurant(ctx context.Context, id int64) (booking.Restaurant, error) {
	return find(ctx, s.db, selectRestaurants+`WHERE p.id = $1 AND `+published, id)
}

// FindRestaurantBySlug returns a restaurant by its slug or one that it had before, and booking.ErrNotFound if none is
// published, or an operator has unpublished it.
func (s *Store) FindRestaurantBySlug(ctx context.Context, slug string) (booking.Restaurant, error) {
	return find(ctx, s.db, selectRestaurants+`
		WHERE p.id IN (SELECT id FROM restaurants WHERE slug = $1 UNION ALL
			SELECT restaurant_id FROM earlier_slugs WHERE slug = $1) AND p.unpublished_at IS NULL AND `+published, slug)
}

// FindAtWork returns a restaurant as its staff see it: a draft too. Returns booking.ErrNotFound if there is none with
// that id.
func (s *Store) FindAtWork(ctx context.Context, id int64) (booking.Restaurant, error) {
	return find(ctx, s.db, selectRestaurants+`WHERE p.id = $1 AND NOT p.shadow`, id)
}

// FindRestaurant returns a restaurant as its row is in a transaction: a draft or a shadow too. Returns
// booking.ErrNotFound.
func FindRestaurant(ctx context.Context, t *pg.Tx, id int64) (booking.Restaurant, error) {
	return find(ctx, t, selectRestaurants+`WHERE p.id = $1`, id)
}

func find(ctx context.Context, from pg.Reader, query string, arg any) (booking.Restaurant, error) {
	row, err := pg.Find[restaurantRow](ctx, from, booking.ErrNotFound, query, arg)
	if err != nil {
		return booking.Restaurant{}, err
	}
	return located(row)
}

// located returns a restaurant at its place.
func located(row restaurantRow) (r booking.Restaurant, err error) {
	r = row.Restaurant
	for i, tier := range r.StayTiers {
		r.StayTiers[i] = tier.In(r.SlotMinutes)
	}
	if r.Location, err = LoadZone(row.TimeZone); err != nil {
		err = fmt.Errorf("catalog: restaurant %d: %w", r.ID, err)
	}
	return r, err
}
