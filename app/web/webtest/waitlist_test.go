package webtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
)

// fill takes all ten seats of a slot by confirmed parties of two, and returns who they are with their reservations.
func (r *harness) fill(t *testing.T, slot booking.SlotKey) map[string]person {
	t.Helper()
	sitting := map[string]person{}
	for range 5 {
		who, id := r.confirm(t, slot, 2)
		sitting[id] = who
	}
	return sitting
}

func (r *harness) wait(t *testing.T, who person, slot booking.SlotKey, party int) answer {
	t.Helper()
	return r.post(t, who, "/api/waitlist", "wait-"+who.id, waitBody(slot, party))
}

func waitBody(slot booking.SlotKey, party int) map[string]any {
	return map[string]any{"restaurantId": slot.RestaurantID, "date": slot.Date, "time": slot.Time, "partySize": party}
}

// becomes waits until an entry is in a state, and returns it.
func (r *harness) becomes(t *testing.T, who person, id string, state booking.EntryState) (now answer) {
	t.Helper()
	dbtest.Eventually(t, "the entry is "+string(state), func() bool {
		now = r.get(t, who, "/api/waitlist/"+id).want(t, 200, "")
		return now.json["state"] == string(state)
	})
	return now
}

// leaveTable cancels one of those who sit there.
func (r *harness) leaveTable(t *testing.T, sitting map[string]person) {
	t.Helper()
	for id, who := range sitting {
		r.delete(t, who, "/api/reservations/"+id).want(t, 200, "")
		delete(sitting, id)
		freed, err := r.Stores.Reservations.SettleRefunds(t.Context(), 10)
		dbtest.Must(t, err)
		for _, slot := range freed {
			r.Availability.Changed(slot)
		}
		return
	}
}

func TestWaitlist_OverTheAPI(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	sitting := r.fill(t, slot)
	first, second := r.diner(t, 1_000_000), r.diner(t, 1_000_000)
	made := r.wait(t, first, slot, 2).want(t, 201, "")
	if made.header.Get("Location") != "/api/waitlist/"+made.text(t, "id") || made.json["offer"] != nil {
		t.Errorf("made %v %s", made.header, made.raw)
	}
	if again := r.wait(t, first, slot, 2).want(t, 201, ""); again.text(t, "id") != made.text(t, "id") {
		t.Errorf("the same key again made %s", again.raw)
	}
	next := r.wait(t, second, slot, 2).want(t, 201, "")
	if next.number(t, "ahead") != 1 || next.number(t, "seatsAhead") != 2 ||
		next.number(t, "maxPasses") != booking.MaxPasses {
		t.Errorf("the second: %s", next.raw)
	}
	dbtest.Eventually(t, "the slot shows who waits", func() bool {
		for _, s := range r.get(t, person{}, fmt.Sprintf("/api/restaurants/%d/slots?date=%s", slot.RestaurantID,
			slot.Date)).list(t, "slots") {
			if s["time"] == string(slot.Time) {
				return s["waitlisted"] == 2.0 && s["state"] == "sold_out"
			}
		}
		return false
	})
	r.leaveTable(t, sitting)
	offered := r.becomes(t, first, made.text(t, "id"), booking.EntryOffered)
	path := "/api/waitlist/" + made.text(t, "id")
	r.post(t, first, path+"/decline", "", nil).want(t, 200, "")
	r.post(t, first, path+"/decline", "", nil).want(t, 200, "")
	r.post(t, first, path+"/accept", "", nil).want(t, 409, "offer_over")
	r.becomes(t, second, next.text(t, "id"), booking.EntryOffered)
	path = "/api/waitlist/" + next.text(t, "id")
	r.post(t, second, path+"/accept", "", nil).want(t, 200, "")
	accepted := r.post(t, second, path+"/accept", "", nil).want(t, 200, "")
	reservation := accepted.json["offer"].(map[string]any)["reservationId"].(string)
	if reservation == offered.json["offer"].(map[string]any)["reservationId"] {
		t.Error("two were offered the same reservation")
	}
	r.post(t, second, "/api/reservations/"+reservation+"/payment", "pay", map[string]any{"kind": "deposit"}).want(t,
		200, "")
	r.delete(t, second, path).want(t, 200, "")
	r.post(t, second, path+"/decline", "", nil).want(t, 409, "offer_over")
	if all := r.get(t, second, "/api/waitlist").want(t, 200, "").list(t, "entries"); len(all) != 1 ||
		all[0]["state"] != "accepted" {
		t.Errorf("listed %v", all)
	}
	r.balances(t)
}

func TestWaitlist_LapsedOfferGoesToTheNext(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	sitting := r.fill(t, slot)
	first, second := r.diner(t, 0), r.diner(t, 0)
	one, two := r.wait(t, first, slot, 2).text(t, "id"), r.wait(t, second, slot, 2).text(t, "id")
	r.leaveTable(t, sitting)
	offered := r.becomes(t, first, one, booking.EntryOffered)
	r.expire(t, offered.json["offer"].(map[string]any)["reservationId"].(string), time.Second)
	r.becomes(t, first, one, booking.EntryLapsed)
	r.becomes(t, second, two, booking.EntryOffered) // no message reaches this process: it checks by itself
	r.post(t, first, "/api/waitlist/"+one+"/accept", "", nil).want(t, 409, "offer_over")
	r.post(t, first, "/api/waitlist/"+one+"/decline", "", nil).want(t, 409, "offer_over")
	r.balances(t)
}

func TestWaitlist_NonsenseChangesNothing(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	sitting := r.fill(t, slot)
	for name, c := range map[string]struct {
		change map[string]any
		want   string
	}{
		"party 0":             {map[string]any{"partySize": 0}, "422 invalid partySize out_of_range"},
		"party 10^9":          {map[string]any{"partySize": 1_000_000_000}, "422 invalid partySize out_of_range"},
		"a party too large":   {map[string]any{"partySize": 9}, "422 invalid partySize out_of_range"},
		"party in words":      {map[string]any{"partySize": "two"}, "400 bad_request partySize wrong_type"},
		"no such day":         {map[string]any{"date": "2027-02-30"}, "422 invalid date invalid_date"},
		"yesterday":           {map[string]any{"date": string(r.day(-1))}, "422 invalid time past"},
		"outside the hours":   {map[string]any{"time": "23:00"}, "422 invalid time outside_hours"},
		"no restaurant":       {map[string]any{"restaurantId": nil}, "422 invalid restaurantId required"},
		"an unknown one":      {map[string]any{"restaurantId": 999_999}, "404 not_found"},
		"an id too large":     {map[string]any{"restaurantId": json.RawMessage("99999999999999999999")}, "400 bad_request restaurantId wrong_type"},
		"where there is room": {map[string]any{"time": "12:00"}, "409 seats_available"},
	} {
		body := waitBody(slot, 2)
		maps.Copy(body, c.change)
		a := r.post(t, r.diner(t, 0), "/api/waitlist", "key-1", body)
		got := fmt.Sprint(a.status, " ", a.json["code"])
		if a.json["fields"] != nil {
			f := a.list(t, "fields")[0]
			got += fmt.Sprint(" ", f["name"], " ", f["reason"])
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s: %s", name, got, c.want, a.raw)
		}
	}
	who := r.diner(t, 0)
	r.post(t, who, "/api/waitlist", "", waitBody(slot, 2)).want(t, 400, "idempotency_key_required")
	r.post(t, person{}, "/api/waitlist", "key", waitBody(slot, 2)).want(t, 401, "unauthenticated")
	r.post(t, who, "/api/waitlist", "key", "{").want(t, 400, "bad_request")
	r.do(t, call{method: http.MethodPut, path: "/api/waitlist", as: who}).want(t, 405, "method_not_allowed")
	r.do(t, call{method: http.MethodPost, path: "/api/waitlist", as: who, body: waitBody(slot, 2),
		headers: map[string]string{
			"Idempotency-Key": "key", "Origin": "https://elsewhere.example", "Sec-Fetch-Site": "cross-site"}}).want(t, 403, "cross_site")
	for _, sits := range sitting {
		r.post(t, sits, "/api/waitlist", "key", waitBody(slot, 2)).want(t, 409, "duplicate")
	}
	mine := r.post(t, who, "/api/waitlist", "key", waitBody(slot, 2)).want(t, 201, "").text(t, "id")
	r.post(t, who, "/api/waitlist", "key", waitBody(slot, 3)).want(t, 422, "idempotency_key_reused")
	r.post(t, who, "/api/waitlist", "other", waitBody(slot, 2)).want(t, 409, "already_listed")
	r.noOnesEntry(t, who, mine)
}

// noOnesEntry asks for entries that are not the asker's, or are no offers.
func (r *harness) noOnesEntry(t *testing.T, who person, mine string) {
	t.Helper()
	stranger := r.diner(t, 0)
	for _, id := range []string{mine, "nobodys", "%01", "..%2F.."} {
		path := "/api/waitlist/" + id
		r.get(t, stranger, path).want(t, 404, "not_found")
		r.delete(t, stranger, path).want(t, 404, "not_found")
		r.post(t, stranger, path+"/accept", "", nil).want(t, 404, "not_found")
		r.post(t, stranger, path+"/decline", "", nil).want(t, 404, "not_found")
	}
	path := "/api/waitlist/" + mine
	r.get(t, person{}, path).want(t, 401, "unauthenticated")
	r.post(t, who, path+"/accept", "", nil).want(t, 409, "offer_over")
	r.post(t, who, path+"/decline", "", nil).want(t, 409, "offer_over")
	r.do(t, call{method: http.MethodGet, path: path + "/accept", as: who}).want(t, 405, "method_not_allowed")
	r.do(t, call{method: http.MethodPost, path: path + "/accept", as: who,
		headers: map[string]string{"Origin": "https://elsewhere.example", "Sec-Fetch-Site": "cross-site"}}).want(t, 403,
		"cross_site")
	if now := r.get(t, who, path).want(t, 200, ""); now.json["state"] != "waiting" {
		t.Errorf("the entry is %s", now.raw)
	}
	r.delete(t, who, path).want(t, 200, "")
	if now := r.delete(t, who, path).want(t, 200, ""); now.json["state"] != "left" {
		t.Errorf("the entry is %s", now.raw)
	}
}
