// Package staff is the restaurant's side: tonight's slots as they fill, who comes, and what can be done about it. Only
// staff of a restaurant see it; every act is written down by the store.
package staff

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/web/sse"
	"lunchgo/views"
)

// Deps is what the staff pages work with.
type Deps struct {
	Identity *identity.Service
	Bookings *booking.Service
	Streams  sse.Streams
	// Frame is what every page shows around its content.
	Frame func(c *fiber.Ctx) (views.Frame, error)
}

// Pages answers the requests of staff.
type Pages struct {
	Deps
}

// New returns the staff pages over their parts.
func New(deps Deps) *Pages { return &Pages{Deps: deps} }

// Mount adds the routes. The server must have put auth.Guard.Identify and auth.SameSite in front of them.
func (p *Pages) Mount(r fiber.Router) {
}
