package webtest

import (
	"bytes"
	"net/url"
	"testing"

	"lunchgo/app/identity"
	"lunchgo/views"
)

// Diners read on the restaurant's page why a slot is closed, and that the whole restaurant takes no bookings.
func TestRestaurant_SaysWhyItIsClosed(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot, staff := r.slot("19:00"), r.staffAs(t, r.restaurant.ID, identity.RoleManager)
	start := r.start(t, slot)
	day := views.RestaurantSlotsURL(r.restaurant.Slug, start, 2)
	shown := func(words string) {
		eventually(t, words, func() bool { return bytes.Contains(r.page(t, person{}, day).is(t, 200).raw, []byte(words)) })
	}
	r.page(t, person{}, day).is(t, 200).hasNot(t, "알린 이유", "새 예약을 받지 않습니다")
	r.send(t, staff, views.StaffSlotControlsURL(r.restaurant.ID, start),
		url.Values{"part": {views.PartClose}, "reason": {"대관 행사"}, "confirmed": {views.Yes}}).is(t, 303)
	shown("식당에서 알린 이유: 대관 행사")
	r.send(t, staff, views.StaffStopURL(r.restaurant.ID),
		url.Values{"stopped": {views.Yes}, "reason": {"화재 점검"}, "confirmed": {views.Yes}}).is(t, 303)
	shown("지금은 이 식당의 새 예약을 받지 않습니다.")
	shown("식당에서 알린 이유: 화재 점검")
}
