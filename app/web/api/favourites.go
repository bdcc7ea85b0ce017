package api

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/app/web/access"
	"lunchgo/app/web/respond"
)

func (a *API) favouritesRoutes() group {
	return group{"favourites", "Restaurants that diners save for later.", []operation{
		{route: "GET /favourites", id: "listFavourites", right: access.SignedIn,
			run:     lists("restaurants", respond.Session, a.listFavourites),
			summary: "The restaurants that the diner has saved, the latest first",
			says:    "The restaurants."},
		{route: "PUT /favourites/{id}", id: "saveFavourite", right: access.SignedIn, limit: ofChanges,
			path:    []parameter{{name: "id", is: number, says: "Of the restaurant."}},
			run:     does(a.favouriteOf, a.saveFavourite),
			summary: "Save a restaurant",
			text:    "A repeat is no fault. A diner saves 200 at most.",
			says:    "It is saved.", refuses: []string{"too_many_favourites"}},
		{route: "DELETE /favourites/{id}", id: "removeFavourite", right: access.SignedIn, limit: ofChanges,
			path:    []parameter{{name: "id", is: number, says: "Of the restaurant."}},
			run:     does(a.favouriteID, a.removeFavourite),
			summary: "Remove a restaurant from those that are saved",
			says:    "It is not saved."},
	}}
}

func (a *API) listFavourites(c *fiber.Ctx, by identity.Session, page keyset.Request) (keyset.Page[restaurant], error) {
	lang := speak(c)
	show := func(r booking.Restaurant) restaurant { return newRestaurant(lang, r) }
	return as(paged(show))(a.Favourites.ListRestaurants(c.UserContext(), by.UserID, page))
}

// favourite is a restaurant that somebody saves, or saves no longer.
type favourite struct {
	by           identity.Session
	restaurantID int64
}

func (a *API) favouriteOf(c *fiber.Ctx) (f favourite, err error) {
	if f.by, err = respond.Session(c); err != nil {
		return f, err
	}
	r, err := a.restaurantOf(c)
	f.restaurantID = r.ID
	return f, err
}

func (a *API) saveFavourite(c *fiber.Ctx, f favourite) error {
	return a.Favourites.Save(c.UserContext(), f.by.UserID, f.restaurantID)
}

// favouriteID is favouriteOf for one that may not be published any more.
func (a *API) favouriteID(c *fiber.Ctx) (f favourite, err error) {
	if f.by, err = respond.Session(c); err == nil {
		f.restaurantID, err = respond.NumberParam(c, "id")
	}
	return f, err
}

func (a *API) removeFavourite(c *fiber.Ctx, f favourite) error {
	return a.Favourites.Remove(c.UserContext(), f.by.UserID, f.restaurantID)
}
