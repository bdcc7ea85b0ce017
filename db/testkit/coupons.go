package testkit

import (
	"fmt"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/db/coupons"
	"lunchgo/db/dbtest"
)

// Campaign makes one of so many coupons for deposits that is open now.
func (h *Harness) Campaign(t testing.TB, slug string, total int) int64 {
	t.Helper()
	return h.PutCampaign(t, coupon.Campaign{Slug: slug, Use: coupon.ForDeposit, Amount: 5_000, Total: total})
}

// PutCampaign stores a campaign that is open now.
func (h *Harness) PutCampaign(t testing.TB, c coupon.Campaign) int64 {
	t.Helper()
	now := time.Now()
	c.Name, c.OpensAt, c.ClosesAt, c.ValidUntil = booking.Text{Ko: "쿠폰", En: "Coupon"}, now.Add(-time.Hour),
		now.Add(time.Hour), now.Add(24*time.Hour)
	id, err := h.Seeds.PutCampaign(t.Context(), c)
	dbtest.Must(t, err)
	return id
}

// GiveCoupons lets persons have a coupon each.
func (h *Harness) GiveCoupons(t testing.TB, id int64, users ...string) {
	t.Helper()
	outcomes, _, err := coupons.NewStore(h.Pool).Serve(t.Context(), coupon.Turn{CouponID: id, Fence: 1},
		Claims(id, users...))
	dbtest.Must(t, err)
	for _, out := range outcomes {
		if !out.Claims() {
			t.Fatalf("no coupon of %d: %+v", id, out)
		}
	}
}

// Claims are requests of persons for a coupon each.
func Claims(id int64, users ...string) []coupon.Request {
	var run []coupon.Request
	for _, user := range users {
		run = append(run, coupon.Request{CouponID: id, UserID: user, IdempotencyKey: "key-" + user,
			Ticket: fmt.Sprint("ticket-", id, "-", user)})
	}
	return run
}

// CouponsGiven counts the coupons of a campaign that persons have.
func (h *Harness) CouponsGiven(t testing.TB, id int64) int {
	t.Helper()
	return h.Count(t, `SELECT count(*) FROM coupon_claims WHERE coupon_id = $1`, id)
}

// CampaignUnlocked reads the campaign, as coupons.LockCampaign does, but neither locks it nor looks at the fence.
const CampaignUnlocked = `
	SELECT ` + coupons.RowColumns + `
	FROM coupons c
	WHERE c.id = $1 AND $2::bigint IS NOT NULL`
