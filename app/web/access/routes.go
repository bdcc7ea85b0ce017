package access

import (
	"slices"

	"github.com/gofiber/fiber/v2"
)

// Route is an address, and who may use it.
type Route struct {
	Method string
	Path   string // as Fiber has it, such as "/reservations/:id"
	Right  Right
}

// Routes registers routes with a router, each with who may use it, and lists them.
type Routes struct {
	router fiber.Router
	list   []Route
}

// NewRoutes returns an empty list over a router.
func NewRoutes(router fiber.Router) *Routes { return &Routes{router: router} }

// Get registers a route of method GET, and so of HEAD. The handlers run in their order, after the right's own.
func (r *Routes) Get(path string, right Right, handlers ...fiber.Handler) {
	r.Record(fiber.MethodGet, path, right)
	if right != Anyone {
		handlers = slices.Concat([]fiber.Handler{right.Admit}, handlers)
	}
	r.router.Get(path, handlers...)
}

// Record lists a route that something else registers, which has to check the right with Check. The path is the whole
// one.
func (r *Routes) Record(method, path string, right Right) {
	r.list = append(r.list, Route{Method: method, Path: path, Right: right})
}

// List is every route so far, in the order of registration.
func (r *Routes) List() []Route { return slices.Clone(r.list) }
