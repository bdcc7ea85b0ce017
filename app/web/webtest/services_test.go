package webtest

import (
	"fmt"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/setup"
	"lunchgo/views"
)

// divide has an owner divide the days of the restaurant into lunch and dinner, with stays of their own.
func (r *harness) divide(t *testing.T, owner person) {
	t.Helper()
	hours := r.get(t, owner, r.setupPath(setup.DocHours)).want(t, 200, "")
	if _, has := hours.json["services"]; has {
		t.Error("there are services before anybody made some")
	}
	var weekly []any
	for day := range 7 {
		weekly = append(weekly,
			map[string]any{"weekday": day, "from": "11:00", "last": "14:00", "service": "lunch"},
			map[string]any{"weekday": day, "from": "17:00", "last": "21:00", "service": "dinner"})
	}
	lunch := map[string]any{"key": "lunch", "name": map[string]any{"ko": "점심", "en": "Lunch"},
		"stays": []any{map[string]any{"fromParty": 1, "minutes": 90}}}
	dinner := map[string]any{"key": "dinner", "name": map[string]any{"ko": "저녁", "en": "Dinner"},
		"stays": []any{map[string]any{"fromParty": 1, "minutes": 120}, map[string]any{"fromParty": 3, "minutes": 150}}}
	hours.json["weekly"], hours.json["services"] = weekly, []any{lunch, dinner}
	r.writeOver(t, owner, r.setupPath(setup.DocHours), hours.header.Get("ETag"), hours.json).want(t, 200, "")
}

// Lunch and dinner have hours, stays and a last seating of their own, which diners see, and which hold for who books.
func TestServices_AreShownAndHold(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, quickCatalog())
	owner := r.staffAs(t, r.restaurant.ID, identity.RoleOwner)
	r.divide(t, owner)
	lunch, dinner := r.slot("12:00"), r.slot("19:00")
	list := r.get(t, person{}, fmt.Sprintf("/api/restaurants/%d/slots?date=%s&partySize=2", r.restaurant.ID,
		lunch.Date)).want(t, 200, "")
	if s := list.list(t, "services"); len(s) != 2 || s[0]["name"] != "점심" || s[0]["from"] != "11:00" ||
		s[0]["lastSeating"] != "13:00" || s[1]["lastSeating"] != "20:00" {
		t.Errorf("the day has %v", s)
	}
	for slot, want := range map[booking.SlotKey][]any{lunch: {"lunch", 90.0}, dinner: {"dinner", 120.0}} {
		if s := r.slotAt(t, slot, 2); s["service"] != want[0] || s["stayMinutes"] != want[1] {
			t.Errorf("%s: %v for %v minutes, want %v", slot.Time, s["service"], s["stayMinutes"], want)
		}
	}
	if s := r.slotAt(t, dinner, 4); s["stayMinutes"] != 150.0 {
		t.Errorf("four stay for %v minutes", s["stayMinutes"])
	}
	found := r.get(t, person{}, fmt.Sprintf("/api/restaurants/%d", r.restaurant.ID)).want(t, 200, "")
	if s := found.list(t, "services"); len(s) != 2 {
		t.Errorf("the restaurant has %v", s)
	}
	order := map[string]any{"restaurantId": r.restaurant.ID, "date": lunch.Date, "time": "14:00", "partySize": 2}
	diner := r.diner(t, 0)
	r.post(t, diner, "/api/reservations", "late", order).want(t, 422, "invalid") // after the last seating
	order["time"] = "13:00"
	if made := r.post(t, diner, "/api/reservations", "lunch", order).want(t, 201, ""); made.json["stayMinutes"] != 90.0 {
		t.Errorf("lunch lasts %v minutes", made.json["stayMinutes"])
	}
	shown := []string{"점심 오전 11:00부터", "마지막 예약 오후 1:00", "저녁", "마지막 예약 오후 8:00", "점심 이용 시간"}
	r.page(t, person{}, fmt.Sprintf("/restaurants/%s?date=%s&party=2", r.restaurant.Slug, lunch.Date)).is(t, 200).
		has(t, shown...)
	r.page(t, diner, fmt.Sprintf("/restaurants/%s/book?date=%s&party=2", r.restaurant.Slug, lunch.Date)).is(t, 200).
		has(t, "slots-service", "마지막 예약 오후 1:00")
	r.page(t, owner, views.StaffBookURL(r.restaurant.ID, r.start(t, lunch))).is(t, 200).
		has(t, `<optgroup label="점심">`, `<optgroup label="저녁">`)
}

// What is wrong with services is said of their fields, and nothing changes.
func TestServices_Invalid(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, quickCatalog())
	owner := r.staffAs(t, r.restaurant.ID, identity.RoleOwner)
	r.divide(t, owner)
	hours := r.get(t, owner, r.setupPath(setup.DocHours)).want(t, 200, "")
	tag := hours.header.Get("ETag")
	weekly, services := hours.list(t, "weekly"), hours.list(t, "services")
	weekly[0]["service"], weekly[1]["from"] = "brunch", "13:00"
	services[0]["name"], services[1]["key"] = map[string]any{"ko": " ", "en": "Lunch"}, "lunch"
	services[0]["stays"] = []any{map[string]any{"fromParty": 1, "minutes": 2}}
	refused := r.writeOver(t, owner, r.setupPath(setup.DocHours), tag, hours.json).want(t, 422, "invalid")
	faults := map[any]any{}
	for _, f := range refused.list(t, "fields") {
		faults[f["name"]] = f["reason"]
	}
	for field, reason := range map[string]string{"weekly[0].service": "unknown", "weekly[1].from": "overlaps",
		"services[0].name.ko": "required", "services[1].key": "duplicate",
		"services[0].stays[0].minutes": "out_of_range"} {
		if faults[field] != reason {
			t.Errorf("%s: %v, want %s", field, faults[field], reason)
		}
	}
	services[1]["key"] = "Dinner!"
	r.writeOver(t, owner, r.setupPath(setup.DocHours), tag, hours.json).want(t, 422, "invalid")
	if again := r.get(t, owner, r.setupPath(setup.DocHours)); again.header.Get("ETag") != tag {
		t.Error("what was refused has changed something")
	}
}

// The page of the hours adds, names and removes services; what belonged to a removed one stays open in none.
func TestServices_ByThePage(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, quickCatalog())
	owner := r.staffAs(t, r.restaurant.ID, identity.RoleOwner)
	url := views.SetupPageURL(r.restaurant.ID, views.SetupHours)
	form := fieldsOf(r.page(t, owner, url).is(t, 200).has(t, "점심·저녁 구분"))
	if form.Has("weekly[0].service") {
		t.Error("hours ask for a service where there is none")
	}
	form.Set(views.FieldAction, "add:services")
	form = fieldsOf(r.send(t, owner, url, form).is(t, 200).has(t, `value="service-1"`))
	form.Set("services[0].name.en", "Lunch")
	form.Set("weekly[0].service", "service-1")
	form.Set(views.FieldAction, "save")
	form = fieldsOf(r.send(t, owner, url, form).is(t, 422).has(t, "구분 이름 (한국어): "))
	form.Set("services[0].name.ko", "점심")
	form.Set("services[0].stays[0].fromParty", "1")
	form.Set("services[0].stays[0].minutes", "9999")
	form.Set("weekly[0].service", "service-1")
	form.Set(views.FieldAction, "save")
	form = fieldsOf(r.send(t, owner, url, form).is(t, 422).has(t, `aria-invalid="true"`, `value="9999"`))
	form.Set("services[0].stays[0].minutes", "60")
	form.Set(views.FieldAction, "save")
	r.send(t, owner, url, form).is(t, 303)
	is, err := r.Stores.Catalog.FindAtWork(t.Context(), r.restaurant.ID)
	if err != nil || len(is.Services) != 1 || is.Services[0].Name.Ko != "점심" || is.Hours[0].Service != "service-1" ||
		is.Services[0].Stays[0].Minutes != 60 {
		t.Fatalf("stored %+v, %+v, %v", is.Services, is.Hours, err)
	}
	form = fieldsOf(r.page(t, owner, url).is(t, 200).has(t, "점심"))
	form.Set("services[0].name.ko", "")
	form.Set("services[0].name.en", "")
	form.Set("services[0].stays[0].fromParty", "")
	form.Set("services[0].stays[0].minutes", "")
	form.Set(views.FieldAction, "save")
	r.send(t, owner, url, form).is(t, 303)
	if is, err = r.Stores.Catalog.FindAtWork(t.Context(), r.restaurant.ID); err != nil || len(is.Services) != 0 ||
		is.Hours[0].Service != "" || len(is.Hours) == 0 {
		t.Errorf("stored %+v, %+v, %v", is.Services, is.Hours, err)
	}
}
