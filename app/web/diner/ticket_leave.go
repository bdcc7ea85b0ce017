package diner

import (
	"errors"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/web/respond"
	"lunchgo/locks"
	"lunchgo/views"
)

// leaveLine answers POST /tickets/:ticket/leave. Whose turn has come this very moment has not left: the ticket's page
// shows what the turn gave.
func (s *Pages) leaveLine(c *fiber.Ctx, session identity.Session) error {
	pass := c.Params("ticket")
	if err := s.Room.Leave(c.UserContext(), pass, session.UserID); err != nil && !errors.Is(err, locks.ErrServing) {
		return err
	}
	return respond.Redirect(c, views.TicketURL(pass))
}
