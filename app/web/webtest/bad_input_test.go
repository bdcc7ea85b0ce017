package webtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
)

func TestPress_NonsenseChangesNothing(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	today := string(r.day(0))
	item := func(id, quantity any) []map[string]any {
		return []map[string]any{{"menuItemId": id, "quantity": quantity}}
	}
	for name, c := range map[string]struct {
		change map[string]any
		want   string
	}{
		"party 0":             {map[string]any{"partySize": 0}, "422 invalid partySize out_of_range"},
		"party -1":            {map[string]any{"partySize": -1}, "422 invalid partySize out_of_range"},
		"party 10^9":          {map[string]any{"partySize": 1_000_000_000}, "422 invalid partySize out_of_range"},
		"party 1e9":           {map[string]any{"partySize": json.RawMessage("1e9")}, "400 bad_request partySize wrong_type"},
		"party in words":      {map[string]any{"partySize": "two"}, "400 bad_request partySize wrong_type"},
		"party of a half":     {map[string]any{"partySize": 1.5}, "400 bad_request partySize wrong_type"},
		"a party too large":   {map[string]any{"partySize": 9}, "422 invalid partySize out_of_range"},
		"no such day":         {map[string]any{"date": "2027-02-30"}, "422 invalid date invalid_date"},
		"another calendar":    {map[string]any{"date": "21/11/2026"}, "422 invalid date invalid_date"},
		"no date":             {map[string]any{"date": nil}, "422 invalid date invalid_date"},
		"yesterday":           {map[string]any{"date": string(r.day(-1))}, "422 invalid time past"},
		"long ago":            {map[string]any{"date": "2001-01-01"}, "422 invalid time past"},
		"this morning":        {map[string]any{"date": today, "time": "08:00"}, "422 invalid time past"},
		"far away":            {map[string]any{"date": string(r.day(31))}, "422 invalid date too_far"},
		"the year 9999":       {map[string]any{"date": "9999-12-31"}, "422 invalid date too_far"},
		"outside the hours":   {map[string]any{"time": "23:00"}, "422 invalid time outside_hours"},
		"between two slots":   {map[string]any{"time": "19:30"}, "422 invalid time outside_hours"},
		"25 o'clock":          {map[string]any{"time": "25:00"}, "422 invalid time invalid_time"},
		"seconds":             {map[string]any{"time": "19:00:00"}, "422 invalid time invalid_time"},
		"no restaurant":       {map[string]any{"restaurantId": nil}, "422 invalid restaurantId required"},
		"an unknown one":      {map[string]any{"restaurantId": 999_999}, "404 not_found"},
		"an id too large":     {map[string]any{"restaurantId": json.RawMessage("99999999999999999999")}, "400 bad_request restaurantId wrong_type"},
		"a dish of nobody":    {map[string]any{"items": item(999_999, 1)}, "422 invalid items[0].menuItemId unknown"},
		"no dish at all":      {map[string]any{"items": item(r.menu[0].ID, 0)}, "422 invalid items[0].quantity out_of_range"},
		"minus one dish":      {map[string]any{"items": item(r.menu[0].ID, -1)}, "422 invalid items[0].quantity out_of_range"},
		"100 dishes":          {map[string]any{"items": item(r.menu[0].ID, 100)}, "422 invalid items[0].quantity out_of_range"},
		"51 lines":            {map[string]any{"items": slices.Repeat(item(r.menu[0].ID, 1), 51)}, "422 invalid items too_many"},
		"items as words":      {map[string]any{"items": "all of them"}, "400 bad_request items wrong_type"},
		"a note of 10 kB":     {map[string]any{"note": strings.Repeat("가", 3_400)}, "422 invalid note too_long"},
		"a note with a zero":  {map[string]any{"note": "a\x00b"}, "422 invalid note invalid_text"},
		"allergies of 10 kB":  {map[string]any{"allergies": strings.Repeat("x", 10_000)}, "422 invalid allergies too_long"},
		"a coupon of nobody":  {map[string]any{"couponId": 7}, "409 coupon_unknown"},
		"a coupon below zero": {map[string]any{"couponId": -1}, "409 coupon_unknown"},
		"coupon number zero":  {map[string]any{"couponId": 0}, "409 coupon_unknown"},
		"half a coupon":       {map[string]any{"couponId": 1.5}, "400 bad_request couponId wrong_type"},
		"a coupon in words":   {map[string]any{"couponId": "1"}, "400 bad_request couponId wrong_type"},
		"a coupon too large":  {map[string]any{"couponId": json.RawMessage("99999999999999999999")}, "400 bad_request couponId wrong_type"},
	} {
		t.Run(name, func(t *testing.T) {
			body := r.requestFor(slot, 2)
			maps.Copy(body, c.change)
			a := r.press(t, r.diner(t, 0), "key-1", "wait=0", body)
			got := fmt.Sprint(a.status, " ", a.json["code"])
			if a.json["fields"] != nil {
				f := a.list(t, "fields")[0]
				got += fmt.Sprint(" ", f["name"], " ", f["reason"])
				if f["detail"] == "error.field."+f["reason"].(string) || f["detail"] == "" {
					t.Errorf("no sentence for %v", f)
				}
			}
			if got != c.want {
				t.Errorf("%s, want %s: %s", got, c.want, a.raw)
			}
		})
	}
	r.nothingStored(t)
}

// nothingStored fails if there is a reservation, a slot's row, or anybody in line.
func (r *harness) nothingStored(t *testing.T) {
	t.Helper()
	known, err := r.Stores.Slots.ListOccupancy(t.Context(), r.restaurant.ID, "2000-01-01", "9999-12-31")
	dbtest.Must(t, err)
	if len(known) != 0 {
		t.Errorf("stored: %v", known)
	}
	keys, err := r.Redis.Keys(t.Context(), r.Setup.Config.Prefix+"*").Result()
	dbtest.Must(t, err)
	for _, key := range keys {
		if strings.Contains(key, "ticket:") || strings.Contains(key, "person:") {
			t.Errorf("in Redis: %s", key)
		}
	}
}

func TestPress_TimeThatTheClockChangeSkips(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	berlin, err := time.LoadLocation("Europe/Berlin")
	dbtest.Must(t, err)
	place := r.restaurant
	place.Slug, place.Location, place.HorizonDays = "nachts", berlin, 400
	for i := range place.Hours {
		place.Hours[i].From, place.Hours[i].Last = "00:30", "04:30"
	}
	id, err := r.Stores.Seeds.PutRestaurant(t.Context(), place, nil)
	dbtest.Must(t, err)
	slot := booking.SlotKey{RestaurantID: id, Date: lastSundayOfMarch(time.Now()), Time: "02:30"}
	a := r.press(t, r.diner(t, 0), "key-1", "wait=0", r.requestFor(slot, 2)).want(t, 422, "invalid")
	if f := a.list(t, "fields")[0]; f["name"] != "time" || f["reason"] != "no_such_time" {
		t.Errorf("fields: %v", f)
	}
	slots := r.get(t, person{}, fmt.Sprintf("/api/restaurants/%d/slots?date=%s", id, slot.Date)).list(t, "slots")
	for _, s := range slots {
		if s["time"] == "02:30" {
			t.Errorf("it is listed: %v", s)
		}
	}
	if len(slots) != 4 {
		t.Errorf("%d slots, want 4", len(slots))
	}
	slot.Time = "03:30"
	r.press(t, r.diner(t, 0), "key-1", "wait=10", r.requestFor(slot, 2)).want(t, 201, "")
}

// lastSundayOfMarch is the next day on which Europe's clocks go forward.
func lastSundayOfMarch(now time.Time) booking.Date {
	for year := now.Year(); ; year++ {
		day := time.Date(year, time.March, 31, 0, 0, 0, 0, time.UTC)
		day = day.AddDate(0, 0, -int(day.Weekday()))
		if day.After(now.AddDate(0, 0, 1)) {
			return booking.DateOf(day, time.UTC)
		}
	}
}

func TestPress_MalformedBodies(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who := r.diner(t, 0)
	good, err := json.Marshal(r.requestFor(r.slot("19:00"), 2))
	dbtest.Must(t, err)
	nested := strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)
	for name, c := range map[string]struct {
		body, media, want string
	}{
		"empty":            {"", "application/json", "400 bad_request"},
		"no JSON":          {"restaurantId=1", "application/json", "400 bad_request"},
		"cut off":          {string(good[:len(good)-2]), "application/json", "400 bad_request"},
		"two of them":      {string(good) + string(good), "application/json", "400 bad_request"},
		"something behind": {string(good) + "x", "application/json", "400 bad_request"},
		"a list":           {"[" + string(good) + "]", "application/json", "400 bad_request"},
		"null":             {"null", "application/json", "400 bad_request"},
		"a number":         {"1e400", "application/json", "400 bad_request"},
		"nested":           {`{"note":` + nested + `}`, "application/json", "400 bad_request"},
		"no UTF-8":         {strings.Replace(string(good), "19:00", "\xff", 1), "application/json", "422 invalid"},
		"a form":           {string(good), "application/x-www-form-urlencoded", "415 unsupported_media_type"},
		"text":             {string(good), "text/plain", "415 unsupported_media_type"},
		"nonsense":         {string(good), "/;=", "415 unsupported_media_type"},
		"large":            {`{"note":"` + strings.Repeat("x", 70_000) + `"}`, "application/json", "413 too_large"},
		"huge":             {`{"note":"` + strings.Repeat("x", 5_000_000) + `"}`, "application/json", "413 too_large"},
	} {
		t.Run(name, func(t *testing.T) {
			headers := map[string]string{"Content-Type": c.media, "Idempotency-Key": "key-1", "Prefer": "wait=0"}
			ask := func() (*http.Response, error) {
				return agent.Do(r.request(t, call{method: "POST", path: "/api/reservations", as: who, body: c.body,
					headers: headers}))
			}
			response, err := ask()
			for tries := 1; err != nil && name == "large" && tries < 20; tries++ { // cut off before the answer was read
				response, err = ask()
			}
			if err != nil { // the server may close while a huge body is still being sent
				if name == "huge" {
					t.Skip(err)
				}
				t.Fatal(err)
			}
			defer response.Body.Close()
			var problem struct{ Code string }
			dbtest.Must(t, json.NewDecoder(response.Body).Decode(&problem))
			if got := fmt.Sprint(response.StatusCode, " ", problem.Code); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
	packed := r.do(t, call{method: "POST", path: "/api/reservations", as: who, body: string(good),
		headers: map[string]string{"Content-Encoding": "gzip", "Idempotency-Key": "key-1"}})
	packed.want(t, 415, "unsupported_media_type")
	r.nothingStored(t)
	charset := r.do(t, call{method: "POST", path: "/api/reservations", as: who, body: string(good),
		headers: map[string]string{"Content-Type": "application/json; charset=utf-8", "Idempotency-Key": "key-1",
			"Prefer": "wait=10"}})
	charset.want(t, 201, "")
}

func TestPress_MalformedIdempotencyKeys(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who, body := r.diner(t, 0), r.requestFor(r.slot("19:00"), 2)
	r.post(t, who, "/api/reservations", "", body).want(t, 400, "idempotency_key_required")
	for _, key := range []string{strings.Repeat("k", 201), "with space", "키", "a\tb"} {
		r.post(t, who, "/api/reservations", key, body).want(t, 400, "idempotency_key_invalid")
		r.post(t, who, "/api/wallet/charges", key, map[string]any{"amount": 5_000}).want(t, 400,
			"idempotency_key_invalid")
	}
	r.post(t, who, "/api/reservations", "caf\xe9", body).want(t, 422, "invalid")
	r.nothingStored(t)
	r.press(t, who, strings.Repeat("k", 200), "wait=10", body).want(t, 201, "")
}

func TestPress_MalformedPreferences(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	defer r.rival(t, slot)()
	who, body := r.diner(t, 0), r.requestFor(slot, 2)
	began := time.Now()
	r.press(t, who, "key-1", "wait=soon", body).want(t, 429, "waiting")
	if took := time.Since(began); took < 2*time.Second || took > dbtest.Patience/2 {
		t.Errorf("it waited for %v, want 2 s", took)
	}
	r.press(t, who, "key-1", "respond-async, wait=1", body).want(t, 202, "")
	r.press(t, who, "key-1", "foo, Respond-Async; bar=1", body).want(t, 202, "")
}

func TestMethods_WrongOnesNameTheRightOnes(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	for path, allowed := range map[string]string{
		"/api/restaurants": "GET", "/api/users": "POST", "/api/reservations/x/payment": "POST", "/api/wallet": "GET",
	} {
		for _, method := range []string{http.MethodPut, http.MethodPatch, "BREW"} {
			a := r.do(t, call{method: method, path: path}).want(t, 405, "method_not_allowed")
			if !strings.Contains(a.header.Get("Allow"), allowed) {
				t.Errorf("%s %s: Allow: %q, want %s among them", method, path, a.header.Get("Allow"), allowed)
			}
		}
	}
}

func TestMethods_UnknownOnes(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	brew := func(path, language string) answer {
		return r.do(t, call{method: "BREW", path: path, headers: map[string]string{"Accept-Language": language}})
	}
	for language, words := range map[string]string{"ko": "할 수 없는 요청입니다", "en": "That cannot be done here"} {
		a := brew("/", language).is(t, 405)
		a.has(t, "<html", words)
		if allow := a.header.Get("Allow"); !strings.Contains(allow, "GET") || a.header.Get("X-Frame-Options") == "" {
			t.Errorf("headers: %v", a.header)
		}
	}
	brew("/api/wallet/charges", "en").want(t, 405, "method_not_allowed")
	nowhere := brew("/no/such/page", "en").is(t, 404)
	nowhere.has(t, "<html")
	brew("/api/nothing", "en").want(t, 404, "not_found")
}

func TestCrossSite_IsRefused(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who := r.diner(t, 0)
	for _, headers := range []map[string]string{
		{"Origin": "https://evil.example"},
		{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"},
		{"Sec-Fetch-Site": "same-site"},
		{"Origin": "null"},
	} {
		headers["Cookie"], headers["Idempotency-Key"] = "session="+who.token, "key-1"
		charge := call{method: http.MethodPost, path: "/api/wallet/charges", body: map[string]any{"amount": 5_000},
			headers: headers}
		r.do(t, charge).want(t, 403, "cross_site")
	}
	if w := r.get(t, who, "/api/wallet").want(t, 200, ""); w.number(t, "version") != 0 {
		t.Errorf("the wallet: %s", w.raw)
	}
}

func TestProblems_InTheReadersLanguage(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	ask := func(language string) answer {
		return r.do(t, call{method: http.MethodGet, path: "/api/restaurants/0",
			headers: map[string]string{"Accept-Language": language}}).want(t, 404, "not_found")
	}
	korean, english := ask("ko-KR"), ask("en-US,ko;q=0.2")
	if korean.text(t, "detail") != "찾을 수 없습니다." || english.text(t, "detail") != "There is no such thing here." {
		t.Errorf("%s\n%s", korean.raw, english.raw)
	}
	if english.header.Get("Content-Language") != "en" ||
		!strings.Contains(english.header.Get("Vary"), "Accept-Language") {
		t.Errorf("headers: %v", english.header)
	}
	if ask("tlh, *;q=0.1").text(t, "detail") == "" {
		t.Error("no sentence")
	}
}

func TestAnswers_AreNotKeptByCaches(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	for _, path := range []string{"/api/restaurants", "/api/wallet", "/api/nothing"} {
		if a := r.get(t, r.diner(t, 0), path); a.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: Cache-Control: %q", path, a.header.Get("Cache-Control"))
		}
	}
	if raw := r.get(t, person{}, "/api/openapi.json").raw; !bytes.HasPrefix(raw, []byte("{")) {
		t.Errorf("the description begins with %.20s", raw)
	}
}
