package db

import (
	"context"
	"fmt"

	"lunchgo/app/booking"
	"lunchgo/db/pg"
)

// Catalog implements reserve.CatalogStore.
type Catalog struct {
	db *pg.Pool
}

// NewCatalog returns the restaurants and menus stored in db.
func NewCatalog(db *pg.Pool) *Catalog { return &Catalog{db: db} }

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
		` + restaurantSeats + ` AS seats, p.floor,
		COALESCE(rated.stars, 0) AS "rating.stars", COALESCE(rated.reviews, 0) AS "rating.reviews"
	FROM restaurants p
	LEFT JOIN ratings rated ON rated.restaurant_id = p.id `

// published restaurants are all that the catalogue knows: a draft does not exist for anybody who asks it, and so is
// neither found nor booked.
const published = `p.state = 'published'`

// listed restaurants are all that diners find. One that is published no more is at work for who has a reservation.
const listed = `NOT p.shadow AND ` + published + ` AND p.unpublished_at IS NULL`

// ListRestaurants returns all that are listed to diners, by id.
func (c *Catalog) ListRestaurants(ctx context.Context) ([]booking.Restaurant, error) {
	var rows []restaurantRow
	if err := c.db.List(ctx, &rows, selectRestaurants+`WHERE `+listed+` ORDER BY p.id`); err != nil {
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
func (c *Catalog) ListRatings(ctx context.Context) (map[int64]booking.Rating, error) {
	type ratingRow struct {
		booking.Rating
		RestaurantID int64
	}
	byRestaurant := func(row ratingRow) (int64, booking.Rating) { return row.RestaurantID, row.Rating }
	return pg.Mapped(ctx, c.db, byRestaurant, `SELECT restaurant_id, stars, reviews FROM ratings`)
}

// Version returns the number of rows and the sum of their transactions, for each table of the catalogue: a change makes
// the sum greater, and a row that goes is missing in the number.
func (c *Catalog) Version(ctx context.Context) (string, error) {
	return pg.One[string](ctx, c.db, `
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
func (c *Catalog) FindRestaurant(ctx context.Context, id int64) (booking.Restaurant, error) {
	return c.findOne(ctx, selectRestaurants+`WHERE p.id = $1 AND `+published, id)
}

// FindRestaurantBySlug returns a restaurant by its slug or one that it had before, and booking.ErrNotFound if none is
// published, or an operator has unpublished it.
func (c *Catalog) FindRestaurantBySlug(ctx context.Context, slug string) (booking.Restaurant, error) {
	return c.findOne(ctx, selectRestaurants+`
		WHERE p.id IN (SELECT id FROM restaurants WHERE slug = $1 UNION ALL
			SELECT restaurant_id FROM earlier_slugs WHERE slug = $1) AND p.unpublished_at IS NULL AND `+published, slug)
}

// FindAtWork returns a restaurant as its staff see it: a draft too. Returns booking.ErrNotFound if there is none with
// that id.
func (c *Catalog) FindAtWork(ctx context.Context, id int64) (booking.Restaurant, error) {
	return c.findOne(ctx, selectRestaurants+`WHERE p.id = $1 AND NOT p.shadow`, id)
}

func (c *Catalog) findOne(ctx context.Context, query string, arg any) (booking.Restaurant, error) {
	row, err := pg.Find[restaurantRow](ctx, c.db, booking.ErrNotFound, query, arg)
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
	if r.Location, err = loadZone(row.TimeZone); err != nil {
		err = fmt.Errorf("db: restaurant %d: %w", r.ID, err)
	}
	return r, err
}
