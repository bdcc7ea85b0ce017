package webtest

import (
	"maps"
	"net/http"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/setup"
	"lunchgo/views"
)

// moveTo has an owner give their restaurant another slug.
func (r *harness) moveTo(t *testing.T, of booking.Restaurant, slug string) answer {
	t.Helper()
	r.restaurant = of
	owner, path := r.staffAs(t, of.ID, identity.RoleOwner), r.setupPath(setup.DocSettings)
	is := r.get(t, owner, path).want(t, http.StatusOK, "")
	next := maps.Clone(is.json)
	next["slug"] = slug
	return r.writeOver(t, owner, path, is.header.Get("ETag"), next)
}

// Owners choose the address of their pages. Those before go on leading there, and nobody else gets them.
func TestSlug_ChosenByTheOwner(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	place, before := r.restaurant, r.restaurant.Slug
	other, _ := r.newRestaurant(t, "other")
	for _, wrong := range []string{"ab", "Sol-Bap", "sol--bap", "-sol", "솔밥", "sol/bap", "rehearsal-1",
		"a-slug-that-is-longer-than-any-one-would-type"} {
		if a := r.moveTo(t, place, wrong); a.status != 422 && a.status != 400 {
			t.Errorf("%s: %s", wrong, a.raw)
		}
	}
	r.moveTo(t, place, other.Slug).want(t, 422, "invalid").has(t, "taken")
	r.moveTo(t, place, "sol-bap").want(t, http.StatusOK, "")
	for path, want := range map[string]string{
		views.RestaurantURL(before) + "?party=3":      views.RestaurantURL("sol-bap") + "?party=3",
		views.EnglishURL(views.RestaurantURL(before)): views.EnglishURL(views.RestaurantURL("sol-bap")),
	} {
		if a := r.page(t, person{}, path).is(t, http.StatusMovedPermanently); a.header.Get("Location") != want {
			t.Errorf("%s leads to %s", path, a.header.Get("Location"))
		}
	}
	r.page(t, person{}, views.RestaurantURL("sol-bap")).is(t, http.StatusOK)
	r.page(t, person{}, views.WidgetURL(before)).is(t, http.StatusOK)
	r.moveTo(t, other, before).want(t, 422, "invalid").has(t, "taken")
	r.moveTo(t, place, before).want(t, http.StatusOK, "")
	r.page(t, person{}, views.RestaurantURL("sol-bap")).is(t, http.StatusMovedPermanently)
	r.moveTo(t, other, "sol-bap").want(t, 422, "invalid").has(t, "taken")
	r.moveTo(t, place, "").want(t, http.StatusOK, "")
	r.page(t, person{}, views.RestaurantURL(before)).is(t, http.StatusOK)
}
