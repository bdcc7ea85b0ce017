package webtest

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// putUp has staff say how many portions of a dish can still be ordered on a day.
func (r *harness) putUp(t *testing.T, staff person, slot booking.SlotKey, dish booking.MenuItem,
	portions string) answer {
	t.Helper()
	return r.send(t, staff, views.StaffPortionsURL(r.restaurant.ID, r.start(t, slot), dish.ID),
		url.Values{"portions": {portions}})
}

// stockOf is what the API says is left of a dish; nil means any number.
func (r *harness) stockOf(t *testing.T, slot booking.SlotKey, dish booking.MenuItem) any {
	t.Helper()
	menu := r.get(t, person{}, fmt.Sprintf("/api/restaurants/%d/menu?date=%s", r.restaurant.ID, slot.Date)).
		want(t, 200, "")
	for _, item := range menu.list(t, "items") {
		if item["id"] == float64(dish.ID) {
			return item["stock"]
		}
	}
	t.Fatalf("no dish %d in %s", dish.ID, menu.raw)
	return nil
}

// requestPortions returns a request for two that orders portions of a dish, in two lines.
func (r *harness) requestPortions(slot booking.SlotKey, dish booking.MenuItem, portions int) map[string]any {
	body := r.requestFor(slot, 2)
	body["items"] = []map[string]any{{"menuItemId": dish.ID, "quantity": 1},
		{"menuItemId": dish.ID, "quantity": portions - 1}}
	return body
}

func TestPortions_StaffPutThemUp(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot, dish := r.slot("19:00"), r.menu[0]
	staff, start := r.staffAs(t, r.restaurant.ID, identity.RoleManager), r.start(t, slot)
	r.page(t, staff, views.StaffMenuURL(r.restaurant.ID, start)).is(t, 200).has(t, "갈비찜", "수량 제한 없음")
	r.page(t, staff, views.StaffBoardURL(r.restaurant.ID, start)).has(t, "/menu?date="+string(slot.Date))
	r.putUp(t, staff, slot, dish, " 3 ").is(t, 303).has(t, "3개로 바꿨습니다.", "3개 가운데 3개 남음")

	first := r.press(t, r.diner(t, 0), "key-1", "wait=10", r.requestPortions(slot, dish, 2)).want(t, 201, "")
	late := r.diner(t, 0)
	refused := r.press(t, late, "key-1", "wait=10", r.requestPortions(slot, dish, 2)).want(t, 409, "out_of_stock")
	if short := refused.list(t, "items")[0]; short["menuItemId"] != float64(dish.ID) || short["remaining"] != 1.0 {
		t.Errorf("refused: %s", refused.raw)
	}
	dbtest.Eventually(t, "the API knows", func() bool { return r.stockOf(t, slot, dish) == 1.0 })
	if other := r.slot("19:00"); r.stockOf(t, booking.SlotKey{Date: other.Date.AddDays(1)}, dish) != nil {
		t.Error("another day is limited too")
	}
	r.page(t, staff, views.StaffMenuURL(r.restaurant.ID, start)).has(t, "3개 가운데 1개 남음")
	r.putUp(t, staff, slot, dish, "5").is(t, 303).has(t, "7개 가운데 5개 남음")
	r.press(t, late, "key-2", "wait=10", r.requestPortions(slot, dish, 5)).want(t, 201, "")
	if n := r.audited(t, "stock.set"); n != 2 {
		t.Errorf("%d acts written down, want 2", n)
	}
	r.putUp(t, staff, slot, dish, "0").is(t, 303)
	if kept, err := r.Stores.Reservations.Find(t.Context(), first.text(t, "id")); err != nil ||
		kept.State != booking.Temporary {
		t.Errorf("who had ordered: %+v, %v", kept, err)
	}
}

// Staff count a dish down by one press, and take its limit away.
func TestPortions_StepsChangeThem(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot, dish := r.slot("19:00"), r.menu[0]
	staff, start := r.staffAs(t, r.restaurant.ID, identity.RoleManager), r.start(t, slot)
	path := views.StaffPortionsStepURL(r.restaurant.ID, start, dish.ID)
	step := func(by string, status int) answer {
		return r.send(t, staff, path, url.Values{"step": {by}}).is(t, status)
	}
	r.page(t, staff, views.StaffMenuURL(r.restaurant.ID, start)).hasNot(t, path)
	step("1", 409)
	r.putUp(t, staff, slot, dish, "2").is(t, 303)
	r.page(t, staff, views.StaffMenuURL(r.restaurant.ID, start)).has(t, `action="`+path+`"`)
	step("-1", 303).has(t, "가운데 1개 남음")
	step("1", 303).has(t, "가운데 2개 남음")
	for _, nonsense := range []string{"", "0", "many"} {
		step(nonsense, 400)
	}
	step("9999", 422)
	r.page(t, staff, views.StaffMenuURL(r.restaurant.ID, start)).has(t, "가운데 2개 남음")
	step(views.StepUnlimited, 303)
	r.page(t, staff, views.StaffMenuURL(r.restaurant.ID, start)).hasNot(t, path)
}

func TestPortions_NonsenseChangesNothing(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot, dish := r.slot("19:00"), r.menu[0]
	staff, base := r.staffAs(t, r.restaurant.ID, identity.RoleManager),
		fmt.Sprintf("/staff/restaurants/%d/menu", r.restaurant.ID)
	for _, typed := range []string{"-1", "10000", "1e3", "1.5", "", "many", strings.Repeat("9", 10_000), "<script>"} {
		a := r.putUp(t, staff, slot, dish, typed).is(t, 422)
		a.has(t, "<html", "field-error")
		a.hasNot(t, "<script>alert", `value="<script>"`)
	}
	yesterday := slot
	yesterday.Date = r.day(-1)
	r.putUp(t, staff, yesterday, dish, "5").is(t, 409).has(t, "지난 날이라 수량을 바꿀 수 없습니다.")
	r.page(t, staff, views.StaffMenuURL(r.restaurant.ID, r.start(t, yesterday))).is(t, 200).hasNot(t, `action="`+base)
	r.page(t, staff, base+"?date=2026-02-30").is(t, 200)

	five := url.Values{"portions": {"5"}}
	_, foreign := r.newRestaurant(t, "another")
	for _, path := range []string{base + "/2026-02-30/1", base + "/x/1", base + "/" + string(slot.Date) + "/x",
		base + "/" + string(slot.Date) + "/99999999999999999999", base + "/" + string(slot.Date) + "/999999",
		base + "/" + string(slot.Date) + "/" + fmt.Sprint(foreign[0].ID)} {
		r.send(t, staff, path, five).is(t, 404)
	}
	for _, stranger := range []person{r.diner(t, 0), r.staff(t, r.restaurant.ID+1)} {
		r.putUp(t, stranger, slot, dish, "5").is(t, 404)
		r.page(t, stranger, base).is(t, 404)
	}
	if a := r.do(t, call{method: "POST", path: base + "/" + string(slot.Date) + "/1",
		body: "portions=5"}); a.status != 303 ||
		!strings.HasPrefix(a.header.Get("Location"), "/signin") {
		t.Errorf("signed out: %d %s", a.status, a.header.Get("Location"))
	}
	if left := r.stockOf(t, slot, dish); left != nil || r.audited(t, "stock.set") != 0 {
		t.Errorf("after all that %v are left", left)
	}
}

func TestTicket_NamesTheDishThatHasRunOut(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot, dish := r.slot("19:00"), r.menu[0]
	staff, who := r.staffAs(t, r.restaurant.ID, identity.RoleManager), r.diner(t, 0)
	r.putUp(t, staff, slot, dish, "2")
	release := r.rival(t, slot)
	defer release()
	admitted := r.press(t, who, "key-1", "respond-async", r.requestPortions(slot, dish, 2)).want(t, 202, "")
	ticket := admitted.text(t, "ticket")
	r.putUp(t, staff, slot, dish, "1")
	release()
	dbtest.Eventually(t, "the turn has come", func() bool {
		return r.get(t, who, "/api/tickets/"+ticket).text(t, "state") == "rejected"
	})
	rejected := r.get(t, who, "/api/tickets/"+ticket)
	if short := rejected.list(t, "items")[0]; rejected.text(t, "code") != "out_of_stock" || short["remaining"] != 1.0 {
		t.Errorf("the ticket: %s", rejected.raw)
	}
}

// TestDishes_OfTheHour orders a dish of lunch for dinner, by the API and by the page, then for lunch, and moves it.
func TestDishes_OfTheHour(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	place := r.restaurant
	place.Slug = "courses"
	r.openAnother(t, place, []booking.MenuItem{{Category: "set", Name: booking.Text{Ko: "점심 코스", En: "Lunch course"},
		Price: 42_000, Served: &booking.Span{From: "11:00", Last: "18:00"}}})
	who, dish, field := r.diner(t, 100_000), r.menu[0], `name="`+views.ItemField(r.menu[0].ID)+`"`
	early, late := r.slot("18:00"), r.slot("19:00")
	item := r.get(t, who, fmt.Sprintf("/api/restaurants/%d/menu", r.restaurant.ID)).want(t, 200, "").list(t, "items")[0]
	if served, _ := item["served"].(map[string]any); served["from"] != "11:00" || served["last"] != "18:00" {
		t.Errorf("the API says %v", item)
	}
	refused := r.press(t, who, "key-1", "wait=10", r.requestPortions(late, dish, 2)).want(t, 422, "invalid")
	if faults := refused.list(t, "fields"); len(faults) != 2 || faults[0]["name"] != "items[0].menuItemId" ||
		faults[0]["reason"] != "not_served" {
		t.Errorf("refused: %s", refused.raw)
	}
	parts := views.DishesURL(place.Slug, r.start(t, late))
	for at, orderable := range map[string]bool{"": true, "&time=18:00": true, "&time=19:00": false, "&time=x": true} {
		part := r.page(t, who, parts+at).is(t, 200).has(t, "오전 11:00–오후 6:00에만")
		if strings.Contains(string(part.raw), field) != orderable {
			t.Errorf("%q: can be ordered %v, want %v", at, !orderable, orderable)
		}
	}
	form := url.Values{views.FieldDate: {string(late.Date)}, views.FieldTime: {string(late.Time)},
		views.FieldParty: {"2"}, views.ItemField(dish.ID): {"1"}, views.FieldIdempotencyKey: {"key-3"}}
	again := r.send(t, who, views.ReserveURL(place.Slug), form).is(t, 422).has(t, "그 시간에는 내지 않는 메뉴", "이 시간에는 없음")
	if strings.Contains(string(again.raw), field) {
		t.Error("the form offers again what is not served")
	}
	held := r.press(t, who, "key-2", "wait=10", r.requestPortions(early, dish, 2)).want(t, 201, "")
	r.patch(t, who, "/api/reservations/"+held.text(t, "id"), "key-4", map[string]any{"time": "19:00"}).
		want(t, 422, "invalid")
}
