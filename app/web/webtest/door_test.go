package webtest

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"lunchgo/app/identity"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// A party joins with a number, follows its place on its own phone by a link, is called and seated at a table; the board
// says who was passed over. The place outlives the server.
func TestDoor_FromTheQueueToTheTable(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	seats, slot := r.openRoom(t), r.begun()
	r.mustExec(t, `UPDATE restaurants SET arrivals_per_slot = 0`)
	host := r.staffAs(t, r.restaurant.ID, identity.RoleHost)
	queue, door := r.tonightIn(t, slot, views.TabDoor).URL(), views.StaffDoorURL(r.restaurant.ID)
	join := func(name, party string) (id, link string) {
		t.Helper()
		form := url.Values{"idempotency_key": {formKey(t, r.page(t, host, queue).is(t, 200))}, "party": {party},
			"name": {name}}
		r.send(t, host, door, form).is(t, 303)
		r.send(t, host, door, form).is(t, 303).has(t, `class="qr"`) // a double press
		all := r.get(t, host, "/api"+door).want(t, 200, "").list(t, "parties")
		last := all[len(all)-1]
		return fmt.Sprint(last["id"]), fmt.Sprint(last["path"])
	}
	first, firstLink := join("김하늘", "2")
	second, secondLink := join("", "2")
	r.page(t, host, queue).is(t, 200).has(t, "김하늘", "이름 없음", "다음 차례", "자리 있음")
	r.page(t, person{}, firstLink).is(t, 200).has(t, "바로 다음 순서입니다", "대기 번호").hasNot(t, "김하늘")
	r.page(t, person{}, secondLink).is(t, 200).has(t, "앞에 1팀")
	r.page(t, person{}, firstLink+"x").is(t, 404)
	if strings.Contains(firstLink, first) {
		t.Error("the link shows the id")
	}

	step := func(id, what string, with url.Values) answer {
		t.Helper()
		if with == nil {
			with = url.Values{}
		}
		with.Set("next", queue)
		return r.send(t, host, views.StaffDoorStepURL(r.restaurant.ID, id, what), with).is(t, 303)
	}
	step(second, views.DoorCall, nil).has(t, "불렀습니다", "앞지른 팀 1")
	step(second, views.DoorCall, nil).has(t, "지금 상태에서는") // another host was first
	r.page(t, person{}, secondLink).is(t, 200).has(t, "자리가 준비되었습니다")
	r.page(t, person{}, firstLink).is(t, 200).has(t, "먼저 앉은 팀이 1팀")
	r.page(t, host, r.tonightIn(t, slot, views.TabRoom).TableURL(seats["T1"])).is(t, 200).has(t, "문 앞에서 기다리는 팀",
		views.StaffDoorStepURL(r.restaurant.ID, second, views.DoorSeat))
	step(second, views.DoorSeat, url.Values{"seat": {fmt.Sprint(seats["T1"])}}).has(t, "앉혔습니다")
	if r.seatedAt(t, slot, seats["T1"]) == "" {
		t.Error("nobody sits at T1")
	}
	r.twin(t).page(t, person{}, secondLink).is(t, 200).has(t, "자리에 앉으셨습니다")
	r.page(t, host, r.tonightIn(t, slot, views.TabGuests).URL()).is(t, 200).has(t, "워크인")

	step(first, views.DoorSeat, url.Values{"seat": {fmt.Sprint(seats["T1"])}}).has(t, "고른 자리를 방금 다른 분이 잡았습니다")
	step(first, views.DoorGone, nil).has(t, "안 온 것으로")
	r.page(t, person{}, firstLink).is(t, 200).has(t, "대기가 끝났습니다")
	step(first, views.DoorBack, nil)
	r.send(t, person{}, firstLink+"/leave", url.Values{}).is(t, 303).has(t, "대기를 취소했습니다")
	r.send(t, person{}, firstLink+"/leave", url.Values{}).is(t, 303).has(t, "대기를 취소했습니다")
	if n := r.audited(t, "reservation.book"); n != 1 {
		t.Errorf("%d tables were given, want 1", n)
	}
	r.send(t, host, door, url.Values{"idempotency_key": {"k-1"}, "party": {"0"}}).is(t, 422)
	r.send(t, host, door, url.Values{"idempotency_key": {"k-2"}, "party": {"2"}, "phone": {"x"}}).is(t, 422).
		has(t, `id="field-phone-error"`)
}

// Programs run the queue as pages do.
func TestDoor_OverTheAPI(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	r.openRoom(t)
	host := r.staffAs(t, r.restaurant.ID, identity.RoleHost)
	path := fmt.Sprintf("/api/staff/restaurants/%d/door", r.restaurant.ID)
	patch := func(id string, body map[string]any) answer {
		t.Helper()
		return r.do(t, call{method: "PATCH", path: path + "/" + id, as: host, body: body})
	}
	r.post(t, r.diner(t, 0), path, "key-1", map[string]any{"partySize": 2}).want(t, 404, "not_found")
	r.post(t, host, path, "key-1", map[string]any{"partySize": 0}).want(t, 422, "invalid")
	first := r.post(t, host, path, "key-1", map[string]any{"partySize": 2, "name": " 김하늘 "}).want(t, 201, "")
	if again := r.post(t, host, path, "key-1", map[string]any{"partySize": 2, "name": "김하늘"}).want(t, 201, ""); again.
		text(t, "id") != first.text(t, "id") || first.number(t, "number") != 1 || first.text(t, "name") != "김하늘" {
		t.Errorf("joined %s, again %s", first.raw, again.raw)
	}
	r.post(t, host, path, "key-1", map[string]any{"partySize": 3}).want(t, 422, "idempotency_key_reused")
	second := r.post(t, host, path, "key-2", map[string]any{"partySize": 1}).want(t, 201, "")
	if first.json["tableNow"] != true || second.number(t, "ahead") != 1 {
		t.Errorf("first %s, second %s", first.raw, second.raw)
	}
	id := first.text(t, "id")
	patch(id, map[string]any{"state": "left"}).want(t, 422, "invalid")
	patch("none", map[string]any{"state": "called"}).want(t, 404, "not_found")
	patch(id, map[string]any{"state": "called"}).want(t, 200, "")
	patch(id, map[string]any{"state": "called"}).want(t, 409, "wrong_state")
	seated := patch(id, map[string]any{"state": "seated"}).want(t, 200, "")
	if seated.text(t, "state") != "seated" || seated.text(t, "reservationId") == "" {
		t.Errorf("seated: %s", seated.raw)
	}
	patch(id, map[string]any{"state": "seated"}).want(t, 409, "wrong_state")
	all := r.get(t, host, path).want(t, 200, "").list(t, "parties")
	if len(all) != 2 || all[0]["state"] != "seated" || all[1]["state"] != "waiting" || all[1]["ahead"] != 0.0 {
		t.Errorf("parties: %v", all)
	}
	r.page(t, person{}, second.text(t, "path")).is(t, 200).has(t, "바로 다음 순서입니다")
}

// Where a party cannot be seated, or is being seated, host and party read why, and can go on.
func TestDoor_SaysWhyNot(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	r.openRoom(t)
	r.mustExec(t, `UPDATE restaurants SET arrivals_per_slot = 0`)
	host, door := r.staffAs(t, r.restaurant.ID, identity.RoleHost), views.StaffDoorURL(r.restaurant.ID)
	path := "/api" + door
	var ids []string
	var last answer
	for i := range 3 { // two tables are for four: T3, and T1 with T2
		last = r.post(t, host, path, fmt.Sprint("key-", i), map[string]any{"partySize": 4}).want(t, 201, "")
		ids = append(ids, last.text(t, "id"))
	}
	seat := r.seatsFromDoor(t, host)
	seat(ids[0], url.Values{views.FieldEndTime: {"00:10"}}).has(t, "그사이 시간이 지났습니다")
	seat(ids[0], url.Values{}).has(t, "앉혔습니다")
	seat(ids[1], url.Values{}).has(t, "앉혔습니다")
	seat(ids[2], url.Values{}).has(t, "지금은 이 팀이 앉을 자리가 없습니다").hasNot(t, "no value")

	r.mustExec(t, `UPDATE door_parties SET claimed_by = $1, claimed_at = now() WHERE id = $2`, host.id, ids[2])
	r.send(t, person{}, last.text(t, "path")+"/leave", url.Values{}).is(t, 303).has(t, "지금 자리로 모시고 있습니다")
	r.do(t, call{method: "PATCH", path: path + "/" + ids[2], as: host, body: map[string]any{"state": "gone"}}).
		want(t, 409, "door_busy")
	if n := r.audited(t, "door.seated"); n != 2 {
		t.Errorf("%d were seated by the log, want 2", n)
	}
}

// A host whose request is being served waits for it once more, and then can do something else: a repeat finds the table.
func TestDoor_SeatedWhileTheTurnIsServed(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	r.openRoom(t)
	r.mustExec(t, `UPDATE restaurants SET arrivals_per_slot = 0`)
	host := r.staffAs(t, r.restaurant.ID, identity.RoleHost)
	path := "/api" + views.StaffDoorURL(r.restaurant.ID)
	id := r.post(t, host, path, "key-1", map[string]any{"partySize": 2}).want(t, 201, "").text(t, "id")
	seat := call{method: "PATCH", path: path + "/" + id, as: host, body: map[string]any{"state": "seated"}}
	unlock := r.lockSlots(t)
	r.do(t, seat).want(t, 409, "door_busy")
	unlock()
	dbtest.Eventually(t, "the party has its table", func() bool {
		return r.get(t, host, path).want(t, 200, "").list(t, "parties")[0]["state"] == "seated"
	})
	r.do(t, seat).want(t, 409, "wrong_state")
	if n := r.audited(t, "reservation.book"); n != 1 {
		t.Errorf("%d tables were given, want 1", n)
	}
}

// seatsFromDoor seats parties at the door by their ids, as the board does.
func (r *harness) seatsFromDoor(t *testing.T, host person) func(id string, with url.Values) answer {
	return func(id string, with url.Values) answer {
		t.Helper()
		return r.send(t, host, views.StaffDoorStepURL(r.restaurant.ID, id, views.DoorSeat), with).is(t, 303)
	}
}

// By right and for a reason, a party at the door is seated over the plan, and never beyond the fire limit.
func TestDoor_SeatsOverThePlan(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	r.openRoom(t)
	r.mustExec(t, `UPDATE restaurants SET arrivals_per_slot = 0`)
	host, door := r.staffAs(t, r.restaurant.ID, identity.RoleHost), views.StaffDoorURL(r.restaurant.ID)
	var ids []string
	for i := range 4 { // two tables are for four: T3, and T1 with T2
		joined := r.post(t, host, "/api"+door, fmt.Sprint("key-", i), map[string]any{"partySize": 4}).want(t, 201, "")
		ids = append(ids, joined.text(t, "id"))
	}
	seat := r.seatsFromDoor(t, host)
	seat(ids[0], url.Values{}).has(t, "앉혔습니다")
	seat(ids[1], url.Values{}).has(t, "앉혔습니다")
	r.page(t, host, views.StaffDoorPartyURL(r.restaurant.ID, ids[2])).is(t, 200).has(t, `value="override"`)
	over := url.Values{views.FieldAction: {views.ActionOverride}, views.FieldOverride: {"단골"}}
	seat(ids[2], over).has(t, "소방 정원을 넘어")
	r.mustExec(t, `UPDATE restaurants SET fire_limit = 12`)
	seat(ids[2], over).has(t, "앉혔습니다")
	r.do(t, call{method: "PATCH", path: "/api" + door + "/" + ids[3], as: host,
		body: map[string]any{"state": "seated", "override": map[string]any{"reason": "단골"}}}).want(t, 409, "fire_limit")
	r.get(t, host, fmt.Sprintf("/api/staff/restaurants/%d/evening", r.restaurant.ID)).want(t, 200, "").has(t,
		`"override":{"reason":"단골"}`)
}
