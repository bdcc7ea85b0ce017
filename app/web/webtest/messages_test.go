package webtest

import (
	"bytes"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/views"
)

// A host writes to a guest and to all guests of a slot, on the page and over the API: once for a key. Who has no
// address is shown with the number, guests learn nothing of each other, and others may not write.
func TestMessages_ReachGuests(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	_, id := r.confirm(t, slot, 2)
	host := r.staffAs(t, r.restaurant.ID, identity.RoleHost)
	called := r.book(t, host, "key-0", "wait=20", byPhone(slot, 3, nil)).want(t, 201, "").text(t, "id")
	api := fmt.Sprintf("/api/staff/restaurants/%d/messages", r.restaurant.ID)
	body := map[string]any{"text": " The kitchen is late.\r\nSorry! ", "date": slot.Date, "time": slot.Time}
	r.post(t, r.diner(t, 0), api, "key-1", body).want(t, 404, "not_found")
	first := r.post(t, host, api, "key-1", body).want(t, 201, "")
	if again := r.post(t, host, api, "key-1", body).want(t, 201, ""); !bytes.Equal(again.raw, first.raw) {
		t.Errorf("a repeat gets %s, not %s", again.raw, first.raw)
	}
	if first.number(t, "reached") != 1 || first.text(t, "text") != "The kitchen is late.\nSorry!" ||
		len(first.list(t, "recipients")) != 2 || !bytes.Contains(first.raw, []byte("010-9876-5432")) {
		t.Errorf("sent: %s", first.raw)
	}
	r.get(t, host, api+"/"+first.text(t, "id")).want(t, 200, "")
	r.get(t, host, api+"/none").want(t, 404, "not_found")
	r.post(t, host, api, "key-1", map[string]any{"text": "Another", "date": slot.Date}).want(t, 422,
		"idempotency_key_reused")
	for _, wrong := range []map[string]any{{"text": "x"}, {"text": " ", "date": slot.Date},
		{"text": "x", "date": "soon"}, {"text": "x", "date": slot.Date, "time": "7pm"},
		{"text": strings.Repeat("x", 501), "date": slot.Date}} {
		r.post(t, host, api, "key-2", wrong).want(t, 422, "invalid")
	}
	r.post(t, host, api, "key-3", map[string]any{"text": "x", "date": slot.Date, "time": "12:00"}).
		want(t, 409, "nobody_to_write_to")

	write := views.StaffWriteURL(r.restaurant.ID, id)
	r.page(t, host, views.StaffReservationURL(id)).is(t, 200).has(t, write)
	r.page(t, host, write).is(t, 200).has(t, "손님 1명께", `name="message"`)
	r.page(t, host, views.StaffWriteURL(r.restaurant.ID, called)).is(t, 200).has(t, "010-9876-5432").hasNot(t,
		`name="message"`)
	r.page(t, host, views.StaffWriteDayURL(r.restaurant.ID, r.start(t, slot))).is(t, 200).has(t, "전화할 손님 1명",
		`name="message"`)
	r.page(t, host, views.StaffMessagesURL(r.restaurant.ID)).is(t, 404)
	form := url.Values{views.FieldIdempotencyKey: {"key-4"}, views.FieldReservation: {id}, views.FieldMessage: {""}}
	r.send(t, host, views.StaffMessagesURL(r.restaurant.ID), form).is(t, 422).has(t, `id="field-message"`)
	form.Set(views.FieldMessage, "<b>Soon</b>")
	for range 2 {
		r.send(t, host, views.StaffMessagesURL(r.restaurant.ID), form).is(t, 303).
			has(t, "손님 1명께 보냈습니다", "&lt;b&gt;Soon&lt;/b&gt;").hasNot(t, "010-9876-5432")
	}
	if one, all := r.audited(t, "message.guest"), r.audited(t, "message.guests"); one != 1 || all != 1 {
		t.Errorf("%d and %d acts written down, want 1 each", one, all)
	}
}

// Nobody is written to about what was long ago.
func TestMessages_NotLongAfterwards(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := booking.SlotKey{RestaurantID: r.restaurant.ID, Date: r.day(-2), Time: "19:00"}
	_, id := r.confirm(t, slot, 2)
	host := r.staffAs(t, r.restaurant.ID, identity.RoleHost)
	r.page(t, host, views.StaffWriteURL(r.restaurant.ID, id)).is(t, 200).hasNot(t, `name="message"`)
	r.page(t, host, views.StaffReservationURL(id)).is(t, 200).hasNot(t, views.StaffWriteURL(r.restaurant.ID, id))
	r.post(t, host, fmt.Sprintf("/api/staff/restaurants/%d/messages", r.restaurant.ID), "key-1",
		map[string]any{"text": "x", "reservationId": id}).want(t, 409, "past")
}
