package web

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/auth"
	"lunchgo/app/web/flash"
	"lunchgo/views"
)

// signOut answers POST /signout. The session is revoked, not only forgotten by this browser; where that is not possible
// now, the browser stays signed in and says so.
func (s *site) signOut(c *fiber.Ctx) error {
	if session, err := auth.Session(c); err == nil {
		if err := s.Identity.Sessions.Revoke(c.UserContext(), session); err != nil {
			return err
		}
		flash.Set(c, views.FlashInfo, "flash.signed_out")
	}
	s.Guard.ClearCookie(c)
	return redirect(c, views.HomeURL())
}
