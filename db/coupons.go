package db

import (
	"context"
	"time"

	"lunchgo/app/coupon"
	"lunchgo/db/pg"
)

// CouponStore implements coupon.Store.
type CouponStore struct {
	db *pg.Pool
}

// NewCouponStore returns the coupons stored in db.
func NewCouponStore(db *pg.Pool) *CouponStore { return &CouponStore{db: db} }

// campaignColumns are those of a coupon.Campaign.
const campaignColumns = `c.id, c.slug, COALESCE(c.restaurant_id, 0) AS restaurant_id, c.name_ko AS "name.ko",
	c.name_en AS "name.en", c.description_ko AS "description.ko", c.description_en AS "description.en", c.use, c.amount,
	c.total, c.issued, c.opens_at, c.closes_at, c.valid_until`

// campaignRow is a campaign at a moment.
type campaignRow struct {
	coupon.Campaign
	Now time.Time
}

const campaignRowColumns = campaignColumns + `, clock_timestamp() AS now`

// ofADraft are the campaigns of restaurants that are not published: nobody sees them.
const ofADraft = `EXISTS (SELECT FROM restaurants p WHERE p.id = c.restaurant_id AND p.state = 'draft')`

// List implements coupon.Store.
func (s *CouponStore) List(ctx context.Context) ([]coupon.Campaign, error) {
	return pg.List[coupon.Campaign](ctx, s.db, `
		SELECT `+campaignColumns+`
		FROM coupons c
		WHERE c.valid_until > now() AND NOT `+ofADraft+`
		ORDER BY c.closes_at, c.id`)
}

// Find implements coupon.Store.
func (s *CouponStore) Find(ctx context.Context, id int64) (coupon.Campaign, error) {
	return pg.Find[coupon.Campaign](ctx, s.db, coupon.ErrNotFound, `
		SELECT `+campaignColumns+`
		FROM coupons c
		WHERE c.id = $1 AND NOT `+ofADraft, id)
}

const claimColumns = `id, coupon_id, user_id, COALESCE(reservation_id, '') AS reservation_id, idempotency_key,
	created_at`

// FindClaim implements coupon.Store.
func (s *CouponStore) FindClaim(ctx context.Context, id string) (coupon.Claim, error) {
	return s.findClaim(ctx, `id = $1`, id)
}

// FindClaimByTicket implements coupon.Store.
func (s *CouponStore) FindClaimByTicket(ctx context.Context, ticket string) (coupon.Claim, error) {
	return s.findClaim(ctx, `ticket = $1 AND ticket <> ''`, ticket)
}

func (s *CouponStore) findClaim(ctx context.Context, where, value string) (coupon.Claim, error) {
	return pg.Find[coupon.Claim](ctx, s.db, coupon.ErrNotFound,
		`SELECT `+claimColumns+` FROM coupon_claims WHERE `+where, value)
}

// ListHeld implements coupon.Store.
func (s *CouponStore) ListHeld(ctx context.Context, userID string) ([]coupon.Held, error) {
	return pg.List[coupon.Held](ctx, s.db, `
		SELECT cl.id, cl.coupon_id, cl.user_id, COALESCE(cl.reservation_id, '') AS reservation_id, cl.idempotency_key,
			cl.created_at,
			c.id AS "campaign.id", c.slug AS "campaign.slug", COALESCE(c.restaurant_id, 0) AS "campaign.restaurant_id",
			c.name_ko AS "campaign.name.ko", c.name_en AS "campaign.name.en",
			c.description_ko AS "campaign.description.ko", c.description_en AS "campaign.description.en",
			c.use AS "campaign.use", c.amount AS "campaign.amount",
			c.total AS "campaign.total", c.issued AS "campaign.issued",
			c.opens_at AS "campaign.opens_at", c.closes_at AS "campaign.closes_at", c.valid_until AS "campaign.valid_until",
			COALESCE(s.restaurant_id, 0) AS "slot.restaurant_id",
			COALESCE(to_char(s.service_date, 'YYYY-MM-DD'), '') AS "slot.date",
			COALESCE(to_char(s.service_time, 'HH24:MI'), '') AS "slot.time"
		FROM coupon_claims cl
		JOIN coupons c ON c.id = cl.coupon_id
		LEFT JOIN reservations r ON r.id = cl.reservation_id
		LEFT JOIN slots s ON s.id = r.slot_id
		WHERE cl.user_id = $1
		ORDER BY cl.ordinal DESC`, userID)
}
