package webtest

import (
	"database/sql"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	_ "github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

func (r *harness) start(t *testing.T, slot booking.SlotKey) time.Time {
	t.Helper()
	start, err := r.restaurant.Start(slot.Date, slot.Time)
	dbtest.Must(t, err)
	return start
}

// audited is how many acts of staff are written down.
func (r *harness) audited(t *testing.T, action string) int {
	t.Helper()
	raw, err := sql.Open("postgres", r.Setup.Database)
	dbtest.Must(t, err)
	defer raw.Close()
	var n int
	dbtest.Must(t, raw.QueryRowContext(t.Context(), `SELECT count(*) FROM audit_log WHERE action = $1`,
		action).Scan(&n))
	return n
}

func TestStaff_OnlyThoseOfARestaurantSeeIt(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	other, _ := r.newRestaurant(t, "another")
	own, foreign, diner := r.staff(t, r.restaurant.ID), r.staff(t, other.ID), r.diner(t, 0)
	slot := r.slot("19:00")
	_, id := r.confirm(t, slot, 2)
	start := r.start(t, slot)
	board, page := views.StaffBoardURL(r.restaurant.ID, start), views.StaffSlotURL(r.restaurant.ID, start)
	events := views.EveningAddress{RestaurantID: r.restaurant.ID, Day: start, Tab: views.TabGuests}.EventsURL()

	for _, path := range []string{views.StaffURL(), board, page, events} {
		if a := r.page(t, person{}, path); a.status != 303 || !strings.HasPrefix(a.header.Get("Location"), "/signin") {
			t.Errorf("%s signed out: %d %s", path, a.status, a.header.Get("Location"))
		}
	}
	for _, path := range []string{board, page, events} {
		for _, stranger := range []person{foreign, diner} {
			r.page(t, stranger, path).is(t, 404).has(t, "<html")
		}
	}
	for _, part := range []string{"close", "open", "capacity"} {
		r.control(t, foreign, slot, url.Values{"part": {part}, "capacity": {"50"}}).is(t, 404)
	}
	for _, path := range []string{views.StaffArrivedURL(id), views.StaffSeatedURL(id), views.StaffCompletedURL(id),
		views.StaffNoShowURL(id), views.StaffUndoURL(id), views.StaffCancelURL(id)} {
		r.send(t, foreign, path, url.Values{"state": {"arrived"}}).is(t, 404)
		r.send(t, diner, path, url.Values{"state": {"arrived"}}).is(t, 404)
		if a := r.send(t, person{}, path, nil); a.status != 303 {
			t.Errorf("%s signed out: %d", path, a.status)
		}
	}
	r.page(t, own, views.StaffBoardURL(999_999, start)).is(t, 404)
	r.page(t, own, "/staff/restaurants/x").is(t, 404)
	r.page(t, own, views.StaffSlotURL(r.restaurant.ID, start.Add(30*time.Minute))).is(t, 404)
	r.page(t, own, "/staff/restaurants/"+fmt.Sprint(r.restaurant.ID)+"/slots/2026-02-30/19:00").is(t, 404)
	r.send(t, own, views.StaffCancelURL("unknown"), nil).is(t, 404)
	if found, err := r.Stores.Reservations.Find(t.Context(), id); err != nil || found.State != booking.Confirmed {
		t.Errorf("after all that: %+v %v", found, err)
	}
	if o := r.occupancy(t, slot); o.Closed || o.Capacity != 10 {
		t.Errorf("after all that: %+v", o)
	}
}

func (r *harness) occupancy(t *testing.T, slot booking.SlotKey) booking.Occupancy {
	t.Helper()
	known, err := r.Stores.Slots.ListOccupancy(t.Context(), slot.RestaurantID, slot.Date, slot.Date)
	dbtest.Must(t, err)
	return known[slot]
}

func TestStaff_ChooseTheirRestaurant(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	other, _ := r.newRestaurant(t, "another")
	one := r.staff(t, r.restaurant.ID)
	if a := r.page(t, one, views.StaffURL()); a.status != 303 ||
		a.header.Get("Location") != views.StaffSectionURL(r.restaurant.ID, views.SectionTonight) {
		t.Errorf("the only one: %d %s", a.status, a.header.Get("Location"))
	}
	both := r.staff(t, r.restaurant.ID)
	r.addStaff(t, both, other.ID, identity.RoleHost)
	r.page(t, both, views.StaffURL()).is(t, 200).has(t, fmt.Sprintf(`/staff/restaurants/%d"`, other.ID),
		fmt.Sprintf(`/staff/restaurants/%d"`, r.restaurant.ID))
	r.page(t, r.diner(t, 0), views.StaffURL()).is(t, 200).hasNot(t,
		fmt.Sprintf("/staff/restaurants/%d", r.restaurant.ID))
}

func slotsTab(restaurant int64, day time.Time) string {
	return views.EveningAddress{RestaurantID: restaurant, Day: day, Tab: views.TabSlots}.URL()
}

func TestBoard_ShowsADay(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	r.confirm(t, slot, 3)
	r.seat(t, r.diner(t, 0), slot, 2)
	defer r.rival(t, slot)()
	board := r.page(t, r.staff(t, r.restaurant.ID), slotsTab(r.restaurant.ID, r.start(t, slot))).is(t, 200)
	board.has(t, "담담반상", ">5/10<", views.StaffSlotURL(r.restaurant.ID, r.start(t, slot)))
	if n := strings.Count(string(board.raw), `class="board-row`); n != 14 {
		t.Errorf("%d slots, want 14", n)
	}
	// A day that does not exist is today.
	r.page(t, r.staff(t, r.restaurant.ID), fmt.Sprintf("/staff/restaurants/%d?date=2026-02-30", r.restaurant.ID)).is(t,
		200)
}

func TestStaffSlot_ClosesAndOpens(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	release := r.rival(t, slot)
	defer release()
	staff, diner := r.staff(t, r.restaurant.ID), r.diner(t, 0)
	ticket := r.press(t, diner, "key-1", "respond-async", r.requestFor(slot, 2)).want(t, 202, "").text(t, "ticket")
	start := r.start(t, slot)

	r.confirm(t, slot, 3)
	controls := views.StaffSlotControlsURL(r.restaurant.ID, start)
	r.page(t, staff, views.StaffSlotURL(r.restaurant.ID, start)).is(t, 200).has(t, `href="`+controls+`"`)
	r.send(t, staff, controls, url.Values{"part": {"close"}}).is(t, 200).has(t, "닫을까요", "대기 2팀, 예약 1팀")
	r.send(t, diner, controls, url.Values{"part": {"close"}}).is(t, 404)
	if r.occupancy(t, slot).Closed {
		t.Error("asking has closed it")
	}
	r.control(t, staff, slot, url.Values{"part": {"close"}}).is(t, 303)
	if !r.occupancy(t, slot).Closed || r.audited(t, "slot.close") != 1 {
		t.Errorf("closed: %+v", r.occupancy(t, slot))
	}
	dbtest.Eventually(t, "the waiting diner is notified", func() bool {
		now := r.get(t, diner, "/api/tickets/"+ticket)
		return now.json["state"] == "rejected" && now.json["code"] == "closed"
	})
	r.press(t, diner, "key-2", "wait=10", r.requestFor(slot, 2)).want(t, 409, "closed")

	r.control(t, staff, slot, url.Values{"part": {"open"}}).is(t, 303)
	if r.occupancy(t, slot).Closed || r.audited(t, "slot.open") != 1 {
		t.Errorf("opened: %+v", r.occupancy(t, slot))
	}
	release()
	dbtest.Eventually(t, "the slot is for sale again", func() bool {
		o, err := r.Availability.List(t.Context(), slot.RestaurantID, slot.Date)
		return err == nil && !o[slot.Time].Closed
	})
	r.press(t, diner, "key-3", "wait=20", r.requestFor(slot, 2)).want(t, 201, "")
}

func TestStaffSlot_BegunIsOver(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	begun, later := r.slot("08:00"), r.slot("20:00")
	begun.Date, later.Date = r.day(0), r.day(0)
	r.confirm(t, begun, 2)
	staff, start := r.staff(t, r.restaurant.ID), r.start(t, begun)
	controls := views.StaffSlotControlsURL(r.restaurant.ID, start)

	board := r.page(t, staff, slotsTab(r.restaurant.ID, start)).is(t, 200)
	past := 0
	for _, at := range r.restaurant.Times(begun.Date) {
		if s, err := r.restaurant.Start(begun.Date, at); err == nil && !time.Now().Before(s) {
			past++
		}
	}
	if n := strings.Count(string(board.raw), ">지난 시간<"); n != past || n == 0 {
		t.Errorf("%d slots are over, want %d", n, past)
	}
	page := r.page(t, staff, views.StaffSlotURL(r.restaurant.ID, start)).is(t, 200)
	page.has(t, "지난 시간")
	page.hasNot(t, controls)
	for _, part := range []string{"close", "open", "capacity"} {
		refused := r.control(t, staff, begun, url.Values{"part": {part}, "capacity": {"50"}}).is(t, 409)
		refused.has(t, "지난 시간이라 새 예약을 받지 않으며").hasNot(t, controls)
	}
	if o := r.occupancy(t, begun); o.Closed || o.Capacity != 10 {
		t.Errorf("after all that: %+v", o)
	}
	r.control(t, staff, later, url.Values{"part": {"close"}}).is(t, 303)
}

func TestStaffSlot_CapacityIsNeverBelowWhatIsSold(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	r.confirm(t, slot, 6)
	staff := r.staff(t, r.restaurant.ID)
	set := func(typed string) answer {
		return r.control(t, staff, slot, url.Values{"part": {"capacity"}, "capacity": {typed}})
	}
	for _, typed := range []string{"5", "0", "-1", "1001", "1e9", "", "ten", strings.Repeat("9", 10_000), "<script>"} {
		status := 422
		if typed == "5" || typed == "0" {
			status = 409
		}
		a := set(typed).is(t, status)
		a.has(t, "<html")
		a.hasNot(t, "<script>alert", `value="<script>"`)
		if o := r.occupancy(t, slot); o.Capacity != 10 {
			t.Fatalf("%q: %+v", typed, o)
		}
	}
	set("5").has(t, "이미 6석이 예약되어", `value="5"`)
	set(" 6 ").is(t, 303)
	if o := r.occupancy(t, slot); o.Capacity != 6 || r.audited(t, "slot.capacity") != 1 {
		t.Errorf("changed: %+v, %d acts", o, r.audited(t, "slot.capacity"))
	}
	dbtest.Eventually(t, "the API knows", func() bool {
		a := r.press(t, r.diner(t, 0), "key-1", "wait=10", r.requestFor(slot, 1))
		return a.json["code"] == "sold_out"
	})
}

func TestStaff_CancelWithAFullRefund(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	begun := r.slot("08:00")
	begun.Date = r.day(0)
	who, id := r.confirm(t, begun, 2)
	r.send(t, r.staff(t, r.restaurant.ID), views.StaffCancelURL(id), nil).is(t, 303).has(t, "예약을 취소했습니다.")
	if own := r.get(t, who, "/api/reservations/"+id).want(t, 200, ""); own.text(t, "state") != "refund_pending" ||
		own.number(t, "refundAmount") != 20_000 {
		t.Errorf("cancelled: %s", own.raw)
	}
	if n := r.audited(t, "reservation.cancelled"); n != 1 {
		t.Errorf("%d acts written down, want 1", n)
	}
}

// A manager gives money back in parts, on the page and over the API, never more than is left, and for a reason; a host
// does not.
func TestStaff_GivesMoneyBack(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who, id := r.confirm(t, r.slot("19:00"), 2)
	host, manager := r.staffAs(t, r.restaurant.ID, identity.RoleHost), r.staffAs(t, r.restaurant.ID, identity.RoleManager)
	page, api := views.StaffRefundURL(id), "/api/staff/reservations/"+id+"/refunds"
	r.get(t, host, page).want(t, 403, "")
	r.post(t, host, api, "key-1", map[string]any{"amount": 1_000, "reason": "x"}).want(t, 403, "forbidden")
	r.get(t, manager, page).want(t, 200, "")
	before := r.get(t, who, "/api/wallet").number(t, "balance")
	for range 2 {
		given := r.post(t, manager, api, "key-1", map[string]any{"amount": 5_000, "reason": "The soup was cold", "left": 20_000}).
			want(t, 201, "")
		if given.number(t, "givenBackAmount") != 5_000 || given.number(t, "left") != 15_000 {
			t.Errorf("given back: %s", given.raw)
		}
	}
	r.post(t, manager, api, "key-2", map[string]any{"amount": 5_000, "reason": "Again", "left": 20_000}).
		want(t, 409, "changed_meanwhile")
	r.post(t, manager, api, "key-3", map[string]any{"amount": 15_001, "reason": "All"}).want(t, 409, "more_than_left")
	r.post(t, manager, api, "key-4", map[string]any{"amount": 0, "reason": " "}).want(t, 422, "invalid")
	form := func(key, amount, reason string) url.Values {
		return url.Values{views.FieldIdempotencyKey: {key}, views.FieldAmount: {amount}, views.FieldReason: {reason},
			views.FieldLeft: {"15000"}}
	}
	r.send(t, manager, page, form("key-5", "16000", "Sorry")).is(t, 409).has(t, `value="16000"`, "15000원")
	r.send(t, manager, page, form("key-6", "15000", "")).is(t, 422)
	r.send(t, manager, page, form("key-7", "15000", "Sorry")).is(t, 303)
	if after := r.get(t, who, "/api/wallet").number(t, "balance"); after-before != 20_000 {
		t.Errorf("%v won came back, want 20000", after-before)
	}
	if own := r.get(t, who, "/api/reservations/"+id).want(t, 200, ""); own.text(t, "state") != "confirmed" ||
		own.number(t, "givenBackAmount") != 20_000 {
		t.Errorf("the reservation: %s", own.raw)
	}
	if n := r.audited(t, "reservation.given_back"); n != 2 {
		t.Errorf("%d acts written down, want 2", n)
	}
	r.balances(t)
}

func TestStaffSlot_ShowsWhoComes(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	diner := r.diner(t, 0)
	body := r.requestFor(slot, 3)
	body["note"], body["allergies"] = "<script>alert(1)</script> 🍜", "땅콩"
	body["items"] = []map[string]any{{"menuItemId": r.menu[0].ID, "quantity": 2}}
	id := r.press(t, diner, "key-1", "wait=10", body).want(t, 201, "").text(t, "id")
	page := r.page(t, r.staff(t, r.restaurant.ID), views.StaffSlotURL(r.restaurant.ID, r.start(t, slot))).is(t, 200)
	page.has(t, "손님 "+diner.id[:4], "5678", id[:6], "갈비찜 × 2", "땅콩", "&lt;script&gt;alert(1)&lt;/script&gt; 🍜",
		views.StaffCancelURL(id))
	page.hasNot(t, "<script>alert", "010-1234", views.StaffArrivedURL(id), views.StaffSeatedURL(id),
		views.StaffCompletedURL(id), views.StaffNoShowURL(id), views.StaffUndoURL(id))
}

func TestStaff_FormsOfAnotherSiteAreRefused(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	staff := r.staff(t, r.restaurant.ID)
	controls := views.StaffSlotControlsURL(r.restaurant.ID, r.start(t, slot))
	r.do(t, call{method: http.MethodPost, path: controls, body: "part=close&confirmed=yes",
		headers: map[string]string{"Cookie": "session=" + staff.token, "Origin": "https://evil.example",
			"Content-Type": "application/x-www-form-urlencoded"}}).is(t, 403)
	r.page(t, staff, controls+"?part=close&confirmed=yes").is(t, 200) // reads, and closes nothing
	r.page(t, staff, views.StaffArrivedURL("any")).is(t, 405)
	if r.occupancy(t, slot).Closed {
		t.Error("it was closed")
	}
}
