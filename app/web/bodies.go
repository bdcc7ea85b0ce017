package web

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"lunchgo/app/web/respond"
)

// largeReadTimeout is of a request with a large body: a picture from a telephone on a slow network.
const largeReadTimeout = 60 * time.Second

// largeBodies are the routes that read more than maxBody, by the end of their addresses below those of restaurants' staff.
var largeBodies = []struct {
	method string
	prefix string
	holds  func(rest []string) bool // what follows the restaurant's id
	bytes  int
}{
	{fiber.MethodPost, "/api/staff/restaurants/", is("pictures"), respond.MaxUpload},
	{fiber.MethodPut, "/api/staff/restaurants/", is("menu"), respond.MaxDocument},
	{fiber.MethodPut, "/api/staff/restaurants/", is("seats"), respond.MaxDocument},
	{fiber.MethodPost, "/staff/restaurants/", is("setup", "seats"), respond.MaxDocument},
	{fiber.MethodPost, "/staff/restaurants/", is("setup", "picture"), respond.MaxUpload + maxBody},
	{fiber.MethodPost, "/staff/restaurants/", is("setup", "menu", "*"), respond.MaxUpload + maxBody},
}

func is(want ...string) func(rest []string) bool {
	return func(rest []string) bool {
		return slices.EqualFunc(want, rest, func(want, part string) bool { return want == "*" || want == part })
	}
}

// limitBodies says how much of a request's body is read: more than usual on some routes, for those who are signed in.
func limitBodies(guard respond.Authenticator) func(h *fasthttp.RequestHeader) fasthttp.RequestConfig {
	return func(h *fasthttp.RequestHeader) fasthttp.RequestConfig {
		path, _, _ := bytes.Cut(h.RequestURI(), []byte("?"))
		for _, route := range largeBodies {
			below, ok := strings.CutPrefix(string(path), route.prefix)
			if !ok || string(h.Method()) != route.method || !route.holds(strings.Split(below, "/")[1:]) || !guard.IsSignedIn(h) {
				continue
			}
			return fasthttp.RequestConfig{MaxRequestBodySize: route.bytes, ReadTimeout: largeReadTimeout}
		}
		return fasthttp.RequestConfig{}
	}
}
