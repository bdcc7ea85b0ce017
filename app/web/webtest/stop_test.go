package webtest

import (
	"fmt"
	"testing"

	"lunchgo/app/identity"
	"lunchgo/db/dbtest"
)

// A restaurant that is stopped says why to whoever presses or waits, in a slot that nobody has booked yet too, and goes
// on.
func TestAPI_StopsARestaurant(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	manager, diner := r.staffAs(t, r.restaurant.ID, identity.RoleManager), r.diner(t, 0)
	r.confirm(t, slot, 3)
	defer r.rival(t, slot)()
	ticket := r.press(t, diner, "key-1", "respond-async", r.requestFor(slot, 2)).want(t, 202, "").text(t, "ticket")
	path := fmt.Sprintf("/api/staff/restaurants/%d/stop", r.restaurant.ID)
	put := func(path string, body map[string]any) answer {
		return r.do(t, call{method: "PUT", path: path, as: manager, body: body})
	}
	looked := put(path+"?preview=true", map[string]any{"stopped": true, "reason": "누수"}).want(t, 200, "")
	if n := looked.json["affected"].(map[string]any); n["waiting"] != 2.0 || n["reservations"] != 1.0 {
		t.Errorf("looked at: %s", looked.raw)
	}
	if r.occupancy(t, slot).Stopped {
		t.Error("looking at it has stopped it")
	}
	put(path, map[string]any{"stopped": true, "reason": "누수"}).want(t, 200, "")
	dbtest.Eventually(t, "who waits knows why", func() bool {
		now := r.get(t, diner, "/api/tickets/"+ticket)
		return now.json["code"] == "closed" && now.json["closedReason"] == "누수"
	})
	other := r.press(t, r.diner(t, 0), "key-2", "wait=10", r.requestFor(r.slot("18:00"), 2)).want(t, 409, "closed")
	if other.json["closedReason"] != "누수" {
		t.Errorf("another slot: %s", other.raw)
	}
	put(path, map[string]any{"stopped": false}).want(t, 200, "")
	dbtest.Eventually(t, "the restaurant takes reservations again", func() bool { // what is cached is old for a moment
		return r.press(t, r.diner(t, 0), "key-3", "wait=10", r.requestFor(r.slot("18:00"), 2)).status == 201
	})
	if r.audited(t, "restaurant.stop") != 1 || r.audited(t, "restaurant.resume") != 1 {
		t.Error("the acts are not written down")
	}
}

// Staff set what is left of a dish, and take the limit away.
func TestAPI_SetsStock(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	manager := r.staffAs(t, r.restaurant.ID, identity.RoleManager)
	path := fmt.Sprintf("/api/staff/restaurants/%d/stock/%s/%d", r.restaurant.ID, r.day(1), r.menu[0].ID)
	put := func(body any) answer { return r.do(t, call{method: "PUT", path: path, as: manager, body: body}) }
	if a := put(map[string]any{"remaining": 5}).want(t, 200, ""); a.number(t, "remaining") != 5 {
		t.Errorf("set: %s", a.raw)
	}
	if a := put(map[string]any{"remaining": nil}).want(t, 200, ""); a.json["remaining"] != nil {
		t.Errorf("unlimited: %s", a.raw)
	}
	put(map[string]any{}).want(t, 422, "invalid")
	put(map[string]any{"remaining": -1}).want(t, 422, "invalid")
	put(map[string]any{"remaining": "5"}).want(t, 400, "bad_request")
}
