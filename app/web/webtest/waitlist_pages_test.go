package webtest

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

var offerLink = regexp.MustCompile(`href="(/offers/[\w.-]+)"`)

// joined lets a diner join a waitlist as the page does, and returns its path.
func (r *harness) joined(t *testing.T, who person, slot booking.SlotKey, party string) string {
	t.Helper()
	a := r.do(t, call{method: http.MethodPost, path: "/restaurants/damdam/waitlist", headers: map[string]string{
		"Cookie": "session=" + who.token, "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"},
		body: joinFields(slot, party).Encode()}).is(t, 303)
	return a.header.Get("Location")
}

func joinFields(slot booking.SlotKey, party string) url.Values {
	return url.Values{views.FieldDate: {string(slot.Date)}, views.FieldTime: {string(slot.Time)},
		views.FieldParty: {party}, views.FieldIdempotencyKey: {"key-" + party}}
}

func TestWaitlistPage_JoinWatchAndLeave(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	sitting := r.fill(t, slot)
	join := "/restaurants/damdam/waitlist?" + url.Values{"date": {string(slot.Date)}, "party": {"2"},
		"time": {"19:00"}}.Encode()
	link := strings.ReplaceAll(join, "&", "&amp;")
	dbtest.Eventually(t, "a sold-out slot leads to its waitlist", func() bool {
		return strings.Contains(string(r.page(t, person{}, "/restaurants/damdam?date="+string(slot.Date)+
			"&party=2").raw), `href="`+link)
	})
	who := r.diner(t, 1_000_000)
	pressed := r.send(t, who, "/restaurants/damdam/reservations", joinFields(slot, "2")).is(t, 409)
	pressed.has(t, `href="`+link, "대기 신청")
	r.page(t, who, join).is(t, 200).has(t, "10분 동안", "3번 그렇게 되면", "최대 30분 동안", "한 팀에 2번까지", "예약 마감 전 60분", "빈자리 알림 신청")
	r.send(t, who, "/restaurants/damdam/waitlist", joinFields(slot, "99")).is(t, 422).has(t, `value="99"`)
	r.send(t, who, "/restaurants/damdam/waitlist", joinFields(slot, "two")).is(t, 422)
	if out := r.send(t, person{}, "/restaurants/damdam/waitlist", joinFields(slot, "2")); out.status != 303 ||
		!strings.Contains(string(out.raw), "로그인") {
		t.Errorf("without a session: %d", out.status)
	}
	first, second := r.diner(t, 0), r.diner(t, 0)
	r.joined(t, first, slot, "3")
	place := r.joined(t, second, slot, "2")
	r.page(t, second, place).is(t, 200).has(t, "앞에 1팀", "0팀", "다른 팀이 3번 먼저 앉으면", `sse-connect="`+place+`/events"`)
	if page := r.page(t, second,
		place); !regexp.MustCompile(`http-equiv="refresh" content="([7-9]|1[0-3]);url=`).Match(page.raw) {
		t.Error("without JavaScript the page does not ask again after 7 to 13 s")
	}
	r.page(t, first, place).is(t, 404)
	r.send(t, second, "/restaurants/damdam/waitlist",
		url.Values{views.FieldDate: {string(slot.Date)}, views.FieldTime: {"19:00"},
			views.FieldParty: {"2"}, views.FieldIdempotencyKey: {"other"}}).is(t, 409).has(t, "이미 있습니다")
	for _, sits := range sitting {
		r.send(t, sits, "/restaurants/damdam/waitlist", joinFields(slot, "2")).is(t, 409)
		break
	}
	r.page(t, second, "/reservations").has(t, "대기 명단", `href="`+place+`"`)
	r.send(t, second, place+"/leave", nil).is(t, 303).has(t, "명단에서 나왔습니다")
	r.send(t, first, place+"/leave", nil).is(t, 404)
	staff := r.staff(t, r.restaurant.ID)
	r.page(t, staff, "/staff/restaurants/1/slots/"+string(slot.Date)+"/19:00").is(t, 200).has(t, "대기 명단", "앞지른 팀 0 (최대 3)")
}

func TestWaitlistPage_OfferIsAnsweredByItsLink(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	sitting := r.fill(t, slot)
	first, second := r.diner(t, 1_000_000), r.diner(t, 1_000_000)
	place, next := r.joined(t, first, slot, "2"), r.joined(t, second, slot, "2")
	stream := make(chan string, 1)
	go func() { stream <- string(r.page(t, first, place+"/events").raw) }()
	r.leaveTable(t, sitting)
	select {
	case heard := <-stream:
		if !strings.Contains(heard, "event: done") {
			t.Errorf("the open page heard %q", heard)
		}
	case <-time.After(dbtest.Patience):
		t.Fatal("the open page did not hear of the offer")
	}
	page := r.page(t, first, place).is(t, 200)
	page.has(t, "자리가 났습니다")
	r.page(t, first, "/mailbox").is(t, 200).has(t, "수락해 주세요")
	offer := string(offerLink.FindSubmatch(page.raw)[1])
	for range 3 { // whoever looks at links changes nothing
		r.page(t, person{}, offer).is(t, 200).has(t, "담담반상", "20,000원", `action="`+offer+`/accept"`, `action="`+offer+
			`/decline"`)
	}
	r.offerShowsOnce(t, first, offer)
	r.forgeries(t, offer)
	declined := r.send(t, person{}, offer+"/decline", nil).is(t, 303)
	declined.has(t, "제안을 받지 않았습니다")
	r.send(t, person{}, offer+"/accept", nil).is(t, 409).has(t, "제안을 받지 않았습니다")
	dbtest.Eventually(t, "the next is offered the seats",
		func() bool { return offerLink.Match(r.page(t, second, next).raw) })
	offer = string(offerLink.FindSubmatch(r.page(t, second, next).raw)[1])
	anywhere := r.do(t, call{method: http.MethodPost, path: offer + "/accept"}).is(t, 303)
	if to := anywhere.header.Get("Location"); !strings.HasSuffix(to, "/pay") {
		t.Errorf("accepting leads to %s", to)
	}
	r.send(t, second, offer+"/accept", nil).is(t, 303).has(t, "20,000")
	r.page(t, second, "/reservations").is(t, 200).has(t, "결제 대기").hasNot(t, offer)
	if entries, err := r.Waitlists.Store.ListEntries(t.Context(), second.id, keyset.Request{}); err != nil ||
		entries.Items[0].State != booking.EntryAccepted {
		t.Errorf("%+v, %v", entries, err)
	} else {
		r.expire(t, entries.Items[0].Offer.ReservationID, time.Second)
	}
	r.page(t, person{}, offer).is(t, 200).has(t, "제안이 끝났습니다").hasNot(t, "/accept")
	r.send(t, person{}, offer+"/accept", nil).is(t, 409)
	r.send(t, person{}, offer+"/decline", nil).is(t, 409)
	r.balances(t)
}

// offerShowsOnce looks at a diner's list while an offer stands: it shows the offer with both answers, and not the
// temporary reservation behind it as well.
func (r *harness) offerShowsOnce(t *testing.T, who person, offer string) {
	t.Helper()
	entries, err := r.Waitlists.Store.ListOpen(t.Context(), who.id)
	if err != nil || entries[0].Offer == nil {
		t.Fatalf("%+v, %v", entries, err)
	}
	list := r.page(t, who, "/reservations").is(t, 200)
	list.has(t, `action="`+offer+`/accept"`, `action="`+offer+`/decline"`, "까지 수락해 주세요")
	list.hasNot(t, entries[0].Offer.ReservationID)
}

// forgeries are addresses that were never signed, and requests from elsewhere.
func (r *harness) forgeries(t *testing.T, offer string) {
	t.Helper()
	head, tail, _ := strings.Cut(strings.TrimPrefix(offer, "/offers/"), ".")
	for _, token := range []string{"x", ".", head, head + ".", head + ".AAAA", "A" + head[1:] + "." + tail, head + "." +
		strings.ToLower(tail) + "A", "%01"} {
		r.page(t, person{}, "/offers/"+token).is(t, 404)
		r.send(t, person{}, "/offers/"+token+"/accept", nil).is(t, 404)
	}
	elsewhere := map[string]string{"Origin": "https://elsewhere.example", "Sec-Fetch-Site": "cross-site"}
	r.do(t, call{method: http.MethodPost, path: offer + "/decline", headers: elsewhere}).is(t, 403)
	r.do(t, call{method: http.MethodGet, path: offer + "/decline"}).is(t, 405)
}
