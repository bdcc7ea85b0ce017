package webtest

import (
	"fmt"
	"image/color"
	"strings"
	"testing"

	"lunchgo/app/identity"
	"lunchgo/views"
)

// A manager fills the gallery by form, orders it and takes a photo out; diners see it in that order, with the story and
// the way, on the page and by the API.
func TestGallery_ByForm(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, quickCatalog())
	r.mustExec(t, `
		UPDATE restaurants
		SET story_ko = E'장독대에서\n시작한 집', directions_ko = '안국역 2번 출구', photos = '["pub", "table"]'
		WHERE id = $1`, r.restaurant.ID)
	manager, path := r.staffAs(t, r.restaurant.ID, identity.RoleManager), views.ContentsPictureURL(r.restaurant.ID)
	press := func(action, picture, file string) answer {
		form := map[string]string{views.FieldAction: action, views.FieldPicture: picture,
			views.FieldVersion: r.documentTag(t, manager, "gallery")}
		return r.sendFile(t, manager, path, file, form)
	}
	r.page(t, manager, path).is(t, 200).has(t, `type="file"`, `name="photo"`, "앞으로: 사진 2")
	press(views.ActionAddPhoto, "", "").is(t, 422).has(t, "골라 주세요", `aria-invalid="true"`)
	press(views.ActionAddPhoto, "", "<svg></svg>").is(t, 422).has(t, "JPEG")
	press(views.ActionAddPhoto, "", photo(t, color.Gray{90})).is(t, 303)
	press(views.ActionEarlier, "table", "").is(t, 303)
	press(views.ActionRemovePhoto, "pub", "").is(t, 303)
	page := r.page(t, person{}, views.RestaurantURL(r.restaurant.Slug)).is(t, 200).has(t, "장독대에서\n시작한 집",
		"안국역 2번 출구", `alt="담담반상 사진 2"`)
	page.hasNot(t, "pictures/pub", `alt="담담반상 사진 3"`)
	table, own := strings.Index(string(page.raw), "pictures/table"), strings.LastIndex(string(page.raw), `src="/pictures/`)
	if table < 0 || own < table {
		t.Errorf("the table is at %d, the photo at %d", table, own)
	}
	shown := r.get(t, person{}, fmt.Sprintf("/api/restaurants/%d", r.restaurant.ID)).want(t, 200, "")
	if photos, _ := shown.json["photos"].([]any); len(photos) != 2 || shown.text(t, "directions") != "안국역 2번 출구" {
		t.Errorf("the API says %v", shown.json)
	}
	host := r.staff(t, r.restaurant.ID)
	r.sendFile(t, host, path, "", map[string]string{views.FieldAction: views.ActionRemovePhoto,
		views.FieldPicture: "table", views.FieldVersion: r.documentTag(t, manager, "gallery")}).is(t, 403)
	r.sendFile(t, manager, path, "", map[string]string{views.FieldAction: views.ActionRemovePhoto,
		views.FieldPicture: "table", views.FieldVersion: `"older"`}).is(t, 409)
}

// documentTag is the version of a document of the restaurant's set-up.
func (r *harness) documentTag(t *testing.T, as person, name string) string {
	t.Helper()
	return r.get(t, as, r.api(r.restaurant.ID, name)).want(t, 200, "").header.Get("ETag")
}
