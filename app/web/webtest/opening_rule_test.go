package webtest

import (
	"fmt"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/setup"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// openBy has an owner set the rule by which days open; nil for none.
func (r *harness) openBy(t *testing.T, owner person, rule map[string]any) {
	t.Helper()
	path := r.setupPath(setup.DocSettings)
	settings := r.get(t, owner, path).want(t, 200, "")
	if settings.json["openingRule"] = rule; rule == nil {
		delete(settings.json, "openingRule")
	}
	r.writeOver(t, owner, path, settings.header.Get("ETag"), settings.json).want(t, 200, "")
}

// A rule opens the days of a restaurant, which diners see everywhere, in a slot of which nothing is stored as in one
// that has a row. Who presses before waits in an order that nobody sees, staff neither, and is served once the rule is
// gone, or staff open the slot.
func TestOpeningRule_HoldsWhereverASlotIsAskedFor(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, quickCatalog())
	owner := r.staffAs(t, r.restaurant.ID, identity.RoleOwner)
	slot := booking.SlotKey{RestaurantID: r.restaurant.ID, Date: r.day(5), Time: "19:00"}
	fresh := booking.SlotKey{RestaurantID: r.restaurant.ID, Date: r.day(6), Time: "18:00"}
	r.confirm(t, slot, 2)
	r.openBy(t, owner, map[string]any{"kind": "daily", "daysAhead": 2, "time": "10:00", "draw": true})
	opens, err := r.restaurant.Start(r.day(3), "10:00")
	dbtest.Must(t, err)
	dbtest.Eventually(t, "the stored slot says when it opens",
		func() bool { return r.slotAt(t, slot, 2)["opensAt"] == opens.UTC().Format("2006-01-02T15:04:05Z") })
	if s := r.slotAt(t, fresh, 2); s["opensAt"] == nil || s["order"] != "draw" || s["state"] != "open" {
		t.Errorf("a slot without a row: %v", s)
	}
	found := r.get(t, person{}, fmt.Sprintf("/api/restaurants/%d", r.restaurant.ID)).want(t, 200, "").json
	if fmt.Sprint(found["openingRule"]) != "map[daysAhead:2 draw:true kind:daily time:10:00]" {
		t.Errorf("the restaurant says %v", found["openingRule"])
	}
	r.page(t, person{}, fmt.Sprintf("/restaurants/%s?date=%s&party=2", r.restaurant.Slug, fresh.Date)).is(t, 200).
		has(t, "2일 전 오전 10:00에 그날의 예약이 열립니다", "오픈", "data-countdown", "추첨으로", "오픈 전")
	for i, slot := range []booking.SlotKey{slot, fresh} {
		r.book(t, owner, fmt.Sprintf("early-%d", i), "wait=20", byPhone(slot, 2, nil)).want(t, 409, "not_open")
		diner := r.diner(t, 0)
		ticket := r.queued(t, diner, slot, 2)
		dbtest.Eventually(t, "the ticket says when its line opens", func() bool {
			now := r.get(t, diner, "/api/tickets/"+ticket).json
			return now["opensAt"] != nil && now["order"] == "draw" && now["state"] == "waiting"
		})
		if waits := r.whoWaits(t, owner, slot); len(waits) != 0 {
			t.Errorf("before the opening staff see %v", waits)
		}
		r.page(t, owner, views.StaffLineURL(r.restaurant.ID, r.start(t, slot))).is(t, 200).has(t, "추첨입니다")
		if slot == fresh {
			r.steer(t, owner, slotPath(slot), map[string]any{"opensAt": nil}).want(t, 200, "")
		} else {
			r.openBy(t, owner, nil)
		}
		dbtest.Eventually(t, "it is served",
			func() bool { return r.get(t, diner, "/api/tickets/"+ticket).json["state"] == "reserved" })
		r.openBy(t, owner, map[string]any{"kind": "daily", "daysAhead": 2, "time": "10:00", "draw": true})
	}
	if s := r.slotAt(t, fresh, 2); s["opensAt"] != nil {
		t.Errorf("a slot that staff have opened opens at %v", s["opensAt"])
	}
}

// The page of the rule names the bookings of days that would not be open yet, and says what contradicts.
func TestOpeningRule_ByThePage(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, quickCatalog())
	owner := r.staffAs(t, r.restaurant.ID, identity.RoleOwner)
	slot := booking.SlotKey{RestaurantID: r.restaurant.ID, Date: r.day(5), Time: "19:00"}
	r.confirm(t, slot, 2)
	url := views.SetupPageURL(r.restaurant.ID, views.SetupParties)
	form := fieldsOf(r.page(t, owner, url).is(t, 200).has(t, "예약이 열리는 때", "규칙 없음"))
	form.Set(views.FieldAction, "save")
	form.Set("openingRule.kind", "daily")
	form.Set("openingRule.daysAhead", "400")
	r.send(t, owner, url, form).is(t, 422).has(t, `value="400"`, `aria-invalid="true"`)
	form.Set("openingRule.daysAhead", "2")
	form = fieldsOf(r.send(t, owner, url, form).is(t, 200).has(t, "아직 열리지 않을 날"))
	form.Set(views.FieldAction, "save")
	r.send(t, owner, url, form).is(t, 303)
	r.page(t, owner, url).is(t, 200).has(t, `value="2"`)
}
