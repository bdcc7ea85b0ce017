package diner

import (
	"cmp"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// favourites answers GET /favourites.
func (s *Pages) favourites(c *fiber.Ctx, session identity.Session) error {
	asked, err := respond.ReadPageAfter(c, views.FieldAfter)
	if err != nil {
		return err
	}
	saved, err := s.Favourites.ListRestaurants(c.UserContext(), session.UserID, asked)
	if err != nil {
		return err
	}
	return respond.Render(c, fiber.StatusOK, pages.Favourites(views.Favourites{Layout: s.layout(c), Saved: saved.Items,
		Pager: respond.Pager(c, views.FavouritesURL(), views.FieldAfter, saved.Next)}))
}

// favourite finds who saves the restaurant of the path.
func (s *Pages) favourite(c *fiber.Ctx) (session identity.Session, r booking.Restaurant, err error) {
	if session, err = respond.Session(c); err == nil {
		r, err = s.Bookings.Catalog.FindRestaurantBySlug(c.UserContext(), c.Params("slug"))
	}
	return session, r, err
}

// saveFavourite answers POST /restaurants/:slug/favourite.
func (s *Pages) saveFavourite(c *fiber.Ctx, session identity.Session, r booking.Restaurant) error {
	if err := s.Favourites.Save(c.UserContext(), session.UserID, r.ID); err != nil {
		return err
	}
	respond.SetFlash(c, views.FlashSuccess, "flash.favourite_saved")
	return respond.Redirect(c, nextOr(c, views.RestaurantURL(r.Slug)))
}

// removeFavourite answers POST /restaurants/:slug/favourite/remove.
func (s *Pages) removeFavourite(c *fiber.Ctx, session identity.Session, r booking.Restaurant) error {
	if err := s.Favourites.Remove(c.UserContext(), session.UserID, r.ID); err != nil {
		return err
	}
	respond.SetFlash(c, views.FlashInfo, "flash.favourite_removed")
	return respond.Redirect(c, nextOr(c, views.RestaurantURL(r.Slug)))
}

// nextOr is where a form says to go afterwards, or else another page.
func nextOr(c *fiber.Ctx, otherwise string) string {
	return cmp.Or(respond.NextPath(respond.FormValue(c, views.FieldNext)), otherwise)
}

// isSaved returns whether the reader has saved a restaurant.
func (s *Pages) isSaved(c *fiber.Ctx, r booking.Restaurant) (bool, error) {
	session, err := respond.Session(c)
	if err != nil {
		return false, nil
	}
	return s.Favourites.Has(c.UserContext(), session.UserID, r.ID)
}
