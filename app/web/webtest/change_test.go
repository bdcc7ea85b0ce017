package webtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/program"
	"lunchgo/app/program/programtest"
	"lunchgo/app/web"
	"lunchgo/db/dbtest"
)

// reserved makes a reservation for two over the API, paid if kind is not empty, and returns its address.
func (r *harness) reserved(t *testing.T, who person, slot booking.SlotKey, kind string) string {
	t.Helper()
	made := r.press(t, who, "key-"+string(slot.Time), "wait=10", r.requestFor(slot, 2)).want(t, 201, "")
	path := "/api/reservations/" + made.text(t, "id")
	if kind != "" {
		r.post(t, who, path+"/payment", "pay-"+path, map[string]any{"kind": kind}).want(t, 200, "")
	}
	return path
}

// patch sends what a diner wants instead of a reservation.
func (r *harness) patch(t *testing.T, who person, path, key string, wants map[string]any) answer {
	t.Helper()
	c := call{method: http.MethodPatch, path: path, as: who, body: wants,
		headers: map[string]string{"Prefer": "wait=10"}}
	if key != "" {
		c.headers["Idempotency-Key"] = key
	}
	return r.do(t, c)
}

// balance is what the API says is in a person's wallet.
func (r *harness) balance(t *testing.T, who person) int {
	t.Helper()
	return r.get(t, who, "/api/wallet").want(t, 200, "").number(t, "balance")
}

func TestChange_OverTheAPI(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who, slot := r.diner(t, 100_000), r.slot("19:00")
	path := r.reserved(t, who, slot, "deposit")
	wants := map[string]any{"time": "20:00", "partySize": 3,
		"items": []map[string]any{{"menuItemId": r.menu[0].ID, "quantity": 1}}, "note": "창가"}
	quote := r.post(t, who, path+"/quote", "", wants).want(t, 200, "")
	if quote.number(t, "amount") != 10_000 || quote.number(t, "depositAmount") != 30_000 ||
		quote.number(t, "menuAmount") != 32_000 {
		t.Errorf("quoted: %s", quote.raw)
	}
	short := r.patch(t, who, path, "key-1", wants).want(t, 409, "amount_changed")
	if short.number(t, "amount") != 10_000 || !strings.Contains(short.text(t, "detail"), "10000") {
		t.Errorf("without the quoted amount: %s", short.raw)
	}
	wants["expectedAmount"] = quote.number(t, "amount")
	changed := r.patch(t, who, path, "key-2", wants).want(t, 200, "")
	if changed.text(t, "time") != "20:00" || changed.number(t, "partySize") != 3 ||
		changed.number(t, "paidAmount") != 30_000 ||
		changed.text(t, "note") != "창가" || changed.text(t, "state") != "confirmed" ||
		changed.header.Get("Idempotent-Replayed") != "" {
		t.Errorf("changed: %s", changed.raw)
	}
	again := r.patch(t, who, path, "key-2", wants).want(t, 200, "")
	if again.header.Get("Idempotent-Replayed") != "true" || r.balance(t, who) != 70_000 {
		t.Errorf("the same again: %v, %d won", again.header, r.balance(t, who))
	}
	r.patch(t, who, path, "key-2", map[string]any{"partySize": 5, "told": 100_000}).want(t, 422,
		"idempotency_key_reused")
	back := r.patch(t, who, path, "key-3", map[string]any{"partySize": 1, "told": -20_000}).want(t, 200, "")
	if back.number(t, "paidAmount") != 10_000 || back.text(t, "time") != "20:00" || len(back.list(t, "items")) != 1 ||
		r.balance(t, who) != 90_000 {
		t.Errorf("fewer: %s, %d won", back.raw, r.balance(t, who))
	}
	history := r.get(t, who, path+"/changes").want(t, 200, "").list(t, "changes")
	if len(history) != 2 || history[0]["charged"] != 10_000.0 || history[1]["refunded"] != 20_000.0 ||
		history[1]["kept"] != 0.0 {
		t.Errorf("history: %v", history)
	}
	entry := r.get(t, who, "/api/wallet").list(t, "entries")[0]
	if entry["kind"] != "change" || entry["amount"] != 20_000.0 {
		t.Errorf("the entry: %v", entry)
	}
	r.checkBooks(t)
}

func TestChange_BeforePayment(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who := r.diner(t, 100_000)
	path := r.reserved(t, who, r.slot("19:00"), "")
	before := r.get(t, who, path)
	changed := r.patch(t, who, path, "key-1", map[string]any{"partySize": 3}).want(t, 200, "")
	if changed.text(t, "holdExpiresAt") != before.text(t, "holdExpiresAt") ||
		changed.number(t, "depositAmount") != 30_000 || changed.number(t, "paidAmount") != 0 {
		t.Errorf("%s; before: %s", changed.raw, before.raw)
	}
	pay := func(key string, amount int) answer {
		return r.post(t, who, path+"/payment", key, map[string]any{"kind": "deposit", "amount": amount})
	}
	if stale := pay("pay-1", 20_000).want(t, 409, "amount_changed"); stale.number(t, "amount") != 30_000 {
		t.Errorf("what was shown before: %s", stale.raw)
	}
	pay("pay-2", 30_000).want(t, 200, "")
	r.checkBooks(t)
}

func TestChange_RefusalChangesNothing(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who, rival := r.diner(t, 30_000), r.diner(t, 100_000)
	path := r.reserved(t, who, r.slot("19:00"), "deposit")
	r.press(t, rival, "key", "wait=10", r.requestFor(r.slot("20:00"), 8)).want(t, 201, "")
	r.press(t, r.diner(t, 0), "key", "wait=10", r.requestFor(r.slot("20:00"), 1)).want(t, 201, "")
	r.reserved(t, who, r.slot("21:00"), "")
	quoted := map[string]any{"told": 1_000_000} // as earlier programs send it
	with := func(wants map[string]any) map[string]any {
		all := maps.Clone(quoted)
		maps.Copy(all, wants)
		return all
	}
	full := r.patch(t, who, path, "full", with(map[string]any{"time": "20:00"})).want(t, 409, "sold_out")
	if full.number(t, "remaining") != 1 || len(full.list(t, "alternatives")) == 0 {
		t.Errorf("full: %s", full.raw)
	}
	if taken := r.patch(t, who, path, "twice", with(map[string]any{"time": "21:00"})).want(t, 409,
		"duplicate"); taken.text(t, "reservationId") == "" {
		t.Errorf("twice: %s", taken.raw)
	}
	r.patch(t, who, path, "poor", with(map[string]any{"partySize": 4})).want(t, 402, "balance_too_low")
	r.patch(t, who, path, "same", with(nil)).want(t, 409, "nothing_to_change")
	r.patch(t, rival, path, "theirs", with(map[string]any{"partySize": 3})).want(t, 404, "not_found")
	r.delete(t, who, path).want(t, 200, "")
	r.patch(t, who, path, "over", with(map[string]any{"partySize": 3})).want(t, 409, "wrong_state")
	if got := r.get(t, who, path); got.number(t, "partySize") != 2 || got.text(t, "time") != "19:00" {
		t.Errorf("it became %s", got.raw)
	}
	r.checkBooks(t)
}

func TestChange_NonsenseChangesNothing(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, programtest.Setup{Config: program.Config{Web: web.Config{Limits: oneForMany}}})
	other, _ := r.newRestaurant(t, "other")
	theirs, err := r.Bookings.Catalog.ListMenu(t.Context(), other.ID)
	dbtest.Must(t, err)
	who := r.diner(t, 100_000)
	path := r.reserved(t, who, r.slot("19:00"), "deposit")
	item := func(id any, quantity int) []map[string]any {
		return []map[string]any{{"menuItemId": id, "quantity": quantity}}
	}
	for name, c := range map[string]struct {
		wants map[string]any
		want  string
	}{
		"party 0":             {map[string]any{"partySize": 0}, "422 invalid partySize out_of_range"},
		"party 10^9":          {map[string]any{"partySize": 1_000_000_000}, "422 invalid partySize out_of_range"},
		"party in words":      {map[string]any{"partySize": "two"}, "400 bad_request partySize wrong_type"},
		"no such day":         {map[string]any{"date": "2027-02-30"}, "422 invalid date invalid_date"},
		"no date":             {map[string]any{"date": ""}, "422 invalid date invalid_date"},
		"yesterday":           {map[string]any{"date": string(r.day(-1))}, "422 invalid time past"},
		"far away":            {map[string]any{"date": string(r.day(31))}, "422 invalid date too_far"},
		"between two slots":   {map[string]any{"time": "19:30"}, "422 invalid time outside_hours"},
		"25 o'clock":          {map[string]any{"time": "25:00"}, "422 invalid time invalid_time"},
		"another's menu":      {map[string]any{"items": item(theirs[0].ID, 1)}, "422 invalid items[0].menuItemId unknown"},
		"no dish at all":      {map[string]any{"items": item(r.menu[0].ID, 0)}, "422 invalid items[0].quantity out_of_range"},
		"items as words":      {map[string]any{"items": "all"}, "400 bad_request items wrong_type"},
		"a note of 10 kB":     {map[string]any{"note": strings.Repeat("가", 3_400)}, "422 invalid note too_long"},
		"a note with a zero":  {map[string]any{"note": "a\x00b"}, "422 invalid note invalid_text"},
		"a quote in words":    {map[string]any{"told": "all"}, "400 bad_request told wrong_type"},
		"an amount in words":  {map[string]any{"expectedAmount": "all"}, "400 bad_request expectedAmount wrong_type"},
		"a quote too large":   {map[string]any{"told": json.RawMessage("99999999999999999999")}, "400 bad_request told wrong_type"},
		"nothing that it has": {map[string]any{"state": "confirmed", "paidAmount": 0}, "409 nothing_to_change"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, a := range []answer{r.patch(t, who, path, strings.ReplaceAll(name, " ", "-"), c.wants),
				r.post(t, who, path+"/quote", "", c.wants)} {
				got := fmt.Sprint(a.status, " ", a.json["code"])
				if a.json["fields"] != nil {
					f := a.list(t, "fields")[0]
					got += fmt.Sprint(" ", f["name"], " ", f["reason"])
				}
				if got != c.want {
					t.Errorf("%s, want %s: %s", got, c.want, a.raw)
				}
			}
		})
	}
	r.patch(t, who, path, "", map[string]any{"partySize": 3}).want(t, 400, "idempotency_key_required")
	r.patch(t, person{}, path, "key", map[string]any{"partySize": 3}).want(t, 401, "unauthenticated")
	r.post(t, person{}, path+"/quote", "", map[string]any{"partySize": 3}).want(t, 401, "unauthenticated")
	r.get(t, person{}, path+"/changes").want(t, 401, "unauthenticated")
	r.get(t, r.diner(t, 0), path+"/changes").want(t, 404, "not_found")
	r.post(t, r.diner(t, 0), path+"/quote", "", map[string]any{}).want(t, 404, "not_found")
	r.patch(t, who, "/api/reservations/none", "key", map[string]any{"partySize": 3}).want(t, 404, "not_found")
	r.patch(t, who, "/api/reservations/"+strings.Repeat("x", 3_000), "key", map[string]any{"partySize": 3}).want(t, 404,
		"not_found")
	for _, c := range []call{
		{method: http.MethodPut, path: path, as: who}, {method: http.MethodGet, path: path + "/quote", as: who},
		{method: http.MethodPost, path: path + "/changes", as: who},
	} {
		r.do(t, c).want(t, 405, "method_not_allowed")
	}
	foreign := call{method: http.MethodPatch, path: path, as: who, body: map[string]any{"partySize": 3},
		headers: map[string]string{"Idempotency-Key": "k", "Sec-Fetch-Site": "cross-site"}}
	r.do(t, foreign).want(t, 403, "cross_site")
	for _, body := range []any{"", "{", "[]", "null", `{"partySize":3}{}`} {
		r.do(t, call{method: http.MethodPatch, path: path, as: who, body: body,
			headers: map[string]string{"Idempotency-Key": "k"}}).want(t, 400, "bad_request")
	}
	r.do(t, call{method: http.MethodPatch, path: path, as: who, body: "party=3",
		headers: map[string]string{"Idempotency-Key": "k",
			"Content-Type": "application/x-www-form-urlencoded"}}).want(t, 415, "unsupported_media_type")
	if got := r.get(t, who, path); got.number(t, "partySize") != 2 ||
		len(r.get(t, who, path+"/changes").list(t, "changes")) != 0 {
		t.Errorf("it became %s", got.raw)
	}
}
