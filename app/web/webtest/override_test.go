package webtest

import (
	"fmt"
	"net/url"
	"testing"

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
	refused := r.send(t, host, path, sent).is(t, 409).has(t, anyway, "이유를 남기고 받기")
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
