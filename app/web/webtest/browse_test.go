package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"lunchgo/db/dbtest"
)

func TestRestaurants_AreFound(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	other, _ := r.newRestaurant(t, "another")
	r.mustExec(t, `UPDATE restaurants SET price_band = 3 WHERE id = $1`, other.ID)
	search := func(query string) []map[string]any {
		return r.get(t, person{}, "/api/restaurants"+query).want(t, 200, "").list(t, "restaurants")
	}
	if all := search(""); len(all) != 2 || all[0]["name"] != "담담반상" || all[0]["slots"] != nil {
		t.Errorf("all: %v", all)
	}
	if found := search("?q=" + url.QueryEscape("담담 로켓")); len(found) != 0 {
		t.Errorf("words that do not occur: %v", found)
	}
	dated := search("?q=damdam&partySize=2&date=" + string(r.day(1)))
	if len(dated) != 2 || len(dated[0]["slots"].([]any)) != 14 {
		t.Errorf("with a date: %v", dated)
	}
	if found := search("?partySize=9"); len(found) != 0 {
		t.Errorf("a party nobody takes: %v", found)
	}
	if found := search("?price=3"); len(found) != 1 || found[0]["id"] != float64(other.ID) {
		t.Errorf("a price band: %v", found)
	}
	english := r.do(t, call{method: http.MethodGet, path: fmt.Sprintf("/api/restaurants/%d", other.ID),
		headers: map[string]string{"Accept-Language": "en-GB,ko;q=0.5"}}).want(t, 200, "")
	if english.text(t, "name") != "Damdam Bansang" || english.header.Get("Content-Language") != "en" {
		t.Errorf("in English: %s", english.raw)
	}
	if len(english.list(t, "hours")) != 7 || len(english.list(t, "refunds")) != 1 {
		t.Errorf("details: %s", english.raw)
	}
}

func TestSlots_TellWhatIsLeft(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	r.seat(t, r.diner(t, 0), slot, 7)
	release := r.rival(t, slot)
	defer release()
	path := fmt.Sprintf("/api/restaurants/%d/slots?partySize=2&date=%s", r.restaurant.ID, slot.Date)
	find := func(path string) map[string]any {
		for _, s := range r.get(t, person{}, path).want(t, 200, "").list(t, "slots") {
			if s["time"] == "19:00" {
				return s
			}
		}
		t.Fatal("no slot at 19:00")
		return nil
	}
	dbtest.Eventually(t, "3 seats are left and one waits", func() bool {
		s := find(path)
		return s["remaining"] == 3.0 && s["onHold"] == 7.0 && s["waiting"] == 1.0 && s["state"] == "open" &&
			s["capacity"] == 10.0
	})
	bigger := fmt.Sprintf("/api/restaurants/%d/slots?partySize=4&date=%s", r.restaurant.ID, slot.Date)
	if s := find(bigger); s["state"] != "sold_out" {
		t.Errorf("for four: %v", s)
	}
	past := fmt.Sprintf("/api/restaurants/%d/slots?date=%s", r.restaurant.ID, r.day(-1))
	if s := find(past); s["state"] != "closed" {
		t.Errorf("yesterday: %v", s)
	}
}

func TestMenu_InTheReadersLanguage(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	menu := r.get(t, person{}, fmt.Sprintf("/api/restaurants/%d/menu?date=%s", r.restaurant.ID, r.day(1))).
		want(t, 200, "")
	items := menu.list(t, "items")
	if len(items) != 2 || items[0]["name"] != "갈비찜" || items[0]["price"] != 32_000.0 {
		t.Errorf("the menu: %s", menu.raw)
	}
	if stock, ok := items[0]["stock"]; !ok || stock != nil {
		t.Errorf("stock: %v, want null", stock)
	}
}

func TestBrowse_UnknownIDs(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	for _, id := range []string{"0", "-1", "999999", "99999999999999999999", "1e3", "x", "%01", "%F0%9F%8D%9C"} {
		for _, path := range []string{"/api/restaurants/" + id, "/api/restaurants/" + id + "/menu",
			"/api/restaurants/" + id + "/slots?date=2026-01-01"} {
			if a := r.get(t, person{}, path); a.status != 404 || a.json["code"] != "not_found" {
				t.Errorf("%s: %d %s", path, a.status, a.raw)
			}
		}
	}
	for _, path := range []string{"/api", "/api/", "/api/nothing", "/api/vouchers", "/api/restaurants/1/chairs",
		"/api/users"} {
		if a := r.get(t, person{}, path); a.status != 404 && path != "/api/users" ||
			a.header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d %s", path, a.status, a.raw)
		}
	}
}

func TestBrowse_MalformedQueries(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slots := fmt.Sprintf("/api/restaurants/%d/slots", r.restaurant.ID)
	for path, field := range map[string]string{
		slots:                                    "date required",
		slots + "?date=2026-02-30":               "date invalid_date",
		slots + "?date=21.11.2026":               "date invalid_date",
		slots + "?date=0001-01-01":               "date invalid_date",
		slots + "?date=2026-11-21&partySize=0":   "partySize out_of_range",
		slots + "?date=2026-11-21&partySize=-1":  "partySize out_of_range",
		slots + "?date=2026-11-21&partySize=1e9": "partySize out_of_range",
		"/api/restaurants?date=tomorrow":         "date invalid_date",
		"/api/restaurants?partySize=1000000000":  "partySize out_of_range",
		"/api/restaurants?price=0":               "price out_of_range",
		"/api/restaurants?price=5":               "price out_of_range",
	} {
		a := r.get(t, person{}, path).want(t, 422, "invalid")
		if f := a.list(t, "fields")[0]; fmt.Sprint(f["name"], " ", f["reason"]) != field {
			t.Errorf("%s: %v, want %s", path, f, field)
		}
	}
}
