package db

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
)

// CouponStore implements coupon.Store.
type CouponStore struct {
	db *DB
}

var _ coupon.Store = (*CouponStore)(nil)

// NewCouponStore returns the coupons kept in db.
func NewCouponStore(db *DB) *CouponStore { return &CouponStore{db: db} }

type campaignRow struct {
	ID            int64         `db:"id"`
	Slug          string        `db:"slug"`
	RestaurantID  sql.NullInt64 `db:"restaurant_id"`
	NameKo        string        `db:"name_ko"`
	NameEn        string        `db:"name_en"`
	DescriptionKo string        `db:"description_ko"`
	DescriptionEn string        `db:"description_en"`
	Use           string        `db:"use"`
	Amount        int64         `db:"amount"`
	Total         int           `db:"total"`
	Issued        int           `db:"issued"`
	OpensAt       time.Time     `db:"opens_at"`
	ClosesAt      time.Time     `db:"closes_at"`
	ValidUntil    time.Time     `db:"valid_until"`
	Now           time.Time     `db:"now"`
}

const campaignColumns = `c.id, c.slug, c.restaurant_id, c.name_ko, c.name_en, c.description_ko, c.description_en, c.use, c.amount,
	c.total, c.issued, c.opens_at, c.closes_at, c.valid_until, clock_timestamp() AS now`

func (r campaignRow) campaign() coupon.Campaign {
	return coupon.Campaign{
		ID: r.ID, Slug: r.Slug, RestaurantID: r.RestaurantID.Int64,
		Name:        booking.Text{Ko: r.NameKo, En: r.NameEn},
		Description: booking.Text{Ko: r.DescriptionKo, En: r.DescriptionEn},
		Use:         coupon.Use(r.Use), Amount: r.Amount, Total: r.Total, Issued: r.Issued,
		OpensAt: r.OpensAt, ClosesAt: r.ClosesAt, ValidUntil: r.ValidUntil,
	}
}

// List implements coupon.Store.
func (s *CouponStore) List(ctx context.Context) ([]coupon.Campaign, error) {
	var rows []campaignRow
	err := s.db.list(ctx, &rows, `
		SELECT `+campaignColumns+`
		FROM coupons c
		WHERE c.valid_until > now()
		ORDER BY c.closes_at, c.id`)
	campaigns := make([]coupon.Campaign, 0, len(rows))
	for _, row := range rows {
		campaigns = append(campaigns, row.campaign())
	}
	return campaigns, err
}

// Find implements coupon.Store.
func (s *CouponStore) Find(ctx context.Context, id int64) (coupon.Campaign, error) {
	var row campaignRow
	err := s.db.get(ctx, &row, `
		SELECT `+campaignColumns+`
		FROM coupons c
		WHERE c.id = $1`, id)
	return row.campaign(), orNotFound(err, coupon.ErrNotFound)
}

// Serve implements coupon.Store in five round trips, for one request as for sixty-four: begin, lock the campaign, read what
// the persons have, write what was decided, commit. A run whose data are refused is served one by one, as SlotStore does.
func (s *CouponStore) Serve(ctx context.Context, turn coupon.Turn, run []coupon.Request) ([]coupon.Outcome, coupon.Campaign, error) {
	outcomes, after, err := s.serve(ctx, turn, run)
	var refused *refusedError
	if !errors.As(err, &refused) {
		return outcomes, after, err
	}
	if len(run) == 1 {
		_, after, err = s.serve(ctx, turn, nil)
		return []coupon.Outcome{{Request: run[0], Err: refused.err}}, after, err
	}
	outcomes = outcomes[:0]
	for i := range run {
		var one []coupon.Outcome
		if one, after, err = s.Serve(ctx, turn, run[i:i+1]); err != nil {
			return nil, coupon.Campaign{}, err
		}
		outcomes = append(outcomes, one...)
	}
	return outcomes, after, nil
}

func (s *CouponStore) serve(ctx context.Context, turn coupon.Turn, run []coupon.Request) (outcomes []coupon.Outcome, after coupon.Campaign, err error) {
	err = s.db.inTx(ctx, func(ctx context.Context, t *tx) error {
		state, err := lockCampaign(ctx, t, turn)
		if err != nil {
			return err
		}
		if state.Claims, err = readClaims(ctx, t, turn.CouponID, run); err != nil {
			return err
		}
		outcomes, after = coupon.Decide(state, run)
		err = writeClaims(ctx, t, turn, outcomes)
		if isRefused(err) {
			return &refusedError{err: mapError(err)}
		}
		return err
	})
	return outcomes, after, err
}

// lockCoupon locks a campaign until the transaction ends and raises its fence, in one statement. It returns no row when the
// fence is lower than one that was served before. What it returns is from after the wait for the lock.
const lockCoupon = `
	UPDATE coupons c
	SET fence = $2
	WHERE c.id = $1 AND c.fence <= $2
	RETURNING ` + campaignColumns

func lockCampaign(ctx context.Context, t *tx, turn coupon.Turn) (coupon.CampaignState, error) {
	var row campaignRow
	err := t.get(ctx, &row, t.db.guards.lockCoupon, turn.CouponID, turn.Fence)
	if errors.Is(err, sql.ErrNoRows) {
		return coupon.CampaignState{}, whyNoCampaign(ctx, t, turn)
	}
	return coupon.CampaignState{Campaign: row.campaign(), Now: row.Now}, err
}

func whyNoCampaign(ctx context.Context, t *tx, turn coupon.Turn) error {
	var known bool
	if err := t.get(ctx, &known, `SELECT EXISTS (SELECT FROM coupons WHERE id = $1)`, turn.CouponID); err != nil {
		return err
	}
	if !known {
		return coupon.ErrNotFound
	}
	return coupon.ErrStaleFence
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

// readClaims returns what the persons of a run have of a campaign. It is a statement after the one that locks: see
// readState.
func readClaims(ctx context.Context, t *tx, couponID int64, run []coupon.Request) (map[string]coupon.Claim, error) {
	var users pq.StringArray
	for _, req := range run {
		users = append(users, req.UserID)
	}
	var rows []claimRow
	err := t.list(ctx, &rows, `
		SELECT `+claimColumns+`
		FROM coupon_claims
		WHERE coupon_id = $1 AND user_id = ANY ($2)`, couponID, users)
	claims := make(map[string]coupon.Claim, len(rows))
	for _, row := range rows {
		claims[row.UserID] = row.claim()
	}
	return claims, err
}

// newClaim is a row to write; a run's rows travel to the server as one JSON array.
type newClaim struct {
	ID      string `json:"id"`
	UserID  string `json:"user_id"`
	Key     string `json:"idempotency_key"`
	Ticket  string `json:"ticket"`
	Arrival int64  `json:"arrival"`
}

// writeClaims stores the coupons that were given out, in the order of the run, and how many.
func writeClaims(ctx context.Context, t *tx, turn coupon.Turn, outcomes []coupon.Outcome) error {
	var rows []newClaim
	for i := range outcomes {
		if !outcomes[i].Claims() {
			continue
		}
		req := outcomes[i].Request
		outcomes[i].ClaimID = rand.Text()
		rows = append(rows, newClaim{outcomes[i].ClaimID, req.UserID, req.IdempotencyKey, req.Ticket, req.Arrival})
	}
	if len(rows) == 0 {
		return nil
	}
	input, err := json.Marshal(rows)
	if err != nil {
		return fmt.Errorf("db: claims: %w", err)
	}
	_, err = t.exec(ctx, insertClaims, turn.CouponID, turn.Fence, string(input))
	return err
}

// insertClaims counts in the statement that gives out; the database refuses a count above the total.
const insertClaims = `
	WITH input AS (
		SELECT id, user_id, idempotency_key, ticket, arrival, ordinality
		FROM ROWS FROM (json_to_recordset($3::json) AS (
			id text, user_id text, idempotency_key text, ticket text, arrival bigint
		)) WITH ORDINALITY
	), counted AS (
		UPDATE coupons
		SET issued = issued + (SELECT count(*) FROM input)
		WHERE id = $1
	)
	INSERT INTO coupon_claims (id, coupon_id, user_id, idempotency_key, ticket, arrival, fence)
	SELECT id, $1, user_id, idempotency_key, ticket, arrival, $2
	FROM input
	ORDER BY ordinality`

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
