package diner

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/views"
)

// formRequest is a request with a form, and with the same text for its query.
func formRequest(app *fiber.App, text string) *fiber.Ctx {
	c := app.AcquireCtx(&fasthttp.RequestCtx{})
	c.Request().Header.SetMethod(fiber.MethodPost)
	c.Request().Header.SetContentType(fiber.MIMEApplicationForm)
	c.Request().SetBodyString(text)
	c.Request().URI().SetQueryString(text)
	return c
}

// Every answer of a booking form gets into the draft as it was typed, or is a fault of its field.
func FuzzBookingForm(f *testing.F) {
	for _, seed := range []string{
		"date=2026-11-21&time=19%3A00&party=2&item-1=2&seat=1&seat=2&coupon=3&note=a%0D%0Ab&idempotencyKey=k",
		"party=two&coupon=-1&seat=x&item-x=1&item-1=99999999999999999999", "&&==%zz", "item-1=+0&item-01=1",
		strings.Repeat("seat=1&", 2_000),
	} {
		f.Add(seed)
	}
	app := fiber.New()
	f.Fuzz(func(t *testing.T, text string) {
		c := formRequest(app, text)
		defer app.ReleaseCtx(c)
		form := readBookingForm(c)
		draft, faults := draftOf(booking.Restaurant{ID: 1}, form)
		if draft.RestaurantID != 1 || len(draft.Items) > len(form.Quantities) || len(draft.SeatIDs) > len(form.Seats) ||
			draft.CouponID < 0 && len(faults) == 0 {
			t.Errorf("%q: %+v, %+v", text, draft, faults)
		}
		for _, fault := range faults {
			if fault.Name == "" || fault.Reason == "" {
				t.Errorf("%q: a fault without a name: %+v", text, fault)
			}
		}
		_ = firstPosition(c)
		_ = postedAmount(c)
	})
}

// A search that is not refused is within what the form offers.
func FuzzSearchForm(f *testing.F) {
	f.Add("2026-11-21", "19:00", "2", "김밥", "jongno", "korean", "2")
	f.Add("2026-02-30", "25:00", "0", "\x00", "x", "y", "9")
	f.Add("", "", "", strings.Repeat("가", 101), "", "", "+2")
	zone, err := time.LoadLocation("Asia/Seoul")
	if err != nil {
		f.Fatal(err)
	}
	offered := searchOptions{maxParty: 6, lastDate: "2026-12-21",
		Directory: &reserve.Directory{Districts: []string{"jongno"}, Cuisines: []string{"korean"},
			PriceBands: []int{2}}}
	f.Fuzz(func(t *testing.T, date, at, party, words, district, cuisine, price string) {
		form := views.SearchForm{Date: date, Time: at, Party: party, Words: words, District: district, Cuisine: cuisine,
			Price: price}
		query, faults := offered.question(form, time.Date(2026, 11, 21, 11, 0, 0, 0, zone))
		if query.Date < "2026-11-21" || query.Date > offered.lastDate || query.PartySize < 1 ||
			query.PartySize > offered.maxParty {
			t.Errorf("%+v asks %+v", form, query)
		}
		if len(faults) == 0 && (!utf8.ValidString(query.Words) || utf8.RuneCountInString(query.Words) > maxWords ||
			district != "" && district != "jongno" || price != "" && query.PriceBand != 2) {
			t.Errorf("%+v is not refused: %+v", form, query)
		}
	})
}
