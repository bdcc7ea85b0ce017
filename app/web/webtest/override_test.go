package webtest

import (
	"fmt"
	"maps"
	"net/url"
	"strings"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/views"
)

// fillBeyond has a host fill a slot of ten covers in a house that holds 12 people.
func (r *harness) fillBeyond(t *testing.T, host person) (body func(key string, party int, with map[string]any) answer) {
	t.Helper()
	r.mustExec(t, `UPDATE restaurants SET fire_limit = 12`)
	slot := r.slot("19:00")
	body = func(key string, party int, with map[string]any) answer {
		t.Helper()
		return r.book(t, host, key, "wait=20", byPhone(slot, party, with))
	}
	body("key-full", 10, nil).want(t, 201, "")
	return body
}

// A program seats a party over the plan with a reason, which the evening and the log show, and never beyond the fire
// limit. Diners read that nothing is left, and never less.
func TestOverride_OverTheAPI(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	host, slot := r.staff(t, r.restaurant.ID), r.slot("19:00")
	book := r.fillBeyond(t, host)
	why := func(reason string) map[string]any {
		return map[string]any{"override": map[string]any{"reason": reason}}
	}
	book("key-1", 2, nil).want(t, 409, "sold_out")
	book("key-2", 2, why("  ")).want(t, 422, "invalid")
	book("key-3", 3, why("VIP")).want(t, 409, "fire_limit")
	made := book("key-4", 2, why("VIP")).want(t, 201, "")
	if over, _ := made.json["override"].(map[string]any); over["reason"] != "VIP" {
		t.Errorf("made: %s", made.raw)
	}
	if again := book("key-4", 2, why("VIP")).want(t, 201, ""); again.text(t, "id") != made.text(t, "id") {
		t.Errorf("the same key again: %s", again.raw)
	}
	book("key-4", 2, why("Another")).want(t, 422, "idempotency_key_reused")
	book("key-5", 1, why("VIP")).want(t, 409, "fire_limit")
	owner := r.staffAs(t, r.restaurant.ID, identity.RoleOwner)
	twin := r.twin(t) // which reads the limit anew
	twin.steer(t, owner, slotPath(slot), map[string]any{"capacity": 13}).want(t, 422, "invalid")
	evening := r.get(t, host, fmt.Sprintf("/api/staff/restaurants/%d/evening?date=%s", r.restaurant.ID, slot.Date)).
		want(t, 200, "")
	evening.has(t, `"override":{"reason":"VIP"}`, `"override":null`)
	for _, one := range evening.list(t, "slots") {
		if s := one; s["time"] == "19:00" && s["remaining"] != 0.0 {
			t.Errorf("the evening's slot: %v", s)
		}
	}
	slots := r.get(t, person{}, fmt.Sprintf("/api/restaurants/%d/slots?date=%s&partySize=1", r.restaurant.ID, slot.Date))
	for _, one := range slots.want(t, 200, "").list(t, "slots") {
		if s := one; s["time"] == "19:00" && (s["remaining"] != 0.0 || s["state"] != "sold_out") {
			t.Errorf("the diner's slot: %v", s)
		}
	}
	r.press(t, r.diner(t, 0), "key-1", "wait=20", r.requestFor(slot, 1)).want(t, 409, "sold_out")
	r.page(t, r.staffAs(t, r.restaurant.ID, identity.RoleOwner), views.TeamLogURL(r.restaurant.ID)).is(t, 200).has(t,
		"좌석 계획을 넘어", "VIP")
}

// A program moves a party over the plan with a reason, by the same fields as it books one: never beyond the fire limit,
// and once under a key. What was shortened can be given back.
func TestOverride_MovesOverTheAPI(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	host, slot := r.staff(t, r.restaurant.ID), r.slot("18:00")
	r.fillBeyond(t, host)
	id := r.book(t, host, "key-early", "wait=20", byPhone(slot, 2, nil)).want(t, 201, "").text(t, "id")
	move := func(key, reason string, with map[string]any) answer {
		t.Helper()
		body := map[string]any{"time": "19:00"}
		if reason != "" {
			body["override"] = map[string]any{"reason": reason}
		}
		maps.Copy(body, with)
		return r.patch(t, host, "/api/staff/reservations/"+id, key, body)
	}
	move("key-1", "", nil).want(t, 409, "sold_out")
	move("key-2", "  ", nil).want(t, 422, "invalid")
	move("key-3", "VIP", map[string]any{"partySize": 3}).want(t, 409, "fire_limit")
	move("key-4", "VIP", nil).want(t, 200, "").has(t, `"override":{"reason":"VIP"}`)
	move("key-4", "VIP", nil).want(t, 200, "").has(t, `"override":{"reason":"VIP"}`)
	move("key-4", "Another", nil).want(t, 422, "idempotency_key_reused")
	move("key-4", "VIP", map[string]any{"endTime": "19:30"}).want(t, 422, "idempotency_key_reused")
	evening := fmt.Sprintf("/api/staff/restaurants/%d/evening?date=%s", r.restaurant.ID, slot.Date)
	r.get(t, host, evening).want(t, 200, "").has(t, `"override":{"reason":"VIP"}`)
	r.page(t, r.staffAs(t, r.restaurant.ID, identity.RoleOwner), views.TeamLogURL(r.restaurant.ID)).is(t, 200).has(t,
		"좌석 계획을 넘어", "VIP")
	back := move("key-5", "", map[string]any{"time": "18:00"}).want(t, 200, "")
	back.has(t, `"override":null`)
	r.get(t, host, evening).want(t, 200, "").hasNot(t, `"override":{`)
}

// A program gives a party a shorter stay and gives it back, also once the party is there. The log has both ends.
func TestGuests_StayIsShortenedAndGivenBack(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	place := r.restaurant
	place.Slug, place.StayTiers = "long-stays", []booking.StayTier{{FromParty: 1, Slots: 3}}
	r.openAnother(t, place, nil)
	host, slot := r.staff(t, r.restaurant.ID), r.slot("18:00")
	id := r.book(t, host, "key-1", "wait=20", byPhone(slot, 2, nil)).want(t, 201, "").text(t, "id")
	until := func(end string) answer {
		t.Helper()
		return r.patchGuest(t, host, id, map[string]any{"endTime": end})
	}
	for _, state := range []string{"confirmed", "seated"} {
		r.mustExec(t, `UPDATE reservations SET state = $1, seated_at = now()`, state)
		for end, held := range map[string]int{"20:00": 0, "21:00": 2} { // in any order
			a := until(end).want(t, 200, "")
			if got := r.occupancy(t, r.slot("20:00")).Held; a.text(t, "endTime") != end || got != held {
				t.Errorf("until %s, where %d are held then: %s", end, got, a.raw)
			}
		}
	}
	until("22:00").want(t, 422, "invalid")
	until("soon").want(t, 422, "invalid")
	r.page(t, r.staffAs(t, r.restaurant.ID, identity.RoleOwner), views.TeamLogURL(r.restaurant.ID)).is(t, 200).has(t,
		"머무는 시간 변경", "끝나는 시각")
}

// The form offers to seat the party anyway once the plan has refused it, asks why, and leads to the party, whose page
// and row say so.
func TestOverride_OnTheForm(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	host, slot := r.staff(t, r.restaurant.ID), r.slot("19:00")
	r.fillBeyond(t, host)
	path := views.StaffBookURL(r.restaurant.ID, r.start(t, slot))
	const anyway = `value="override"`
	form := r.page(t, host, path).is(t, 200)
	form.hasNot(t, anyway)
	sent := url.Values{"idempotency_key": {formKey(t, form)},
		"source": {"phone"}, "date": {string(slot.Date)}, "time": {"19:00"}, "party": {"2"}, "name": {"이바다"}}
	refused := r.send(t, host, path, sent).is(t, 409).has(t, anyway, "이유를 남기고 앉히기")
	sent.Set("idempotency_key", formKey(t, refused))
	sent.Set("action", "override")
	asked := r.send(t, host, path, sent).is(t, 422).has(t, anyway, `id="field-override-error"`)
	sent.Set("idempotency_key", formKey(t, asked))
	sent.Set("override", "단골")
	sent.Set("party", "3")
	beyond := r.send(t, host, path, sent).is(t, 409).has(t, "건물 안에 함께 있을 수 있는 인원은 12명", "단골")
	sent.Set("idempotency_key", formKey(t, beyond))
	sent.Set("party", "2")
	r.send(t, host, path, sent).is(t, 303).has(t, "이바다", "계획 초과 이유", "단골")
	r.page(t, host, views.StaffBoardURL(r.restaurant.ID, r.start(t, slot))).is(t, 200).has(t, "계획 초과 · 단골")
}

// The form that moves a party says ahead what is in the way, and offers the table until it is taken, or over the plan.
// Refused, it asks why; done, the party has the sign, and what it was can be had back.
func TestOverride_OnTheFormOfAMove(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	place := r.restaurant
	place.Slug, place.FireLimit, place.StayTiers = "long-stays", 12, []booking.StayTier{{FromParty: 1, Slots: 2}}
	r.openAnother(t, place, nil)
	host, slot := r.staff(t, r.restaurant.ID), r.slot("17:00")
	r.book(t, host, "key-full", "wait=20", byPhone(r.slot("20:00"), 10, nil)).want(t, 201, "")
	id := r.book(t, host, "key-early", "wait=20", byPhone(slot, 2, nil)).want(t, 201, "").text(t, "id")
	path, move := views.StaffReservationURL(id), views.StaffMoveURL(id)
	const anyway, shorter = `value="override"`, `name="end_time" value="20:00"`
	form := r.page(t, host, path).is(t, 200)
	form.hasNot(t, anyway, shorter)
	sent := url.Values{"idempotency_key": {formKey(t, form)}, "date": {string(slot.Date)}, "time": {"19:00"},
		"party": {"2"}}
	press := func(status int, with map[string]string) answer {
		t.Helper()
		for name, value := range with { // in any order
			sent.Set(name, value)
		}
		a := r.send(t, host, move, sent).is(t, status)
		if status != 303 {
			sent.Set("idempotency_key", formKey(t, a))
		}
		return a
	}
	press(200, map[string]string{"action": "refresh"}).has(t, anyway, shorter, "오후 7:00 · 오후 8:00까지")
	press(409, map[string]string{"action": ""}).has(t, anyway, shorter, "이유를 남기고 앉히기")
	press(422, map[string]string{"action": "override"}).has(t, anyway, `id="field-override-error"`)
	press(409, map[string]string{"override": "단골", "party": "3"}).has(t, "인원은 12명", "단골")
	moved := press(303, map[string]string{"party": "2"}).has(t, "계획 초과 이유", "단골", "19:00")
	r.page(t, host, views.StaffBoardURL(r.restaurant.ID, r.start(t, slot))).is(t, 200).has(t, "계획 초과 · 단골")
	sent.Set("idempotency_key", formKey(t, moved))
	short := press(303, map[string]string{"action": "", "override": "", "end_time": "20:00"})
	short.has(t, `name="end_time" value="21:00"`).hasNot(t, "계획 초과 이유")
	asked := views.StaffMoveFormURL(id, string(slot.Date), "20:00", nil)
	r.page(t, host, strings.TrimSuffix(asked, "#move")).is(t, 200).has(t, anyway)
}
