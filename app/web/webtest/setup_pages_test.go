package webtest

import (
	"fmt"
	"html"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lunchgo/app/identity"
	"lunchgo/views"
)

var hiddenField = regexp.MustCompile(`<input[^>]*>|<textarea[^>]*>[^<]*|<option[^>]*selected[^>]*>|<select[^>]*>`)
var attribute = regexp.MustCompile(`(name|value)="([^"]*)"`)

// fieldsOf are the fields of the form of documents on a page, as a browser without JavaScript would send them.
func fieldsOf(a answer) url.Values {
	form := url.Values{}
	selectName := ""
	for _, tag := range hiddenField.FindAllString(string(a.raw), -1) {
		found := map[string]string{}
		for _, m := range attribute.FindAllStringSubmatch(tag, -1) {
			found[m[1]] = html.UnescapeString(m[2])
		}
		switch {
		case tag[1] == 's':
			selectName = found["name"]
		case tag[1] == 'o':
			form.Set(selectName, found["value"])
		case tag[1] == 't':
			_, text, _ := strings.Cut(tag, ">")
			form.Set(found["name"], html.UnescapeString(text))
		case found["name"] != "":
			form.Set(found["name"], found["value"])
		}
	}
	return form
}

// Somebody opens a restaurant by forms alone, without JavaScript, with what the forms propose, and diners can book it.
func TestSetupPages_FromNothingToABooking(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	owner := r.diner(t, 0)
	r.page(t, owner, views.StaffURL()).is(t, 200).has(t, views.OpenRestaurantURL())
	r.send(t, owner, views.OpenRestaurantURL(),
		url.Values{"name": {""}, "timeZone": {"Asia/Seoul"}, "capacity": {"x"}}).is(t, 422).
		has(t, `aria-invalid="true"`)
	at := r.send(t, owner, views.OpenRestaurantURL(),
		url.Values{"name": {"새 식당"}, "timeZone": {"Asia/Seoul"}, "capacity": {"12"}}).is(t, 303)
	id := r.draftOf(t, owner)
	for _, step := range []views.SetupPage{views.SetupBasics, views.SetupHours, views.SetupParties, views.SetupTerms} {
		form := fieldsOf(at)
		form.Set(views.FieldAction, "save")
		if step == views.SetupBasics {
			form.Set("address.ko", "서울 종로구 북촌로 12")
			form.Set("cuisine", "japanese")
			at.has(t, ">표시하지 않음<", ">부담 없음<", ">최고급<") // nobody has chosen a price band yet
			form.Set("priceBand", "3")
		}
		at = r.send(t, owner, views.SetupPageURL(id, step), form).is(t, 303)
	}
	at.has(t, "사진 올리기", views.SetupPageURL(id, views.SetupMenu)) // the picture, the menu and the seats can be left out
	r.page(t, owner, views.SetupPageURL(id, views.SetupSeats)).is(t, 200).has(t,
		views.SetupPageURL(id, views.SetupPublish))
	r.page(t, owner, views.SetupPageURL(id, views.SetupPublish)).is(t, 200).has(t, "지금 공개하기")
	overview := r.page(t, owner, views.SetupURL(id)).is(t, 200)
	for _, page := range []views.SetupPage{views.SetupPicture, views.SetupMenu, views.SetupSeats, views.SetupCoupons,
		views.SetupClosures, views.SetupPreview, views.SetupRehearsal, views.SetupWebhooks} {
		overview.has(t, `href="`+views.SetupPageURL(id, page)+`"`)
		r.page(t, owner, views.SetupPageURL(id, page)).is(t, 200)
	}
	// the drawing suits the cuisine
	r.page(t, owner, views.SetupPageURL(id, views.SetupPreview)).is(t, 200).has(t, "미리보기입니다", "새 식당", "sushi",
		"가격대: 고급").
		hasNot(t, "/book?")
	r.send(t, owner, views.SetupPageURL(id, views.SetupPublish), url.Values{}).is(t, 303).has(t, "식당을 공개했습니다")
	if shown := r.get(t, person{}, fmt.Sprintf("/api/restaurants/%d", id)).
		want(t, 200, ""); len(shown.list(t, "hours")) != 14 {
		t.Errorf("diners see %s", shown.raw)
	}
	r.page(t, owner, views.SetupURL(id)).is(t, 200).has(t, "손님에게 공개되어 있습니다")
}

// draftOf is the restaurant that somebody has opened.
func (r *harness) draftOf(t *testing.T, who person) int64 {
	t.Helper()
	return int64(r.get(t, who, "/api/staff/restaurants").want(t, 200, "").list(t, "restaurants")[0]["id"].(float64))
}

// hoursOf are the weekdays of a form with when they open.
func hoursOf(form url.Values) string {
	var days []string
	for name := range form {
		if row, ok := strings.CutSuffix(name, ".weekday"); ok {
			days = append(days, form.Get(name)+" "+form.Get(row+".from"))
		}
	}
	slices.Sort(days)
	return strings.Join(days, ", ")
}

// A button that adds a row stores nothing and keeps what was typed; bad input is named beside its field; a change that
// touches bookings waits for being confirmed; a form over an old version is refused and keeps what was typed.
func TestSetupPages_KeepWhatWasTyped(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	owner := r.staffAs(t, r.restaurant.ID, identity.RoleOwner)
	terms, hours := views.SetupPageURL(r.restaurant.ID, views.SetupTerms),
		views.SetupPageURL(r.restaurant.ID, views.SetupHours)
	form := fieldsOf(r.page(t, owner, terms).is(t, 200).has(t, "10,000"))
	form.Set("refunds[0].percent", "abc")
	form.Set(views.FieldAction, "add:refunds")
	added := r.send(t, owner, terms, form).is(t, 200).has(t, `value="abc"`, `name="refunds[1].percent"`)
	form = fieldsOf(added)
	form.Set(views.FieldAction, "save")
	r.send(t, owner, terms, form).is(t, 422).has(t, `value="abc"`, `aria-invalid="true"`)
	form.Set("refunds[0].percent", "80")
	r.send(t, owner, terms, form).is(t, 303).has(t, "저장했습니다")
	r.send(t, owner, terms, form).is(t, 409).has(t, "다른 사람이", `value="80"`)

	r.confirm(t, r.slot("19:00"), 2)
	form = fieldsOf(r.page(t, owner, hours).is(t, 200))
	form.Set(views.FieldAction, "preset:lunch")
	form = fieldsOf(r.send(t, owner, hours, form).is(t, 200).has(t, `value="11:30"`))
	form.Set(views.FieldAction, "close:1")
	if closed := fieldsOf(r.send(t, owner, hours, form).is(t, 200).has(t, "열지 않습니다")); closed.Has("weekly[6].from") ||
		!closed.Has("weekly[5].from") {
		t.Errorf("closed on Mondays: %v", closed)
	}
	evening := maps.Clone(form)
	evening.Set("weekly[1].from", "17:30") // of Monday
	evening.Set(views.FieldAction, "copy:1:weekdays")
	evening = fieldsOf(r.send(t, owner, hours, evening).is(t, 200))
	if from := hoursOf(evening); from != "0 11:30, 1 17:30, 2 17:30, 3 17:30, 4 17:30, 5 17:30, 6 11:30" {
		t.Errorf("Monday on weekdays: %s", from)
	}
	evening.Set(views.FieldAction, "copy:3:weekend")
	if from := hoursOf(fieldsOf(r.send(t, owner, hours, evening).is(t, 200))); strings.Contains(from, "11:30") {
		t.Errorf("Wednesday at the weekend: %s", from)
	}
	form.Set(views.FieldAction, "save")
	wrong := maps.Clone(form)
	wrong.Set("weekly[1].from", "noon")
	r.send(t, owner, hours, wrong).is(t, 422).has(t, "월 · 첫 예약: 시간을 골라")
	asked := r.send(t, owner, hours, form).is(t, 200).has(t, "1건이 새 규칙에 맞지 않습니다", "영업 시간 밖")
	if is, err := r.Stores.Catalog.FindAtWork(t.Context(), r.restaurant.ID); err != nil || len(is.Hours) != 7 ||
		is.Hours[0].From != "08:00" {
		t.Errorf("stored before it was confirmed: %+v, %v", is.Hours, err)
	}
	form = fieldsOf(asked)
	form.Set(views.FieldAction, "save")
	r.send(t, owner, hours, form).is(t, 303).has(t, "저장했습니다")
}
