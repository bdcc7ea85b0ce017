package web

import (
	"reflect"
	"regexp"
	"slices"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
)

var param = regexp.MustCompile(`:\w+`)

// RoutesPastShedder lists the mounted routes, as "GET /path", that a request takes without being admitted by the load
// shedder, and how many routes there are. A second route of the same address goes on where the first one has passed it.
func (s *Server) RoutesPastShedder() (past []string, all int) {
	admit := reflect.ValueOf((&respond.LoadShedder{}).Admit).Pointer() // one for the method of all shedders
	admitted := map[string]bool{}
	for _, route := range s.app.GetRoutes(true) {
		if route.Method == fiber.MethodHead { // Fiber adds it to every GET
			continue
		}
		all++
		address := route.Method + " " + param.ReplaceAllString(route.Path, ":")
		isAdmit := func(h fiber.Handler) bool { return reflect.ValueOf(h).Pointer() == admit }
		switch {
		case slices.ContainsFunc(route.Handlers, isAdmit):
			admitted[address] = true
		case !admitted[address]:
			past = append(past, route.Method+" "+route.Path)
		}
	}
	return past, all
}
