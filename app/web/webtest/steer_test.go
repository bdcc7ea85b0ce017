package webtest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/db/dbtest"
)

// slotPath is the address of a slot in the API of staff.
func slotPath(slot booking.SlotKey) string {
	return fmt.Sprintf("/api/staff/restaurants/%d/slots/%s/%s", slot.RestaurantID, slot.Date, slot.Time)
}

func (r *harness) steer(t *testing.T, as person, path string, body any) answer {
	t.Helper()
	return r.do(t, call{method: "PATCH", path: path, as: as, body: body})
}

// A preview of a change says whom it touches and changes nothing; the change does, and those who wait, and who come
// later, are answered with the reason.
func TestAPI_ClosesASlotWithAReason(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	host, diner := r.staff(t, r.restaurant.ID), r.diner(t, 0)
	r.confirm(t, slot, 3)
	r.seat(t, r.diner(t, 0), slot, 2)
	defer r.rival(t, slot)()
	ticket := r.press(t, diner, "key-1", "respond-async", r.requestFor(slot, 2)).want(t, 202, "").text(t, "ticket")

	body := map[string]any{"closed": true, "reason": "  오늘은\n정전입니다 "}
	for _, query := range []string{"?preview=true", ""} {
		a := r.steer(t, host, slotPath(slot)+query, body).want(t, 200, "")
		affected := a.json["affected"].(map[string]any)
		if affected["waiting"] != 2.0 || affected["holds"] != 1.0 || affected["reservations"] != 1.0 ||
			affected["money"] != 30_000.0 {
			t.Errorf("affected%s: %s", query, a.raw)
		}
		if s := a.json["slot"].(map[string]any); s["closed"] != true || s["reason"] != "오늘은 정전입니다" ||
			s["confirmed"] != 3.0 {
			t.Errorf("the slot%s: %s", query, a.raw)
		}
		if closed := r.occupancy(t, slot).Closed; closed != (query == "") {
			t.Errorf("%q: closed %v", query, closed)
		}
	}
	dbtest.Eventually(t, "who waits knows why", func() bool {
		now := r.get(t, diner, "/api/tickets/"+ticket)
		return now.json["code"] == "closed" && now.json["closedReason"] == "오늘은 정전입니다"
	})
	a := r.press(t, r.diner(t, 0), "key-2", "wait=10", r.requestFor(slot, 2)).want(t, 409, "closed")
	if a.json["closedReason"] != "오늘은 정전입니다" || r.audited(t, "slot.close") != 1 {
		t.Errorf("later: %s", a.raw)
	}
}

// What cannot be is refused, and nothing has changed: fields, a capacity below what is sold, a part that the role does
// not allow.
func TestAPI_RefusesSlotChanges(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	host := r.staffAs(t, r.restaurant.ID, identity.RoleHost)
	manager := r.staffAs(t, r.restaurant.ID, identity.RoleManager)
	_, id := r.confirm(t, slot, 6)
	start := r.start(t, slot)
	for name, c := range map[string]struct {
		body   map[string]any
		status int
		code   string
	}{
		"capacity":       {map[string]any{"capacity": -1}, 422, "invalid"},
		"a long reason":  {map[string]any{"closed": true, "reason": strings.Repeat("가", 201)}, 422, "invalid"},
		"hidden text":    {map[string]any{"message": "a\u202eb"}, 422, "invalid"},
		"a past opening": {map[string]any{"opensAt": time.Now().Add(-time.Hour)}, 422, "invalid"},
		"a late opening": {map[string]any{"opensAt": start}, 422, "invalid"},
		"an order":       {map[string]any{"order": "alphabet"}, 422, "invalid"},
		"a type":         {map[string]any{"closed": "yes"}, 400, "bad_request"},
	} {
		if a := r.steer(t, manager, slotPath(slot), c.body); a.status != c.status || a.json["code"] != c.code {
			t.Errorf("%s: %d %s", name, a.status, a.raw)
		}
	}
	r.steer(t, host, slotPath(slot), map[string]any{"opensAt": start.Add(-time.Hour), "paused": true}).want(t, 403,
		"forbidden")
	below := r.steer(t, host, slotPath(slot), map[string]any{"capacity": 5, "paused": true}).want(t, 409, "below_sold")
	if parties := below.list(t, "parties"); below.number(t, "sold") != 6 || len(parties) != 1 ||
		parties[0]["reservationId"] != id {
		t.Errorf("below what is sold: %s", below.raw)
	}
	if o := r.occupancy(t, slot); o.Capacity != 10 || o.Paused || !o.OpensAt.IsZero() || o.Notice != "" {
		t.Errorf("changed: %+v", o)
	}
	r.steer(t, manager, slotPath(slot), map[string]any{"opensAt": start.Add(-time.Hour), "order": "draw"}).
		want(t, 200, "")
	r.steer(t, manager, slotPath(slot), map[string]any{"opensAt": nil}).want(t, 200, "")
	if o := r.occupancy(t, slot); !o.OpensAt.IsZero() || o.Draw || r.audited(t, "slot.opening") != 2 {
		t.Errorf("planned, and open again: %+v", o)
	}
}

func TestAPI_ChangesADay(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	host := r.staff(t, r.restaurant.ID)
	r.confirm(t, slot, 3)
	path := fmt.Sprintf("/api/staff/restaurants/%d/days/%s", r.restaurant.ID, slot.Date)
	for _, query := range []string{"?preview=true", ""} {
		a := r.steer(t, host, path+query, map[string]any{"paused": true, "reason": "단체 손님"}).want(t, 200, "")
		if len(a.list(t, "slots")) != 14 || a.json["affected"].(map[string]any)["reservations"] != 1.0 {
			t.Errorf("the day%s: %s", query, a.raw)
		}
	}
	if n := r.audited(t, "slot.pause"); n != 14 || !r.occupancy(t, slot).Paused {
		t.Errorf("%d acts", n)
	}
	r.steer(t, host, path, map[string]any{"capacity": 2}).want(t, 409, "below_sold")
	yesterday := fmt.Sprintf("/api/staff/restaurants/%d/days/%s", r.restaurant.ID, r.day(-1))
	r.steer(t, host, yesterday, map[string]any{"paused": true}).want(t, 409, "past")
	r.steer(t, host, path+"x", map[string]any{"paused": true}).want(t, 404, "not_found")
}
