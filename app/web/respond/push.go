package respond

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/push"
	"lunchgo/views"
)

// Subscription is that of the browser which sent a form; without an endpoint for none.
func Subscription(c *fiber.Ctx) push.Subscription {
	return push.Subscription{
		Endpoint: FormValue(c, views.FieldEndpoint), P256dh: FormValue(c, views.FieldP256dh),
		Auth: FormValue(c, views.FieldAuth), Key: FormValue(c, views.FieldPushKey)}
}

// Push is how the browser of a request can be pushed to; empty without a session.
func Push(c *fiber.Ctx, pushes *push.Service) views.Push {
	session, err := Session(c)
	if err != nil {
		return views.Push{}
	}
	return views.Push{Key: pushes.Keys[0].Public(), Session: session.ID}
}
