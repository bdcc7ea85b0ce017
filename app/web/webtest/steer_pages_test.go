package webtest

import (
	"fmt"
	"net/url"
	"strconv"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/views"
)

// control makes a change on the page of a slot, which the what-if has shown.
func (r *harness) control(t *testing.T, as person, slot booking.SlotKey, form url.Values) answer {
	t.Helper()
	form.Set("confirmed", "yes")
	return r.send(t, as, views.StaffSlotControlsURL(slot.RestaurantID, r.start(t, slot)), form)
}

// Every change on the page of a slot first shows whom it touches, does nothing until that is confirmed, and then is
// made.
func TestSteerPages_AskBeforeTheyChange(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	r.confirm(t, slot, 3)
	manager, start := r.staffAs(t, r.restaurant.ID, identity.RoleManager), r.start(t, slot)
	controls := views.StaffSlotControlsURL(r.restaurant.ID, start)
	r.page(t, manager, controls).is(t, 200).has(t, "예약 받는 중", "10석 가운데 3석", "예약 여는 시각")
	opens := start.Add(-time.Hour).Format("2006-01-02T15:04")
	for _, c := range []struct {
		form  url.Values
		ask   string
		holds func(o booking.Occupancy) bool
	}{
		{url.Values{"part": {"pause"}, "reason": {"주방"}}, "잠시 멈출까요", func(o booking.Occupancy) bool { return o.Paused && o.Reason == "주방" }},
		{url.Values{"part": {"message"}, "message": {"곧 엽니다"}}, "곧 엽니다", func(o booking.Occupancy) bool { return o.Notice == "곧 엽니다" }},
		{url.Values{"part": {"resume"}}, "다시 받을까요", func(o booking.Occupancy) bool { return !o.Paused && o.Reason == "" }},
		{url.Values{"part": {"capacity"}, "capacity": {"7"}}, "7석", func(o booking.Occupancy) bool { return o.Capacity == 7 }},
		{url.Values{"part": {"opening"}, "opens_at": {opens}, "order": {"draw"}}, "추첨", func(o booking.Occupancy) bool {
			return o.OpensAt.Equal(start.Add(-time.Hour)) && o.Draw
		}},
		{url.Values{"part": {"open_now"}}, "지금 열까요", func(o booking.Occupancy) bool { return o.OpensAt.IsZero() }},
		{url.Values{"part": {"close"}, "reason": {"정전"}}, "예약 1팀", func(o booking.Occupancy) bool { return o.Closed && o.Reason == "정전" }},
		{url.Values{"part": {"open"}}, "열까요", func(o booking.Occupancy) bool { return !o.Closed }},
	} {
		part := c.form.Get("part")
		before := r.occupancy(t, slot)
		r.send(t, manager, controls, c.form).is(t, 200).has(t, c.ask, "영향받는 예약:", "30,000원")
		if o := r.occupancy(t, slot); fmt.Sprint(o) != fmt.Sprint(before) {
			t.Errorf("%s: asking has changed %+v to %+v", part, before, o)
		}
		c.form.Set("confirmed", "yes")
		r.send(t, manager, controls, c.form).is(t, 303).has(t, "바꿨습니다.")
		if o := r.occupancy(t, slot); !c.holds(o) {
			t.Errorf("%s: %+v", part, o)
		}
	}
}

// What cannot be is refused beside its field, or with who is in the way, and what was typed stays.
func TestSteerPages_RefuseAndKeepWhatWasTyped(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	r.confirm(t, slot, 6)
	host, start := r.staffAs(t, r.restaurant.ID, identity.RoleHost), r.start(t, slot)
	manager := r.staffAs(t, r.restaurant.ID, identity.RoleManager)
	controls := views.StaffSlotControlsURL(r.restaurant.ID, start)
	r.send(t, host, controls, url.Values{"part": {"capacity"}, "capacity": {"5"}}).is(t, 409).has(t, `value="5"`,
		"이미 6석", "손님 ")
	r.send(t, host, controls, url.Values{"part": {"capacity"}, "capacity": {"<b>"}}).is(t, 422).hasNot(t, "<b>")
	r.send(t, host, controls, url.Values{"part": {"close"}, "reason": {"a\u202eb"}}).is(t, 422)
	r.send(t, host, controls, url.Values{"part": {"nothing"}}).is(t, 400)
	r.send(t, host, controls, url.Values{"part": {"open_now"}}).is(t, 403)
	r.send(t, manager, controls, url.Values{"part": {"opening"}, "opens_at": {"tomorrow"}}).is(t, 422).has(t,
		`value="tomorrow"`)
	if o := r.occupancy(t, slot); o.Closed || o.Capacity != 10 {
		t.Errorf("changed: %+v", o)
	}
	r.page(t, host, views.StaffStopURL(r.restaurant.ID)).is(t, 403)
}

// A day is steered as a slot is, and stopped with the whole restaurant.
func TestSteerPages_DayAndStop(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	r.confirm(t, slot, 2)
	manager, start := r.staffAs(t, r.restaurant.ID, identity.RoleManager), r.start(t, slot)
	r.page(t, manager, views.StaffDayURL(r.restaurant.ID, start)).is(t, 200).has(t,
		views.StaffSlotControlsURL(r.restaurant.ID, start))
	day := views.StaffDayControlsURL(r.restaurant.ID, start)
	r.send(t, manager, day, url.Values{"part": {"close"}, "reason": {"공사"}}).is(t, 200).has(t, "예약 1팀")
	r.send(t, manager, day, url.Values{"part": {"close"}, "reason": {"공사"}, "confirmed": {"yes"}}).is(t, 303)
	if n := r.audited(t, "slot.close"); n != 14 {
		t.Errorf("%d slots were closed", n)
	}
	stop := views.StaffStopURL(r.restaurant.ID)
	r.send(t, manager, stop, url.Values{"stopped": {"yes"}, "reason": {"누수"}}).is(t, 200).has(t, "중지할까요", "이유: 누수")
	if r.audited(t, "restaurant.stop") != 0 {
		t.Error("asking has stopped it")
	}
	r.send(t, manager, stop, url.Values{"stopped": {"yes"}, "reason": {"누수"}, "confirmed": {"yes"}}).is(t, 303)
	r.page(t, manager, stop).is(t, 200).has(t, "식당 전체 중지", "누수")
}

// Seats are blocked on a page that works without JavaScript; one that somebody has is not.
func TestSteerPages_BlockSeats(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	seats := r.openRoom(t)
	tables := []int64{seats["C1"], seats["C2"]}
	slot := r.slot("19:00")
	host, start := r.staff(t, r.restaurant.ID), r.start(t, slot)
	path := views.StaffBlockedSeatsURL(r.restaurant.ID, start)
	form := url.Values{"seat": {strconv.FormatInt(tables[0], 10)}, "reason": {"다리"}}
	r.page(t, host, path).is(t, 200).has(t, `type="checkbox"`)
	r.send(t, host, path, form).is(t, 200).has(t, "막는 자리")
	form.Set("confirmed", "yes")
	r.send(t, host, path, form).is(t, 303)
	r.page(t, host, path).is(t, 200).has(t, "checked", "다리")
	if state := r.occupancy(t, slot).Seats.State(tables[0]); state != booking.SeatBlocked {
		t.Errorf("the seat is %s", state)
	}
	body := r.requestFor(slot, 1)
	body["seatIds"] = tables[1:2]
	r.press(t, r.diner(t, 0), "key-1", "wait=10", body).want(t, 201, "")
	r.send(t, host, path, url.Values{"seat": {strconv.FormatInt(tables[1], 10)}}).is(t, 409).has(t, "막을 수 없습니다")
	day := views.StaffDayBlockedSeatsURL(r.restaurant.ID, start)
	r.page(t, host, day).is(t, 200).has(t, "일부 시간만 막힘")
}
