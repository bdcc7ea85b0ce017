package diner

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// askDelete answers GET /account/delete.
func (s *Pages) askDelete(c *fiber.Ctx, session identity.Session) error {
	return s.showDelete(c, session, fiber.StatusOK, nil)
}

// showDelete says what deleting does, or what has to be done before.
func (s *Pages) showDelete(c *fiber.Ctx, session identity.Session, status int, errs views.FieldErrors) error {
	own, err := s.Accounts.Store.FindUser(c.UserContext(), session.UserID)
	if err != nil {
		return err
	}
	obstacles, err := s.Accounts.Store.FindObstacles(c.UserContext(), session.UserID)
	if err != nil {
		return err
	}
	page := views.AccountDelete{Layout: s.layout(c), Email: own.Email, Fresh: session.IsFresh(s.Accounts.Now()),
		More: obstacles.Reservations - len(obstacles.ReservationIDs), Money: obstacles.Balance, Errors: errs}
	page.Path = views.AccountDeleteURL()
	if err := s.addObstacles(c, &page, obstacles); err != nil {
		return err
	}
	return respond.Render(c, status, pages.AccountDelete(page))
}

// addObstacles names the reservations and restaurants that keep an account from being deleted.
func (s *Pages) addObstacles(c *fiber.Ctx, page *views.AccountDelete, obstacles identity.Obstacles) error {
	ctx := c.UserContext()
	for _, id := range obstacles.ReservationIDs {
		r, err := s.Bookings.Reservations.Find(ctx, id)
		if err != nil {
			return err
		}
		b, err := s.booked(ctx, r)
		if err != nil {
			return err
		}
		page.Reservations = append(page.Reservations,
			views.AccountReservation{ID: id, Restaurant: b.restaurant.Name.In(page.Lang), At: b.at})
	}
	for _, id := range obstacles.RestaurantIDs {
		restaurant, err := s.Bookings.Catalog.FindRestaurant(ctx, id)
		if err != nil {
			return err
		}
		page.Restaurants = append(page.Restaurants, restaurant.Name.In(page.Lang))
	}
	return nil
}

// deleteAccount answers POST /account/delete.
func (s *Pages) deleteAccount(c *fiber.Ctx, session identity.Session) error {
	password := respond.FormValue(c, views.FieldPassword)
	err := s.Limits.Prove(c.UserContext(), session.UserID,
		func() error { return s.Accounts.Delete(c.UserContext(), session, password) })
	switch {
	case err == nil:
		s.Layouts.Forget(session.UserID)
		respond.SetFlash(c, views.FlashInfo, "flash.account_deleted")
		s.Sessions.ClearCookie(c)
		return respond.Redirect(c, views.HomeURL())
	case isObstacle(err):
		return s.showDelete(c, session, fiber.StatusConflict, nil)
	}
	status, errs := proofErrors(c, err)
	if errs == nil {
		return err
	}
	return s.showDelete(c, session, status, errs)
}

func isObstacle(err error) bool {
	return errors.Is(err, identity.ErrReservationsLeft) || errors.Is(err, identity.ErrBalanceLeft) ||
		errors.Is(err, identity.ErrOnlyOwner)
}
