// Package seed stores what an operator brings in rather than a diner: restaurants, their staff, diners by the thousand,
// the demo, a country.
package seed

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/db"
	"lunchgo/db/catalog"
	"lunchgo/db/pg"
)

// Store implements seed.Store, seed.CountryStore and show.Store.
type Store struct {
	db *pg.Pool
}

// NewStore returns the seeding of a database.
func NewStore(db *pg.Pool) *Store { return &Store{db: db} }

// PutRestaurant stores a restaurant with its hours, closures and menu, or brings the one with its slug up to date:
// hours are replaced, closures are added, menu items are replaced by position and retain their ids, as seats do by
// their labels. Returns its id. Instances that put the same restaurant at once do so one after another.
func (s *Store) PutRestaurant(ctx context.Context, r booking.Restaurant, menu []booking.MenuItem) (int64, error) {
	query, args, err := catalog.BindRestaurant(s.db, catalog.UpsertRestaurant, r)
	if err != nil {
		return 0, err
	}
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (int64, error) {
		id, err := pg.One[int64](ctx, t, query, args...)
		if err != nil {
			return id, err
		}
		return id, catalog.PutContents(ctx, t, id, r, menu)
	})
}

// PutStaff makes a user staff of a restaurant, or changes the role.
func (s *Store) PutStaff(ctx context.Context, userID string, m identity.Membership) error {
	return s.db.Exec(ctx, `
		INSERT INTO staff_members (restaurant_id, user_id, role)
		VALUES ($1, $2, $3)
		ON CONFLICT ON CONSTRAINT staff_members_pk DO UPDATE SET role = excluded.role`,
		m.RestaurantID, userID, string(m.Role))
}

// FreeShadow ends all reservations of a shadow restaurant that hold seats: what was not paid is cancelled, what was
// paid is completed. Returns booking.ErrNotFound for a restaurant that is not a shadow.
func (s *Store) FreeShadow(ctx context.Context, restaurantID int64) error {
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
		),` + db.ReturnTaken + `
		SELECT`
}
