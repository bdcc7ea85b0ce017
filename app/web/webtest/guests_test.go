package webtest

import (
	"fmt"
	"maps"
	"net/http"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// book sends what a host books for a guest.
func (r *harness) book(t *testing.T, host person, key, prefer string, body map[string]any) answer {
	t.Helper()
	return r.do(t, call{method: http.MethodPost,
		path: fmt.Sprintf("/api/staff/restaurants/%d/reservations", r.restaurant.ID), as: host, body: body,
		headers: map[string]string{"Idempotency-Key": key, "Prefer": prefer}})
}

// patchGuest sends what a host does with a reservation.
func (r *harness) patchGuest(t *testing.T, host person, id string, body map[string]any) answer {
	t.Helper()
	return r.do(t, call{method: http.MethodPatch, path: "/api/staff/reservations/" + id, as: host, body: body,
		headers: map[string]string{"Prefer": "wait=20"}})
}

// byPhone is what a host books for a caller.
func byPhone(slot booking.SlotKey, party int, with map[string]any) map[string]any {
	body := map[string]any{"date": slot.Date, "time": slot.Time, "partySize": party, "name": "김하늘",
		"phone": "010-9876-5432", "source": "phone"}
	maps.Copy(body, with)
	return body
}

// A host books for callers, one after the other, in the same slot: confirmed at once, without money.
func TestGuests_BookedByPhone(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	host, slot := r.staff(t, r.restaurant.ID), r.slot("19:00")
	body := byPhone(slot, 4,
		map[string]any{"note": "창가", "allergies": "땅콩",
			"items": []map[string]any{{"menuItemId": r.menu[0].ID, "quantity": 2}}})
	made := r.book(t, host, "key-1", "wait=20", body).want(t, 201, "")
	if made.text(t, "state") != "confirmed" || made.text(t, "name") != "김하늘" ||
		made.text(t, "phone") != "010-9876-5432" ||
		made.text(t, "source") != "phone" || made.number(t, "depositAmount") != 0 ||
		made.number(t, "paidAmount") != 0 || made.number(t, "menuAmount") != 64_000 {
		t.Errorf("booked: %s", made.raw)
	}
	again := r.book(t, host, "key-1", "wait=20", body).want(t, 201, "")
	if again.text(t, "id") != made.text(t, "id") || again.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("the same key again: %s", again.raw)
	}
	r.book(t, host, "key-1", "wait=20", byPhone(slot, 4, map[string]any{"name": "Another"})).want(t, 422,
		"idempotency_key_reused")
	r.book(t, host, "key-2", "wait=20", byPhone(slot, 4, nil)).want(t, 201, "")
	full := r.book(t, host, "key-3", "wait=20", byPhone(slot, 3, nil)).want(t, 409, "sold_out")
	if full.number(t, "remaining") != 2 || len(full.list(t, "alternatives")) == 0 {
		t.Errorf("sold out: %s", full.raw)
	}
	r.press(t, r.diner(t, 0), "key-1", "wait=20", r.requestFor(slot, 3)).want(t, 409, "sold_out")
	r.get(t, host, "/api/reservations/"+made.text(t, "id")).want(t, 404, "not_found")
	r.page(t, r.staffAs(t, r.restaurant.ID, identity.RoleOwner), views.TeamLogURL(r.restaurant.ID)).is(t, 200).has(t,
		"김하늘")
	r.balances(t)
}

// What is wrong is said field by field, and books nothing.
func TestGuests_InvalidBookings(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	host, slot := r.staff(t, r.restaurant.ID), r.slot("19:00")
	for field, with := range map[string]map[string]any{
		"name": {"name": " "}, "phone": {"phone": "call me"}, "source": {"source": "web"}, "partySize": {"partySize": 0},
		"date": {"date": "2026-02-30"}, "time": {"time": "19:30"}, "seatIds": {"seatIds": []int{1}}, "note": {"note": "\u202e"},
	} {
		a := r.book(t, host, "key-"+field, "wait=20", byPhone(slot, 2, with)).want(t, 422, "invalid")
		if got := a.list(t, "fields")[0]["name"]; got != field {
			t.Errorf("%s: %s", field, a.raw)
		}
	}
	past := r.begun()
	// a caller cannot come any more
	r.book(t, host, "key-past", "wait=20", byPhone(past, 2, nil)).want(t, 422, "invalid")
	if o := r.occupancy(t, slot); o.Held != 0 {
		t.Errorf("%d seats are held", o.Held)
	}
}

// A walk-in comes now: in the slot that has begun, beyond the lead time, with no name, and sits down at once if the
// host says so.
func TestGuests_WalkIn(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	host, now := r.staff(t, r.restaurant.ID), r.begun()
	walkIn := map[string]any{"date": now.Date, "time": now.Time, "partySize": 2, "source": "walk_in"}
	made := r.book(t, host, "key-1", "wait=20", walkIn).want(t, 201, "")
	if made.text(t, "state") != "arrived" || made.text(t, "name") == "" || made.text(t, "arrivedAt") == "" {
		t.Errorf("at the door: %s", made.raw)
	}
	if got := r.patchGuest(t, host, made.text(t, "id"), map[string]any{"state": "seated"}).want(t, 200, "").text(t,
		"state"); got != "seated" {
		t.Errorf("with a second press: %s", got)
	}
	walkIn["seated"] = true
	if got := r.book(t, host, "key-2", "wait=20", walkIn).want(t, 201, "").text(t, "state"); got != "seated" {
		t.Errorf("seated right away: %s", got)
	}
	walkIn["partySize"] = 7
	r.book(t, host, "key-3", "wait=20", walkIn).want(t, 409, "sold_out")
	over := now
	over.Time = booking.TimeOfDay(r.start(t, now).Add(-2 * time.Hour).Format("15:04"))
	walkIn["partySize"], walkIn["time"] = 1, over.Time
	r.book(t, host, "key-4", "wait=20", walkIn).want(t, 422, "invalid")
	later := r.slot("20:00")
	if got := r.book(t, host, "key-5", "wait=20", byPhone(later, 2, map[string]any{"source": "walk_in"})).
		want(t, 201, ""); got.text(t, "state") != "confirmed" {
		t.Errorf("at the door for tomorrow: %s", got.raw)
	}
	r.balances(t)
}

// Hosts wait in the line like everybody, with as many guests as there are, and find each ticket again.
func TestGuests_WaitInTheLine(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	host, slot := r.staff(t, r.restaurant.ID), r.slot("19:00")
	release := r.rival(t, slot)
	defer release()
	first := r.book(t, host, "key-1", "respond-async", byPhone(slot, 2, nil)).want(t, 202, "").text(t, "ticket")
	second := r.book(t, host, "key-2", "wait=0", byPhone(slot, 3, nil)).want(t, 429, "waiting")
	if second.number(t, "position") != 2 || second.header.Get("Retry-After") == "" {
		t.Errorf("the second: %s", second.raw)
	}
	r.book(t, host, "key-3", "respond-async", byPhone(slot, 1, nil)).want(t, 202, "")
	third := r.book(t, host, "key-3", "respond-async", byPhone(slot, 1, nil)).want(t, 202, "").text(t, "ticket")
	r.get(t, r.diner(t, 0), "/api/tickets/"+first).want(t, 404, "not_found")
	r.delete(t, host, "/api/tickets/"+third).want(t, 204, "")
	release()
	for _, ticket := range []string{first, second.text(t, "ticket")} {
		dbtest.Eventually(t, "the guest has a table",
			func() bool { return r.get(t, host, "/api/tickets/"+ticket).json["state"] == "reserved" })
	}
	if o := r.occupancy(t, slot); o.Held != 5 || o.OnHold != 0 {
		t.Errorf("%+v", o)
	}
}

// A staff member's moves keep what was agreed: no money moves, the terms stay, and the diner gets a letter.
func TestGuests_MovedByStaff(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	host, slot := r.staff(t, r.restaurant.ID), r.slot("19:00")
	who, id := r.confirm(t, slot, 2)
	before := r.get(t, who, "/api/wallet").number(t, "balance")
	moved := r.patchGuest(t, host, id, map[string]any{"time": "20:00", "partySize": 5}).want(t, 200, "")
	if moved.text(t, "time") != "20:00" || moved.number(t, "partySize") != 5 ||
		moved.number(t, "depositAmount") != 20_000 ||
		moved.number(t, "paidAmount") != 20_000 || r.get(t, who, "/api/wallet").number(t, "balance") != before {
		t.Errorf("moved: %s", moved.raw)
	}
	r.patchGuest(t, host, id, map[string]any{"time": "20:00"}).want(t, 200, "") // changes nothing
	if r.audited(t, "reservation.move") != 1 {
		t.Errorf("%d moves are written down", r.audited(t, "reservation.move"))
	}
	r.confirm(t, r.slot("18:00"), 8)
	r.patchGuest(t, host, id, map[string]any{"time": "18:00"}).want(t, 409, "sold_out")
	r.patchGuest(t, host, id, map[string]any{"partySize": 4}).want(t, 200, "")
	r.patchGuest(t, host, id, map[string]any{"time": "03:00"}).want(t, 422, "invalid")
	r.patchGuest(t, host, id, map[string]any{"date": string(r.day(-1))}).want(t, 422, "invalid")
	r.patchGuest(t, host, id, map[string]any{}).want(t, 422, "invalid")
	r.patchGuest(t, host, id, map[string]any{"state": "temporary"}).want(t, 422, "invalid")
	r.patchGuest(t, who, id, map[string]any{"partySize": 1}).want(t, 404, "not_found")
	held := r.seat(t, r.diner(t, 0), slot, 2)
	r.patchGuest(t, host, held, map[string]any{"time": "21:00"}).want(t, 409, "wrong_state")
	r.page(t, who, "/mailbox").is(t, 200).has(t, "식당이 예약을 변경했습니다")
	r.balances(t)
}

// Marks go forward and back to the state that is asked for; a party that is there can have another size, and no other
// time.
func TestGuests_MarkedAndTakenBack(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	place := r.restaurant // what has ended is not taken back: two slots are not over before the test is
	place.Slug, place.StayTiers = "long-stays", []booking.StayTier{{FromParty: 1, Slots: 2}}
	r.openAnother(t, place, nil)
	host, tomorrow := r.staff(t, r.restaurant.ID), r.slot("19:00")
	_, id := r.confirm(t, r.begun(), 2)
	state := func(to string, status int, code string) {
		t.Helper()
		a := r.patchGuest(t, host, id, map[string]any{"state": to}).want(t, status, code)
		if status == 200 && a.text(t, "state") != to {
			t.Errorf("%s: %s", to, a.raw)
		}
	}
	state("confirmed", 409, "wrong_state")
	state("arrived", 200, "")
	state("arrived", 409, "wrong_state")
	state("seated", 200, "")
	if a := r.patchGuest(t, host, id, map[string]any{"partySize": 3}).want(t, 200, ""); a.text(t,
		"state") != "seated" || a.number(t, "partySize") != 3 {
		t.Errorf("one more at the table: %s", a.raw)
	}
	r.patchGuest(t, host, id, map[string]any{"date": tomorrow.Date}).want(t, 409, "wrong_state")
	state("completed", 200, "")
	state("seated", 200, "")
	state("confirmed", 200, "")
	state("no_show", 200, "")
	state("confirmed", 200, "")
	state("seated", 200, "")
	_, other := r.confirm(t, tomorrow, 2)
	r.patchGuest(t, host, other, map[string]any{"state": "arrived"}).want(t, 409, "too_early")
	if a := r.patchGuest(t, host, other, map[string]any{"partySize": 1, "state": "no_show"}); a.status != 409 ||
		r.occupancy(t, tomorrow).Held != 2 {
		t.Errorf("a move with a mark that is refused: %s", a.raw)
	}
}

// A cancellation says why, to the diner and in the log, and returns everything.
func TestGuests_CancelledWithAReason(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	host, slot := r.staff(t, r.restaurant.ID), r.slot("19:00")
	who, id := r.confirm(t, slot, 2)
	r.patchGuest(t, host, id, map[string]any{"state": "cancelled", "partySize": 3}).want(t, 400, "bad_request")
	r.patchGuest(t, host, id, map[string]any{"state": "cancelled", "reason": "\u202e"}).want(t, 422, "invalid")
	a := r.patchGuest(t, host, id, map[string]any{"state": "cancelled", "reason": "주방 수리로 문을 닫습니다"}).want(t, 200, "")
	if a.number(t, "refundAmount") != 20_000 || a.text(t, "cancelReason") != "주방 수리로 문을 닫습니다" {
		t.Errorf("cancelled: %s", a.raw)
	}
	r.page(t, who, "/mailbox").is(t, 200).has(t, "주방 수리로 문을 닫습니다")
	guest := r.book(t, host, "key-1", "wait=20", byPhone(slot, 2, nil)).want(t, 201, "").text(t, "id")
	if got := r.patchGuest(t, host, guest, map[string]any{"state": "cancelled"}).want(t, 200, "").text(t,
		"state"); got != "cancelled" {
		t.Errorf("a guest's: %s", got)
	}
	if r.occupancy(t, slot).Held > 2 || r.audited(t, "reservation.cancelled") != 2 {
		t.Errorf("%d seats held, %d acts", r.occupancy(t, slot).Held, r.audited(t, "reservation.cancelled"))
	}
	r.balances(t)
}
