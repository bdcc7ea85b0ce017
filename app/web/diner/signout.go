package diner

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// signOut answers POST /signout. The session is revoked, not only forgotten by this browser; where that is not possible
// now, the browser stays signed in and says so.
func (s *Pages) signOut(c *fiber.Ctx) error {
	if session, err := respond.Session(c); err == nil {
		if err := s.Identity.Sessions.Revoke(c.UserContext(), session); err != nil {
			return err
		}
		respond.SetFlash(c, views.FlashInfo, "flash.signed_out")
	}
	s.Sessions.ClearCookie(c)
	respond.ForgetTickets(c)
	return respond.Redirect(c, views.HomeURL())
}
