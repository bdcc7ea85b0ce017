package testkit

import (
	"fmt"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/db"
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
	outcomes, _, err := db.NewCouponStore(h.Pool).Serve(t.Context(), coupon.Turn{CouponID: id, Fence: 1},
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
