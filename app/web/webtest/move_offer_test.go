package webtest

import (
	"bytes"
	"fmt"
	"net/url"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/app/mail"
	"lunchgo/app/web/respond"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// tooLate makes it too late for diners to change what they book from now on.
func (r *harness) tooLate(t *testing.T) {
	t.Helper()
	r.change(t, `UPDATE reservations SET policy = policy || '{"changeHours": 500}'`)
}

// A manager closes a day and offers its guests the next one: each reads it in a letter that leads to the times of that
// day. Who takes one is moved for what was agreed, however late it is; who declines stays, and the manager sees both.
func TestMoveOffer_OfAClosedDay(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot, next := r.slot("19:00"), r.slot("19:00")
	next.Date = next.Date.AddDays(1)
	who, id := r.confirm(t, slot, 2)
	other, stays := r.confirm(t, r.slot("20:00"), 3)
	r.tooLate(t)
	manager := r.staffAs(t, r.restaurant.ID, identity.RoleManager)
	midnight := respond.Midnight(slot.Date, r.restaurant.Location)
	page := views.StaffClosingURL(r.restaurant.ID, midnight)
	form := url.Values{views.FieldReservations: {views.ReservationsOffer}, views.FieldMessage: {"주방 공사입니다."}}
	r.send(t, manager, page, form).is(t, 422).has(t, `id="field-offer_date-error"`)
	form.Set(views.FieldOfferDate, string(slot.Date))
	r.send(t, manager, page, form).is(t, 422).has(t, `id="field-offer_date-error"`)
	if o := r.occupancy(t, slot); o.Closed {
		t.Error("closed without an offer")
	}
	r.page(t, who, views.MoveOfferURL(id)).is(t, 303)
	form.Set(views.FieldOfferDate, string(next.Date))
	for range 2 {
		r.send(t, manager, page, form).is(t, 303).has(t, "예약 2건", "답을 기다리는 중")
	}
	if n := r.audited(t, "message.guests"); n != 2 {
		t.Errorf("%d messages, want one a slot", n)
	}

	offer := views.MoveOfferURL(id)
	letters, err := r.Stores.Mails.ListMails(t.Context(), who.id, keyset.Request{})
	if err != nil || letters.Items[0].Kind != mail.Message || letters.Items[0].Offered.Date != next.Date {
		t.Errorf("the letter: %+v, %v", letters.Items, err)
	}
	r.page(t, other, offer).is(t, 404)
	r.page(t, who, views.ReservationURL(id)).is(t, 200).has(t, offer)
	r.page(t, who, offer).is(t, 200).has(t, "주방 공사입니다.", `value="19:00" checked`, "수수료는 없습니다")
	r.send(t, other, views.DeclineMoveOfferURL(stays), url.Values{}).is(t, 303).has(t, "그대로 두기로 하셨습니다")
	r.page(t, other, views.ReservationURL(stays)).is(t, 200).hasNot(t, views.MoveOfferURL(stays))
	r.page(t, manager, page).is(t, 200).has(t, "지금 예약을 그대로 두기로 함")

	take := url.Values{views.FieldTime: {"20:00"}, views.FieldIdempotencyKey: {"take-1"}}
	before, _ := r.Stores.Reservations.Find(t.Context(), id)
	for range 2 {
		r.send(t, who, offer, take).is(t, 303).has(t, views.CancelURL(id))
	}
	after, err := r.Stores.Reservations.Find(t.Context(), id)
	if err != nil || after.Slot.Date != next.Date || after.Slot.Time != "20:00" || after.Changes != 1 ||
		after.PaidAmount != before.PaidAmount || after.DepositAmount != before.DepositAmount ||
		after.State != booking.Confirmed || after.Policy.ChangeHours != before.Policy.ChangeHours {
		t.Errorf("moved: %+v, %v", after, err)
	}
	r.page(t, who, offer).is(t, 303)
	r.page(t, manager, page).is(t, 200).has(t, "예약 1건").hasNot(t, views.StaffReservationURL(id))
	if res, err := r.Stores.Reservations.Find(t.Context(), stays); err != nil || res.Slot.Date != slot.Date {
		t.Errorf("who declined: %+v, %v", res, err)
	}
	r.balances(t)
}

// A host writes to a guest with another time of the same day, over the API, and the guest takes it there; the other
// times of a closed slot, full ones, and those of somebody else are not to be had.
func TestMoveOffer_OverTheAPI(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot, full := r.slot("18:00"), r.slot("20:00")
	who, id := r.confirm(t, slot, 2)
	r.fill(t, full)
	r.tooLate(t)
	host := r.staff(t, r.restaurant.ID)
	own := "/api/reservations/" + id + "/offered-time"
	r.get(t, who, own).want(t, 409, "no_time_offered")
	api := fmt.Sprintf("/api/staff/restaurants/%d/messages", r.restaurant.ID)
	body := map[string]any{"text": "단체 손님이 있습니다.", "reservationId": id}
	for _, wrong := range []map[string]any{{"date": "soon"}, {"date": r.day(-1)}, {"date": slot.Date, "time": "03:00"},
		{"date": slot.Date, "time": "late"}} {
		body["offer"] = wrong
		r.post(t, host, api, "key-1", body).want(t, 422, "invalid")
	}
	body["offer"] = map[string]any{"date": slot.Date, "time": "19:00"}
	sent := r.post(t, host, api, "key-1", body).want(t, 201, "")
	delete(body, "offer")
	r.post(t, host, api, "key-1", body).want(t, 422, "idempotency_key_reused")

	offer := r.get(t, who, own).want(t, 200, "")
	if offer.text(t, "time") != "19:00" || offer.text(t, "message") != "단체 손님이 있습니다." {
		t.Errorf("offered: %s", offer.raw)
	}
	states := map[string]any{}
	for _, each := range offer.list(t, "times") {
		states[fmt.Sprint(each["time"])] = each["state"]
	}
	if states["19:00"] != "open" || states["20:00"] != "sold_out" || states["18:00"] != nil {
		t.Errorf("its times: %v", states)
	}
	take := func(who person, key, at string) answer {
		t.Helper()
		return r.do(t, call{method: "POST", path: own, as: who, body: map[string]any{"time": at},
			headers: map[string]string{"Idempotency-Key": key, "Prefer": "wait=20"}})
	}
	take(r.diner(t, 0), "take-0", "19:00").want(t, 404, "not_found")
	take(who, "take-1", "20:00").want(t, 409, "sold_out")
	take(who, "take-2", "18:00").want(t, 409, "nothing_to_change")
	take(who, "take-3", "late").want(t, 422, "invalid")
	r.do(t, call{method: "DELETE", path: own, as: who}).want(t, 204, "")
	if now := r.get(t, who, own).want(t, 200, ""); now.json["declined"] != true {
		t.Errorf("declined: %s", now.raw)
	}
	message := api + "/" + sent.text(t, "id")
	r.get(t, host, message).want(t, 200, "").has(t, `"answer":"declined"`)
	for range 2 {
		if moved := take(who, "take-4", "19:00").want(t, 200, ""); moved.text(t, "time") != "19:00" {
			t.Errorf("taken: %s", moved.raw)
		}
	}
	take(who, "take-5", "20:00").want(t, 409, "no_time_offered")
	r.get(t, host, message).want(t, 200, "").has(t, `"answer":"moved"`)
	r.balances(t)
}

// Staff may offer a full refund with the other time. Who takes that cancels for everything that was paid, however late it
// is; who was not offered one cannot.
func TestMoveOffer_WithARefund(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("18:00")
	who, id := r.confirm(t, slot, 2)
	r.tooLate(t)
	host, offer := r.staff(t, r.restaurant.ID), views.MoveOfferURL(id)
	r.page(t, host, views.StaffWriteURL(r.restaurant.ID, id)).is(t, 200).has(t, `name="offer_date"`,
		`name="offer_refund"`)
	form := url.Values{views.FieldReservation: {id}, views.FieldMessage: {"단체 손님이 있습니다."},
		views.FieldOfferDate: {string(slot.Date)}, views.FieldOfferTime: {"19:00"},
		views.FieldIdempotencyKey: {"key-1"}}
	r.send(t, host, views.StaffMessagesURL(r.restaurant.ID), form).is(t, 303).has(t, "제안한 시간", "답을 기다리는 중")
	r.page(t, who, offer).is(t, 200).hasNot(t, views.CancelOfferedURL(id))
	r.send(t, who, views.CancelOfferedURL(id), url.Values{}).is(t, 303).has(t, views.CancelURL(id))
	form.Set(views.FieldOfferRefund, views.Yes)
	form.Set(views.FieldIdempotencyKey, "key-2")
	r.send(t, host, views.StaffMessagesURL(r.restaurant.ID), form).is(t, 303)
	r.page(t, who, offer).is(t, 200).has(t, "20,000원 전액 환불받기")
	r.send(t, who, views.CancelOfferedURL(id), url.Values{}).is(t, 303).has(t, "취소")
	res, err := r.Stores.Reservations.Find(t.Context(), id)
	if err != nil || res.State.IsConfirmed() || res.RefundAmount != 20_000 || res.CancelReason != "단체 손님이 있습니다." {
		t.Errorf("cancelled: %+v, %v", res, err)
	}
	r.post(t, who, "/api/reservations/"+id+"/offered-time/cancellation", "", nil).want(t, 409, "no_time_offered")
	r.balances(t)
}

// Who is offered another time of a day on which slots are closed gets none of those, although the party stays there now.
func TestMoveOffer_OfSlotsThatClose(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	host, first, second := r.staff(t, r.restaurant.ID), r.slot("18:00"), r.slot("19:00")
	who, id := r.confirm(t, first, 2)
	api := fmt.Sprintf("/api/staff/restaurants/%d/slots/%s/18:00/closing?last=19:00", r.restaurant.ID, first.Date)
	closes := func(offer any) answer {
		t.Helper()
		return r.do(t, call{method: "PUT", path: api, as: host, body: map[string]any{"reservations": "offer",
			"message": "정전입니다.", "offer": offer}})
	}
	closes(nil).want(t, 422, "invalid")
	closes(map[string]any{"date": first.Date, "time": second.Time}).want(t, 422, "invalid")
	if day := closes(map[string]any{"date": first.Date}).want(t, 200, ""); day.number(t, "coming") != 1 {
		t.Errorf("closed: %s", day.raw)
	}
	offer := views.MoveOfferURL(id)
	dbtest.Eventually(t, "the slots that closed are not offered", func() bool {
		return !bytes.Contains(r.page(t, who, offer).raw, []byte(`value="19:00"`))
	})
	r.page(t, who, offer).is(t, 200).has(t, `value="17:00" checked`, `value="20:00"`)
	take := url.Values{views.FieldTime: {"19:00"}, views.FieldIdempotencyKey: {"take-1"}}
	r.send(t, who, offer, take).is(t, 409).has(t, "다른 시간을 골라 주세요", `value="20:00"`)
	if res, err := r.Stores.Reservations.Find(t.Context(), id); err != nil || res.Slot != first {
		t.Errorf("it is at %+v, %v", res.Slot, err)
	}
}

// Staff withdraw what they offered, on the page of the party or by the API: the guest's page says so, and nothing can
// be taken any more, nor cancelled by it. A repeat changes nothing, and the log has one act.
func TestMoveOffer_Withdrawn(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("18:00")
	who, id := r.confirm(t, slot, 2)
	_, another := r.confirm(t, slot, 2)
	r.tooLate(t)
	host, party := r.staff(t, r.restaurant.ID), views.StaffReservationURL(id)
	withdraw, api := views.StaffWithdrawOfferURL(id), "/api/staff/reservations/"+id+"/offered-time"
	r.page(t, host, party).is(t, 200).hasNot(t, withdraw)
	back := url.Values{views.FieldNext: {party}}
	r.send(t, host, withdraw, back).is(t, 303).has(t, "더는 없습니다")
	offers := func(key, reservation string) {
		t.Helper()
		r.send(t, host, views.StaffMessagesURL(r.restaurant.ID), url.Values{views.FieldReservation: {reservation},
			views.FieldMessage: {"단체 손님이 있습니다."}, views.FieldOfferDate: {string(slot.Date)},
			views.FieldOfferTime: {"19:00"}, views.FieldOfferRefund: {views.Yes},
			views.FieldIdempotencyKey: {key}}).is(t, 303)
	}
	offers("key-1", id)
	r.page(t, host, party).is(t, 200).has(t, withdraw, "답을 기다리는 중")
	r.send(t, who, withdraw, back).is(t, 404)
	r.do(t, call{method: "DELETE", path: api, as: who}).want(t, 404, "not_found")
	for range 2 {
		r.send(t, host, withdraw, back).is(t, 303).has(t, "제안을 거두었습니다").hasNot(t, withdraw)
		r.do(t, call{method: "DELETE", path: api, as: host}).want(t, 204, "")
	}
	if n := r.audited(t, "reservation.offer_withdrawn"); n != 1 {
		t.Errorf("%d acts, want one", n)
	}

	offer := views.MoveOfferURL(id)
	r.page(t, who, offer).is(t, 303)
	r.page(t, who, views.ReservationURL(id)).is(t, 200).has(t, "다른 시간을 거두었습니다").hasNot(t, offer)
	take := url.Values{views.FieldTime: {"19:00"}, views.FieldIdempotencyKey: {"take-1"}}
	r.send(t, who, offer, take).is(t, 303).has(t, "다른 시간을 거두었습니다")
	r.send(t, who, views.CancelOfferedURL(id), url.Values{}).is(t, 303).has(t, "다른 시간을 거두었습니다")
	r.get(t, who, "/api/reservations/"+id+"/offered-time").want(t, 409, "no_time_offered")
	if res, err := r.Stores.Reservations.Find(t.Context(), id); err != nil || res.Slot != slot ||
		!res.State.IsConfirmed() {
		t.Errorf("it is %+v, %v", res, err)
	}
	offers("key-2", id) // anew
	r.page(t, who, offer).is(t, 200).has(t, "전액 환불받기")
	r.do(t, call{method: "DELETE", path: "/api/staff/reservations/" + another + "/offered-time", as: host}).
		want(t, 409, "no_time_offered")
	r.balances(t)
}
