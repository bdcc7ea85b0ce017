package webtest

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// queued lets a diner press for a slot whose line stands, and returns their ticket.
func (r *harness) queued(t *testing.T, who person, slot booking.SlotKey, party int) string {
	t.Helper()
	return r.press(t, who, "key-"+who.id, "respond-async", r.requestFor(slot, party)).want(t, 202, "").text(t, "ticket")
}

// whoWaits are those who wait in a slot's line, as the API shows them to staff.
func (r *harness) whoWaits(t *testing.T, as person, slot booking.SlotKey) (list []map[string]any) {
	t.Helper()
	a := r.get(t, as, slotPath(slot)+"/tickets").want(t, 200, "")
	for _, one := range a.json["tickets"].([]any) {
		list = append(list, one.(map[string]any))
	}
	return list
}

// Who waits for a paused slot reads that it is paused, why, and what the restaurant says; nobody is served until it
// goes on.
func TestLine_PausedSlotTellsThoseWhoWait(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	host, diner := r.staff(t, r.restaurant.ID), r.diner(t, 0)
	r.steer(t, host, slotPath(slot),
		map[string]any{"paused": true, "reason": "주방이 밀렸습니다", "message": "곧 다시 받습니다"}).want(t, 200, "")
	ticket := r.queued(t, diner, slot, 2)
	dbtest.Eventually(t, "the ticket says that its line is paused", func() bool {
		now := r.get(t, diner, "/api/tickets/"+ticket).json
		return now["state"] == "waiting" && now["paused"] == true && now["reason"] == "주방이 밀렸습니다" &&
			now["notice"] == "곧 다시 받습니다"
	})
	r.page(t, diner, views.TicketURL(ticket)).is(t, 200).has(t, "식당이 잠시 줄을 멈췄습니다", "주방이 밀렸습니다", "곧 다시 받습니다")
	r.steer(t, host, slotPath(slot), map[string]any{"paused": false}).want(t, 200, "")
	dbtest.Eventually(t, "the line goes on",
		func() bool { return r.get(t, diner, "/api/tickets/"+ticket).json["state"] == "reserved" })
}

// Who presses before the opening waits, is served at its moment, and lists say when that is, without an account too.
func TestLine_OpeningServesAtItsMoment(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	manager, diner := r.staffAs(t, r.restaurant.ID, identity.RoleManager), r.diner(t, 0)
	steer := func(opens time.Time) answer {
		return r.steer(t, manager, slotPath(slot), map[string]any{"opensAt": opens, "order": "draw"})
	}
	steer(time.Now().Add(time.Hour)).want(t, 200, "")
	ticket := r.queued(t, diner, slot, 2)
	dbtest.Eventually(t, "the ticket says when its line opens", func() bool {
		now := r.get(t, diner, "/api/tickets/"+ticket).json
		return now["opensAt"] != nil && now["order"] == "draw" && now["state"] == "waiting"
	})
	r.page(t, diner, views.TicketURL(ticket)).is(t, 200).has(t, "data-countdown", "추첨으로")
	start, err := r.restaurant.Start(slot.Date, slot.Time)
	dbtest.Must(t, err)
	r.page(t, manager, views.StaffLineURL(r.restaurant.ID, start)).is(t, 200).has(t, "1팀 대기", "추첨입니다")
	if waits := r.whoWaits(t, manager, slot); len(waits) != 0 {
		t.Errorf("before the opening staff see %v", waits)
	}
	dbtest.Eventually(t, "the page of the restaurant says when it opens", func() bool {
		path := fmt.Sprintf("/restaurants/%s?date=%s&party=2", r.restaurant.Slug, slot.Date)
		return contains(r.page(t, person{}, path), "오픈", "추첨으로")
	})
	var opens time.Time
	dbtest.Eventually(t, "the opening is moved to the next second", func() bool {
		opens = time.Now().Add(time.Second)
		return steer(opens).status == 200 // refused when it comes too late
	})
	dbtest.Eventually(t, "it is served",
		func() bool { return r.get(t, diner, "/api/tickets/"+ticket).json["state"] == "reserved" })
	if time.Now().Before(opens) {
		t.Errorf("served %v before the opening", time.Until(opens))
	}
}

// contains says whether a page has some words.
func contains(a answer, words ...string) bool {
	for _, word := range words {
		if !strings.Contains(string(a.raw), word) {
			return false
		}
	}
	return true
}

// Staff see who waits, in order; the id that they see is no ticket; whom they remove reads why at once, and it is
// written down.
func TestLine_StaffRemoveSomebodyWithAReason(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	host, first, second := r.staff(t, r.restaurant.ID), r.diner(t, 0), r.diner(t, 0)
	other, _ := r.newRestaurant(t, "another")
	foreign := r.staff(t, other.ID)
	defer r.rival(t, slot)()
	ticket := r.queued(t, first, slot, 2)
	r.queued(t, second, slot, 3)
	r.book(t, host, "key-phone", "respond-async", byPhone(slot, 2, nil)).want(t, 202, "")
	waits := r.whoWaits(t, host, slot)
	if len(waits) != 4 || waits[3]["name"] != "김하늘" || waits[0]["position"] != 0.0 || waits[1]["position"] != 1.0 ||
		waits[2]["position"] != 2.0 ||
		waits[1]["partySize"] != 2.0 || waits[2]["partySize"] != 3.0 || waits[1]["name"] == "" {
		t.Fatalf("waiting: %v", waits)
	}
	id := waits[1]["ticket"].(string)
	for _, who := range []person{first, second} {
		r.get(t, who, "/api/tickets/"+id).want(t, 404, "not_found")
	}
	path := slotPath(slot) + "/tickets/" + id
	reason := map[string]any{"reason": "전화로 취소하셨습니다"}
	remove := func(as person, path string, body any) answer {
		return r.do(t, call{method: "DELETE", path: path, as: as, body: body})
	}
	remove(foreign, path, reason).want(t, 404, "not_found")
	remove(host, path, map[string]any{"reason": " "}).want(t, 422, "invalid")
	remove(host, slotPath(slot)+"/tickets/"+ticket, reason).want(t, 404, "not_found")
	remove(host, slotPath(slot)+"/tickets/"+waits[0]["ticket"].(string), reason).want(t, 409, "being_served")
	remove(host, path, reason).is(t, 204)
	now := r.get(t, first, "/api/tickets/"+ticket).is(t, 200).json
	if now["state"] != "rejected" || now["code"] != "removed" || now["removedReason"] != "전화로 취소하셨습니다" {
		t.Errorf("removed: %v", now)
	}
	r.page(t, first, views.TicketURL(ticket)).has(t, "식당에서 줄을 정리했습니다", "전화로 취소하셨습니다")
	if left := r.whoWaits(t, host, slot); len(left) != 3 || left[1]["partySize"] != 3.0 ||
		r.audited(t, "line.remove") != 1 {
		t.Errorf("left: %v, %d acts", left, r.audited(t, "line.remove"))
	}
	remove(host, path, reason).want(t, 404, "not_found")
}

// A turn that does not end is ended by staff, and the next one is served.
func TestLine_StaffEndAStuckTurn(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	host, diner := r.staff(t, r.restaurant.ID), r.diner(t, 0)
	r.rival(t, slot) // never ends by itself
	ticket := r.queued(t, diner, slot, 2)
	r.do(t, call{method: "DELETE", path: slotPath(slot) + "/turn", as: host}).is(t, 204)
	dbtest.Eventually(t, "the next is served",
		func() bool { return r.get(t, diner, "/api/tickets/"+ticket).json["state"] == "reserved" })
	if r.audited(t, "line.end_turn") != 1 {
		t.Error("it is not written down")
	}
}

// The page of a line does all that by forms, and shows what is wrong with one.
func TestLinePage_SteersByForms(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	host, diner := r.staff(t, r.restaurant.ID), r.diner(t, 0)
	start := r.start(t, slot)
	line, act := views.StaffLineURL(r.restaurant.ID, start), func(name string, fields url.Values) answer {
		return r.send(t, host, views.StaffLineActURL(r.restaurant.ID, start, name), fields)
	}
	act("pause", url.Values{"reason": {"주방이 밀렸습니다"}}).is(t, 303).has(t, "줄을 멈췄습니다", "주방이 밀렸습니다")
	r.queued(t, diner, slot, 2)
	act("notice", url.Values{"notice": {"곧 다시 받습니다"}}).is(t, 303).has(t, "곧 다시 받습니다")
	waits := r.whoWaits(t, host, slot)
	if len(waits) != 1 {
		t.Fatalf("waiting: %v", waits)
	}
	id := waits[0]["ticket"].(string)
	r.page(t, host, line+"?remove="+id).is(t, 200).has(t, "되돌릴 수 없습니다", id)
	act("remove", url.Values{"ticket": {id}, "reason": {""}}).is(t, 422).has(t, "field-error")
	act("remove", url.Values{"ticket": {id}, "reason": {"전화로 취소"}}).is(t, 303).
		has(t, "줄에서 내보냈습니다", "기다리는 팀이 없습니다")
	act("remove", url.Values{"ticket": {id}, "reason": {"전화로 취소"}}).is(t, 303).has(t, "이미 줄에 없습니다")
	act("turn", nil).is(t, 303)
	act("resume", nil).is(t, 303).has(t, "줄이 다시 움직입니다")
	if o := r.occupancy(t, slot); o.Paused || o.Notice != "곧 다시 받습니다" {
		t.Errorf("the slot is %+v", o)
	}
	r.page(t, diner, line).is(t, 404)
}
