package webtest

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"lunchgo/app/identity"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// nobodyWaits fails if a slot's line has somebody in it.
func (r *harness) nobodyWaits(t *testing.T, host person, path string) {
	t.Helper()
	if waits := r.get(t, host, path+"/tickets").want(t, 200, ""); len(waits.list(t, "tickets")) != 0 {
		t.Errorf("somebody waits: %s", waits.raw)
	}
}

// Staff are refused at once where a slot is paused, with the reason, and nothing enters its line; what they had booked
// before is found again. The form says so before the press, and offers to resume, and other times.
func TestGuests_PausedSlotIsRefused(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	host, slot, other := r.staff(t, r.restaurant.ID), r.slot("19:00"), r.slot("20:00")
	made := r.book(t, host, "key-1", "wait=20", byPhone(slot, 2, nil)).want(t, 201, "").text(t, "id")
	elsewhere := r.book(t, host, "key-2", "wait=20", byPhone(other, 2, nil)).want(t, 201, "").text(t, "id")
	r.steer(t, host, slotPath(slot), map[string]any{"paused": true, "reason": "주방이 밀렸습니다"}).want(t, 200, "")
	refused := r.book(t, host, "key-3", "wait=20", byPhone(slot, 2, nil)).want(t, 409, "paused")
	if refused.text(t, "pausedReason") != "주방이 밀렸습니다" {
		t.Errorf("refused: %s", refused.raw)
	}
	r.patchGuest(t, host, elsewhere, map[string]any{"time": "19:00"}).want(t, 409, "paused")
	if again := r.book(t, host, "key-1", "wait=20", byPhone(slot, 2, nil)).want(t, 201, ""); again.text(t,
		"id") != made {
		t.Errorf("the same key again: %s", again.raw)
	}
	start := r.start(t, slot)
	path := views.StaffBookURL(r.restaurant.ID, start)
	says := []string{"19:00 시간은 잠시 멈춰", "주방이 밀렸습니다", "오후 7:00 · 멈춤", `value="resume"`, "대신 가능한 시간", "time=08:00"}
	r.page(t, host, path+"&time=19:00").is(t, 200).has(t, says...)
	r.page(t, host, path+"&time=20:00").is(t, 200).hasNot(t, `value="resume"`)
	r.send(t, host, path, url.Values{"idempotency_key": {"key-4"}, "source": {"phone"}, "date": {string(slot.Date)},
		"time": {"19:00"}, "party": {"2"}, "name": {"이바다"}}).is(t, 409).has(t, append(says, "이바다", `role="alert"`)...)
	r.nobodyWaits(t, host, slotPath(slot))
	r.control(t, host, slot, url.Values{"part": {"resume"}}).is(t, 303)
	r.book(t, host, "key-3", "wait=20", byPhone(slot, 2, nil)).want(t, 201, "")
}

// A slot that opens later refuses staff with the moment; only who may plan openings is offered to open it now.
func TestGuests_SlotThatOpensLaterIsRefused(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	host, manager := r.staff(t, r.restaurant.ID), r.staffAs(t, r.restaurant.ID, identity.RoleManager)
	slot := r.slot("19:00")
	opens := r.start(t, slot).Add(-time.Hour)
	r.steer(t, manager, slotPath(slot), map[string]any{"opensAt": opens}).want(t, 200, "")
	refused := r.book(t, host, "key-1", "wait=20", byPhone(slot, 2, nil)).want(t, 409, "not_open")
	if at, err := time.Parse(time.RFC3339, refused.text(t, "opensAt")); err != nil || !at.Equal(opens) {
		t.Errorf("refused: %s", refused.raw)
	}
	r.nobodyWaits(t, host, slotPath(slot))
	path := views.StaffBookURL(r.restaurant.ID, opens) + "&time=19:00"
	r.page(t, host, path).is(t, 200).has(t, "오후 6:00에 열려", "time=08:00").hasNot(t, `value="open_now"`)
	r.page(t, manager, path).is(t, 200).has(t, `value="open_now"`)
}

// A booking by staff stands behind the diners who wait, who get the seats; its page follows its place, and says when
// the line is paused.
func TestGuests_StandBehindWhoWaits(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	host, diner, slot := r.staff(t, r.restaurant.ID), r.diner(t, 0), r.slot("19:00")
	release := r.rival(t, slot)
	defer release()
	first := r.press(t, diner, "key-1", "respond-async", r.requestFor(slot, 8)).want(t, 202, "").text(t, "ticket")
	mine := r.book(t, host, "key-2", "wait=0", byPhone(slot, 4, nil)).want(t, 429, "waiting")
	if mine.number(t, "position") != 2 {
		t.Errorf("the place: %s", mine.raw)
	}
	events, _ := r.stream(t, host, views.StaffTicketEventsURL(r.restaurant.ID, mine.text(t, "ticket")))
	r.saysNext(t, events, "2번째")
	r.steer(t, host, slotPath(slot), map[string]any{"paused": true, "reason": "주방이 밀렸습니다"}).want(t, 200, "")
	r.saysNext(t, events, "주방이 밀렸습니다")
	r.steer(t, host, slotPath(slot), map[string]any{"paused": false}).want(t, 200, "")
	release()
	dbtest.Eventually(t, "the diner has the seats",
		func() bool { return r.get(t, diner, "/api/tickets/"+first).json["state"] == "reserved" })
	for e, more := nextEvent(t, events); more && e.name != "done"; e, more = nextEvent(t, events) {
	}
	now := r.get(t, host, "/api/tickets/"+mine.text(t, "ticket")).want(t, 200, "sold_out")
	if o := r.occupancy(t, slot); now.text(t, "state") != "rejected" || o.Held != 8 {
		t.Errorf("the staff's: %s; %+v", now.raw, o)
	}
}

// saysNext waits until an event of a stream has a text.
func (r *harness) saysNext(t *testing.T, events <-chan event, text string) {
	t.Helper()
	for e, more := nextEvent(t, events); !strings.Contains(e.data, text); e, more = nextEvent(t, events) {
		if !more {
			t.Fatalf("the stream ends before it says %q", text)
		}
	}
}
