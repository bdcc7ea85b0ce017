package webtest

import (
	"fmt"
	"net/url"
	"testing"

	"lunchgo/app/identity"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// Who waits in line when an operator unpublishes the restaurant reads why, and nobody finds it any more; who has a
// reservation and its staff do. It can be published again.
func TestOperator_UnpublishesARestaurant(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot, id := r.slot("19:00"), r.restaurant.ID
	operator, diner, guest := r.operator(t), r.diner(t, 0), r.diner(t, 0)
	r.page(t, operator, views.OperatorURL()).is(t, 200).has(t, views.OperatorRestaurantsURL())
	made := r.press(t, guest, "key-0", "wait=10", r.requestFor(r.slot("18:00"), 2)).want(t, 201, "")
	defer r.rival(t, slot)()
	ticket := r.press(t, diner, "key-1", "respond-async", r.requestFor(slot, 2)).want(t, 202, "").text(t, "ticket")
	off := views.OperatorUnpublishURL(id)
	r.page(t, operator, off).is(t, 200).has(t, "공개를 중단하는 이유")
	r.page(t, diner, off).is(t, 403)
	r.send(t, diner, off, url.Values{views.FieldReason: {"폐업 신고"}}).is(t, 403)
	r.send(t, operator, off, url.Values{views.FieldReason: {"  "}}).is(t, 422).has(t, `aria-invalid="true"`)
	r.send(t, operator, off, url.Values{views.FieldReason: {"폐업 신고"}}).is(t, 303).has(t, "공개를 중단했습니다")
	dbtest.Eventually(t, "who waits knows why", func() bool {
		now := r.get(t, diner, "/api/tickets/"+ticket)
		return now.json["code"] == "closed" && now.json["closedReason"] == "폐업 신고"
	})
	r.press(t, r.diner(t, 0), "key-2", "wait=10", r.requestFor(r.slot("18:00"), 2)).want(t, 409, "closed")
	slug := r.restaurant.Slug
	r.page(t, diner, views.RestaurantURL(slug)).is(t, 404)
	r.get(t, diner, fmt.Sprintf("/api/restaurants/%d", id)).want(t, 404, "not_found")
	r.get(t, diner, "/api/restaurants").want(t, 200, "").hasNot(t, `"`+slug+`"`)
	r.page(t, diner, views.SitemapURL()).is(t, 200).hasNot(t, views.RestaurantURL(slug)+"<")
	r.get(t, guest, "/api/reservations/"+made.text(t, "id")).want(t, 200, "")
	r.page(t, guest, views.ReservationURL(made.text(t, "id"))).is(t, 200)
	r.page(t, r.staffAs(t, id, identity.RoleHost), views.StaffSectionURL(id, views.SectionTonight)).is(t, 200)
	list := views.OperatorRestaurantsURL() + "?q=" + url.QueryEscape(r.restaurant.Name.Ko)
	r.page(t, operator, list).is(t, 200).has(t, "폐업 신고", views.OperatorPublishURL(id)).hasNot(t, off)
	api := fmt.Sprintf("/api/operator/restaurants/%d", id)
	r.post(t, operator, api+"/publish", "", nil).want(t, 204, "")
	r.page(t, diner, views.RestaurantURL(slug)).is(t, 200) // the control: the same request finds it
	r.post(t, operator, api+"/unpublish", "", map[string]any{"reason": ""}).want(t, 422, "invalid")
	r.post(t, operator, api+"/unpublish", "", map[string]any{"reason": "점검"}).want(t, 204, "")
	r.get(t, operator, "/api/operator/restaurants/all").want(t, 200, "").has(t, "점검")
	if n := r.audited(t, "restaurant.unpublished"); n != 2 {
		t.Errorf("%d entries in the log", n)
	}
}
