package webtest

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/db/audits"
	"lunchgo/db/dbtest"
)

// give lets persons have a coupon of a campaign, past its line.
func (r *harness) give(t testing.TB, id int64, people ...person) {
	t.Helper()
	var run []coupon.Request
	for _, who := range people {
		run = append(run, coupon.Request{CouponID: id, UserID: who.id, IdempotencyKey: "key",
			Ticket: fmt.Sprint(id, "-", who.id)})
	}
	outcomes, _, err := r.Coupons.Serve(t.Context(), coupon.Turn{CouponID: id, Fence: 1}, run)
	dbtest.Must(t, err)
	for _, out := range outcomes {
		if !out.Claims() {
			t.Fatalf("no coupon of %d: %v", id, out.Err)
		}
	}
}

// withCoupon returns a request for two and one portion of the first dish.
func (r *harness) withCoupon(slot booking.SlotKey, id int64) map[string]any {
	body := r.requestFor(slot, 2)
	body["items"] = []map[string]any{{"menuItemId": r.menu[0].ID, "quantity": 1}}
	body["couponId"] = id
	return body
}

// usedFor is what the API says a person's coupon is used for; nil while it is free.
func (r *harness) usedFor(t *testing.T, who person, id int64) any {
	t.Helper()
	return r.campaigns(t, who)[id]["claim"].(map[string]any)["reservationId"]
}

// checkBooks fails if the auditor finds anything.
func (r *harness) checkBooks(t *testing.T) {
	t.Helper()
	report, err := audits.NewStore(r.DB).Audit(t.Context())
	if err != nil || report.Found() != 0 {
		t.Errorf("the audit: %+v, %v", report.Wrong(), err)
	}
}

func TestCoupon_LowersWhatIsPaid(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who, slot := r.diner(t, 100_000), r.slot("19:00")
	deposit := r.campaign(t, "deposit", 5, time.Minute)
	menu := r.put(t, coupon.Campaign{Slug: "menu", Use: coupon.ForMenu, Amount: 10_000, Total: 5,
		RestaurantID: r.restaurant.ID}, time.Minute)
	r.give(t, deposit, who)
	r.give(t, menu, who)
	made := r.press(t, who, "key-1", "wait=10", r.withCoupon(slot, deposit)).want(t, 201, "")
	if made.number(t, "couponId") != int(deposit) || made.text(t, "discountUse") != "deposit" ||
		made.number(t, "discountAmount") != 5_000 {
		t.Errorf("made: %s", made.raw)
	}
	first := made.text(t, "id")
	if used := r.usedFor(t, who, deposit); used != first {
		t.Errorf("used for %v, want %s", used, first)
	}
	r.press(t, who, "key-1", "wait=10", r.withCoupon(slot, menu)).want(t, 422, "idempotency_key_reused")
	r.press(t, who, "key-1", "wait=10", r.requestFor(slot, 2)).want(t, 422, "idempotency_key_reused")
	paid := r.post(t, who, "/api/reservations/"+first+"/payment", "pay", map[string]any{"kind": "deposit"}).
		want(t, 200, "")
	if paid.number(t, "paidAmount") != 15_000 || paid.number(t, "depositAmount") != 20_000 {
		t.Errorf("paid: %s", paid.raw)
	}
	cancelled := r.delete(t, who, "/api/reservations/"+first).want(t, 200, "")
	if cancelled.number(t, "refund") != 15_000 || r.usedFor(t, who, deposit) != nil {
		t.Errorf("cancelled: %s, used for %v", cancelled.raw, r.usedFor(t, who, deposit))
	}
	again := r.press(t, who, "key-2", "wait=10", r.withCoupon(r.slot("20:00"), menu)).want(t, 201, "")
	paid = r.post(t, who, "/api/reservations/"+again.text(t, "id")+"/payment", "prepay",
		map[string]any{"kind": "prepay"}).want(t, 200, "")
	if paid.number(t, "paidAmount") != 22_000 || paid.text(t, "discountUse") != "menu" {
		t.Errorf("prepaid: %s", paid.raw)
	}
	r.checkBooks(t)
}

func TestCoupon_UselessOnesAreRefused(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who, stranger, slot := r.diner(t, 100_000), r.diner(t, 0), r.slot("19:00")
	other, _ := r.newRestaurant(t, "another")
	fine, foreign, old := r.campaign(t, "fine", 5, time.Minute), r.campaign(t, "foreign", 5, time.Minute),
		r.campaign(t, "old", 5, 49*time.Hour)
	elsewhere := r.put(t, coupon.Campaign{Slug: "elsewhere", Use: coupon.ForDeposit, Amount: 1, Total: 5,
		RestaurantID: other.ID}, time.Minute)
	menu := r.put(t, coupon.Campaign{Slug: "menu", Use: coupon.ForMenu, Amount: 1, Total: 5}, time.Minute)
	r.give(t, fine, who)
	r.give(t, foreign, stranger)
	noDishes := r.withCoupon(slot, menu)
	delete(noDishes, "items")
	for code, body := range map[string]map[string]any{"coupon_unknown": r.withCoupon(slot, foreign),
		"coupon_expired": r.withCoupon(slot, old), "coupon_elsewhere": r.withCoupon(slot, elsewhere),
		"coupon_useless": noDishes} {
		if refused := r.press(t, who, code, "wait=10", body).want(t, 409, code); refused.text(t, "detail") == "" {
			t.Errorf("%s: %s", code, refused.raw)
		}
	}
	r.press(t, who, "early", "wait=10", r.withCoupon(r.slot("12:00"), fine)).want(t, 201, "")
	release := r.rival(t, slot)
	defer release()
	ticket := r.press(t, who, "late", "respond-async", r.withCoupon(slot, fine)).want(t, 202, "").text(t, "ticket")
	release()
	dbtest.Eventually(t, "the turn has come", func() bool {
		is := r.get(t, who, "/api/tickets/"+ticket)
		return is.json["state"] == "rejected" && is.json["code"] == "coupon_used"
	})
	if all := r.get(t, who, "/api/reservations").list(t, "reservations"); len(all) != 1 {
		t.Errorf("%d reservations", len(all))
	}
	r.checkBooks(t)
}

// contendWithCoupons lets everybody use their one coupon for as many days at the same moment, at two servers, and
// returns how many reservations there are.
func contendWithCoupons(t *testing.T, servers []*harness, id int64, people []person, days int) (made int) {
	t.Helper()
	var all sync.WaitGroup
	var mu sync.Mutex
	for i := range len(people) * days {
		who, slot := people[i/days], servers[0].slot(booking.TimeOfDay(fmt.Sprintf("%02d:00", 8+i/days%14)))
		slot.Date = servers[0].day(1 + i%days)
		all.Go(func() {
			a := servers[i%2].press(t, who, fmt.Sprint("key-", i), "wait=30", servers[0].withCoupon(slot, id))
			mu.Lock()
			defer mu.Unlock()
			switch {
			case a.status == http.StatusCreated:
				made++
			case a.status != http.StatusConflict || a.json["code"] != "coupon_used":
				t.Errorf("%d %s", a.status, a.raw)
			}
		})
	}
	all.Wait()
	return made
}

func TestCoupon_ServesOneReservationOverTwoServers(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	servers := []*harness{r, r.twin(t)}
	people := make([]person, 12)
	for i := range people {
		people[i] = r.diner(t, 0)
	}
	id := r.campaign(t, "once", len(people), time.Minute)
	r.give(t, id, people...)
	if made := contendWithCoupons(t, servers, id, people, 6); made != len(people) {
		t.Errorf("%d coupons serve %d reservations", len(people), made)
	}
	r.checkBooks(t)
}

func TestCoupon_OutlivesItsCampaign(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who := r.diner(t, 0)
	id := r.campaign(t, "short", 5, time.Minute)
	r.give(t, id, who)
	r.campaign(t, "short", 5, 2*time.Hour) // which is over now
	dbtest.Eventually(t, "the campaign is over", func() bool { return r.campaigns(t, person{})[id] == nil })
	if own := r.campaigns(t, who)[id]; own["state"] != "over" || own["claim"] == nil {
		t.Errorf("own: %v", own)
	}
	page := r.page(t, who, "/coupons")
	page.has(t, "내 쿠폰", "쓸 수 있음")
	page.hasNot(t, "쿠폰 받기</button>")
	made := r.press(t, who, "key-1", "wait=10", r.withCoupon(r.slot("19:00"), id)).want(t, 201, "")
	if made.number(t, "discountAmount") != 5_000 {
		t.Errorf("made: %s", made.raw)
	}
}
