package webtest

import (
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
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
	id, err := r.Stores.Seeds.PutRestaurant(t.Context(), place, menu)
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

// An owner gives stays in minutes; a dish asks for minutes too. A party has its seats in every slot that it touches,
// twelve of them among others, and leaves when its minutes are over.
func TestStay_InMinutes(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	place := r.restaurant
	place.Slug, place.SlotMinutes = "minutes", 15
	place.StayTiers = []booking.StayTier{{FromParty: 1, Minutes: 50}, {FromParty: 5, Minutes: 105}}
	r.openAnother(t, place, []booking.MenuItem{
		{Category: "set", Name: booking.Text{Ko: "한정식 코스", En: "Course"}, Price: 90_000, StayMinutes: 180},
	})
	who, staff := r.diner(t, 0), r.staff(t, r.restaurant.ID)
	s := r.slotsFor(t, who, 2)["18:00"]
	if s["slotCount"] != 4.0 || s["stayMinutes"] != 50.0 || s["endTime"] != "18:50" {
		t.Errorf("for two: %v", s)
	}
	s = r.slotsFor(t, who, 6)["18:00"]
	if s["slotCount"] != 7.0 || s["stayMinutes"] != 105.0 || s["endTime"] != "19:45" {
		t.Errorf("for six: %v", s)
	}
	two := r.press(t, who, "k1", "wait=10", r.requestFor(r.slot("18:00"), 2)).want(t, 201, "")
	if two.number(t, "slotCount") != 4 || two.number(t, "stayMinutes") != 50 || two.text(t, "endTime") != "18:50" {
		t.Errorf("two: %s", two.raw)
	}
	body := r.requestFor(r.slot("17:15"), 4)
	body["items"] = []map[string]any{{"menuItemId": r.menu[0].ID, "quantity": 1}}
	course := r.press(t, r.diner(t, 0), "k1", "wait=10", body).want(t, 201, "")
	if course.number(t, "slotCount") != booking.MaxStay || course.text(t, "endTime") != "20:15" {
		t.Errorf("a course: %s", course.raw)
	}
	dbtest.Eventually(t, "the seats of all slots are taken", func() bool {
		one := r.slotsFor(t, who, 1)
		return one["17:00"]["remaining"] == 6.0 && one["18:45"]["remaining"] == 4.0 &&
			one["20:00"]["remaining"] == 6.0 && one["20:15"]["remaining"] == 10.0
	})
	r.page(t, who, views.BookURL(r.restaurant.Slug, r.start(t, r.slot("18:00")), 2)).is(t, 200).
		has(t, "50분 머무는 자리", "오후 6:00–6:50", "3시간 머무는 메뉴")
	r.page(t, who, views.ReservationURL(two.text(t, "id"))).is(t, 200).has(t, "오후 6:00–6:50")
	r.page(t, staff, "/staff/restaurants/"+strconv.FormatInt(r.restaurant.ID, 10)+"/slots/"+string(r.day(1))+"/18:00").
		is(t, 200).has(t, "오후 6:50까지")
	r.balances(t)
}

// Documents tell stays in slots as ever, and in minutes beside them where slots do not say it.
func TestStay_InDocuments(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	d := document{path: r.api(r.restaurant.ID, "settings"), as: r.staffAs(t, r.restaurant.ID, identity.RoleOwner)}
	stays := func(tiers ...map[string]any) map[string]any {
		var settings map[string]any
		r.read(t, &d, &settings)
		settings["stays"] = tiers
		return settings
	}
	for _, c := range []struct{ sent, stored map[string]any }{
		{map[string]any{"fromParty": 3, "slots": 2}, map[string]any{"fromParty": 3.0, "slots": 2.0}},
		{map[string]any{"fromParty": 3, "minutes": 90}, map[string]any{"fromParty": 3.0, "slots": 2.0,
			"minutes": 90.0}},
		{map[string]any{"fromParty": 3, "slots": 2, "minutes": 120}, map[string]any{"fromParty": 3.0, "slots": 2.0}},
	} {
		stored := r.write(t, d, stays(c.sent)).want(t, 200, "").list(t, "stays")
		if len(stored) != 1 || !reflect.DeepEqual(stored[0], c.stored) {
			t.Errorf("%v is stored as %v", c.sent, stored)
		}
	}
	for want, tier := range map[string]map[string]any{ // in any order
		"stays[0].minutes contradicts_slots": {"fromParty": 3, "slots": 1, "minutes": 90},
		"stays[0].slots required":            {"fromParty": 3},
		"stays[0].slots out_of_range":        {"fromParty": 3, "slots": 13},
		"stays[0].minutes out_of_range":      {"fromParty": 3, "minutes": 721},
	} {
		if got := r.write(t, d, stays(tier)).want(t, 422, "invalid").fieldsOf(t); !slices.Equal(got, []string{want}) {
			t.Errorf("%v: %v", tier, got)
		}
	}
	menu := document{path: r.api(r.restaurant.ID, "menu"), as: d.as}
	var dishes map[string][]map[string]any
	r.read(t, &menu, &dishes)
	dish := dishes["items"][0]
	delete(dish, "staySlots")
	dish["stayMinutes"] = 90
	stored := r.write(t, menu, dishes).want(t, 200, "")
	if dish = stored.list(t, "items")[0]; dish["staySlots"] != 2.0 || dish["stayMinutes"] != 90.0 {
		t.Errorf("a dish of 90 minutes: %v", dish)
	}
	menu.tag, dish["staySlots"], dishes["items"][0] = stored.header.Get("ETag"), 3, dish
	if got := r.write(t, menu, dishes).want(t, 422, "invalid").fieldsOf(t); !slices.Equal(got,
		[]string{"items[0].stayMinutes contradicts_slots"}) {
		t.Errorf("three slots of 90 minutes: %v", got)
	}
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
