package webtest

import (
	"image/color"
	"strings"
	"testing"

	"lunchgo/app/identity"
	"lunchgo/app/setup"
	"lunchgo/views"
)

// A manager uploads the restaurant's own picture by form, diners see it in two sizes, and it can be taken away again.
// What another restaurant has uploaded is refused, by form and by document.
func TestRestaurantPicture_ByForm(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, quickCatalog())
	manager, path := r.staffAs(t, r.restaurant.ID, identity.RoleManager), views.ContentsPictureURL(r.restaurant.ID)
	form := map[string]string{views.FieldVersion: r.documentTag(t, manager, "picture"),
		views.FieldAction: views.ActionUpload}
	r.sendFile(t, manager, path, "", form).is(t, 422).has(t, "골라 주세요", `aria-invalid="true"`)
	r.sendFile(t, manager, path, "<svg></svg>", form).is(t, 422).has(t, "JPEG", `aria-invalid="true"`)
	r.sendFile(t, manager, path, photo(t, color.Gray{90}), form).is(t, 303)
	shown := r.page(t, manager, path).is(t, 200).has(t, "담담반상 사진", "사진을 내리고")
	r.sendFile(t, manager, path, photo(t, color.Gray{91}), form).is(t, 409) // over the version before
	for _, page := range []string{"/", views.RestaurantURL(r.restaurant.Slug)} {
		r.page(t, person{}, page).is(t, 200).has(t, `srcset="/pictures/`, "-400.jpg 400w, ",
			`width="1200" height="675"`, `alt="담담반상 사진"`)
	}
	_, hash, _ := strings.Cut(string(shown.raw), "/pictures/")
	r.refuseForeignPicture(t, hash[:64])
	delete(form, views.FieldAction)
	form[views.FieldVersion], form[views.FieldPicture] = r.documentTag(t, manager, "picture"), "pasta"
	r.sendFile(t, manager, path, "", form).is(t, 303)
	r.page(t, person{}, views.RestaurantURL(r.restaurant.Slug)).is(t, 200).has(t, "pictures/pasta").hasNot(t,
		"srcset=\"/pictures/")
	host := r.staff(t, r.restaurant.ID)
	r.page(t, host, path).is(t, 403)
	r.sendFile(t, host, path, "", form).is(t, 403)
}

// refuseForeignPicture has another restaurant name a picture.
func (r *harness) refuseForeignPicture(t *testing.T, hash string) {
	t.Helper()
	other, _ := r.newRestaurant(t, "another")
	owner := r.staffAs(t, other.ID, identity.RoleOwner)
	d := document{path: r.api(other.ID, "picture"), as: owner}
	var shown setup.ShownPicture
	r.read(t, &d, &shown)
	for _, wrong := range []string{hash, strings.Repeat("0", 64), "", "../logo"} {
		got := r.write(t, d, setup.ShownPicture{Picture: wrong}).want(t, 422, "invalid").fieldsOf(t)
		if len(got) != 1 || got[0] != "picture unknown" {
			t.Errorf("%q: %v", wrong, got)
		}
	}
	d = document{path: r.api(other.ID, "settings"), as: owner}
	var settings setup.Settings
	r.read(t, &d, &settings)
	settings.Picture = hash
	r.write(t, d, settings).want(t, 422, "invalid")
	form := map[string]string{views.FieldVersion: setup.TagOf(other, setup.DocPicture), views.FieldPicture: hash}
	r.sendFile(t, owner, views.ContentsPictureURL(other.ID), "", form).is(t, 422)
}
