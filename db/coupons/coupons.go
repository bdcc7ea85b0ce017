// Package coupons stores campaigns and the coupons that persons have of them.
package coupons

import (
	"context"

	"github.com/lib/pq"

	"lunchgo/app/coupon"
	"lunchgo/db/pg"
)

// Guards of the package.
const (
	LockCampaign pg.Guard = "lock a campaign"
	InsertClaims pg.Guard = "insert the claims of a turn"
	LockClaims   pg.Guard = "lock claims"
)

// Store implements coupon.Store.
type Store struct {
	db *pg.Pool
}

// NewStore returns the coupons stored in db.
func NewStore(db *pg.Pool) *Store { return &Store{db: db} }

// ofADraft are the campaigns of restaurants that are not published: nobody sees them.
const ofADraft = `EXISTS (SELECT FROM restaurants p WHERE p.id = c.restaurant_id AND p.state = 'draft')`

// List implements coupon.Store.
func (s *Store) List(ctx context.Context) ([]coupon.Campaign, error) {
	return pg.List[coupon.Campaign](ctx, s.db, `
		SELECT `+Columns+`
		FROM coupons c
		WHERE c.valid_until > now() AND NOT `+ofADraft+`
		ORDER BY c.closes_at, c.id`)
}

// Find implements coupon.Store.
func (s *Store) Find(ctx context.Context, id int64) (coupon.Campaign, error) {
	return pg.Find[coupon.Campaign](ctx, s.db, coupon.ErrNotFound, `
		SELECT `+Columns+`
		FROM coupons c
		WHERE c.id = $1 AND NOT `+ofADraft, id)
}

const claimColumns = `id, coupon_id, user_id, COALESCE(reservation_id, '') AS reservation_id, idempotency_key,
	created_at`

// FindClaim implements coupon.Store.
func (s *Store) FindClaim(ctx context.Context, id string) (coupon.Claim, error) {
	return s.findClaim(ctx, `id = $1`, id)
}

// FindClaimByTicket implements coupon.Store.
func (s *Store) FindClaimByTicket(ctx context.Context, ticket string) (coupon.Claim, error) {
	return s.findClaim(ctx, `ticket = $1 AND ticket <> ''`, ticket)
}

func (s *Store) findClaim(ctx context.Context, where, value string) (coupon.Claim, error) {
	return pg.Find[coupon.Claim](ctx, s.db, coupon.ErrNotFound,
		`SELECT `+claimColumns+` FROM coupon_claims WHERE `+where, value)
}

// FindClaims implements coupon.Store, by one lookup in an index for each.
func (s *Store) FindClaims(ctx context.Context, asked []coupon.Request) ([]coupon.Claim, error) {
	var users pq.StringArray
	var campaigns pq.Int64Array
	for _, one := range asked {
		users, campaigns = append(users, one.UserID), append(campaigns, one.CouponID)
	}
	return pg.List[coupon.Claim](ctx, s.db, `
		SELECT found.*
		FROM unnest($1::bigint[], $2::text[]) AS asked (coupon_id, user_id)
		CROSS JOIN LATERAL (
			SELECT `+claimColumns+`
			FROM coupon_claims
			WHERE coupon_id = asked.coupon_id AND user_id = asked.user_id
			LIMIT 1
		) found`, campaigns, users)
}

// ListHeld implements coupon.Store.
func (s *Store) ListHeld(ctx context.Context, userID string) ([]coupon.Held, error) {
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
