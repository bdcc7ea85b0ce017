package db

import (
	"context"
	"database/sql"

	"lunchgo/app/coupon"
)

// heldRow is a coupon with its campaign and the slot for which it is used.
type heldRow struct {
	claimRow
	Campaign     campaignRow    `db:"campaign"`
	RestaurantID sql.NullInt64  `db:"restaurant_id"`
	ServiceDate  sql.NullString `db:"service_date"`
	ServiceTime  sql.NullString `db:"service_time"`
}

func (r heldRow) held() coupon.Held {
	held := coupon.Held{Claim: r.claim(), Campaign: r.Campaign.campaign()}
	if r.RestaurantID.Valid {
		held.Slot = slotKey(r.RestaurantID.Int64, r.ServiceDate.String, r.ServiceTime.String)
	}
	return held
}

// ListHeld implements coupon.Store.
func (s *CouponStore) ListHeld(ctx context.Context, userID string) ([]coupon.Held, error) {
	var rows []heldRow
	err := s.db.list(ctx, &rows, `
		SELECT cl.id, cl.coupon_id, cl.user_id, cl.reservation_id, cl.idempotency_key, cl.created_at,
			c.id AS "campaign.id", c.slug AS "campaign.slug", c.restaurant_id AS "campaign.restaurant_id",
			c.name_ko AS "campaign.name_ko", c.name_en AS "campaign.name_en",
			c.description_ko AS "campaign.description_ko", c.description_en AS "campaign.description_en",
			c.use AS "campaign.use", c.amount AS "campaign.amount",
			c.total AS "campaign.total", c.issued AS "campaign.issued",
			c.opens_at AS "campaign.opens_at", c.closes_at AS "campaign.closes_at", c.valid_until AS "campaign.valid_until",
			s.restaurant_id,
			to_char(s.service_date, 'YYYY-MM-DD') AS service_date,
			to_char(s.service_time, 'HH24:MI') AS service_time
		FROM coupon_claims cl
		JOIN coupons c ON c.id = cl.coupon_id
		LEFT JOIN reservations r ON r.id = cl.reservation_id
		LEFT JOIN slots s ON s.id = r.slot_id
		WHERE cl.user_id = $1
		ORDER BY cl.ordinal DESC`, userID)
	held := make([]coupon.Held, 0, len(rows))
	for _, row := range rows {
		held = append(held, row.held())
	}
	return held, err
}
