package webtest

import (
	"fmt"
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
	tonight := r.tonightIn(t, slot, views.TabRoom).URL()
	page := func(label string) answer {
		t.Helper()
		return r.page(t, host, views.StaffTableURL(r.restaurant.ID, day, seats[label])).is(t, 200)
	}
	r.page(t, host, tonight).is(t, 200).has(t, views.StaffTableURL(r.restaurant.ID, day, seats["T1"])[:40])

	walkIn := url.Values{"next": {tonight}, "idempotency_key": {formKey(t, page("T1").has(t, "워크인 바로 앉히기"))},
		"source": {"walk_in"}, "date": {string(slot.Date)}, "time": {string(slot.Time)}, "party": {"2"},
		"seat": {fmt.Sprint(seats["T1"])}, "seated": {"1"}, "end_time": {""}}
	r.send(t, host, views.StaffBookURL(r.restaurant.ID, day), walkIn).is(t, 303).has(t, `class="room-view"`, "예약했습니다.")
	party := r.seatedAt(t, slot, seats["T1"])
	page("T1").has(t, "워크인", "자리 비움").hasNot(t, "워크인 바로 앉히기")

	free := page("T2").has(t, "다른 팀을 이 자리로", views.StaffMoveURL(party))
	move := url.Values{"next": {tonight}, "idempotency_key": {formKey(t, free)}, "seat": {fmt.Sprint(seats["T2"])}}
	r.send(t, host, views.StaffMoveURL(party), move).is(t, 303).has(t, `class="room-view"`, "예약을 바꿨습니다.")
	if got := r.seatedAt(t, slot, seats["T2"]); got != party {
		t.Errorf("%s sits at T2, want %s", got, party)
	}
	page("T1").has(t, "이날 이 자리에는 예약이 없습니다")
	page("C1").hasNot(t, views.StaffMoveURL(party)) // a stool for two

	freed := r.send(t, host, views.StaffCompletedURL(party), url.Values{"next": {tonight}})
	freed.is(t, 303).has(t, `class="room-view"`)
	page("T2").has(t, "워크인 바로 앉히기")

	tomorrow := r.start(t, r.slot("19:00"))
	blocked := r.page(t, host, views.StaffTableURL(r.restaurant.ID, tomorrow, seats["T1"])).is(t, 200)
	blocked.has(t, "남은 시간 막기").hasNot(t, "다시 받기")
	form := url.Values{"seat": {fmt.Sprint(seats["T1"])}, "shown": {fmt.Sprint(seats["T1"])}, "confirmed": {"yes"}}
	r.send(t, host, views.StaffDayBlockedSeatsURL(r.restaurant.ID, tomorrow), form).is(t, 303)
	r.page(t, host, views.StaffTableURL(r.restaurant.ID, tomorrow, seats["T1"])).is(t, 200).
		has(t, "다시 받기").hasNot(t, "남은 시간 막기", "워크인 바로 앉히기")
	r.page(t, host, r.tonightIn(t, r.slot("19:00"), views.TabRoom).URL()).is(t, 200).has(t, "seat-blocked", "막아 둠")
	r.page(t, host, views.StaffTableURL(r.restaurant.ID, tomorrow, 999)).is(t, 404)
}

// seatedAt is who has a table in a slot.
func (r *harness) seatedAt(t *testing.T, slot booking.SlotKey, seat int64) (id string) {
	t.Helper()
	all, err := r.Reservations.ListParties(t.Context(), r.restaurant.ID, slot.Date)
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
