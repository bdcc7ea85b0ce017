package web

import (
	"reflect"
	"slices"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
)

// RoutesPastShedder lists the mounted routes, as "GET /path", that a request takes without being admitted by the load
// shedder, and how many routes there are.
func (s *Server) RoutesPastShedder() (past []string, all int) {
	admit := reflect.ValueOf((&respond.LoadShedder{}).Admit).Pointer() // one for the method of all shedders
	for _, route := range s.app.GetRoutes(true) {
		if route.Method == fiber.MethodHead { // Fiber adds it to every GET
			continue
		}
		all++
		if !slices.ContainsFunc(route.Handlers, func(h fiber.Handler) bool { return reflect.ValueOf(h).Pointer() == admit }) {
			past = append(past, route.Method+" "+route.Path)
		}
	}
	return past, all
}
