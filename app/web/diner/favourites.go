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
	saved, err := s.Favourites.ListSaved(c.UserContext(), session.UserID, asked)
	if err != nil {
		return err
	}
	return respond.Render(c, fiber.StatusOK, pages.Favourites(views.Favourites{Layout: s.layout(c), Saved: saved.Items,
		Pager: respond.Pager(c, views.FavouritesURL(), views.FieldAfter, saved.Next)}))
}

// saveFavourite answers POST /restaurants/:slug/favourite. Who is not signed in does that first, and their sign-in then
// saves the restaurant.
func (s *Pages) saveFavourite(c *fiber.Ctx) error {
	slug, next := c.Params("slug"), respond.FormValue(c, views.FieldNext)
	if session, err := respond.Session(c); err == nil {
		return s.save(c, session, slug, next)
	}
	return respond.Redirect(c, views.SignInToSaveURL(slug, next))
}

// save saves a restaurant, and leads to next, or else to the restaurant's page.
func (s *Pages) save(c *fiber.Ctx, by identity.Session, slug, next string) error {
	r, err := s.Bookings.Catalog.FindRestaurantBySlug(c.UserContext(), slug)
	if err == nil {
		err = s.Favourites.Save(c.UserContext(), by.UserID, r.ID)
	}
	return respond.Done(c, err, cmp.Or(respond.NextPath(next), views.RestaurantURL(r.Slug)), views.FlashSuccess,
		"flash.favourite_saved")
}

// removeFavourite answers POST /favourites/:id/remove. It asks no catalogue: the restaurant may not be published any
// more.
func (s *Pages) removeFavourite(c *fiber.Ctx, session identity.Session) error {
	id, err := respond.NumberParam(c, "id")
	if err != nil {
		return err
	}
	return respond.Done(c, s.Favourites.Remove(c.UserContext(), session.UserID, id),
		cmp.Or(respond.NextPath(respond.FormValue(c, views.FieldNext)), views.FavouritesURL()),
		views.FlashInfo, "flash.favourite_removed")
}

// isSaved returns whether the reader has saved a restaurant; where that cannot be found out, that they have not.
func (s *Pages) isSaved(c *fiber.Ctx, r booking.Restaurant) bool {
	session, err := respond.Session(c)
	if err != nil {
		return false
	}
	saved, err := s.Favourites.Has(c.UserContext(), session.UserID, r.ID)
	if err != nil {
		s.Log.WarnContext(c.UserContext(), "find favourite failed", "error", err) // the page matters more
	}
	return saved
}
