package db

import (
	"context"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/db/pg"
)

// SeedStore writes what an operator brings in rather than a diner: restaurants, their staff, diners by the thousand.
type SeedStore struct {
	db *pg.Pool
}

// NewSeedStore returns the seeding of db.
func NewSeedStore(db *pg.Pool) *SeedStore { return &SeedStore{db: db} }

// PutRestaurant stores a restaurant with its hours, closures and menu, or brings the one with its slug up to date:
// hours are replaced, closures are added, menu items are replaced by position and retain their ids, as seats do by
// their labels. Returns its id. Instances that put the same restaurant at once do so one after another.
func (s *SeedStore) PutRestaurant(ctx context.Context, r booking.Restaurant, menu []booking.MenuItem) (int64, error) {
	query, args, err := bindRestaurant(s.db, upsertRestaurant, r)
	if err != nil {
		return 0, err
	}
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (int64, error) {
		id, err := pg.One[int64](ctx, t, query, args...)
		if err != nil {
			return id, err
		}
		return id, storeContents(ctx, t, id, r, menu)
	})
}

// storeContents stores what belongs to a restaurant.
func storeContents(ctx context.Context, t *pg.Tx, id int64, r booking.Restaurant, menu []booking.MenuItem) error {
	if err := putHours(ctx, t, id, r.Hours); err != nil {
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

func putHours(ctx context.Context, t *pg.Tx, restaurantID int64, hours []booking.Opening) error {
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

func putMenu(ctx context.Context, t *pg.Tx, restaurantID int64, r booking.Restaurant, menu []booking.MenuItem) error {
	placed := placedItems(menu)
	for i, item := range menu {
		placed[i].MenuItem, placed[i].ID = item.In(r.SlotMinutes), 0
	}
	return t.Run(ctx, seedItems, restaurantID, pg.JSON(placed))
}

// PutStaff makes a user staff of a restaurant, or changes the role.
func (s *SeedStore) PutStaff(ctx context.Context, userID string, m identity.Membership) error {
	return s.db.Exec(ctx, `
		INSERT INTO staff_members (restaurant_id, user_id, role)
		VALUES ($1, $2, $3)
		ON CONFLICT ON CONSTRAINT staff_members_pk DO UPDATE SET role = excluded.role`,
		m.RestaurantID, userID, string(m.Role))
}

// FreeShadow ends all reservations of a shadow restaurant that hold seats: what was not paid is cancelled, what was
// paid is completed. Returns booking.ErrNotFound for a restaurant that is not a shadow.
func (s *SeedStore) FreeShadow(ctx context.Context, restaurantID int64) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		err := t.Touch(ctx, booking.ErrNotFound, `SELECT id FROM restaurants WHERE id = $1 AND shadow`, restaurantID)
		if err != nil {
			return err
		}
		return t.Run(ctx, endAtShadows(`s.restaurant_id = $1`), restaurantID)
	})
}

// endAtShadows ends the reservations at shadow restaurants that hold seats and meet a condition.
func endAtShadows(condition string) string {
	return `
		WITH ended AS (
			UPDATE reservations r
			SET state = CASE r.state WHEN 'temporary' THEN 'cancelled' ELSE 'completed' END,
				ended_at = CASE r.state WHEN 'temporary' THEN NULL ELSE clock_timestamp() END
			FROM slots s
			JOIN restaurants p ON p.id = s.restaurant_id AND p.shadow
			WHERE r.slot_id = s.id AND ` + condition + `
				AND r.state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'arrived', 'seated')
			RETURNING r.id, r.slot_id, r.state
		), freed AS (
			SELECT id, slot_id FROM ended WHERE state = 'cancelled'
		),` + returnTaken + `
		SELECT`
}
