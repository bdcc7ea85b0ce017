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
	if err := s.Push.Subscribe(c.UserContext(), session, subscriptionOf(c)); err != nil {
		return err
	}
	return c.SendStatus(fiber.StatusNoContent)
}

// subscriptionOf is the subscription of the browser that sent a form; without an endpoint for none.
func subscriptionOf(c *fiber.Ctx) push.Subscription {
	return push.Subscription{
		Endpoint: respond.FormValue(c, views.FieldEndpoint), P256dh: respond.FormValue(c, views.FieldP256dh),
		Auth: respond.FormValue(c, views.FieldAuth), Key: respond.FormValue(c, views.FieldPushKey)}
}

// pushOf is how the browser of a request can be pushed to about a slot.
func (s *Pages) pushOf(c *fiber.Ctx, slot booking.SlotKey) views.Push {
	session, err := respond.Session(c)
	if err != nil {
		return views.Push{}
	}
	return views.Push{Key: s.Push.Keys[0].Public(), Session: session.ID, Tag: push.TagOf(slot)}
}
