package webtest

import (
	"net/url"
	"reflect"
	"testing"

	"lunchgo/app/identity"
	"lunchgo/views"
)

// Staff correct who comes, on a page and by the API. What one of them corrects stays, whatever another's form showed.
func TestDetails_AreCorrected(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	host, manager := r.staff(t, r.restaurant.ID), r.staffAs(t, r.restaurant.ID, identity.RoleManager)
	body := byPhone(r.slot("19:00"), 2, map[string]any{"note": "창가"})
	id := r.book(t, host, "key-1", "wait=20", body).want(t, 201, "").text(t, "id")
	r.page(t, host, views.StaffReservationURL(id)).is(t, 200).has(t, views.StaffDetailsURL(id))
	r.page(t, host, views.StaffDetailsURL(id)).is(t, 200).has(t, `name="was_note" value="창가"`, `value="010-9876-5432"`)
	patched := r.patchGuest(t, host, id, map[string]any{"allergies": "메밀",
		"tags": []string{"VIP", "와인"}}).want(t, 200, "")
	if patched.text(t, "allergies") != "메밀" || patched.text(t, "note") != "창가" || patched.text(t, "name") != "김하늘" {
		t.Errorf("patched: %s", patched.raw)
	}
	shown := url.Values{"was_name": {"김하늘"}, "was_phone": {"010-9876-5432"}, "was_note": {"창가"}, "was_allergies": {""},
		"name": {"김하나"}, "phone": {"010-9876-5432"}, "note": {""}, "allergies": {""}}
	r.send(t, host, views.StaffDetailsURL(id), shown).is(t, 303).has(t, "김하나", "메밀", "저장했습니다.")
	r.book(t, host, "key-1", "wait=20", body).want(t, 201, "") // a repeat finds what it made
	shown.Set("phone", "010-12")
	r.send(t, host, views.StaffDetailsURL(id), shown).is(t, 422).has(t, `value="010-12"`, `aria-invalid="true"`)
	again := r.patchGuest(t, host, id, map[string]any{"partySize": 3, "phone": "010-5555-6666"}).want(t, 200, "")
	if again.text(t, "phone") != "010-5555-6666" || again.json["note"] != "" || again.json["partySize"] != 3.0 ||
		!reflect.DeepEqual(again.json["tags"], []any{}) { // of another number
		t.Errorf("patched again: %s", again.raw)
	}
	r.page(t, manager, views.TeamLogURL(r.restaurant.ID)).is(t, 200).has(t, "손님 정보 수정")
	r.patchGuest(t, host, id, map[string]any{"name": " "}).want(t, 422, "invalid")
	r.patchGuest(t, host, id, map[string]any{"state": "cancelled", "name": "김"}).want(t, 400, "bad_request")
}

// The name and number of a diner are those of the account; the note is the reservation's, and the diner's repeat finds
// it.
func TestDetails_OfDiner(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	host, who, body := r.staff(t, r.restaurant.ID), r.diner(t, 0), r.requestFor(r.slot("19:00"), 2)
	id := r.press(t, who, "key-1", "wait=20", body).want(t, 201, "").text(t, "id")
	r.patchGuest(t, host, id, map[string]any{"name": "김하나"}).want(t, 422, "invalid")
	r.page(t, host, views.StaffDetailsURL(id)).is(t, 200).has(t, "손님 계정의 것").hasNot(t, `name="phone"`)
	r.patchGuest(t, host, id, map[string]any{"note": "유아 의자"}).want(t, 200, "")
	if again := r.press(t, who, "key-1", "wait=20", body).want(t, 201, ""); again.text(t, "id") != id ||
		again.text(t, "note") != "유아 의자" {
		t.Errorf("the diner's repeat: %s", again.raw)
	}
	other, _ := r.newRestaurant(t, "another")
	r.patchGuest(t, r.staff(t, other.ID), id, map[string]any{"note": "x"}).want(t, 404, "not_found")
}

// A booking by phone begins with the number: its digits find who has been there, and a press fills the form.
func TestCaller_IsFoundByNumber(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	host := r.staff(t, r.restaurant.ID)
	about, day := r.caller(t), r.start(t, r.slot("19:00"))
	r.book(t, host, "key-2", "wait=20", byPhone(r.slot("19:00"), 2, map[string]any{"allergies": "메밀"})).want(t, 201, "")
	ask := url.Values{"source": {"phone"}, "party": {"2"}, "action": {"refresh"}, "phone": {"987"}}
	r.send(t, host, views.StaffBookURL(r.restaurant.ID, day), ask).is(t, 200).hasNot(t, "김하늘")
	ask.Set("phone", "9876")
	r.send(t, host, views.StaffBookURL(r.restaurant.ID, day), ask).is(t, 200).has(t, `value="9876"`,
		`name="caller" value="`+about.Guest+`"`, "김하늘", "메밀")
	ask.Del("action")
	ask.Set("caller", about.Guest)
	filled := []string{`value="010-9876-5432"`, `value="김하늘"`, `value="메밀"`,
		views.GuestURL(r.restaurant.ID, about.Guest)}
	r.send(t, host, views.StaffBookURL(r.restaurant.ID, day), ask).is(t, 200).has(t, filled...).
		hasNot(t, `name="caller"`)
	book := views.StaffBookCallerURL(r.restaurant.ID, day, about.Guest)
	r.page(t, host, book).is(t, 200).has(t, filled...)
	r.page(t, host, views.GuestURL(r.restaurant.ID, about.Guest)).is(t, 200).has(t, "이 손님으로 예약하기")
	other, _ := r.newRestaurant(t, "another")
	r.page(t, r.staff(t, other.ID), views.StaffBookCallerURL(other.ID, day, about.Guest)).is(t, 404)
}
