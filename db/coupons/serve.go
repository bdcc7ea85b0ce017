package coupons

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"

	"github.com/lib/pq"

	"lunchgo/app/coupon"
	"lunchgo/db/pg"
)

// Serve implements coupon.Store in five round trips, for one request as for sixty-four: begin, lock the campaign, read
// what the persons have, write what was decided, commit. A run whose data are refused is served one by one, as
// turns of slots are.
func (s *Store) Serve(ctx context.Context, turn coupon.Turn, run []coupon.Request) ([]coupon.Outcome,
	coupon.Campaign, error) {
	outcomes, after, err := s.serve(ctx, turn, run)
	var refused *pg.RefusedError
	if !errors.As(err, &refused) {
		return outcomes, after, err
	}
	if len(run) == 1 {
		_, after, err = s.serve(ctx, turn, nil)
		return []coupon.Outcome{{Request: run[0], Err: refused.Err}}, after, err
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

func (s *Store) serve(ctx context.Context, turn coupon.Turn, run []coupon.Request) (outcomes []coupon.Outcome,
	after coupon.Campaign, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		state, err := holdCampaign(ctx, t, turn)
		if err != nil {
			return err
		}
		if state.Claims, err = readClaims(ctx, t, turn.CouponID, run); err != nil {
			return err
		}
		outcomes, after = coupon.Decide(state, run)
		return t.Pool.Refused(writeClaims(ctx, t, turn, outcomes))
	})
	return outcomes, after, err
}

// holdCampaign locks a campaign until the transaction ends and raises its fence, in one statement. What it reads is
// from after the wait for the lock. Returns *coupon.StaleFenceError when a later turn was served.
func holdCampaign(ctx context.Context, t *pg.Tx, turn coupon.Turn) (coupon.CampaignState, error) {
	var row Row
	err := t.Get(ctx, &row, t.Pool.Guarded(LockCampaign, `
		UPDATE coupons c
		SET fence = $2
		WHERE c.id = $1 AND c.fence <= $2
		RETURNING `+RowColumns), turn.CouponID, turn.Fence)
	if errors.Is(err, sql.ErrNoRows) {
		return coupon.CampaignState{}, whyNoCampaign(ctx, t, turn)
	}
	return coupon.CampaignState{Campaign: row.Campaign, Now: row.Now}, err
}

func whyNoCampaign(ctx context.Context, t *pg.Tx, turn coupon.Turn) error {
	var stored int64
	switch err := t.Get(ctx, &stored, `SELECT fence FROM coupons WHERE id = $1`, turn.CouponID); {
	case errors.Is(err, sql.ErrNoRows):
		return coupon.ErrNotFound
	case err != nil:
		return err
	}
	return &coupon.StaleFenceError{Stored: stored}
}

// readClaims returns what the persons of a run have of a campaign. It is a statement after the one that locks:
// what that one reads besides the locked row is from before it waits.
func readClaims(ctx context.Context, t *pg.Tx, couponID int64, run []coupon.Request) (map[string]coupon.Claim, error) {
	var users pq.StringArray
	for _, req := range run {
		users = append(users, req.UserID)
	}
	var rows []coupon.Claim
	err := t.List(ctx, &rows, `
		SELECT `+claimColumns+`
		FROM coupon_claims
		WHERE coupon_id = $1 AND user_id = ANY ($2)`, couponID, users)
	claims := make(map[string]coupon.Claim, len(rows))
	for _, row := range rows {
		claims[row.UserID] = row
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

// writeClaims gives every outcome that claims a coupon its id, stores those coupons in the order of the run, and counts
// them.
func writeClaims(ctx context.Context, t *pg.Tx, turn coupon.Turn, outcomes []coupon.Outcome) error {
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
	return insertRows(ctx, t, turn, rows)
}

// insertRows stores claims and counts them in one statement. The database refuses a count above the total.
func insertRows(ctx context.Context, t *pg.Tx, turn coupon.Turn, rows []newClaim) error {
	return t.Run(ctx, t.Pool.Guarded(InsertClaims, `
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
		ORDER BY ordinality`), turn.CouponID, turn.Fence, pg.JSON(rows))
}
