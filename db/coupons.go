package db

import (
	"context"
	"database/sql"
	"time"

	"lunchgo/app/coupon"
)

// CouponStore implements coupon.Store.
type CouponStore struct {
	db *DB
}

var _ coupon.Store = (*CouponStore)(nil)

// NewCouponStore returns the coupons stored in db.
func NewCouponStore(db *DB) *CouponStore { return &CouponStore{db: db} }

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
	campaigns := []coupon.Campaign{}
	err := s.db.list(ctx, &campaigns, `
		SELECT `+campaignColumns+`
		FROM coupons c
		WHERE c.valid_until > now() AND NOT `+ofADraft+`
		ORDER BY c.closes_at, c.id`)
	return campaigns, err
}

// Find implements coupon.Store.
func (s *CouponStore) Find(ctx context.Context, id int64) (campaign coupon.Campaign, err error) {
	err = s.db.get(ctx, &campaign, `
		SELECT `+campaignColumns+`
		FROM coupons c
		WHERE c.id = $1 AND NOT `+ofADraft, id)
	return campaign, orNotFound(err, coupon.ErrNotFound)
}

type claimRow struct {
	ID            string         `db:"id"`
	CouponID      int64          `db:"coupon_id"`
	UserID        string         `db:"user_id"`
	ReservationID sql.NullString `db:"reservation_id"`
	Key           string         `db:"idempotency_key"`
	CreatedAt     time.Time      `db:"created_at"`
}

const claimColumns = `id, coupon_id, user_id, reservation_id, idempotency_key, created_at`

func (r claimRow) claim() coupon.Claim {
	return coupon.Claim{ID: r.ID, CouponID: r.CouponID, UserID: r.UserID, ReservationID: r.ReservationID.String,
		IdempotencyKey: r.Key, CreatedAt: r.CreatedAt}
}

// FindClaim implements coupon.Store.
func (s *CouponStore) FindClaim(ctx context.Context, id string) (coupon.Claim, error) {
	return s.findClaim(ctx, `id = $1`, id)
}

// FindClaimByTicket implements coupon.Store.
func (s *CouponStore) FindClaimByTicket(ctx context.Context, ticket string) (coupon.Claim, error) {
	return s.findClaim(ctx, `ticket = $1 AND ticket <> ''`, ticket)
}

func (s *CouponStore) findClaim(ctx context.Context, where, value string) (coupon.Claim, error) {
	var row claimRow
	err := s.db.get(ctx, &row, `SELECT `+claimColumns+` FROM coupon_claims WHERE `+where, value)
	return row.claim(), orNotFound(err, coupon.ErrNotFound)
}

// heldRow is a coupon with its campaign and the slot for which it is used.
type heldRow struct {
	claimRow
	Campaign     coupon.Campaign
	RestaurantID sql.NullInt64  `db:"restaurant_id"`
	ServiceDate  sql.NullString `db:"service_date"`
	ServiceTime  sql.NullString `db:"service_time"`
}

func (r heldRow) held() coupon.Held {
	held := coupon.Held{Claim: r.claim(), Campaign: r.Campaign}
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
			c.id AS "campaign.id", c.slug AS "campaign.slug", COALESCE(c.restaurant_id, 0) AS "campaign.restaurant_id",
			c.name_ko AS "campaign.name.ko", c.name_en AS "campaign.name.en",
			c.description_ko AS "campaign.description.ko", c.description_en AS "campaign.description.en",
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
