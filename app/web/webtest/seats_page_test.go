package webtest

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/views"
)

// seatForm are the answers of the booking form for a party that chooses seats.
func seatForm(slot booking.SlotKey, key string, party int, seats ...any) url.Values {
	form := bookingForm(slot, key, "")
	form.Set("party", fmt.Sprint(party))
	for _, seat := range seats {
		form.Add("seat", fmt.Sprint(seat))
	}
	return form
}

func TestSeatForm_ChoosesSeats(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who, rival := r.diner(t, 100_000), r.diner(t, 100_000)
	r.page(t, who, views.BookURL("damdam", r.start(t, r.slot("19:00")), 2)).is(t, 200).hasNot(t, `name="seat"`,
		"seat-map")
	seats, slot := r.openRoom(t), r.slot("19:00")
	reserve, start := views.ReserveURL("salon"), r.start(t, slot)
	r.page(t, who, views.BookURL("salon", start, 2)).is(t, 200).has(t, "고르지 않으면 T1 자리를 드립니다.",
		fmt.Sprintf(`data-seat="%d"`, seats["T1"]), fmt.Sprintf(`name="seat" value="%d"`, seats["T1"]))

	refresh := seatForm(slot, "key-1", 4, seats["T1"], seats["T2"])
	refresh.Set(views.FieldAction, views.ActionRefresh)
	r.send(t, who, reserve, refresh).is(t, 200).has(t, "고른 자리: T1, T2 (4명, 4명까지)")
	payment := r.send(t, who, reserve, seatForm(slot, "key-1", 4, seats["T2"], seats["T1"])).is(t, 303)
	payment.has(t, "자리 T1, T2")
	r.awaitSeat(t, slot, "T2", booking.SeatHeld)
	refused := r.send(t, rival, reserve, seatForm(slot, "key-2", 2, seats["T2"])).is(t, 409)
	refused.has(t, "고른 자리가 방금 나갔습니다", "이미 나간 자리: T2.", "대신 C1, C2 자리가 비어 있습니다.", "결제 대기 중")
	refused.hasNot(t, fmt.Sprintf(`value="%d" checked`, seats["T2"]))
	pay := string(payLink.FindSubmatch(payment.raw)[1])
	r.send(t, who, pay, url.Values{views.FieldIdempotencyKey: {"pay"}, views.FieldKind: {"deposit"}}).is(t, 303).has(t,
		"자리 T1, T2")
	r.page(t, r.staff(t, r.restaurant.ID), views.StaffSlotURL(r.restaurant.ID, start)).is(t, 200).
		has(t, "자리 T1, T2", "자리 배치도. 비어 있는 자리: C1, C2, C3, T3", "<title>T1 · 손님")
	r.send(t, rival, reserve, seatForm(slot, "key-3", 2)).is(t, 303).has(t, "자리 C1, C2")
	r.balances(t)
}

// The preview of a change says which seats the party would get instead; those that it keeps are no change.
func TestChangePreview_NamesSeats(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	seats := r.openRoom(t)
	slot := r.slot("19:00")
	who := r.diner(t, 100_000)
	payment := r.send(t, who, views.ReserveURL("salon"), seatForm(slot, "key-1", 2, seats["T1"])).is(t, 303)
	change := strings.TrimSuffix(string(payLink.FindSubmatch(payment.raw)[1]), "/pay") + "/change"
	form := seatForm(slot, "key-2", 4)
	form.Set(views.FieldAction, views.ActionPreview)
	r.send(t, who, change, form).is(t, 200).has(t, "<dt>자리</dt>", "T3")
	form.Set("party", "1")
	r.send(t, who, change, form).is(t, 200).hasNot(t, "<dt>자리</dt>")
}

func TestSeatForm_Nonsense(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	other, seats := r.slot("19:00"), r.openRoom(t)
	slot, who := r.slot("19:00"), r.diner(t, 0)
	for i, c := range []struct {
		at    string
		form  url.Values
		words string
	}{
		{"salon", seatForm(slot, "", 2, "x"), "지금은 고를 수 없는 항목입니다."},
		{"salon", seatForm(slot, "", 2, "99999999999999999999"), "지금은 고를 수 없는 항목입니다."},
		{"salon", seatForm(slot, "", 2, -1), "지금은 고를 수 없는 항목입니다."},
		{"salon", seatForm(slot, "", 2, "<script>"), "지금은 고를 수 없는 항목입니다."},
		{"salon", seatForm(slot, "", 2, seats["C1"], seats["C3"]), "이어 쓸 수 없는 자리입니다."},
		{"salon", seatForm(slot, "", 3, seats["T1"]), "2명까지 앉을 수 있습니다."},
		{"salon", seatForm(slot, "", 2, seats["T3"]), "3명부터 쓸 수 있는 자리가 들어 있습니다."},
		{"salon", seatForm(slot, "", 2, seats["T1"], seats["T2"]), "인원보다 자리를 많이 골랐습니다."},
		{"salon", seatForm(slot, "", 4, seats["T1"], seats["T1"]), "같은 자리를 두 번 골랐습니다."},
		{"damdam", seatForm(other, "", 2, seats["T1"]), "이 식당에서는 자리를 고를 수 없습니다."},
	} {
		c.form.Set(views.FieldIdempotencyKey, fmt.Sprint("key-", i))
		r.send(t, who, views.ReserveURL(c.at), c.form).is(t, 422).has(t, c.words, `href="#field-seat"`)
	}
	r.nothingStored(t)
}

func TestSeatForm_MovesWhileSomebodyLooks(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	seats, slot := r.openRoom(t), r.slot("19:00")
	second := r.twin(t)
	address := views.SeatsEventsURL(views.SeatPicker{Slug: "salon", At: r.start(t, slot), Party: 2, Stay: 1})
	events, hangUp := second.stream(t, person{}, address)
	first, _ := nextEvent(t, events)
	if first.name != "seats" || strings.Contains(first.data, "seat-held") ||
		!strings.Contains(first.data, "고르지 않으면 T1 자리를") {
		t.Errorf("first: %+v", first)
	}
	r.press(t, r.diner(t, 0), "key-1", "wait=10", r.at(slot, 2, seats["T1"])).want(t, 201, "")
	if moved, _ := nextEvent(t, events); moved.name != "seats" || !strings.Contains(moved.data, "seat-held") ||
		!strings.Contains(moved.data, "고르지 않으면 T2 자리를") {
		t.Errorf("moved: %+v", moved)
	}
	hangUp()
	query := url.Values{"date": {string(slot.Date)}, "time": {string(slot.Time)}, "party": {"2"}, "stay": {"1"}}
	for name, values := range map[string][]string{
		"date": {"", "x", "2026-02-30"}, "time": {"", "25:00", "03:00", "x"}, "party": {"0", "-1", "9", "x"}, "stay": {"0", "4", "x"},
	} {
		for _, value := range values {
			bad := url.Values{}
			for key := range query {
				bad[key] = query[key]
			}
			bad.Set(name, value)
			r.page(t, person{}, "/restaurants/salon/seats/events?"+bad.Encode()).is(t, 422)
		}
	}
	r.page(t, person{}, "/restaurants/nowhere/seats/events?"+query.Encode()).is(t, 404)
	r.page(t, person{}, "/restaurants/damdam/seats/events?"+query.Encode()).is(t, 404)
}
