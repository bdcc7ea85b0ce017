package db

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
)

// Crowds that want coupons, and how many there are.
const (
	eager   = 200
	coupons = 20
)

// separate starts two servers that do not know of one another's lines, as when Redis has split in two: all that keeps them
// apart is the database.
func (f *fixture) separate(t *testing.T) []*server {
	t.Helper()
	secret := []byte(rand.Text() + rand.Text())
	return []*server{f.newServer(t, dbtest.KeyPrefix(t)+"a:", secret), f.newServer(t, dbtest.KeyPrefix(t)+"b:", secret)}
}

// wantCoupons has a crowd ask for the coupons of a campaign over HTTP, and returns how many were told that they have one.
// Everybody else must be told that all are gone.
func wantCoupons(t *testing.T, f *fixture, servers []*server, id int64, crowd int) (given int) {
	t.Helper()
	c := newRush(t, crowd)
	for i, diner := range f.diners(t, crowd, 0) {
		c.post(press{at: servers[i%2], path: fmt.Sprintf("/api/coupons/%d/claims", id), userID: diner})
	}
	answers := c.run("coupons")
	given = answers[heard{Status: 201}]
	if given+answers[heard{Status: 409, Code: "sold_out"}] != crowd {
		t.Errorf("not everybody got one or was told that all are gone: %v", answers)
	}
	return given
}

// Coupons are given out once each where servers do not know one another's lines.
func TestClaim_LineLostOverHTTP(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a crowd of hundreds takes seconds")
	}
	f := setup(t)
	id := f.campaign(t, "rush", coupons)
	if given := wantCoupons(t, f, f.separate(t), id, eager); given != coupons || f.claims(t, id) != coupons {
		t.Errorf("%d were given and %d are there, want %d", given, f.claims(t, id), coupons)
	}
	checkReservations(t, f)
}

// TestClaim_WithoutLockOverHTTP has two turns read that one coupon is left, before either gives
// it out.
func TestClaim_WithoutLockOverHTTP(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.mustExec(t, `ALTER TABLE coupons DROP CONSTRAINT coupons_issued`)
	servers, meet := f.separate(t), meeting(2)
	for _, server := range servers {
		server.weakenGuard(lockCampaign, instead(lockCouponUnguarded))
		server.weakenGuard(insertClaims, meet)
	}
	id := f.campaign(t, "rush", 1)
	if given := wantCoupons(t, f, servers, id, 20); given < 2 || f.claims(t, id) != given {
		t.Errorf("%d were given out without the lock: the test above proves nothing", given)
	}
}

// spendOnce has people use their one coupon for as many slots at the same moment over HTTP at two servers, and returns how
// many reservations have one. All other presses must be refused for the coupon.
func spendOnce(t *testing.T, f *fixture, servers []*server, people, slots int) (used int) {
	t.Helper()
	id := f.campaign(t, "spend-"+rand.Text(), people)
	diners := f.diners(t, people, 0)
	f.give(t, id, diners...)
	c := newRush(t, people*slots)
	today := booking.DateOf(time.Now(), f.restaurant.Location)
	for i := range people * slots {
		c.post(press{at: servers[i%2], path: "/api/reservations", userID: diners[i/slots], body: map[string]any{
			"restaurantId": f.restaurant.ID, "date": today.AddDays(2 + i%slots), "time": fmt.Sprintf("%02d:00", 10+i/slots%12),
			"partySize": 1, "couponId": id,
		}})
	}
	answers := c.run("one coupon for many slots")
	used = answers[heard{Status: 201}]
	if used+answers[heard{Status: 409, Code: "coupon_used"}] != people*slots {
		t.Errorf("not every press used the coupon or was refused for it: %v", answers)
	}
	return used
}

// A coupon is used once, whoever asks at the same moment.
func TestCouponUse_OnceOverHTTP(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a crowd of hundreds takes seconds")
	}
	f := setup(t)
	f.openLargePlace(t)
	if used := spendOnce(t, f, f.servers(t, 2), 20, 12); used != 20 {
		t.Errorf("20 coupons serve %d reservations", used)
	}
	checkReservations(t, f)
}

// TestCouponUse_WithoutLockIsTwiceOverHTTP has the turns of two slots read that a coupon is free, before either uses it.
func TestCouponUse_WithoutLockIsTwiceOverHTTP(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.openLargePlace(t)
	f.mustExec(t, `DROP INDEX reservations_one_a_coupon`)
	servers := f.servers(t, 2)
	meetAtWriting(servers)
	for _, server := range servers {
		server.weakenGuard(lockClaims, lockClaimsUnguarded)
	}
	if used := spendOnce(t, f, servers, 1, 12); used < 2 {
		t.Errorf("a coupon was spent %d times without the lock: the test above proves nothing", used)
	}
}

// endAndSpend has people pay for, cancel and lose by expiry a reservation with a coupon, and use the coupon for another, all
// at the same moment, over HTTP at two servers. It returns how many coupons are not where their reservations say.
func endAndSpend(t *testing.T, f *fixture, servers []*server, people int) (wrong int) {
	t.Helper()
	id := f.campaign(t, "end-"+rand.Text(), people)
	diners := f.diners(t, people, 100_000)
	f.give(t, id, diners...)
	c := newRush(t, 3*people)
	today := booking.DateOf(time.Now(), f.restaurant.Location)
	for i, diner := range diners {
		slot := booking.SlotKey{RestaurantID: f.restaurant.ID, Date: today.AddDays(2), Time: booking.TimeOfDay(fmt.Sprintf("%02d:00", 10+i%12))}
		wish := f.with(id, diner, slot)
		wish.HoldTime = 0
		path := "/api/reservations/" + f.reserve(t, wish)
		c.post(press{at: servers[i%2], method: http.MethodDelete, path: path, userID: diner})
		c.post(press{at: servers[(i+1)%2], path: path + "/payment", userID: diner, body: map[string]any{"kind": "deposit"}})
		c.post(press{at: servers[i%2], path: "/api/reservations", userID: diner, body: map[string]any{
			"restaurantId": f.restaurant.ID, "date": slot.Date.AddDays(1), "time": slot.Time, "partySize": 1, "couponId": id,
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
	return f.misplacedCoupons(t)
}

// misplacedCoupons is how many coupons are not where their reservations say.
func (f *fixture) misplacedCoupons(t *testing.T) (wrong int) {
	t.Helper()
	report, err := NewAuditStore(f.DB).Audit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
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
				if _, err := NewReservationStore(server.DB).ExpireHolds(ctx, 3); err != nil && ctx.Err() == nil {
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
	if testing.Short() {
		t.Skip("a crowd of hundreds takes seconds")
	}
	f := setup(t)
	f.openLargePlace(t)
	if wrong := endAndSpend(t, f, f.servers(t, 2), 50); wrong != 0 {
		t.Errorf("%d coupons are not where their reservations say", wrong)
	}
	f.settle(t)
	checkReservations(t, f)
}

// TestCouponEnd_WithoutGuardsOverHTTP has a reservation cancelled after its payment has read it and before
// that writes.
func TestCouponEnd_WithoutGuardsOverHTTP(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.openLargePlace(t)
	servers := f.servers(t, 2)
	id, diner := f.campaign(t, "end", 1), f.diners(t, 1, 100_000)[0]
	f.give(t, id, diner)
	path := "/api/reservations/" + f.reserve(t, f.with(id, diner, f.nextDays(2, "12:00")))
	servers[0].weakenGuard(lockReservation, unlocked)
	servers[0].weakenGuard(updateState, func(query string) string {
		c := newRush(t, 1)
		c.post(press{at: servers[1], method: http.MethodDelete, path: path, userID: diner})
		c.run("a cancellation")
		return inAnyState(query)
	})
	c := newRush(t, 1)
	c.post(press{at: servers[0], path: path + "/payment", userID: diner, body: map[string]any{"kind": "deposit"}})
	if answers := c.run("a payment"); f.misplacedCoupons(t) == 0 {
		t.Errorf("%v, and every coupon is where it should be without the guards: the test above proves nothing", answers)
	}
}
