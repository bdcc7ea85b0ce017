package webtest

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// formKey reads the key of the form on a page.
func formKey(t *testing.T, page answer) string {
	t.Helper()
	found := regexp.MustCompile(`name="idempotency_key" value="([^"]+)"`).FindSubmatch(page.raw)
	if found == nil {
		t.Fatalf("no form in %s", page.raw)
	}
	return string(found[1])
}

// A host takes a walk-in with the form's defaults, seats the party on its page, takes that back, and makes the party
// larger.
func TestGuestPages_WalkIn(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	host, now := r.staff(t, r.restaurant.ID), r.begun()
	day := r.start(t, now)
	form := r.page(t, host, views.StaffBookWalkInURL(r.restaurant.ID, day)).is(t, 200)
	form.has(t, `<option value="`+string(now.Time)+`" selected`, "워크인 받기")
	sent := url.Values{"idempotency_key": {formKey(t, form)}, "source": {"walk_in"}, "date": {string(now.Date)},
		"time": {string(now.Time)}, "party": {"3"}}
	party := r.send(t, host, views.StaffBookURL(r.restaurant.ID, day), sent).is(t, 303)
	party.has(t, "워크인", "예약했습니다.", "/seated\"", "/undo\"")
	id := regexp.MustCompile(`/staff/reservations/([A-Z0-9]+)/seated`).FindStringSubmatch(string(party.raw))[1]
	next := url.Values{"next": {views.StaffReservationURL(id)}}
	r.send(t, host, views.StaffSeatedURL(id), next).is(t, 303).has(t, `class="undo-bar"`)
	next.Set("state", "seated")
	r.send(t, host, views.StaffUndoURL(id), next).is(t, 303).has(t, views.StaffSeatedURL(id))
	page := r.page(t, host, views.StaffReservationURL(id)).is(t, 200)
	moved := r.send(t, host, views.StaffMoveURL(id),
		url.Values{"idempotency_key": {formKey(t, page)}, "party": {"4"}}).is(t, 303)
	moved.has(t, "예약을 바꿨습니다.", "4명")
	r.send(t, host, views.StaffMoveURL(id), url.Values{"idempotency_key": {"key-2"}, "party": {"0"}}).is(t, 422).has(t,
		`value="0"`)
	r.send(t, host, views.StaffMoveURL(id), url.Values{"idempotency_key": {"key-3"}, "party": {"10"}}).is(t, 303)
	r.send(t, host, views.StaffBookURL(r.restaurant.ID, day), sentAgain(sent)).is(t, 409).has(t, "role=\"alert\"")
}

// A party whose move gives it another table learns of it before the press and after it.
func TestGuestPages_MoveSaysThatTheTableChanges(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	seats := r.openRoom(t)
	host, slot, later := r.staff(t, r.restaurant.ID), r.slot("19:00"), r.slot("20:00")
	id := r.book(t, host, "key-1", "wait=20", byPhone(slot, 2, map[string]any{"seatIds": []int64{seats["T1"]}})).
		want(t, 201, "").text(t, "id")
	r.book(t, host, "key-2", "wait=20", byPhone(later, 2, map[string]any{"seatIds": []int64{seats["T1"]}})).
		want(t, 201, "")
	const changes, changed = "자리가 바뀝니다: T1 → T2", "자리가 바뀌었습니다: T1 → T2"
	r.page(t, host, views.StaffReservationURL(id)).is(t, 200).has(t, "손님이나 직원이 고른 자리").hasNot(t,
		"자리가 바")
	form := url.Values{"date": {string(slot.Date)}, "time": {"20:00"}, "party": {"2"},
		"seat": {strconv.FormatInt(seats["T1"], 10)}, "action": {"refresh"}}
	page := r.send(t, host, views.StaffMoveURL(id), form).is(t, 200).has(t, changes)
	form.Del("action")
	form.Set("idempotency_key", formKey(t, page))
	r.send(t, host, views.StaffMoveURL(id), form).is(t, 303).has(t, changed, "인원에 꼭 맞는 자리").hasNot(t,
		"자리가 바뀝니다")
	form.Set("time", "21:00") // T2 is free there
	form.Set("seat", strconv.FormatInt(seats["T2"], 10))
	form.Set("idempotency_key", "key-3")
	r.send(t, host, views.StaffMoveURL(id), form).is(t, 303).hasNot(t, "자리가 바")
}

// A move is offered to be taken back for a moment, on the tab where it was made and on the party's page: to the time
// and the tables of before, where nobody has taken them.
func TestGuestPages_MoveIsTakenBack(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	seats := r.openRoom(t)
	host, slot := r.staff(t, r.restaurant.ID), r.slot("19:00")
	at := func(label string) []int64 { return []int64{seats[label]} }
	id := r.book(t, host, "key-1", "wait=20", byPhone(slot, 2, map[string]any{"seatIds": at("T1")})).
		want(t, 201, "").text(t, "id")
	timeline := r.tonightIn(t, slot, views.TabTimeline).URL()
	move := func(key, to string) answer {
		moved := r.send(t, host, views.StaffMoveURL(id), url.Values{"next": {timeline}, "idempotency_key": {key},
			"time": {to}, "seat": {fmt.Sprint(seats["T2"])}}).is(t, 303)
		dbtest.Eventually(t, "it is known that nobody is there any more", func() bool {
			day, err := r.Availability.List(t.Context(), slot.RestaurantID, slot.Date)
			return err == nil && day[slot.Time].Held == 0
		})
		return moved
	}
	back := func(page answer) url.Values {
		t.Helper()
		page.has(t, "님을 옮겼습니다", `name="time" value="19:00"`, fmt.Sprintf(`name="seat" value="%d"`, seats["T1"]))
		return url.Values{"next": {timeline}, "idempotency_key": {formKey(t, page)}, "date": {string(slot.Date)},
			"time": {"19:00"}, "party": {"2"}, "seat": {fmt.Sprint(seats["T1"])}}
	}
	r.send(t, host, views.StaffMoveURL(id), back(move("key-2", "20:00"))).is(t, 303)
	if got := r.seatedAt(t, slot, seats["T1"]); got != id {
		t.Errorf("%s sits at T1, want %s", got, id)
	}

	form := back(move("key-3", "21:00"))
	r.book(t, host, "key-4", "wait=20", byPhone(slot, 2, map[string]any{"seatIds": at("T1")})).want(t, 201, "")
	r.send(t, host, views.StaffMoveURL(id), form).is(t, 409).has(t, `id="timeline"`)
	if got := r.seatedAt(t, slot, seats["T2"]); got != id {
		t.Errorf("%s sits at T2, want %s", got, id)
	}

	was := func(ago time.Duration, rest string) string {
		return fmt.Sprintf("%s&moved=%s&was=%d_%s", timeline, id, time.Now().Add(-ago).Unix(), rest)
	}
	before := fmt.Sprintf("%s_19:00_20:00_2_%d", slot.Date, seats["T1"])
	r.page(t, host, was(0, before)).is(t, 200).has(t, "님을 옮겼습니다")
	r.page(t, host, was(time.Minute, before)).is(t, 200).hasNot(t, "님을 옮겼습니다")
	for _, wrong := range []string{"", "_", "x_19:00_20:00_2_1", string(slot.Date) + "_25:00_26:00_2_1",
		before + "_1", fmt.Sprintf("%s_21:00_22:00_2_%d", slot.Date, seats["T2"])} { // where it is
		r.page(t, host, was(0, wrong)).is(t, 200).hasNot(t, "님을 옮겼습니다")
	}
	page := r.send(t, host, views.StaffMoveURL(id), url.Values{"idempotency_key": {"key-5"}, "date": {string(slot.Date)},
		"time": {"20:00"}, "party": {"2"}, "seat": {fmt.Sprint(seats["T3"])}}).is(t, 303)
	page.has(t, "님을 옮겼습니다", `name="time" value="21:00"`)
}

// sentAgain is a form under another key.
func sentAgain(sent url.Values) url.Values {
	sent.Set("idempotency_key", "another-key")
	return sent
}

// What is wrong is said beside its field, what was typed stays, and a caller's booking leads to its page, where it is
// cancelled with a reason.
func TestGuestPages_Phone(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	host, slot := r.staff(t, r.restaurant.ID), r.slot("19:00")
	day := r.start(t, slot)
	path := views.StaffBookURL(r.restaurant.ID, day)
	sent := url.Values{"idempotency_key": {formKey(t, r.page(t, host, path).is(t, 200))}, "source": {"phone"},
		"date": {string(slot.Date)}, "time": {"19:00"}, "party_more": {"9"}, "phone": {"call me"}, "note": {"창가 <b>"}}
	r.send(t, host, path, sent).is(t, 422).has(t, `id="field-name-error"`, `id="field-phone-error"`, "call me",
		"창가 &lt;b&gt;", `value="9"`)
	if o := r.occupancy(t, slot); o.Held != 0 {
		t.Errorf("%d seats held", o.Held)
	}
	sent.Set("name", "김하늘")
	sent.Set("phone", "010-9876-5432")
	made := r.send(t, host, path, sentAgain(sent)).is(t, 303)
	made.has(t, "김하늘", "010-9876-5432", "9명", "전화")
	id := regexp.MustCompile(`/staff/reservations/([A-Z0-9]+)/move`).FindStringSubmatch(string(made.raw))[1]
	full := r.send(t, host, path, url.Values{"idempotency_key": {"key-2"}, "source": {"phone"},
		"date": {string(slot.Date)}, "time": {"19:00"}, "party": {"4"}, "name": {"이바다"}}).is(t, 409)
	full.has(t, "이바다", "대신 가능한 시간", "time=08:00")
	r.page(t, host, views.StaffCancelURL(id)).is(t, 200).has(t, "취소할까요", `name="reason"`)
	next := url.Values{"next": {views.StaffReservationURL(id)}, "reason": {strings.Repeat("긴", 600)}}
	r.send(t, host, views.StaffCancelURL(id), next).is(t, 422).has(t, `id="field-reason-error"`)
	next.Set("reason", "손님이 전화로 취소")
	r.send(t, host, views.StaffCancelURL(id), next).is(t, 303).has(t, "손님이 전화로 취소", "취소")
	if found, err := r.Stores.Reservations.Find(t.Context(), id); err != nil || found.State != booking.Cancelled {
		t.Errorf("%+v, %v", found, err)
	}
	r.page(t, r.diner(t, 0), path).is(t, 404)
	r.page(t, r.diner(t, 0), views.StaffReservationURL(id)).is(t, 404)
}

// A form that has to wait leads to the place in the line, and from there to the reservation.
func TestGuestPages_WaitInTheLine(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	host, slot := r.staff(t, r.restaurant.ID), r.slot("19:00")
	release := r.rival(t, slot)
	defer release()
	path := views.StaffBookURL(r.restaurant.ID, r.start(t, slot))
	waits := r.send(t, host, path, url.Values{"idempotency_key": {"key-1"}, "source": {"phone"},
		"date": {string(slot.Date)}, "time": {"19:00"}, "party": {"2"}, "name": {"김하늘"}}).is(t, 303)
	waits.has(t, "줄에서 차례를 기다립니다")
	ticket := regexp.MustCompile(`/staff/restaurants/\d+/tickets/[^"/]+`).FindString(string(waits.raw))
	r.page(t, r.staff(t, r.restaurant.ID), ticket).is(t, 404)
	release()
	dbtest.Eventually(t, "the ticket leads to the reservation", func() bool {
		a := r.page(t, host, ticket)
		return a.status == 303 && strings.HasPrefix(a.header.Get("Location"), "/staff/reservations/")
	})
}
