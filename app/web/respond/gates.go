package respond

import "github.com/gofiber/fiber/v2"

// Gates are handlers that a request passes before the one of its route. Each route names those that bound it: the
// limiters first, since they cost the least, then the load shedder.
type Gates struct {
	Shed    fiber.Handler // admits a bounded number of requests to the database at once
	Press   fiber.Handler // counts what wants a turn: bookings and coupon claims
	Change  fiber.Handler // counts what changes a reservation, a wallet or a place on a waitlist, and quotes
	Stream  fiber.Handler // counts event streams while they are open
	Letters fiber.Handler // refuses what rests on a letter, where none are sent
	// Provider is Shed for what may wait for the payment provider: a slow one keeps no other page waiting.
	Provider fiber.Handler
}

// OpenGates returns gates that let every request pass.
func OpenGates() Gates {
	pass := func(c *fiber.Ctx) error { return c.Next() }
	return Gates{Shed: pass, Press: pass, Change: pass, Stream: pass, Letters: pass, Provider: pass}
}

// NoLetters is the gate Letters of an installation that sends none: nobody would get the link.
func NoLetters(*fiber.Ctx) error { return Letters }

// heldStream is where a request stores the place among the streams that it was given.
type heldStream struct{}

// HoldStream goes on with a request that was given a place among the event streams. release is called when the stream
// ends that the request opens, or at once if it opens none.
func HoldStream(c *fiber.Ctx, release func()) error {
	c.Locals(heldStream{}, release)
	defer func() { takeStream(c)() }()
	return c.Next()
}

// takeStream returns what gives the place of the request back, once; nothing to give back after that.
func takeStream(c *fiber.Ctx) (release func()) {
	release, ok := c.Locals(heldStream{}).(func())
	if !ok {
		return func() {}
	}
	c.Locals(heldStream{}, nil)
	return release
}
