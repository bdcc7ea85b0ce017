package seed

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/app/identity"
	"lunchgo/app/seed"
	"lunchgo/db/catalog"
	"lunchgo/db/coupons"
	"lunchgo/db/pg"
	"lunchgo/db/team"
)

// The methods in this file load the demo. They add what is not there and leave what is: people may have changed it.

// AddRestaurant stores a restaurant with its hours, closures, seats, menu and staff, all of it or nothing, unless there
// is one with its slug, which it leaves as it is. Returns the id of either.
func (s *Store) AddRestaurant(ctx context.Context, r booking.Restaurant, menu []booking.MenuItem,
	staff map[string]identity.Role) (int64, error) {
	query, args, err := catalog.BindRestaurant(s.db, catalog.InsertRestaurant+`
		ON CONFLICT ON CONSTRAINT restaurants_slug_unique DO NOTHING
		RETURNING id`, r)
	if err != nil {
		return 0, err
	}
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (int64, error) {
		id, err := pg.One[int64](ctx, t, query, args...)
		if errors.Is(err, sql.ErrNoRows) {
			return pg.One[int64](ctx, t, `SELECT id FROM restaurants WHERE slug = $1`, r.Slug)
		}
		if err != nil {
			return id, err
		}
		for userID, role := range staff {
			if err := team.AddMember(ctx, t, userID, identity.Membership{RestaurantID: id, Role: role}); err != nil {
				return id, err
			}
		}
		return id, catalog.PutContents(ctx, t, id, r, menu)
	})
}

// AddDemoUser stores a user of the demo, whose address counts as confirmed. Returns identity.ErrEmailTaken if the
// address is in use.
func (s *Store) AddDemoUser(ctx context.Context, u identity.User) error {
	return s.db.Exec(ctx, `
		INSERT INTO users (id, email, name, phone, password_hash, operator, demo, email_confirmed_at)
		VALUES ($1, $2, $3, $4, $5, $6, true, clock_timestamp())`,
		u.ID, strings.ToLower(u.Email), u.Name, u.Phone, u.PasswordHash, u.Operator)
}

// Crowd implements show.Store.
func (s *Store) Crowd(ctx context.Context, names []string) ([]string, error) {
	return pg.List[string](ctx, s.db, `
		WITH crowd AS (
			SELECT 'crowd-' || n AS id, name
			FROM unnest($1::text[]) WITH ORDINALITY AS named (name, n)
		), made AS (
			INSERT INTO users (id, email, name, phone, password_hash, demo, email_confirmed_at)
			SELECT id, id || '@crowd.lunchgo.example', name, '010-0000-0000', $2, true, clock_timestamp()
			FROM crowd
			ON CONFLICT (id) DO NOTHING
		)
		SELECT id FROM crowd`, pq.Array(names), identity.NoPassword)
}

// AddCampaign stores a campaign unless there is one with its slug, which it leaves as it is.
func (s *Store) AddCampaign(ctx context.Context, c coupon.Campaign) error {
	return s.db.Exec(ctx, coupons.Insert+`
		ON CONFLICT ON CONSTRAINT coupons_slug_unique DO NOTHING`, coupons.Values(c)...)
}

// AddReviewedVisit stores a completed visit that cost nothing, with its review, or leaves the one with its id as it is.
// Whoever liked it more stayed for longer.
func (s *Store) AddReviewedVisit(ctx context.Context, v seed.ReviewedVisit) error {
	return s.db.Exec(ctx, `
		WITH slot AS (
			INSERT INTO slots (restaurant_id, service_date, service_time, capacity)
			SELECT id, $3::date, $4::time, capacity
			FROM restaurants
			WHERE id = $2 AND NOT EXISTS (SELECT FROM reservations WHERE id = $1)
			ON CONFLICT ON CONSTRAINT slots_one_per_time DO UPDATE SET closed = slots.closed
			RETURNING id, restaurant_id
		), visit AS (
			INSERT INTO reservations (id, slot_id, restaurant_id, user_id, party_size, state, hold_expires_at, deposit_amount,
				menu_amount, policy, idempotency_key, fence, seated_at, ended_at)
			SELECT $1, slot.id, slot.restaurant_id, $5, 2, 'completed', $3::date, 0, 0, '{}', $1, 0, start.at,
				start.at + make_interval(mins => 50 + 7 * $6)
			FROM slot
			JOIN restaurants p ON p.id = slot.restaurant_id
			CROSS JOIN LATERAL (SELECT ($3::date + $4::time) AT TIME ZONE p.time_zone AS at) start
			ON CONFLICT (id) DO NOTHING
			RETURNING id, restaurant_id, user_id
		)
		INSERT INTO reviews (reservation_id, restaurant_id, user_id, visited_on, stars, text, answer, answered_at)
		SELECT id, restaurant_id, user_id, $3::date, $6, $7, $8, CASE WHEN $8 <> '' THEN clock_timestamp() END
		FROM visit`, v.ID, v.Slot.RestaurantID, string(v.Slot.Date), string(v.Slot.Time), v.UserID, v.Stars, v.Text,
		v.Answer)
}

// AddPastVisits stores visits in one statement, or leaves those with their ids as they are. What diners paid as
// deposits comes into their wallets first, so that what they have stays.
func (s *Store) AddPastVisits(ctx context.Context, visits []seed.PastVisit) error {
	return s.db.Exec(ctx, `
		WITH input AS (
			SELECT v.*
			FROM json_to_recordset($1::json) AS v (
				id text, restaurant bigint, date date, time time, source text, user_id text, guest_name text,
				guest_phone text, booked_by text, party integer, no_show boolean, deposit bigint, minutes integer, seat_ids json)
			WHERE NOT EXISTS (SELECT FROM reservations WHERE id = v.id)
		), slot AS (
			INSERT INTO slots (restaurant_id, service_date, service_time, capacity)
			SELECT DISTINCT input.restaurant, date, time, p.capacity
			FROM input
			JOIN restaurants p ON p.id = input.restaurant
			ORDER BY date, time
			ON CONFLICT ON CONSTRAINT slots_one_per_time DO UPDATE SET closed = slots.closed
			RETURNING id, restaurant_id, service_date, service_time
		), visit AS (
			INSERT INTO reservations (id, slot_id, restaurant_id, user_id, source, guest_name, guest_phone, booked_by,
				party_size, state, hold_expires_at, deposit_amount, menu_amount, paid_amount, payment_kind, policy,
				idempotency_key, fence, created_at, confirmed_at, seated_at, ended_at)
			SELECT v.id, slot.id, slot.restaurant_id, v.user_id, v.source, v.guest_name, v.guest_phone, v.booked_by,
				v.party, CASE WHEN v.no_show THEN 'no_show' ELSE 'completed' END, start.at, v.deposit, 0,
				v.deposit, CASE WHEN v.deposit > 0 THEN 'deposit' ELSE '' END, '{}', v.id, 0, booked.at, booked.at,
					CASE WHEN NOT v.no_show THEN start.at END, start.at + make_interval(mins => v.minutes)
			FROM input v
			JOIN slot ON slot.restaurant_id = v.restaurant AND slot.service_date = v.date AND slot.service_time = v.time
			JOIN restaurants p ON p.id = v.restaurant
			CROSS JOIN LATERAL (SELECT (v.date + v.time) AT TIME ZONE p.time_zone AS at) start
			CROSS JOIN LATERAL (
				SELECT start.at - CASE WHEN v.source = 'walk_in' THEN interval '0'
					ELSE interval '3 days' + make_interval(mins => hashtext(v.id) & 4095) END AS at
			) booked
			ON CONFLICT (id) DO NOTHING
			RETURNING id, slot_id, restaurant_id, user_id, paid_amount, created_at
		), paid AS (
			SELECT id, user_id, paid_amount, created_at,
				row_number() OVER (PARTITION BY user_id ORDER BY created_at, id) AS number,
				sum(paid_amount) OVER (PARTITION BY user_id ORDER BY created_at, id) AS so_far
			FROM visit
			WHERE paid_amount > 0
		), payers AS (
			SELECT user_id, count(*) AS visits, sum(paid_amount) AS total, min(id) AS first
			FROM paid
			GROUP BY user_id
		), wallet AS (
			INSERT INTO accounts (user_id, balance, version)
			SELECT user_id, 0, visits + 1
			FROM payers
			ORDER BY user_id
			ON CONFLICT (user_id) DO UPDATE SET version = accounts.version + excluded.version
			RETURNING user_id, balance, version
		), ledger AS (
			INSERT INTO ledger_entries (user_id, version, amount, kind, reservation_id, idempotency_key, balance_after)
			SELECT user_id, wallet.version - visits, total, 'charge', NULL, 'charge of ' || first, balance + total
			FROM payers
			JOIN wallet USING (user_id)
			UNION ALL
			SELECT user_id, wallet.version - visits + number, -paid_amount, 'deposit', id, 'deposit of ' || id,
				balance + total - so_far
			FROM paid
			JOIN payers USING (user_id)
			JOIN wallet USING (user_id)
			ORDER BY 1, 2
		)
		INSERT INTO reservation_seats (reservation_id, slot_id, restaurant_id, seat_id, held)
		SELECT visit.id, visit.slot_id, visit.restaurant_id, seat.id::bigint, false
		FROM visit
		JOIN input ON input.id = visit.id
		CROSS JOIN json_array_elements_text(input.seat_ids) AS seat (id)`, pg.JSON(visits))
}
