package coupons

import (
	"time"

	"lunchgo/app/coupon"
)

// Columns are those of a coupon.Campaign, in the table coupons c.
const Columns = `c.id, c.slug, COALESCE(c.restaurant_id, 0) AS restaurant_id, c.name_ko AS "name.ko",
	c.name_en AS "name.en", c.description_ko AS "description.ko", c.description_en AS "description.en", c.use, c.amount,
	c.total, c.issued, c.opens_at, c.closes_at, c.valid_until`

// Row is a campaign at a moment.
type Row struct {
	coupon.Campaign
	Now time.Time
}

// RowColumns are those of a Row, by the database's clock.
const RowColumns = Columns + `, clock_timestamp() AS now`

// Insert stores a campaign, whose Values are its arguments.
const Insert = `
	INSERT INTO coupons (slug, restaurant_id, name_ko, name_en, description_ko, description_en, use, amount, total,
		opens_at, closes_at, valid_until)
	VALUES ($1, NULLIF($2::bigint, 0), $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`

// Values are the arguments of Insert.
func Values(c coupon.Campaign) []any {
	return []any{c.Slug, c.RestaurantID, c.Name.Ko, c.Name.En, c.Description.Ko, c.Description.En, string(c.Use),
		c.Amount, c.Total, c.OpensAt, c.ClosesAt, c.ValidUntil}
}
