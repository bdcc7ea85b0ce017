package diner

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/push"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// subscribe answers POST /account/push, which the script of the waiting page sends.
func (s *Pages) subscribe(c *fiber.Ctx, session identity.Session) error {
	if err := s.Push.Subscribe(c.UserContext(), session, respond.Subscription(c)); err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}

// pushOf is how the browser of a request can be pushed to about a slot.
func (s *Pages) pushOf(c *fiber.Ctx, slot booking.SlotKey) views.Push {
	to := respond.Push(c, s.Push)
	to.Tag = push.TagOf(slot)
	return to
}
