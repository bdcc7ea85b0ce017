package web_test

import (
	"strings"
	"testing"

	"lunchgo/views"
)

// A diner saves a restaurant, finds it in the list, and removes it there.
func TestFavourites_AreSavedAndRemoved(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	path := views.RestaurantURL("haru")
	b := h.signedIn(0)
	b.open(views.FavouritesURL()).must(200, "No saved restaurants")
	saved := b.send(b.open(path), views.FavouriteURL("haru")).must(200, "Saved.", "Haru Table")
	b.post(views.FavouriteURL("haru"), saved.form(views.FavouriteRemoveURL("haru"))).must(303) // again
	list := b.open(views.FavouritesURL()).must(200, "Haru Table")
	if export := b.get("/account/export").must(200).body; !strings.Contains(export, `"favourites": [`) ||
		!strings.Contains(export, `"restaurantId":`) {
		t.Errorf("the export is %s", export)
	}
	h.signedIn(0).open(views.FavouritesURL()).must(200, "No saved restaurants")
	b.send(list, views.FavouriteRemoveURL("haru")).must(200, "No longer saved.", "No saved restaurants")
	b.post(views.FavouriteURL("none"), nil).must(404)
}

// A stranger who presses "Save" signs up or in, and comes back to the page that they left, with the restaurant saved. It
// is the press that signs in that saves: no page does, and no address leads to another site.
func TestFavourites_AreSavedBySigningIn(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	path := views.RestaurantURL("haru") + "?party=3"
	b := h.browser()
	asked := b.send(b.open(path), views.FavouriteURL("haru")).must(200, "Sign in to save the restaurant")
	up := b.open(asked.links("/signup?next=")[0])
	sent := b.send(up, "/signup", "email", "kim@example.com", "name", "Kim", "phone", "010-1234-5678", "password",
		password).must(200)
	b.send(sent, "/signin", "email", "kim@example.com", "password", "wrong password").must(422, "save the restaurant")
	back := b.send(sent, "/signin", "password", password).must(200, "Saved.", "Haru Table")
	if got := back.url.RequestURI(); got != path {
		t.Errorf("signing in leads to %s, want %s", got, path)
	}
	list := b.open(views.FavouritesURL()).must(200, "Haru Table")
	b.send(list, views.FavouriteRemoveURL("haru")).must(200)

	in := b.open(views.SignInToSaveURL("haru", "https://evil.example/")).filled("/signin", "email", "kim@example.com",
		"password", password)
	b.get(views.FavouriteURL("haru"))
	b.open(views.FavouritesURL()).must(200, "No saved restaurants")
	if got := h.browser().post("/signin", in).must(303).header.Get("Location"); got != views.RestaurantURL("haru") {
		t.Errorf("an address of another site leads to %s", got)
	}
	b.open(views.FavouritesURL()).must(200, "Haru Table")

	in.Set("next", views.FavouriteURL("none"))
	other := h.browser()
	other.post("/signin", in).must(404)
	other.open(views.FavouritesURL()).must(200, "Haru Table") // signed in all the same
}
