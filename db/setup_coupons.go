package db

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	contents "lunchgo/app/setup"
)

// ListCampaigns implements setup.ContentStore.
func (s *SetupStore) ListCampaigns(ctx context.Context, restaurantID int64, most int) ([]coupon.Campaign, error) {
	campaigns := []coupon.Campaign{}
	err := s.db.list(ctx, &campaigns, `
		SELECT `+campaignColumns+`
		FROM coupons c
		WHERE c.restaurant_id = $1
		ORDER BY c.closes_at <= clock_timestamp(), c.id DESC
		LIMIT $2`, restaurantID, most)
	return campaigns, err
}

// AddCampaign implements setup.ContentStore.
func (s *SetupStore) AddCampaign(ctx context.Context, staffID string, c coupon.Campaign) (coupon.Campaign, error) {
	c.Slug = fmt.Sprintf("r%d-%s", c.RestaurantID, strings.ToLower(rand.Text()[:slugLength]))
	err := s.db.inTx(ctx, func(ctx context.Context, t *tx) error {
		if err := lockRestaurantRow(ctx, t, c.RestaurantID); err != nil {
			return err
		}
		var open int
		err := t.get(ctx, &open, `
			SELECT count(*)
			FROM coupons
			WHERE restaurant_id = $1 AND closes_at > clock_timestamp()`, c.RestaurantID)
		if err != nil {
			return err
		}
		if open >= contents.MaxCampaigns {
			return &booking.InvalidError{Fields: []booking.FieldError{{Field: "campaigns", Reason: "too_many",
				Max: contents.MaxCampaigns}}}
		}
		if err := t.get(ctx, &c.ID, insertCampaign+` RETURNING id`, campaignArguments(c)...); err != nil {
			return err
		}
		return writeAudit(ctx, t, auditEntry{StaffID: staffID, RestaurantID: c.RestaurantID, Action: "setup.coupon",
			Detail: map[string]any{"is": map[string]any{"id": c.ID, "name": c.Name.Ko, "use": c.Use, "amount": c.Amount,
				"total":   c.Total,
				"opensAt": c.OpensAt, "closesAt": c.ClosesAt}}})
	})
	return c, err
}

// EndCampaign implements setup.ContentStore. The campaign's row is what turns lock, so a turn is served before its end
// or not at all. One that has not begun ends a moment after it begins: the table holds no campaign without a length.
func (s *SetupStore) EndCampaign(ctx context.Context, staffID string, restaurantID, id int64) (coupon.Campaign, error) {
	var ended campaignRow
	err := s.db.inTx(ctx, func(ctx context.Context, t *tx) error {
		var was campaignRow
		err := t.get(ctx, &was, `
			SELECT `+campaignRowColumns+`
			FROM coupons c
			WHERE c.id = $1 AND c.restaurant_id = $2
			FOR UPDATE`, id, restaurantID)
		if err != nil {
			return orNotFound(err, coupon.ErrNotFound)
		}
		if ended = was; !was.ClosesAt.After(was.Now) {
			return nil
		}
		err = t.get(ctx, &ended, `
			UPDATE coupons c
			SET opens_at = least(opens_at, clock_timestamp() - interval '1 microsecond'), closes_at = clock_timestamp()
			WHERE id = $1
			RETURNING `+campaignRowColumns, id)
		if err != nil {
			return err
		}
		return writeAudit(ctx, t, auditEntry{StaffID: staffID, RestaurantID: restaurantID, Action: "setup.coupon_ended",
			Detail: map[string]any{"id": id, "was": was.ClosesAt, "is": ended.ClosesAt, "issued": ended.Issued}})
	})
	return ended.Campaign, err
}
