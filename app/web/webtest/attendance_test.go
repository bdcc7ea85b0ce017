package webtest

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// state is where a reservation stands by the database.
func (r *harness) state(t *testing.T, id string) booking.State {
	t.Helper()
	found, err := r.Stores.Reservations.Find(t.Context(), id)
	dbtest.Must(t, err)
	return found.State
}

// begun is a slot of today that has begun and goes on.
func (r *harness) begun() booking.SlotKey {
	slot := r.slot(booking.TimeOfDay(time.Now().In(r.restaurant.Location).Format("15") + ":00"))
	slot.Date = r.day(0)
	return slot
}

// Hosts mark a party on its way from the door to the table and out again; each mark is written down, and what comes too
// early, or after somebody else's mark, is explained.
func TestStaffReceiveTheirGuests(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	staff := r.staff(t, r.restaurant.ID)
	begun, later, tomorrow := r.begun(), r.slot("20:00"), r.slot("20:00")
	later.Date = r.day(0)
	_, came := r.confirm(t, begun, 2)
	_, missing := r.confirm(t, begun, 2)
	_, early := r.confirm(t, later, 2)
	_, nextDay := r.confirm(t, tomorrow, 2)

	for _, step := range []struct {
		path, says string
		state      booking.State
		held       int
	}{
		{views.StaffArrivedURL(came), "도착으로 표시했습니다.", booking.Arrived, 4},
		{views.StaffSeatedURL(came), "착석으로 표시했습니다.", booking.Seated, 4},
		{views.StaffCompletedURL(came), "자리를 비웠습니다.", booking.Completed, 2},
	} {
		r.send(t, staff, step.path, nil).is(t, 303).has(t, step.says)
		if state, held := r.state(t, came), r.occupancy(t, begun).Held; state != step.state || held != step.held {
			t.Errorf("%s: %s, %d seats held, want %d", step.path, state, held, step.held)
		}
	}
	r.send(t, staff, views.StaffNoShowURL(missing), nil).is(t, 303).has(t, "노쇼로 표시했습니다.")
	r.send(t, staff, views.StaffArrivedURL(missing), nil).is(t, 303).has(t, "지금 상태에서는 할 수 없는 일입니다.")
	r.send(t, staff, views.StaffNoShowURL(early), nil).is(t, 303).has(t, "아직 그럴 수 없습니다.")
	r.send(t, staff, views.StaffArrivedURL(early), nil).is(t, 303).has(t, "아직 그럴 수 없습니다.")
	r.send(t, staff, views.StaffArrivedURL(nextDay), nil).is(t, 303).has(t, "아직 그럴 수 없습니다.")
	if r.state(t, missing) != booking.NoShow || r.state(t, early) != booking.Confirmed ||
		r.state(t, nextDay) != booking.Confirmed {
		t.Errorf("missing: %s, early: %s, tomorrow: %s", r.state(t, missing), r.state(t, early), r.state(t, nextDay))
	}
	for action, want := range map[string]int{"reservation.arrived": 1, "reservation.seated": 1,
		"reservation.completed": 1, "reservation.no_show": 1} {
		if n := r.audited(t, action); n != want {
			t.Errorf("%s is written down %d times, want %d", action, n, want)
		}
	}
}

// From the list of the evening a party that comes has its table by one tap on its first button; one more takes it back.
func TestStaffSeatFromTheListByOneTap(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	host, begun := r.staff(t, r.restaurant.ID), r.begun()
	_, id := r.confirm(t, begun, 2)
	list := r.tonightIn(t, begun, views.TabGuests).URL()
	buttons := regexp.MustCompile(`id="step-(\w+)-` + id + `"[^>]*formaction="([^"]+)"`)
	seated, taps := "", 0
	for ; r.state(t, id) != booking.Seated && taps < 3; taps++ {
		first := buttons.FindSubmatch(r.page(t, host, list).is(t, 200).raw)
		if first == nil {
			t.Fatal("the row has no button")
		}
		seated = string(first[1])
		r.send(t, host, string(first[2]), url.Values{"next": {list}}).is(t, 303)
	}
	party, err := r.Stores.Reservations.Find(t.Context(), id)
	if taps != 1 || seated != "seated" || err != nil || party.Attendance.SeatedAt.IsZero() {
		t.Errorf("seated after %d taps on %q: %+v, %v", taps, seated, party.Attendance, err)
	}
	r.send(t, host, views.StaffUndoURL(id), url.Values{"state": {"seated"}}).is(t, 303)
	if state := r.state(t, id); state != booking.Confirmed {
		t.Errorf("taken back it is %s", state)
	}
}

// A mark can be taken back: offered at the top of the page for a while, and in the guest's row.
func TestStaffTakeAMarkBack(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	staff, begun := r.staff(t, r.restaurant.ID), r.begun()
	_, id := r.confirm(t, begun, 2)
	undo := func(mark string) answer {
		return r.send(t, staff, views.StaffUndoURL(id), url.Values{"state": {mark}})
	}
	undo("arrived").is(t, 303).has(t, "지금 상태에서는 할 수 없는 일입니다.")
	undo("confirmed").is(t, 400)
	r.send(t, staff, views.StaffArrivedURL(id), nil).is(t, 303)
	page := r.page(t, staff, views.StaffSlotURL(r.restaurant.ID, r.start(t, begun))).is(t, 200)
	page.has(t, `class="undo-bar"`, views.StaffUndoURL(id), `value="arrived"`, views.StaffSeatedURL(id),
		views.StaffCompletedURL(id))
	page.hasNot(t, views.StaffArrivedURL(id), views.StaffNoShowURL(id), views.StaffCancelURL(id))
	r.send(t, staff, views.StaffCancelURL(id), nil).is(t, 303).has(t, "지금 상태에서는 할 수 없는 일입니다.")
	later := time.Now().Add(time.Minute)
	r.clock.Store(&later)
	page = r.page(t, staff, views.StaffSlotURL(r.restaurant.ID, r.start(t, begun))).is(t, 200)
	page.has(t, views.StaffUndoURL(id))
	page.hasNot(t, `class="undo-bar"`)

	undo("arrived").is(t, 303).has(t, "되돌렸습니다.")
	undo("arrived").is(t, 303).has(t, "지금 상태에서는 할 수 없는 일입니다.")
	if state := r.state(t, id); state != booking.Confirmed {
		t.Errorf("it is %s", state)
	}
	r.send(t, staff, views.StaffNoShowURL(id), nil).is(t, 303)
	r.confirm(t, begun, 9) // the seats are somebody else's by now
	undo("no_show").is(t, 303).has(t, "자리가 이미 다른 손님에게 나가서 되돌릴 수 없습니다.")
	if state := r.state(t, id); state != booking.NoShow {
		t.Errorf("it is %s", state)
	}
	if n := r.audited(t, "reservation.undo"); n != 1 {
		t.Errorf("%d are written down, want 1", n)
	}
}

// The diner's page goes along: it asks how the meal was once the meal is over.
func TestTheDinersPageGoesAlong(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	staff := r.staff(t, r.restaurant.ID)
	who, id := r.confirm(t, r.begun(), 2)
	for _, step := range []struct{ path, state, says string }{
		{views.StaffArrivedURL(id), "arrived", "어서 오세요"},
		{views.StaffSeatedURL(id), "seated", "맛있게 드세요"},
		{views.StaffCompletedURL(id), "completed", "맛있게 드셨나요?"},
	} {
		r.send(t, staff, step.path, nil).is(t, 303)
		r.page(t, who, views.ReservationURL(id)).is(t, 200).has(t, step.says)
		if own := r.get(t, who, "/api/reservations/"+id).want(t, 200, ""); own.text(t, "state") != step.state {
			t.Errorf("the API says %s, want %s", own.text(t, "state"), step.state)
		}
		if step.state != "completed" {
			r.page(t, who, views.ReservationURL(id)).hasNot(t, "맛있게 드셨나요?", views.CancelURL(id), views.ChangeURL(id))
		}
	}
}

// The QR code leads the diner to their pass, staff of the restaurant to the guest, and nobody else anywhere.
func TestThePassIsForTheDinerAndTheRestaurant(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	other, _ := r.newRestaurant(t, "another")
	host, foreign, stranger := r.staff(t, r.restaurant.ID), r.staff(t, other.ID), r.diner(t, 0)
	who, id := r.confirm(t, r.begun(), 2)
	pass := views.PassURL(id)

	own := r.page(t, who, pass).is(t, 200)
	own.has(t, `class="qr"`, "손님 "+who.id[:4], strings.ToUpper(id[:6]), "2명", views.ReservationURL(id))
	own.hasNot(t, views.StaffArrivedURL(id))
	guest := r.page(t, host, pass).is(t, 200)
	guest.has(t, "손님 "+who.id[:4], strings.ToUpper(id[:6]), "2명", views.StaffArrivedURL(id), views.StaffSeatedURL(id),
		views.StaffNoShowURL(id))
	guest.hasNot(t, `class="qr"`, "010-1234")
	for _, nobody := range []person{foreign, stranger} {
		r.page(t, nobody, pass).is(t, 404).hasNot(t, "손님 "+who.id[:4], "2명")
	}
	out := r.page(t, person{}, pass)
	if to := out.header.Get("Location"); out.status != 303 || !strings.HasPrefix(to, "/signin?") ||
		!strings.Contains(to, url.QueryEscape(pass)) {
		t.Errorf("signed out: %d to %s", out.status, to)
	}
	r.page(t, host, views.PassURL("none")).is(t, 404)
	r.page(t, host, views.PassURL(strings.ToUpper(id[:6]))).is(t, 404)
	r.page(t, who, views.ReservationURL(id)).is(t, 200).has(t, `class="qr"`)

	post := func(path, next string) string {
		return r.do(t, call{method: http.MethodPost, path: path, body: url.Values{"next": {next}}.Encode(),
			headers: map[string]string{
				"Cookie": "session=" + host.token, "Content-Type": "application/x-www-form-urlencoded"}}).is(t, 303).header.Get("Location")
	}
	if to := post(views.StaffArrivedURL(id), pass); to != pass {
		t.Errorf("after the mark to %s", to)
	}
	r.page(t, host, pass).is(t, 200).has(t, `class="undo-bar"`, views.StaffUndoURL(id))
	r.page(t, who, pass).is(t, 200).has(t, "도착을 확인했습니다.")
	if to := post(views.StaffSeatedURL(id), "https://evil.example/"); !strings.HasPrefix(to, "/staff/restaurants/") {
		t.Errorf("a form that wants to lead elsewhere leads to %s", to)
	}
}
