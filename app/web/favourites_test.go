package web_test

import (
	"strings"
	"testing"

	"lunchgo/views"
)

// A diner saves a restaurant, finds it in the list, and removes it there. Somebody who is not signed in does that first.
func TestFavourites_AreSavedAndRemoved(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	path := views.RestaurantURL("haru")
	stranger := h.browser()
	if links := stranger.open(path).must(200).links("/signin?next="); len(links) == 0 {
		t.Error("a stranger is not asked to sign in")
	}
	stranger.post(views.FavouriteURL("haru"), nil).must(303)
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
