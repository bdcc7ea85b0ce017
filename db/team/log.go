package team

import (
	"context"
	"strings"

	"lunchgo/app/keyset"
	"lunchgo/app/team"
	"lunchgo/db/pg"
)

// ListEntries implements team.Store. The names are those of now: of a deleted account there is none. Of an
// invitation it is the address, while that is stored.
func (s *Store) ListEntries(ctx context.Context, restaurantID int64, f team.LogFilter,
	page keyset.Request) (keyset.Page[team.Entry], error) {
	key := func(e team.Entry) keyset.Cursor { return keyset.Cursor{Number: e.ID} }
	return pg.Paged(ctx, s.db, page, key, keyset.Whole, `
		SELECT a.id, a.created_at AS at, a.staff_id AS by, by_whom.name AS by_name, a.action,
			COALESCE(s.service_date::text, '') AS slot_date, COALESCE(to_char(s.service_time, 'HH24:MI'), '') AS slot_time,
			COALESCE(a.reservation_id, '') AS reservation_id, COALESCE(r.guest_name, guest.name, '') AS guest,
			COALESCE(member.name, i.email, '') AS member, COALESCE(dish.name_ko, '') AS "dish.ko",
			COALESCE(dish.name_en, '') AS "dish.en",
			a.detail
		FROM audit_log a
		JOIN restaurants p ON p.id = a.restaurant_id
		JOIN users by_whom ON by_whom.id = a.staff_id
		LEFT JOIN slots s ON s.id = a.slot_id
		LEFT JOIN reservations r ON r.id = a.reservation_id
		LEFT JOIN users guest ON guest.id = r.user_id
		LEFT JOIN users member ON member.id = a.detail ->> 'member'
		LEFT JOIN staff_invitations i ON i.id = a.detail ->> 'invitation'
		LEFT JOIN menu_items dish ON dish.id = CASE a.action WHEN 'stock.set' THEN (a.detail ->> 'item')::bigint END
		WHERE a.restaurant_id = $1 AND a.id < $2
			AND ($4 = '' OR a.staff_id = $4)
			AND ($5 = '' OR split_part(a.action, '.', 1) = $5)
			AND ($6 = '' OR a.created_at >= $6::timestamp AT TIME ZONE p.time_zone
				AND a.created_at < ($6::timestamp + interval '1 day') AT TIME ZONE p.time_zone)
			AND ($7 = '' OR starts_with(upper(a.reservation_id), $7))
		ORDER BY a.id DESC
		LIMIT $3`, restaurantID, page.Below().Number, page.Rows(), f.By, f.Area, string(f.Date),
		strings.ToUpper(strings.TrimSpace(f.Reservation)))
}

// ListActors implements team.Store.
func (s *Store) ListActors(ctx context.Context, restaurantID int64) ([]team.Member, error) {
	return pg.List[team.Member](ctx, s.db, `
		SELECT u.id AS user_id, u.name, COALESCE(m.role, '') AS role
		FROM (SELECT DISTINCT staff_id FROM audit_log WHERE restaurant_id = $1) a
		JOIN users u ON u.id = a.staff_id
		LEFT JOIN staff_members m ON m.user_id = u.id AND m.restaurant_id = $1
		ORDER BY u.name, u.id`, restaurantID)
}

// ListAreas implements team.Store.
func (s *Store) ListAreas(ctx context.Context, restaurantID int64) ([]string, error) {
	return pg.List[string](ctx, s.db, `
		SELECT DISTINCT split_part(action, '.', 1) AS area
		FROM audit_log
		WHERE restaurant_id = $1
		ORDER BY area`, restaurantID)
}
