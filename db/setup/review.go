package setup

import (
	"context"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/mail"
	"lunchgo/app/setup"
	"lunchgo/db/auditlog"
	"lunchgo/db/pg"
)

// ListChangedParts implements setup.Store.
func (s *DocumentStore) ListChangedParts(ctx context.Context, restaurantID int64, since time.Time) ([]setup.ChangedPart,
	error) {
	return pg.List[setup.ChangedPart](ctx, s.db, `
		SELECT action, max(created_at) AS last, count(*) AS times
		FROM audit_log
		WHERE restaurant_id = $1 AND created_at > $2 AND action LIKE 'setup.%'
		GROUP BY action
		ORDER BY last DESC`, restaurantID, since)
}

// Refuse implements setup.Store. Its owners get a letter.
func (s *DocumentStore) Refuse(ctx context.Context, r setup.Refusal) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		err := t.Touch(ctx, booking.ErrNotFound, `
			UPDATE restaurants
			SET submitted_at = NULL, refusal = $2, refused_at = clock_timestamp()
			WHERE id = $1 AND state = 'draft' AND submitted_at IS NOT NULL`, r.RestaurantID, r.Reason)
		if err == nil {
			err = tellOwners(ctx, t, mail.Refused, r.RestaurantID, r.Reason)
		}
		if err != nil {
			return err
		}
		return auditlog.Write(ctx, t, auditlog.Entry{StaffID: r.OperatorID, RestaurantID: r.RestaurantID,
			Action: "restaurant.refused", Detail: map[string]any{"reason": r.Reason}})
	})
}

// tellOwners has a letter of an operator's decision go to each owner of a restaurant.
func tellOwners(ctx context.Context, t *pg.Tx, kind mail.Kind, restaurantID int64, reason string) error {
	return t.Run(ctx, `
		INSERT INTO mails (kind, user_id, restaurant_id, reason)
		SELECT $1, user_id, restaurant_id, $3
		FROM staff_members
		WHERE restaurant_id = $2 AND role = 'owner'`, kind, restaurantID, reason)
}
