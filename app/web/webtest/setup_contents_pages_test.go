package webtest

import (
	"bytes"
	"fmt"
	"image/color"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"lunchgo/app/identity"
	"lunchgo/app/setup"
	"lunchgo/views"
)

// sendFile sends a form with a file as a browser does.
func (r *harness) sendFile(t *testing.T, as person, path, file string, fields map[string]string) answer {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range fields {
		_ = form.WriteField(name, value)
	}
	if part, err := form.CreateFormFile(views.FieldFile, "photo.jpg"); err == nil && file != "" {
		_, _ = part.Write([]byte(file))
	}
	_ = form.Close()
	return r.do(t, call{method: http.MethodPost, path: path, body: body.String(), headers: map[string]string{
		"Cookie": "session=" + as.token, "Content-Type": form.FormDataContentType(), "Sec-Fetch-Site": "same-origin"}})
}

// The menu's pages work as forms: a dish with a picture is added, moved and changed, and what is wrong stays as it was
// typed.
func TestContentsPages_MenuByForms(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, quickCatalog())
	chef := r.staffAs(t, r.restaurant.ID, identity.RoleManager)
	list, add := views.ContentsMenuURL(r.restaurant.ID), views.ContentsItemURL(r.restaurant.ID, "new")
	var menu setup.Menu
	d := document{path: r.api(r.restaurant.ID, "menu"), as: chef}
	r.read(t, &d, &menu)
	dish := map[string]string{views.FieldVersion: d.tag, views.FieldNameKo: "냉이국", views.FieldPrice: "9,000",
		views.FieldCategoryOwn: "계절", views.FieldDaily: "12", views.FieldMinutes: "90"}
	r.page(t, chef, add).is(t, 200).has(t, `enctype="multipart/form-data"`, `name="file"`)
	r.sendFile(t, chef, add, photo(t, color.Gray{90}), dish).is(t, 303)
	shown := r.page(t, chef, list).is(t, 200).has(t, "냉이국", "계절", "/pictures/")
	shown.hasNot(t, `disabled aria-label="갈비찜 아래로`)
	r.page(t, person{}, "/restaurants/"+r.restaurant.Slug).is(t, 200).has(t, "냉이국", "-400.jpg")
	r.sendFile(t, chef, add, "", dish).is(t, 409).has(t, "냉이국") // over the version before
	r.read(t, &d, &menu)
	last := menu.Items[len(menu.Items)-1].ID
	r.send(t, chef, views.ContentsMoveURL(r.restaurant.ID, last),
		url.Values{views.FieldVersion: {d.tag}, views.FieldMove: {"up"}}).is(t, 303)
	r.send(t, chef, views.ContentsMoveURL(r.restaurant.ID, last),
		url.Values{views.FieldVersion: {d.tag}, views.FieldMove: {"up"}}).is(t, 409)
	if r.read(t, &d, &menu); menu.Items[1].ID != last {
		t.Errorf("moved up: %+v", menu.Items)
	}
	dish[views.FieldVersion], dish[views.FieldPrice], dish[views.FieldNameKo] = d.tag, "cheap", "달래국"
	r.sendFile(t, chef, views.ContentsItemURL(r.restaurant.ID, fmt.Sprint(last)), "", dish).is(t, 422).has(t, "cheap",
		"달래국", `aria-invalid="true"`)
	dish[views.FieldPrice] = "9000"
	r.sendFile(t, chef, views.ContentsItemURL(r.restaurant.ID, fmt.Sprint(last)), "<svg></svg>", dish).is(t, 422).has(t,
		"JPEG", "달래국")
	r.page(t, r.staff(t, r.restaurant.ID), list).is(t, 200).hasNot(t, views.ContentsItemURL(r.restaurant.ID, "new"))
	r.page(t, r.staff(t, r.restaurant.ID), add).is(t, 403)
}

// The room's page works as a form: a template, things added and taken away, a map; what is wrong is said beside its
// field.
func TestContentsPages_SeatsByForms(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, quickCatalog())
	owner := r.staffAs(t, r.restaurant.ID, identity.RoleOwner)
	path := views.ContentsSeatsURL(r.restaurant.ID)
	var room setup.Room
	d := document{path: r.api(r.restaurant.ID, "seats"), as: owner}
	r.read(t, &d, &room)
	begun := r.send(t, owner, path,
		url.Values{views.FieldVersion: {d.tag}, views.FieldAction: {views.ActionTemplate}}).is(t, 200)
	begun.has(t, `value="T4"`, `value="C8"`, `data-seat="12"`, "js/room.js")
	fields := inputsOf(string(begun.raw))
	fields.Set(views.FieldAction, "save")
	for i := range 12 {
		kind := "table"
		if i > 3 {
			kind = "counter"
		}
		fields.Set(fmt.Sprint("kind-", i), kind)
	}
	fields.Set("x-0", "5000")
	r.send(t, owner, path, fields).is(t, 422).has(t, `value="5000"`, "aria-invalid")
	fields.Set("x-0", "40")
	r.send(t, owner, path, fields).is(t, 303)
	r.read(t, &d, &room)
	if len(room.Seats) != 12 || room.Seats[0].Places != 4 || len(room.Seats[5].Partners) != 2 {
		t.Errorf("%+v", room.Seats)
	}
	guest := r.page(t, r.diner(t, 0), views.BookURL(r.restaurant.Slug, r.start(t, r.slot("19:00")), 2)).is(t, 200)
	guest.has(t, `class="seat-map"`)
}

// inputsOf are the inputs of a page's forms and their values.
func inputsOf(page string) url.Values {
	fields := url.Values{}
	for _, tag := range strings.Split(page, "<input ")[1:] {
		tag, _, _ = strings.Cut(tag, ">")
		value := func(name string) string {
			_, rest, _ := strings.Cut(tag, name+`="`)
			v, _, _ := strings.Cut(rest, `"`)
			return v
		}
		if name := value("name"); name != "" && !strings.Contains(tag, "checkbox") {
			fields.Set(name, strings.NewReplacer("&#34;", `"`, "&quot;", `"`, "&amp;", "&").Replace(value("value")))
		}
	}
	return fields
}

func TestContentsPages_CouponsByForms(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	owner := r.staffAs(t, r.restaurant.ID, identity.RoleOwner)
	path := views.ContentsCouponsURL(r.restaurant.ID)
	day := func(n int) string {
		return time.Now().In(r.restaurant.Location).AddDate(0, 0, n).Format("2006-01-02T15:04")
	}
	form := url.Values{views.FieldNameKo: {"단골 쿠폰"}, views.FieldUse: {"deposit"}, views.FieldAmount: {"3,000"},
		views.FieldTotal: {"0"}, views.FieldOpens: {day(-1)}, views.FieldCloses: {day(5)}, views.FieldValid: {"soon"}}
	r.send(t, owner, path, form).is(t, 422).has(t, "단골 쿠폰", `value="soon"`)
	form.Set(views.FieldTotal, "50")
	form.Set(views.FieldValid, day(9))
	r.send(t, owner, path, form).is(t, 303).has(t, "단골 쿠폰", "50장 가운데 0장", "쿠폰을 열었습니다.")
	id := r.get(t, owner, r.api(r.restaurant.ID, "coupons")).list(t, "coupons")[0]["id"].(float64)
	r.send(t, owner, views.ContentsEndCouponURL(r.restaurant.ID, int64(id)), url.Values{}).is(t, 303).hasNot(t,
		"지금 끝내기")
	r.page(t, r.staffAs(t, r.restaurant.ID, identity.RoleManager), path).is(t, 200).hasNot(t, `name="amount"`)
}
