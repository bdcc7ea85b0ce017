package webtest

import (
	"bytes"
	"database/sql"
	"fmt"
	"net/url"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/db/dbtest"
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
		dbtest.Eventually(t, words,
			func() bool { return bytes.Contains(r.page(t, person{}, day).is(t, 200).raw, []byte(words)) })
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

// Diners find the phone number, the days with other hours, and why a day is closed, on the page and over the API.
func TestRestaurant_SaysWhenItIsOtherwiseOpen(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	raw, err := sql.Open("postgres", r.Setup.Database)
	dbtest.Must(t, err)
	defer raw.Close()
	closed, special := r.day(2), r.day(3)
	for _, query := range []string{
		fmt.Sprintf(`UPDATE restaurants SET phone = '02-123-4567' WHERE id = %d`, r.restaurant.ID),
		fmt.Sprintf(`INSERT INTO closures (restaurant_id, closed_on, reason) VALUES (%d, '%s', '김장하는 날')`,
			r.restaurant.ID, closed),
		fmt.Sprintf(
			`INSERT INTO special_hours (restaurant_id, opens_on, spans) VALUES (%d, '%s', '[{"from": "11:00", "last": "13:00"}]')`, r.restaurant.ID, special),
	} {
		if _, err := raw.ExecContext(t.Context(), query); err != nil {
			t.Fatal(err)
		}
	}
	r = r.twin(t) // which has read nothing yet
	start := r.start(t, booking.SlotKey{Date: closed, Time: "19:00"})
	page := r.page(t, person{}, views.RestaurantDayURL(r.restaurant.Slug, start, 2)).is(t, 200)
	page.has(t, `href="tel:021234567"`, "02-123-4567", "식당에서 알린 이유: 김장하는 날", "앞으로 다르게 여는 날", "오전 11:00")
	id := fmt.Sprintf("/api/restaurants/%d", r.restaurant.ID)
	found := r.get(t, person{}, id).want(t, 200, "")
	if reasons := found.json["closureReasons"].(map[string]any); reasons[string(closed)] != "김장하는 날" ||
		found.text(t, "phone") != "02-123-4567" ||
		found.list(t, "specialDays")[0]["date"] != string(special) {
		t.Errorf("the restaurant: %s", found.raw)
	}
	if day := r.get(t, person{}, id+"/slots?date="+string(closed)).want(t, 200, ""); day.text(t, "reason") != "김장하는 날" {
		t.Errorf("the day: %s", day.raw)
	}
	if day := r.get(t, person{}, id+"/slots?date="+string(special)).want(t, 200, ""); day.json["reason"] != nil ||
		len(day.list(t, "slots")) == 0 {
		t.Errorf("another day: %s", day.raw)
	}
}
