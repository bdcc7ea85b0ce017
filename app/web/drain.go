package web

import (
	"sync/atomic"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/stack"
)

// Drain has /readyz answer 503 and each connection end with its next answer, so that a proxy sends nothing more here.
// All else is served as before, until Shutdown.
func (s *Server) Drain() {
	s.ops.Stop()
	s.draining.Store(true)
}

// closeConnections ends connections with their answers once draining. A proxy keeps connections for later requests; one
// that a later request meets while the server closes it leaves that request without an answer.
func closeConnections(draining *atomic.Bool) fiber.Handler {
	return func(c *fiber.Ctx) error {
		stack.Reserve()
		err := c.Next()
		if draining.Load() {
			c.Context().SetConnectionClose()
		}
		return err
	}
}
