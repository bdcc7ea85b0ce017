package seed

import (
	"context"

	"lunchgo/app/coupon"
	"lunchgo/db/coupons"
	"lunchgo/db/pg"
)

// PutCampaign stores a campaign, or brings the one with its slug up to date: what was given out of it stays. Returns
// its id, or coupon.ErrSoldOut when more were given out than its new total.
func (s *Store) PutCampaign(ctx context.Context, c coupon.Campaign) (int64, error) {
	return pg.One[int64](ctx, s.db, coupons.Insert+`
		ON CONFLICT ON CONSTRAINT coupons_slug_unique DO UPDATE SET
			restaurant_id = excluded.restaurant_id, name_ko = excluded.name_ko, name_en = excluded.name_en,
			description_ko = excluded.description_ko, description_en = excluded.description_en, use = excluded.use,
			amount = excluded.amount, total = excluded.total, opens_at = excluded.opens_at, closes_at = excluded.closes_at,
			valid_until = excluded.valid_until
		RETURNING id`, coupons.Values(c)...)
}
