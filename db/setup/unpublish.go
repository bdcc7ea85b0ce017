package setup

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/app/mail"
	"lunchgo/app/reserve"
	"lunchgo/db/auditlog"
	"lunchgo/db/pg"
	"lunchgo/db/rowlock"
)

// ListRestaurants implements reserve.DraftStore.
func (s *DraftStore) ListRestaurants(ctx context.Context, words string,
	page keyset.Request) (keyset.Page[reserve.KnownRestaurant], error) {
	key := func(r reserve.KnownRestaurant) keyset.Cursor { return keyset.Cursor{Number: r.ID} }
	return pg.Paged(ctx, s.db, page, key, keyset.Whole, `
		SELECT p.id, p.slug, p.name_ko AS "name.ko", p.name_en AS "name.en", p.time_zone, p.capacity, p.opened_at,
			p.submitted_at, COALESCE(u.name, '') AS owner_name, COALESCE(u.email, '') AS owner_email, p.state,
			p.stopped_at IS NOT NULL AS stopped, p.unpublished_at, p.unpublish_reason,
			act.created_at AS published_at, COALESCE(publisher.name, '') AS published_by
		FROM restaurants p
		LEFT JOIN users u ON u.id = p.opened_by
		LEFT JOIN LATERAL (
			SELECT l.created_at, l.staff_id
			FROM audit_log l
			WHERE l.restaurant_id = p.id AND l.action = 'restaurant.published'
			ORDER BY l.id DESC
			LIMIT 1
		) act ON true
		LEFT JOIN users publisher ON publisher.id = act.staff_id
		WHERE NOT p.shadow AND p.id < $1
			AND (strpos(lower(p.name_ko), lower($2)) > 0 OR strpos(lower(p.name_en), lower($2)) > 0)
		ORDER BY p.id DESC
		LIMIT $3`, page.Below().Number, words, page.Rows())
}

// Publish implements reserve.DraftStore. Its owners get a letter. It notes who published the restaurant in
// the restaurant's audit log.
func (s *DraftStore) Publish(ctx context.Context, id int64, operatorID string) (slots []booking.SlotKey, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		var unpublished bool
		if unpublished, slots, err = lockListed(ctx, t, id); err != nil {
			return err
		}
		change := publish
		if unpublished {
			change = republish
		}
		if published, err := change(ctx, t, id, operatorID); err != nil || !published {
			return err
		}
		return tellOwners(ctx, t, mail.Published, id, "")
	})
	return slots, err
}

// republish lists a restaurant again that an operator had unpublished. A stop of its staff stays.
func republish(ctx context.Context, t *pg.Tx, id int64, operatorID string) (published bool, err error) {
	err = t.Run(ctx, `
		UPDATE restaurants
		SET unpublished_at = NULL, unpublish_reason = '',
			stopped_at = CASE WHEN stopped_at <> unpublished_at THEN stopped_at END,
			stop_reason = CASE WHEN stopped_at <> unpublished_at THEN stop_reason ELSE '' END
		WHERE id = $1`, id)
	if err != nil {
		return false, err
	}
	return true, auditlog.Write(ctx, t, auditlog.Entry{StaffID: operatorID, RestaurantID: id,
		Action: "restaurant.published"})
}

// Unpublish implements reserve.DraftStore. The restaurant stops as by SetStopped, under the same locks: turns under way
// end before it, and later ones see it. A stop of its staff stays theirs: it has another moment.
func (s *DraftStore) Unpublish(ctx context.Context, u reserve.Unpublication) (slots []booking.SlotKey, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		var unpublished bool
		if unpublished, slots, err = lockListed(ctx, t, u.RestaurantID); err != nil || unpublished {
			return err
		}
		err = t.Touch(ctx, booking.ErrNotFound, t.Pool.Guarded(UnpublishRestaurant, `
			UPDATE restaurants
			SET unpublished_at = statement_timestamp(), unpublish_reason = $2,
				stopped_at = COALESCE(stopped_at, statement_timestamp()),
				stop_reason = CASE WHEN stopped_at IS NULL THEN $2 ELSE stop_reason END
			WHERE id = $1 AND state = 'published'`), u.RestaurantID, u.Reason)
		if err == nil {
			err = tellOwners(ctx, t, mail.Unpublished, u.RestaurantID, u.Reason)
		}
		if err != nil {
			return err
		}
		return auditlog.Write(ctx, t, auditlog.Entry{StaffID: u.OperatorID, RestaurantID: u.RestaurantID,
			Action: "restaurant.unpublished", Detail: map[string]any{"reason": u.Reason}})
	})
	return slots, err
}

// lockListed locks a restaurant and its slots to come, and returns them and whether an operator has unpublished it.
// Returns booking.ErrNotFound.
func lockListed(ctx context.Context, t *pg.Tx, id int64) (unpublished bool, slots []booking.SlotKey, err error) {
	var is struct {
		Unpublished bool
		Today       booking.Date
	}
	err = t.Get(ctx, &is, `
		SELECT unpublished_at IS NOT NULL AS unpublished,
			to_char(statement_timestamp() AT TIME ZONE time_zone, 'YYYY-MM-DD') AS today
		FROM restaurants
		WHERE id = $1 AND NOT shadow
		FOR NO KEY UPDATE`, id)
	if err != nil {
		return false, nil, pg.OrNotFound(err, booking.ErrNotFound)
	}
	slots, _, err = rowlock.ComingSlots(ctx, t, id, is.Today)
	return is.Unpublished, slots, err
}
