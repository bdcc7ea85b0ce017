package db_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/token"
	"lunchgo/db"
	"lunchgo/db/audits"
	"lunchgo/db/coupons"
	"lunchgo/db/dbtest"
	"lunchgo/db/rowlock"
	"lunchgo/db/testkit"
)

// Crowds that want coupons, and how many there are.
const (
	couponCrowd   = 200
	scarceCoupons = 20
)

// separate starts two servers that do not know of one another's lines, as when Redis has split in two: all that keeps
// them apart is the database.
func (h *harness) separate(t *testing.T) []*server {
	t.Helper()
	secret := token.Secrets{rand.Text() + rand.Text()}
	return []*server{h.newServer(t, dbtest.KeyPrefix(t)+"a:", secret), h.newServer(t, dbtest.KeyPrefix(t)+"b:", secret)}
}

// wantCoupons has a crowd ask for the coupons of a campaign over HTTP. Everybody who gets none must
// get the answer that all are gone.
func wantCoupons(t *testing.T, h *harness, servers []*server, id int64, crowd int) *rush {
	t.Helper()
	c := newRush(t, crowd)
	for i, diner := range h.Diners(t, crowd, 0) {
		c.post(apiRequest{at: servers[i%2], path: fmt.Sprintf("/api/coupons/%d/claims", id), userID: diner})
	}
	answers := c.run("coupons")
	c.served = answers[reply{Status: 201}]
	if c.served+answers[reply{Status: 409, Code: "sold_out"}] != crowd {
		t.Errorf("not everybody got one or was refused as sold out: %v", answers)
	}
	return c
}

// Coupons are given out once each where servers do not know one another's lines.
func TestClaim_LineLostOverHTTP(t *testing.T) {
	t.Parallel()
	h := setup(t)
	id := h.Campaign(t, "rush", scarceCoupons)
	c := wantCoupons(t, h, h.separate(t), id, couponCrowd)
	if c.served != scarceCoupons || h.CouponsGiven(t, id) != scarceCoupons {
		t.Errorf("%d were given and %d are there, want %d", c.served, h.CouponsGiven(t, id), scarceCoupons)
	}
	c.measured("coupons-apart", map[string]int{"diners": couponCrowd, "coupons": scarceCoupons})
	checkBalances(t, h)
}

// TestClaim_WithoutLockOverHTTP has two turns read that one coupon is left, before either gives
// it out.
func TestClaim_WithoutLockOverHTTP(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.MustExec(t, `ALTER TABLE coupons DROP CONSTRAINT coupons_issued`)
	servers, meet := h.separate(t), dbtest.Meeting(2)
	for _, server := range servers {
		server.Weaken(coupons.LockCampaign, dbtest.Instead(testkit.CampaignUnlocked))
		server.Weaken(coupons.InsertClaims, meet)
	}
	id := h.Campaign(t, "rush", 1)
	if c := wantCoupons(t, h, servers, id, 20); c.served < 2 || h.CouponsGiven(t, id) != c.served {
		t.Errorf("%d were given out without the lock: the test above proves nothing", c.served)
	}
}

// contendToSpend has people use their one coupon for as many slots at the same moment over HTTP at two servers.
// All presses that get no reservation with it must be refused for the coupon.
func contendToSpend(t *testing.T, h *harness, servers []*server, people, slots int) *rush {
	t.Helper()
	id := h.Campaign(t, "spend-"+rand.Text(), people)
	diners := h.Diners(t, people, 0)
	h.GiveCoupons(t, id, diners...)
	c := newRush(t, people*slots)
	today := booking.DateOf(time.Now(), h.Restaurant.Location)
	for i := range people * slots {
		c.post(apiRequest{at: servers[i%2], path: "/api/reservations", userID: diners[i/slots], body: map[string]any{
			"restaurantId": h.Restaurant.ID, "date": today.AddDays(2 + i%slots), "time": fmt.Sprintf("%02d:00",
				10+i/slots%12),
			"partySize": 1, "couponId": id,
		}})
	}
	answers := c.run("one coupon for many slots")
	c.served = answers[reply{Status: 201}]
	if c.served+answers[reply{Status: 409, Code: "coupon_used"}]+answers[reply{Status: 409,
		Code: "too_many_holds"}] != people*slots {
		t.Errorf("not every press used the coupon or was refused for it: %v", answers)
	}
	return c
}

// A coupon is used once, whoever asks at the same moment.
func TestCouponUse_OnceOverHTTP(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.openLargePlace(t)
	const people, slots = 20, 12
	c := contendToSpend(t, h, h.servers(t, 2), people, slots)
	if c.served != people {
		t.Errorf("%d coupons serve %d reservations", people, c.served)
	}
	c.measured("coupon-uses", map[string]int{"diners": people, "slots each": slots})
	checkBalances(t, h)
}

// TestCouponUse_WithoutLockIsTwiceOverHTTP has the turns of two slots read that a coupon is free, before either uses
// it.
func TestCouponUse_WithoutLockIsTwiceOverHTTP(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.openLargePlace(t)
	h.MustExec(t, `DROP INDEX reservations_one_a_coupon`)
	servers := h.servers(t, 2)
	meetAtWriting(servers)
	for _, server := range servers {
		server.Weaken(rowlock.LockUsers, unlockedUsers)
		server.Weaken(coupons.LockClaims, lockClaimsUnguarded)
	}
	if c := contendToSpend(t, h, servers, 1, 12); c.served < 2 {
		t.Errorf("a coupon was spent %d times without the lock: the test above proves nothing", c.served)
	}
}

// endAndSpend has people pay for, cancel and lose by expiry a reservation with a coupon, and use the coupon for
// another, all at the same moment, over HTTP at two servers. No answer may be a fault.
func endAndSpend(t *testing.T, h *harness, servers []*server, people int) *rush {
	t.Helper()
	id := h.Campaign(t, "end-"+rand.Text(), people)
	diners := h.Diners(t, people, 100_000)
	h.GiveCoupons(t, id, diners...)
	c := newRush(t, 3*people)
	today := booking.DateOf(time.Now(), h.Restaurant.Location)
	for i, diner := range diners {
		slot := booking.SlotKey{RestaurantID: h.Restaurant.ID, Date: today.AddDays(2),
			Time: booking.TimeOfDay(fmt.Sprintf("%02d:00", 10+i%12))}
		req := h.with(id, diner, slot)
		req.HoldTime = 0
		path := "/api/reservations/" + h.Reserve(t, req)
		c.post(apiRequest{at: servers[i%2], method: http.MethodDelete, path: path, userID: diner})
		c.post(apiRequest{at: servers[(i+1)%2], path: path + "/payment", userID: diner,
			body: map[string]any{"kind": "deposit"}})
		c.post(apiRequest{at: servers[i%2], path: "/api/reservations", userID: diner, body: map[string]any{
			"restaurantId": h.Restaurant.ID, "date": slot.Date.AddDays(1), "time": slot.Time,
			"partySize": 1, "couponId": id,
		}})
	}
	stop := sweep(t, c.start, servers)
	answers := c.run("ends of reservations with a coupon")
	stop()
	for answer, n := range answers {
		if answer.Status >= http.StatusInternalServerError {
			t.Errorf("%d times %+v", n, answer)
		}
	}
	c.served = answers[reply{Status: 200}] + answers[reply{Status: 201}]
	return c
}

// misplacedCoupons is how many coupons are not where their reservations say.
func (h *harness) misplacedCoupons(t *testing.T) (wrong int) {
	t.Helper()
	report, err := audits.NewStore(h.Pool).Audit(t.Context())
	dbtest.Must(t, err)
	for _, result := range report.Checks {
		if result.Check == "coupons_used_once" {
			wrong = result.Found
		}
	}
	return wrong
}

// sweep ends holds at all servers, again and again, from a moment on until the function that it returns is called.
func sweep(t *testing.T, from <-chan struct{}, servers []*server) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var sweepers sync.WaitGroup
	for _, server := range servers {
		sweepers.Go(func() {
			<-from
			for ctx.Err() == nil {
				if _, err := db.NewReservationStore(server.Pool).ExpireHolds(ctx, 3); err != nil && ctx.Err() == nil {
					t.Error(err)
				}
			}
		})
	}
	return func() {
		cancel()
		sweepers.Wait()
	}
}

// A coupon comes back once, however its reservation ends.
func TestCouponEnd_ReturnsOnceOverHTTP(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.openLargePlace(t)
	const people = 50
	c := endAndSpend(t, h, h.servers(t, 2), people)
	if wrong := h.misplacedCoupons(t); wrong != 0 {
		t.Errorf("%d coupons are not where their reservations say", wrong)
	}
	c.measured("coupon-ends", map[string]int{"reservations": people})
	h.settle(t)
	checkBalances(t, h)
}

// TestCouponEnd_WithoutGuardsOverHTTP has a reservation cancelled after its payment has read it and before
// that writes.
func TestCouponEnd_WithoutGuardsOverHTTP(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.openLargePlace(t)
	servers := h.servers(t, 2)
	id, diner := h.Campaign(t, "end", 1), h.Diners(t, 1, 100_000)[0]
	h.GiveCoupons(t, id, diner)
	path := "/api/reservations/" + h.Reserve(t, h.with(id, diner, h.comingDay(2, "12:00")))
	servers[0].Weaken(db.LockReservation, unlocked)
	servers[0].Weaken(db.UpdateState, func(query string) string {
		c := newRush(t, 1)
		c.post(apiRequest{at: servers[1], method: http.MethodDelete, path: path, userID: diner})
		c.run("a cancellation")
		return inAnyState(query)
	})
	c := newRush(t, 1)
	c.post(apiRequest{at: servers[0], path: path + "/payment", userID: diner, body: map[string]any{"kind": "deposit"}})
	if answers := c.run("a payment"); h.misplacedCoupons(t) == 0 {
		t.Errorf("%v, and every coupon is where it should be without the guards: the test above proves nothing",
			answers)
	}
}
