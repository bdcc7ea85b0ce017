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
	remove := views.FavouriteRemoveURL(h.restaurant.ID)
	b.post(views.FavouriteURL("haru"), saved.form(remove)).must(303) // again
	list := b.open(views.FavouritesURL()).must(200, "Haru Table")
	if export := b.get("/account/export").must(200).body; !strings.Contains(export, `"favourites": [`) ||
		!strings.Contains(export, `"restaurantId":`) {
		t.Errorf("the export is %s", export)
	}
	h.signedIn(0).open(views.FavouritesURL()).must(200, "No saved restaurants")
	b.send(list, remove).must(200, "No longer saved.", "No saved restaurants")
	b.post(views.FavouriteURL("none"), nil).must(404)
}

// A stranger who presses "Save" signs up or in, and comes back to the page that they left, with the restaurant saved.
// It is the press that signs in that saves: no page does, and no address leads to another site.
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
	b.send(list, views.FavouriteRemoveURL(h.restaurant.ID)).must(200)

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

// A restaurant that is not published any more is still among what its diner has saved, and can be removed.
func TestFavourites_NoLongerPublished(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	b := h.signedIn(0)
	b.must(h.Favourites.Save(t.Context(), b.user.ID, h.restaurant.ID))
	h.exec(`UPDATE restaurants SET state = 'draft' WHERE id = $1`, h.restaurant.ID)
	h.Favourites.Catalog = h.Stores.Catalog // a catalogue that is cached learns it later
	list := b.open(views.FavouritesURL()).must(200, "Haru Table", "Not open at present")
	if links := list.links(views.RestaurantURL("haru")); len(links) > 0 {
		t.Errorf("the list leads to %v", links)
	}
	b.send(list, views.FavouriteRemoveURL(h.restaurant.ID)).must(200, "No longer saved.", "No saved restaurants")
}

// The page of a restaurant is there where its reader's favourites are not.
func TestFavourites_PageGoesOnWithoutThem(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.exec(`ALTER TABLE favourites RENAME TO favourites_away`)
	h.signedIn(0).open(views.RestaurantURL("haru")).must(200, "Haru Table")
}
