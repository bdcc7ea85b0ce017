package coupons

import (
	"context"
	"slices"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/db/pg"
)

type couponRow struct {
	booking.Coupon
	UserID string
	Now    time.Time
}

// Lock locks and reads, into state, the coupons that a run asks for and its persons have. It sends nothing when none
// is asked for.
func Lock(ctx context.Context, t *pg.Tx, state *booking.SlotState, run []booking.Request) error {
	var ids pq.Int64Array
	var users pq.StringArray
	for _, req := range run {
		if req.CouponID != 0 {
			ids, users = append(ids, req.CouponID), append(users, req.UserID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	rows, err := lockCoupons(ctx, t, ids, users)
	if err != nil {
		return err
	}
	state.Coupons = make(map[booking.Owner]booking.Coupon, len(rows))
	for _, row := range rows {
		state.Coupons[booking.Owner{UserID: row.UserID, CouponID: row.ID}] = row.Coupon
		state.Now = slices.MaxFunc([]time.Time{state.Now, row.Now}, time.Time.Compare)
	}
	return nil
}

// lockCoupons locks the coupons that a run asks for until the transaction ends, and reads them as they are then, in
// ascending order: whoever locks several keeps that order, after the slot and the stock. The clock is read after the
// wait. The lookups are written one by one, so that the plan is one of lookups in the indexes also when it was made
// while the tables were empty.
func lockCoupons(ctx context.Context, t *pg.Tx, ids pq.Int64Array, users pq.StringArray) ([]couponRow, error) {
	return pg.List[couponRow](ctx, t, t.Pool.Guarded(LockClaims, `
		SELECT asked.user_id, COALESCE(claim.reservation_id, '') AS reservation_id, c.id,
			COALESCE(c.restaurant_id, 0) AS restaurant_id, c.use, c.amount, c.valid_until,
			clock_timestamp() AS now
		FROM (
			SELECT coupon_id, user_id
			FROM unnest($1::bigint[], $2::text[]) AS run (coupon_id, user_id)
			GROUP BY coupon_id, user_id
			ORDER BY coupon_id, user_id
		) asked
		CROSS JOIN LATERAL (
			SELECT reservation_id
			FROM coupon_claims
			WHERE coupon_id = asked.coupon_id AND user_id = asked.user_id
			LIMIT 1
			FOR UPDATE
		) claim
		CROSS JOIN LATERAL (
			SELECT id, restaurant_id, use, amount, valid_until
			FROM coupons
			WHERE id = asked.coupon_id
			LIMIT 1
		) c`), ids, users)
}

// Return gives the coupons of reservations back that a statement's CTE freed has just ended, once its CTE returned has
// locked their dishes.
const Return = `
	unused AS (
		SELECT c.id
		FROM freed
		JOIN coupon_claims c ON c.reservation_id = freed.id
		WHERE (SELECT count(*) FROM returned) >= 0
		ORDER BY c.coupon_id, c.user_id
		FOR UPDATE OF c
	), regained AS (
		UPDATE coupon_claims c
		SET reservation_id = NULL
		FROM unused
		WHERE c.id = unused.id
	)`

// IsFree locks the coupon of an expired reservation and says whether it is unused since; so it is for one without.
func IsFree(ctx context.Context, t *pg.Tx, r booking.Reservation) (bool, error) {
	if r.Discount.CouponID == 0 {
		return true, nil
	}
	state := booking.SlotState{}
	err := Lock(ctx, t, &state, []booking.Request{{UserID: r.UserID, CouponID: r.Discount.CouponID}})
	coupon, has := state.Coupons[booking.Owner{UserID: r.UserID, CouponID: r.Discount.CouponID}]
	return has && coupon.ReservationID == "", err
}
