package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"lunchgo/app/lineup"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

var couponKey = regexp.MustCompile(`name="idempotency_key" value="(\w+)"`)

// ask presses the button of the only open campaign on the page of coupons.
func (r *harness) ask(t *testing.T, who person, id int64) answer {
	t.Helper()
	page := r.page(t, who, views.CouponsURL()).is(t, 200)
	key := couponKey.FindSubmatch(page.raw)
	if key == nil {
		t.Fatalf("no campaign is open on the page:\n%s", page.raw)
	}
	return r.send(t, who, views.ClaimCouponURL(id), url.Values{views.FieldIdempotencyKey: {string(key[1])}})
}

func TestCouponPage_Claims(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	id, who := r.campaign(t, "first", 2, time.Minute), r.diner(t, 0)
	r.campaign(t, "later", 7, -time.Hour)
	page := r.page(t, who, "/coupons").is(t, 200)
	page.has(t, "첫 방문 쿠폰", "−5,000원", "모든 식당에서", "2장 남음", "전체 2장", "발급 중", "열릴 예정", `action="`+views.ClaimCouponURL(id)+
		`"`, `hx-trigger="every 5s"`)
	page.hasNot(t, "내 쿠폰", "받은 쿠폰입니다")
	r.ask(t, who, id).is(t, 303).has(t, "쿠폰을 받았습니다.", "내 쿠폰", "쓸 수 있음", "받은 쿠폰입니다", "1장 남음")
	part := r.do(t, call{method: http.MethodGet, path: "/coupons", headers: map[string]string{
		"Cookie": "session=" + who.token, "HX-Request": "true", "HX-Target": "campaigns"}}).is(t, 200)
	if part.has(t, "받은 쿠폰입니다"); !strings.HasPrefix(string(part.raw), `<div id="campaigns"`) {
		t.Errorf("the part: %.200s", part.raw)
	}
	fields := url.Values{views.FieldIdempotencyKey: {"another-key"}}
	dbtest.Eventually(t, "who has one reads so", func() bool {
		return strings.Contains(string(r.send(t, who, views.ClaimCouponURL(id), fields).raw), "한 사람에 한 장입니다")
	})
	r.ask(t, r.diner(t, 0), id).is(t, 303)
	late := r.diner(t, 0)
	gone := r.send(t, late, views.ClaimCouponURL(id), fields).is(t, 409)
	gone.has(t, "쿠폰이 모두 나갔습니다", "첫 방문 쿠폰", `href="/coupons"`)
	r.page(t, late, "/coupons").has(t, "0장 남음", "소진")
	r.page(t, person{}, "/coupons").is(t, 200).has(t, "로그인", "소진")
}

func TestCouponPage_ShowsTheLine(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	id, first, second := r.campaign(t, "rush", 1, time.Minute), r.diner(t, 0), r.diner(t, 0)
	release := r.rivalIn(t, lineup.OfCampaign(id))
	defer release()
	r.ask(t, first, id).is(t, 303).has(t, "줄을 서고 있습니다", "첫 방문 쿠폰", "쿠폰 1장", "쿠폰을 바로 드립니다")
	third := r.diner(t, 0)
	left := r.ask(t, third, id).is(t, 303)
	leave := regexp.MustCompile(`action="(/tickets/[^"]+/leave)"`).FindSubmatch(left.raw)
	r.send(t, third, string(leave[1]), nil).has(t, "줄에서 나왔습니다", "쿠폰은 받지 않았습니다")
	waits := r.ask(t, second, id)
	waits.has(t, "앞에 1명", "쿠폰 1장")
	ticket := regexp.MustCompile(`sse-connect="/tickets/([^/]+)/events`).FindSubmatch(waits.raw)
	if ticket == nil {
		t.Fatalf("no stream: %s", waits.raw)
	}
	events, hangUp := r.stream(t, second, "/tickets/"+string(ticket[1])+"/events")
	defer hangUp()
	if e, _ := nextEvent(t, events); e.name != "waiting" || !strings.Contains(e.data, "쿠폰 1장") {
		t.Errorf("the stream begins with %+v", e)
	}
	release()
	for last, ok := nextEvent(t, events); last.name != "done"; last, ok = nextEvent(t, events) {
		if !ok {
			t.Fatal("the stream ends without saying that it is done")
		}
	}
	r.page(t, second, "/tickets/"+string(ticket[1])).is(t, 200).has(t, "쿠폰이 모두 나갔습니다", "첫 방문 쿠폰")
	if r.page(t, first, "/tickets/"+string(ticket[1])).status != 404 {
		t.Error("somebody else's ticket is shown")
	}
	r.page(t, first, "/coupons").has(t, "받은 쿠폰입니다")
}

func TestCouponPage_Refusals(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who, key := r.diner(t, 0), url.Values{views.FieldIdempotencyKey: {"key-1"}}
	soon := r.campaign(t, "soon", 5, -time.Hour)
	r.send(t, who, views.ClaimCouponURL(soon), key).is(t, 409).has(t, "아직 열리지 않았습니다", "에 열립니다.")
	over := r.campaign(t, "late", 5, 2*time.Hour)
	r.send(t, who, views.ClaimCouponURL(over), key).is(t, 409).has(t, "끝난 쿠폰입니다")
	r.send(t, who, views.ClaimCouponURL(soon), nil).is(t, 400)
	for _, unknown := range []string{"0", "-1", "x", "1e3", "99999999999999999999", "%01", fmt.Sprint(over + 100)} {
		r.send(t, who, "/coupons/"+unknown+"/claims", key).is(t, 404)
	}
	r.page(t, who, "/coupons/1/claims").is(t, 405)
	if a := r.do(t, call{method: http.MethodPost, path: views.ClaimCouponURL(soon), body: key.Encode(),
		headers: map[string]string{
			"Content-Type": "application/x-www-form-urlencoded"}}); a.status != 303 || a.header.Get("Location") != "/signin?next=%2Fcoupons" {
		t.Errorf("signed out: %d %s", a.status, a.header.Get("Location"))
	}
	if a := r.do(t, call{method: http.MethodPost, path: views.ClaimCouponURL(soon), body: key.Encode(),
		headers: map[string]string{
			"Cookie": "session=" + who.token, "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "cross-site"}}); a.status != 403 {
		t.Errorf("from another site: %d", a.status)
	}
	r.page(t, who, "/coupons").is(t, 200).hasNot(t, "내 쿠폰", "4장 남음")
}
