package views_test

import (
	"net/http"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// A form that comes back after signing in says at once what its coupon takes off.
func TestBooking_SumsUpWhatComesBack(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	asked := make(chan string, 9)
	s.mux.HandleFunc("POST /restaurants/sol-bap/reservations", func(w http.ResponseWriter, r *http.Request) {
		asked <- r.FormValue(views.FieldCoupon) + " " + r.FormValue(views.FieldAction)
		_ = samples("en")["booking-coupon"].Render(r.Context(), w)
	})
	b.open(s.URL + "/en/booking-coupon-refused")
	b.until(`document.querySelector("#summary").textContent.includes("up to")`) // of the other coupon
	b.run(`const form = document.querySelector("form.booking");
		sessionStorage.setItem("kept:" + form.getAttribute("action"),
			JSON.stringify([["date", form.elements.date.value], ["coupon", "7"]]))`)
	b.open(s.URL + "/en/booking-coupon-refused")
	b.receives(asked, "7 refresh")
	b.until(`document.querySelector("[name=coupon][value='7']").checked &&
		document.querySelector("#summary").textContent.includes("−₩5,000")`)
}

func TestDishes_PollOnlyWhileSomeMayRunOut(t *testing.T) {
	t.Parallel()
	dishes := bookingPage("ko").Dishes
	if !dishes.HasLimited() {
		t.Error("none of the dishes is limited")
	}
	holds(t, rendered(t, pages.Dishes(dishes)), `hx-trigger="every 5s, change from:#times"`)
	dishes.Errors = views.FieldErrors{views.ItemField(2): "3"}
	lacks(t, rendered(t, pages.Dishes(dishes)), "every 5s") // what is wrong stays to be read
	dishes.Menu, dishes.Errors = dishes.Menu[1:], nil
	if dishes.HasLimited() {
		t.Error("a dish is limited")
	}
	holds(t, rendered(t, pages.Dishes(dishes)), `hx-trigger="change from:#times"`)
	dishes.Menu[0].Items = dishes.Menu[0].Items[:0]
	lacks(t, rendered(t, pages.Dishes(dishes)), "hx-trigger")
}

// TestDishes_FollowTheChosenTime chooses lunch after dinner: the dish of dinner goes, that of lunch comes.
func TestDishes_FollowTheChosenTime(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	s.mux.HandleFunc("GET /restaurants/sol-bap/dishes", func(w http.ResponseWriter, r *http.Request) {
		dishes := bookingPage("ko").Dishes
		dishes.At = booking.TimeOfDay(r.URL.Query().Get(views.FieldTime))
		must(t, pages.Dishes(dishes).Render(r.Context(), w))
	})
	b.open(s.URL + "/ko/booking")
	b.until(`document.querySelector("#field-item-4") && !document.querySelector("#field-item-5")`)
	b.run(`document.querySelector('#times [name=time][value="13:30"]').click()`)
	b.until(`document.querySelector("#field-item-5") && !document.querySelector("#field-item-4")`)
	b.until(`document.querySelector("[data-dishes-gone]").textContent.endsWith("감자전")`)
	none(t, "content security policy", s.violated())
}

func TestRestaurant_ShowsDailyPortions(t *testing.T) {
	t.Parallel()
	holds(t, rendered(t, samples("ko")["restaurant"]), "하루 10개 한정")
	holds(t, rendered(t, samples("en")["restaurant"]), "10 a day")
}

// TestDishes_RunOutWhileTheFormIsFilledIn lets others order: one chosen dish is down to fewer, the other has run out.
func TestDishes_RunOutWhileTheFormIsFilledIn(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	s.mux.HandleFunc("GET /restaurants/sol-bap/dishes", func(w http.ResponseWriter, r *http.Request) {
		dishes := bookingPage("ko").Dishes
		dishes.Quantities = nil
		dishes.Menu[0].Items[0].Stock = 1
		dishes.Menu[0].Items[1].Stock = 0
		dishes.Menu[0].Items[2].Stock = 7
		must(t, pages.Dishes(dishes).Render(r.Context(), w))
	})
	b.open(s.URL + "/ko/booking")
	b.run(`document.querySelector('[aria-label="한우 육회비빔밥 하나 더하기"]').click()`)
	b.until(`document.querySelector("[data-menu-total]").textContent === "72,000원"`)
	b.run(`window.kept = document.querySelector("#field-item-4"); kept.focus(); kept.value = "3"`)
	b.until(
		`document.querySelector("#dish-2").classList.contains("dish-off") && !document.querySelector("#field-item-2")`)
	b.until(
		`document.querySelector("#field-item-1").value === "1" && document.querySelector("#field-item-1").max === "1"`)
	b.until(
		`document.querySelector("#field-item-3").value === "0" && document.querySelector("#dish-3").textContent.includes("7개 남음")`)
	b.until(`kept.isConnected && kept.value === "3" && document.activeElement === kept`)
	b.until(`document.querySelector("[data-dishes-gone]").textContent.endsWith("솔잎 돌솥비빔밥, 한우 육회비빔밥")`)
	b.until(`document.querySelector("[data-menu-total]").textContent === "59,000원"`)
	none(t, "content security policy", s.violated())
}
