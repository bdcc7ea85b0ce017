package setup

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/app/setup"
	"lunchgo/db/auditlog"
	"lunchgo/db/coupons"
	"lunchgo/db/pg"
	"lunchgo/db/rowlock"
)

// ListCampaigns implements setup.ContentStore.
func (s *ContentStore) ListCampaigns(ctx context.Context, restaurantID int64, most int) ([]coupon.Campaign, error) {
	return pg.List[coupon.Campaign](ctx, s.db, `
		SELECT `+coupons.Columns+`
		FROM coupons c
		WHERE c.restaurant_id = $1
		ORDER BY c.closes_at <= clock_timestamp(), c.id DESC
		LIMIT $2`, restaurantID, most)
}

// AddCampaign implements setup.ContentStore.
func (s *ContentStore) AddCampaign(ctx context.Context, staffID string, c coupon.Campaign) (coupon.Campaign, error) {
	c.Slug = fmt.Sprintf("r%d-%s", c.RestaurantID, strings.ToLower(rand.Text()[:slugLength]))
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (coupon.Campaign, error) {
		if err := rowlock.Restaurant(ctx, t, c.RestaurantID); err != nil {
			return c, err
		}
		open, err := pg.One[int](ctx, t, `
			SELECT count(*)
			FROM coupons
			WHERE restaurant_id = $1 AND closes_at > clock_timestamp()`, c.RestaurantID)
		if err == nil && open >= setup.MaxCampaigns {
			err = &booking.InvalidError{Fields: []booking.FieldError{{Field: "campaigns", Reason: "too_many",
				Max: setup.MaxCampaigns}}}
		}
		if err == nil {
			err = t.Get(ctx, &c.ID, coupons.Insert+` RETURNING id`, coupons.Values(c)...)
		}
		if err != nil {
			return c, err
		}
		return c, auditlog.Write(ctx, t, auditlog.Entry{StaffID: staffID, RestaurantID: c.RestaurantID,
			Action: "setup.coupon",
			Detail: map[string]any{"is": map[string]any{"id": c.ID, "name": c.Name.Ko, "use": c.Use, "amount": c.Amount,
				"total": c.Total, "opensAt": c.OpensAt, "closesAt": c.ClosesAt}}})
	})
}

// EndCampaign implements setup.ContentStore. The campaign's row is what turns lock, so a turn is served before its end
// or not at all. One that has not begun ends a moment after it begins: the table holds no campaign without a length.
func (s *ContentStore) EndCampaign(ctx context.Context, staffID string, restaurantID,
	id int64) (coupon.Campaign, error) {
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (coupon.Campaign, error) {
		was, err := pg.Find[coupons.Row](ctx, t, coupon.ErrNotFound, `
			SELECT `+coupons.RowColumns+`
			FROM coupons c
			WHERE c.id = $1 AND c.restaurant_id = $2
			FOR UPDATE`, id, restaurantID)
		if err != nil || !was.ClosesAt.After(was.Now) {
			return was.Campaign, err
		}
		ended, err := pg.One[coupon.Campaign](ctx, t, `
			UPDATE coupons c
			SET opens_at = least(opens_at, clock_timestamp() - interval '1 microsecond'), closes_at = clock_timestamp()
			WHERE id = $1
			RETURNING `+coupons.Columns, id)
		if err != nil {
			return ended, err
		}
		return ended, auditlog.Write(ctx, t, auditlog.Entry{StaffID: staffID, RestaurantID: restaurantID,
			Action: "setup.coupon_ended",
			Detail: map[string]any{"id": id, "was": was.ClosesAt, "is": ended.ClosesAt, "issued": ended.Issued}})
	})
}
