package webtest

import (
	"fmt"
	"html"
	"net/url"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/views"
)

// tonightIn is the tab of the room, or another, on the day of a slot.
func (r *harness) tonightIn(t *testing.T, slot booking.SlotKey, tab views.EveningTab) views.EveningAddress {
	return views.EveningAddress{RestaurantID: r.restaurant.ID, Day: r.start(t, slot), Tab: tab}
}

// What can be done at a table stands on its page, with forms that lead back to the room: to seat a walk-in, to give the
// table to another party, to free and to block it.
func TestTable_SeatsMovesFreesAndBlocks(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	seats, slot := r.openRoom(t), r.begun()
	host, day := r.staff(t, r.restaurant.ID), r.start(t, r.begun())
	tonight := r.tonightIn(t, slot, views.TabRoom)
	room := tonight.URL()
	page := func(label string) answer {
		t.Helper()
		return r.page(t, host, tonight.TableURL(seats[label])).is(t, 200)
	}
	r.page(t, host, room).is(t, 200).has(t, fmt.Sprintf("/tables/%d?", seats["T1"]))

	walkIn := url.Values{"next": {room}, "idempotency_key": {formKey(t, page("T1").has(t, "워크인 바로 앉히기", "까지</small>"))},
		"source": {"walk_in"}, "date": {string(slot.Date)}, "time": {string(slot.Time)}, "party": {"2"},
		"seat": {fmt.Sprint(seats["T1"])}, "seated": {"1"}, "end_time": {""}}
	r.send(t, host, views.StaffBookURL(r.restaurant.ID, day), walkIn).is(t, 303).has(t, `class="room-view"`, "예약했습니다.")
	party := r.seatedAt(t, slot, seats["T1"])
	page("T1").has(t, "워크인", "자리 비움").hasNot(t, "워크인 바로 앉히기")

	free := page("T2").has(t, "다른 팀을 이 자리로", views.StaffMoveURL(party))
	move := url.Values{"next": {room}, "idempotency_key": {formKey(t, free)}, "seat": {fmt.Sprint(seats["T2"])}}
	r.send(t, host, views.StaffMoveURL(party), move).is(t, 303).has(t, `class="room-view"`, "예약을 바꿨습니다.")
	if got := r.seatedAt(t, slot, seats["T2"]); got != party {
		t.Errorf("%s sits at T2, want %s", got, party)
	}
	page("T1").has(t, "이날 이 자리에는 예약이 없습니다")
	page("C1").hasNot(t, views.StaffMoveURL(party)) // a stool for two

	freed := r.send(t, host, views.StaffCompletedURL(party), url.Values{"next": {room}})
	freed.is(t, 303).has(t, `class="room-view"`)
	page("T2").has(t, "워크인 바로 앉히기", fmt.Sprintf(`name="table" value="%d"`, seats["T2"]))

	tomorrow, next := r.start(t, r.slot("19:00")), r.tonightIn(t, r.slot("19:00"), views.TabRoom)
	blocked := r.page(t, host, next.TableURL(seats["T1"])).is(t, 200)
	blocked.has(t, "이날 막기").hasNot(t, "다시 받기")
	form := url.Values{"seat": {fmt.Sprint(seats["T1"])}, "shown": {fmt.Sprint(seats["T1"])}, "next": {next.URL()}}
	asked := r.send(t, host, views.StaffDayBlockedSeatsURL(r.restaurant.ID, tomorrow), form).is(t, 200)
	asked.has(t, `name="next"`, html.EscapeString(next.URL()))
	form.Set("confirmed", "yes")
	r.send(t, host, views.StaffDayBlockedSeatsURL(r.restaurant.ID, tomorrow), form).is(t, 303).has(t,
		`class="room-view"`)
	r.page(t, host, next.TableURL(seats["T1"])).is(t, 200).
		has(t, "다시 받기").hasNot(t, "이날 막기", "워크인 바로 앉히기")
	r.page(t, host, next.URL()).is(t, 200).has(t, "seat-blocked", "막아 둠")
	r.page(t, host, next.TableURL(999)).is(t, 404)
}

// A table that is blocked for a part of a day to come says so for that part: on the plan, in the list, on its own page and
// on the timeline.
func TestRoom_ShowsPartsOfADayThatAreBlocked(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	seats, host := r.openRoom(t), r.staff(t, r.restaurant.ID)
	slot := r.slot("18:00")
	start, room := r.start(t, slot), r.tonightIn(t, slot, views.TabRoom)
	form := url.Values{"seat": {fmt.Sprint(seats["T1"])}, "shown": {fmt.Sprint(seats["T1"])}, "confirmed": {"yes"}}
	for _, at := range []booking.TimeOfDay{"18:00", "19:00"} {
		r.send(t, host, views.StaffBlockedSeatsURL(r.restaurant.ID, r.start(t, r.slot(at))), form).is(t, 303)
	}
	r.page(t, host, room.URL()).is(t, 200).has(t, "막아 둠 오후 6:00–8:00", "18:00 막아 둠</title>").hasNot(t, "seat-blocked")
	r.page(t, host, room.TableURL(seats["T1"])).is(t, 200).has(t, "막아 둠 오후 6:00–8:00")
	r.page(t, host, room.To(views.TabTimeline).URL()).is(t, 200).has(t, `colspan="2" class="timeline-blocked"`)
	r.send(t, host, views.StaffDayBlockedSeatsURL(r.restaurant.ID, start), form).is(t, 303)
	r.page(t, host, room.URL()).is(t, 200).has(t, "seat-blocked", "막아 둠").hasNot(t, "막아 둠 오후")
}

// The room of a day to come has all parties of each table, on the plan and in the list.
func TestRoom_HasAllPartiesOfADayToCome(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	seats, host := r.openRoom(t), r.staff(t, r.restaurant.ID)
	early, late := r.slot("12:00"), r.slot("19:00")
	for name, slot := range map[string]booking.SlotKey{"Early": early, "Late": late} { // in any order
		r.book(t, host, name+"-0123456789", "wait=20", byPhone(slot, 2, map[string]any{
			"name": name, "seatIds": []int64{seats["T1"]}})).is(t, 201)
	}
	r.page(t, host, r.tonightIn(t, early, views.TabRoom).URL()).is(t, 200).
		has(t, "T1 · 12:00 Early 2명 · 19:00 Late 2명", "다음 오후 12:00", "그다음 오후 7:00")
}

// What is refused at a table is said there, whichever tab it was opened from: a walk-in, and a party that was to get
// it.
func TestTable_SaysWhyNot(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	seats, slot := r.openRoom(t), r.begun()
	host, day := r.staff(t, r.restaurant.ID), r.start(t, r.begun())
	seat := func(label, key, next string) answer {
		form := url.Values{"next": {next}, "idempotency_key": {key}, "source": {"walk_in"}, "date": {string(slot.Date)},
			"time": {string(slot.Time)}, "party": {"2"}, "seat": {fmt.Sprint(seats[label])}, "seated": {"1"},
			"table": {fmt.Sprint(seats[label])}}
		return r.send(t, host, views.StaffBookURL(r.restaurant.ID, day), form)
	}
	room := r.tonightIn(t, slot, views.TabRoom).URL()
	seat("T1", "key-taken", room).is(t, 303)
	seat("T2", "key-other", room).is(t, 303)
	other := r.seatedAt(t, slot, seats["T2"])
	const here = `id="table-menu"`
	for _, tab := range []views.EveningTab{views.TabRoom, views.TabTimeline} {
		next := r.tonightIn(t, slot, tab).URL()
		seat("T1", "walk-in"+string(tab), next).is(t, 409).
			has(t, here, `role="alert"`, "T1번 자리는 워크인 님", html.EscapeString(next))
		move := url.Values{"next": {next}, "idempotency_key": {"move" + string(tab)}, "seat": {fmt.Sprint(seats["T1"])},
			"table": {fmt.Sprint(seats["T1"])}}
		r.send(t, host, views.StaffMoveURL(other), move).is(t, 409).
			has(t, here, `role="alert"`, "T1번 자리는 워크인 님", html.EscapeString(next))
		move.Set("idempotency_key", "no-table"+string(tab))
		for _, table := range []string{"", "999", "x"} { // of no table's page
			move.Set("table", table)
			r.send(t, host, views.StaffMoveURL(other), move).is(t, 409).hasNot(t, here)
		}
	}
	seat("T1", "elsewhere", "/elsewhere").is(t, 409).hasNot(t, here)
	if got := r.seatedAt(t, slot, seats["T2"]); got != other {
		t.Errorf("%q sits at T2, want %q", got, other)
	}
}

// seatedAt is who has a table in a slot.
func (r *harness) seatedAt(t *testing.T, slot booking.SlotKey, seat int64) (id string) {
	t.Helper()
	all, err := r.Stores.Evenings.ListParties(t.Context(), r.restaurant.ID, slot.Date)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if p.State.HoldsSeats() && len(p.SeatIDs()) == 1 && p.SeatIDs()[0] == seat {
			id = p.ID
		}
	}
	return id
}

// On the timeline of a day to come a party moves to another table and time, which whoever looks at it sees at
// once. What the server refuses is said on the timeline, and changes nothing: not the table either, where that is
// taken at the time.
func TestTimeline_MovesAPartyAndSaysWhyNot(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	seats, slot := r.openRoom(t), r.slot("19:00")
	host, later := r.staff(t, r.restaurant.ID), r.slot("20:00")
	book := func(slot booking.SlotKey, label string) string {
		body := byPhone(slot, 2, map[string]any{"seatIds": []int64{seats[label]}})
		return r.book(t, host, "key-"+label, "wait=20", body).want(t, 201, "").text(t, "id")
	}
	party, other := book(slot, "T1"), book(later, "T3")
	board := r.tonightIn(t, slot, views.TabTimeline)
	bar := func(id, label string) string {
		return fmt.Sprintf(`data-move="%s" data-size="2" data-tables="%d"`, views.StaffMoveURL(id), seats[label])
	}
	r.page(t, host, board.URL()).is(t, 200).has(t, bar(party, "T1"), bar(other, "T3"), `data-time="20:00"`,
		`data-any-time`)
	r.page(t, host, board.TableURL(seats["T1"])).is(t, 200).has(t, `">시간표 · `) // the way back
	events, hangUp := r.stream(t, host, board.EventsURL())
	nextEvent(t, events)

	move := url.Values{"next": {board.URL()}, "idempotency_key": {"key-move"}, "time": {"20:00"},
		"seat": {fmt.Sprint(seats["T2"])}}
	r.send(t, host, views.StaffMoveURL(party), move).is(t, 303).has(t, `id="timeline"`)
	awaitEvent(t, events, "evening", bar(party, "T2"))
	if got := r.seatedAt(t, later, seats["T2"]); got != party {
		t.Errorf("%q sits at T2, want %q", got, party)
	}
	hangUp()

	move.Set("idempotency_key", "key-taken")
	move.Set("seat", fmt.Sprint(seats["T3"]))
	r.send(t, host, views.StaffMoveURL(party), move).is(t, 409).
		has(t, `id="says"`, "T3번 자리는 김하늘 님", bar(party, "T2"))
	move.Set("idempotency_key", "key-small")
	move.Set("seat", fmt.Sprint(seats["C1"]))
	r.send(t, host, views.StaffMoveURL(party), move).is(t, 422).has(t, `id="says"`, "1명까지 앉을 수 있습니다.")
	move.Set("idempotency_key", "key-own") // at its own table, which is taken then
	move.Set("time", "19:00")
	move.Set("seat", fmt.Sprint(seats["T3"]))
	r.send(t, host, views.StaffMoveURL(party), move).is(t, 303)
	move.Set("time", "20:00")
	move.Set("idempotency_key", "key-back")
	r.send(t, host, views.StaffMoveURL(party), move).is(t, 409).has(t, "T3번 자리는 김하늘 님")
	if got := r.seatedAt(t, slot, seats["T3"]); got == "" {
		t.Error("the party has moved all the same")
	}
	move.Set("idempotency_key", "key-same")
	move.Set("time", "19:00")
	r.send(t, host, views.StaffMoveURL(party), move).is(t, 303).has(t, `id="timeline"`)
}

// A restaurant whose seats have no names has a timeline of its parties.
func TestTimeline_WithoutNamedSeats(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	host, slot := r.staff(t, r.restaurant.ID), r.slot("19:00")
	board := r.tonightIn(t, slot, views.TabTimeline).URL()
	r.page(t, host, board).is(t, 200).has(t, "이 날에는 아직 예약이 없습니다")
	party := r.book(t, host, "key", "wait=20", byPhone(slot, 2, nil)).want(t, 201, "").text(t, "id")
	r.page(t, host, board).is(t, 200).has(t, "자리 미정", "김하늘")
	move := url.Values{"next": {board}, "idempotency_key": {"key-move"}, "time": {"20:00"}}
	r.send(t, host, views.StaffMoveURL(party), move).is(t, 303).has(t, `id="timeline"`)
}
