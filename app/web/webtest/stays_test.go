package webtest

import (
	"net/url"
	"strconv"
	"strings"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// openStays gives the harness another restaurant, in which parties from 5 on stay for two slots, and whoever orders the
// course for three.
func (r *harness) openStays(t testing.TB) {
	t.Helper()
	place := r.restaurant
	place.Slug, place.StayTiers = "stays", []booking.StayTier{{FromParty: 5, Slots: 2}}
	r.openAnother(t, place, []booking.MenuItem{
		{Category: "main", Name: booking.Text{Ko: "갈비찜", En: "Braised ribs"}, Price: 32_000},
		{Category: "set", Name: booking.Text{Ko: "한정식 코스", En: "Course"}, Price: 90_000, StaySlots: 3},
	})
}

// openAnother gives the harness another restaurant in place of the one that it has.
func (r *harness) openAnother(t testing.TB, place booking.Restaurant, menu []booking.MenuItem) {
	t.Helper()
	id, err := r.Operator.PutRestaurant(t.Context(), place, menu)
	if err != nil {
		t.Fatal(err)
	}
	if r.restaurant, err = r.Bookings.Catalog.FindRestaurant(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if r.menu, err = r.Bookings.Catalog.ListMenu(t.Context(), id); err != nil {
		t.Fatal(err)
	}
}

// slotsFor is what the API says of tomorrow's slots to a party, by time.
func (r *harness) slotsFor(t *testing.T, who person, party int) map[string]map[string]any {
	t.Helper()
	path := "/api/restaurants/" + strconv.FormatInt(r.restaurant.ID, 10) + "/slots?date=" + string(r.day(1)) +
		"&partySize=" + strconv.Itoa(party)
	slots := map[string]map[string]any{}
	for _, slot := range r.get(t, who, path).want(t, 200, "").list(t, "slots") {
		slots[slot["time"].(string)] = slot
	}
	return slots
}

func TestStay_OverTheAPI(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	r.openStays(t)
	who := r.diner(t, 0)
	if s := r.slotsFor(t, who, 5)["18:00"]; s["slotCount"] != 2.0 || s["endTime"] != "20:00" || s["remaining"] != 10.0 {
		t.Errorf("for a large party: %v", s)
	}
	if s := r.slotsFor(t, who, 4)["18:00"]; s["slotCount"] != 1.0 || s["endTime"] != "19:00" {
		t.Errorf("for a small party: %v", s)
	}
	if s := r.slotsFor(t, who, 5)["21:00"]; s["state"] != "closed" {
		t.Errorf("the last slot for a large party: %v", s)
	}
	made := r.press(t, who, "k1", "wait=10", r.requestFor(r.slot("18:00"), 6)).want(t, 201, "")
	if made.number(t, "slotCount") != 2 || made.text(t, "endTime") != "20:00" {
		t.Errorf("made: %s", made.raw)
	}
	dbtest.Eventually(t, "the seats of both slots are taken", func() bool {
		one := r.slotsFor(t, who, 1)
		return one["18:00"]["remaining"] == 4.0 && one["19:00"]["remaining"] == 4.0 && one["20:00"]["remaining"] == 10.0
	})
	if s := r.slotsFor(t, who, 5); s["17:00"]["state"] != "sold_out" || s["19:00"]["state"] != "sold_out" ||
		s["20:00"]["state"] != "open" {
		t.Errorf("for the next large party: %v", s)
	}
	other := r.diner(t, 0)
	refused := r.press(t, other, "k1", "wait=10", r.requestFor(r.slot("17:00"), 5)).want(t, 409, "sold_out")
	if refused.number(t, "remaining") != 4 {
		t.Errorf("refused: %s", refused.raw)
	}
	r.press(t, who, "k2", "wait=10", r.requestFor(r.slot("19:00"), 2)).want(t, 409, "duplicate")
	r.press(t, who, "k1", "wait=10", r.requestFor(r.slot("18:00"), 6)).want(t, 201, "")
	r.balances(t)
}

func TestStay_OfACourse(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	r.openStays(t)
	who := r.diner(t, 0)
	course := func(at booking.TimeOfDay) map[string]any {
		body := r.requestFor(r.slot(at), 2)
		body["items"] = []map[string]any{{"menuItemId": r.menu[1].ID, "quantity": 1}}
		return body
	}
	made := r.press(t, who, "k1", "wait=10", course("19:00")).want(t, 201, "")
	if made.number(t, "slotCount") != 3 || made.text(t, "endTime") != "22:00" {
		t.Errorf("made: %s", made.raw)
	}
	late := r.press(t, who, "k2", "wait=10", course("20:00")).want(t, 422, "invalid")
	if !strings.Contains(string(late.raw), "stay_too_long") {
		t.Errorf("a course that would end after the last slot: %s", late.raw)
	}
	dishes := r.get(t, who, "/api/restaurants/"+strconv.FormatInt(r.restaurant.ID, 10)+"/menu").list(t, "items")
	if dishes[0]["slotCount"] != 1.0 || dishes[1]["slotCount"] != 3.0 {
		t.Errorf("the menu: %v", dishes)
	}
	place := r.get(t, who, "/api/restaurants/"+strconv.FormatInt(r.restaurant.ID, 10))
	if stays := place.list(t, "stays"); len(stays) != 1 || stays[0]["slots"] != 2.0 ||
		place.number(t, "slotMinutes") != 60 {
		t.Errorf("the restaurant: %s", place.raw)
	}
	r.do(t, call{method: "DELETE", path: "/api/reservations/" + made.text(t, "id"), as: who}).want(t, 200, "")
	dbtest.Eventually(t, "the seats of all slots are back",
		func() bool { return r.slotsFor(t, who, 1)["21:00"]["remaining"] == 10.0 })
	r.balances(t)
}

func TestStay_ClosedSlotEndsTheWait(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	r.openStays(t)
	staff, who := r.staff(t, r.restaurant.ID), r.diner(t, 0)
	release := r.rival(t, r.slot("18:00"))
	ticket := r.press(t, who, "k", "respond-async", r.requestFor(r.slot("18:00"), 5)).want(t, 202, "").text(t, "ticket")
	r.control(t, staff, r.slot("19:00"), url.Values{"part": {"close"}}).is(t, 303)
	dbtest.Eventually(t, "who waits hears of it", func() bool {
		a := r.get(t, who, "/api/tickets/"+ticket)
		return a.status == 200 && a.json["state"] == "rejected" && strings.Contains(string(a.raw), `"closed"`)
	})
	release()
}

// The pages say for how long before anything is pressed, and afterwards until when, also to staff.
func TestStay_OnPages(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	r.openStays(t)
	who, staff := r.diner(t, 100_000), r.staff(t, r.restaurant.ID)
	at := r.start(t, r.slot("18:00"))
	has := func(as person, path string, texts ...string) {
		t.Helper()
		page := r.page(t, as, path)
		for _, text := range texts {
			if !strings.Contains(string(page.raw), text) {
				t.Errorf("%s does not say %q", path, text)
			}
		}
	}
	has(who, views.BookURL(r.restaurant.Slug, at, 5), "오후 8:00까지", "오후 6:00–8:00", "2시간 머무는 자리", "3시간 머무는 메뉴", "5명부터")
	has(who, views.RestaurantDayURL(r.restaurant.Slug, at, 5), "5명은 2시간 머무는 자리", "오후 8:00까지")
	form := url.Values{views.FieldDate: {string(r.day(1))}, views.FieldTime: {"18:00"}, views.FieldParty: {"2"},
		views.ItemField(r.menu[1].ID): {"1"}, views.FieldAction: {views.ActionRefresh},
		views.FieldIdempotencyKey: {"k"}}
	if a := r.send(t, who, views.ReserveURL(r.restaurant.Slug), form); !strings.Contains(string(a.raw),
		"3시간 머무는 자리입니다: 오후 6:00–9:00") {
		t.Errorf("the form with a course on it does not say for how long: %d", a.status)
	}
	id := r.press(t, who, "k", "wait=10", r.requestFor(r.slot("18:00"), 5)).want(t, 201, "").text(t, "id")
	has(who, views.PayURL(id), "오후 6:00–8:00")
	has(who, views.ReservationURL(id), "오후 6:00–8:00")
	has(who, views.ReservationsURL(), "오후 6:00–8:00")
	slot := "/staff/restaurants/" + strconv.FormatInt(r.restaurant.ID, 10) + "/slots/" + string(r.day(1))
	has(staff, slot+"/18:00", "오후 8:00까지")
	has(staff, slot+"/19:00", "오후 6:00부터 머무는 손님")
	r.post(t, who, "/api/reservations/"+id+"/payment", "pay", map[string]any{"kind": "deposit"}).want(t, 200, "")
	calendar := r.page(t, who, views.CalendarURL(id))
	if end := at.Add(2 * 3600e9).UTC().Format("20060102T150405Z"); !strings.Contains(string(calendar.raw),
		"DTEND:"+end) {
		t.Errorf("the calendar does not end at %s: %s", end, calendar.raw)
	}
}
