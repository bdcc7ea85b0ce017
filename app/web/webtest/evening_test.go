package webtest

import (
	"fmt"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

func (r *harness) eveningPath(date booking.Date) string {
	return fmt.Sprintf("/api/staff/restaurants/%d/evening?date=%s", r.restaurant.ID, date)
}

// reservationsIn are those of an evening's answer, by id.
func reservationsIn(t *testing.T, a answer) map[string]map[string]any {
	t.Helper()
	all := map[string]map[string]any{}
	list, ok := a.json["reservations"].([]any)
	if !ok {
		t.Fatalf("no reservations: %s", a.raw)
	}
	for _, one := range list {
		r := one.(map[string]any)
		all[r["id"].(string)] = r
	}
	return all
}

// A program of the restaurant sees the whole evening: slots, who comes, sums.
func TestEvening_HasSlotsReservationsAndTotals(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, quickCatalog())
	r.mustExec(t, `UPDATE restaurants SET arrivals_per_slot = 6`)
	staff, begun := r.staff(t, r.restaurant.ID), r.begun()
	_, came := r.confirm(t, begun, 3)
	_, comes := r.confirm(t, begun, 2)
	for _, step := range []booking.State{booking.Arrived, booking.Seated} {
		by, err := r.Bookings.Staff(t.Context(), staff.id, r.restaurant.ID)
		if err == nil {
			_, err = r.Bookings.Mark(t.Context(), by, came, step)
		}
		dbtest.Must(t, err)
	}
	a := r.get(t, staff, r.eveningPath(begun.Date)).want(t, 200, "")
	all := reservationsIn(t, a)
	if len(all) != 2 || all[came]["state"] != "seated" || all[came]["seatedAt"] == nil ||
		all[comes]["state"] != "confirmed" {
		t.Errorf("reservations: %s", a.raw)
	}
	one := all[comes]
	if one["partySize"] != 2.0 || one["time"] != string(begun.Time) || one["source"] != "web" ||
		one["firstVisit"] != true ||
		one["phone"] == "" || one["code"] != comes[:6] {
		t.Errorf("one: %v", one)
	}
	found := false
	for _, s := range a.json["slots"].([]any) {
		slot := s.(map[string]any)
		if slot["time"] == string(begun.Time) {
			found = slot["seated"] == 3.0 && slot["confirmed"] == 2.0 && slot["temporary"] == 0.0 &&
				slot["capacity"] == 10.0 && slot["arriving"] == 5.0 && slot["arrivalLimit"] == 6.0 &&
				slot["remaining"] == 5.0 && slot["closed"] == false && slot["paused"] == false && slot["waiting"] == 0.0
		}
	}
	r.page(t, staff, r.tonightIn(t, begun, views.TabSlots).URL()).is(t, 200).has(t, "도착 5/6")
	totals := a.json["totals"].(map[string]any)
	if !found || totals["covers"] != 5.0 || totals["present"] != 3.0 || totals["deposits"] != 50_000.0 ||
		totals["noShows"] != 0.0 {
		t.Errorf("slots and totals: %s", a.raw)
	}
	r.get(t, staff, r.eveningPath("2026-02-30")).want(t, 422, "invalid")
	r.get(t, r.diner(t, 0), r.eveningPath(begun.Date)).want(t, 404, "not_found")
	today := r.get(t, staff, fmt.Sprintf("/api/staff/restaurants/%d/evening", r.restaurant.ID)).want(t, 200, "")
	if today.json["date"] != string(r.day(0)) {
		t.Errorf("without a date: %v", today.json["date"])
	}
}

// A visit is the first one until the guest has been at the restaurant on an earlier slot.
func TestEvening_KnowsFirstVisits(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	staff, begun, tomorrow := r.staff(t, r.restaurant.ID), r.begun(), r.slot("19:00")
	guest, first := r.confirm(t, begun, 2)
	again := r.press(t, guest, "again", "wait=10", r.requestFor(tomorrow, 2)).want(t, 201, "").text(t, "id")
	isFirst := func(id string, date booking.Date) any {
		return reservationsIn(t, r.get(t, staff, r.eveningPath(date)).want(t, 200, ""))[id]["firstVisit"]
	}
	if isFirst(first, begun.Date) != true || isFirst(again, tomorrow.Date) != true {
		t.Error("nobody has been there yet")
	}
	by, err := r.Bookings.Staff(t.Context(), staff.id, r.restaurant.ID)
	if err == nil {
		_, err = r.Bookings.Mark(t.Context(), by, first, booking.Arrived)
	}
	dbtest.Must(t, err)
	if isFirst(first, begun.Date) != true || isFirst(again, tomorrow.Date) != false {
		t.Error("the second visit is a first one, or the first is none")
	}
}
