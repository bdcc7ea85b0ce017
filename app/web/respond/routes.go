package respond

import (
	"sync"

	"github.com/gofiber/fiber/v2"
)

// unknownRoute names every address without a route.
const unknownRoute = "unknown"

// Routes names requests by their routes' patterns, for logs and figures: what people put into addresses, tokens and ids
// among it, is in no pattern.
type Routes struct {
	list     sync.Once
	patterns map[string]bool // of all routes that are no middleware
}

// Of is the pattern of the route that answered, such as "/offers/:token"; "unknown" where the request never reached
// one.
func (r *Routes) Of(c *fiber.Ctx) string {
	r.list.Do(func() {
		r.patterns = map[string]bool{}
		for _, route := range c.App().GetRoutes(true) {
			r.patterns[route.Path] = true
		}
	})
	// Middleware is a route of Fiber's too, at "/". What was no request yet has its own path for a route.
	if pattern := c.Route().Path; r.patterns[pattern] && (pattern != "/" || c.Path() == "/") {
		return pattern
	}
	return unknownRoute
}
