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

// uploadTimeout is how long a request with a large body may be read and worked at, if Config does not say: a picture
// from a telephone on a slow network, which then waits for its turn to be decoded.
const uploadTimeout = 60 * time.Second

// largeBodies are the routes that read more than maxBody, by the end of their addresses below those of restaurants'
// staff.
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

// inStaffs is part of all addresses of largeBodies, so that no other request costs more than to look for it.
var inStaffs = []byte("/staff/restaurants/")

func is(want ...string) func(rest []string) bool {
	return func(rest []string) bool {
		return slices.EqualFunc(want, rest, func(want, part string) bool { return want == "*" || want == part })
	}
}

// largeBody returns how many bytes of a request's body are read on a route that reads more than others; 0 on any other.
func largeBody(h *fasthttp.RequestHeader) int {
	path, _, _ := bytes.Cut(h.RequestURI(), []byte("?"))
	if !bytes.Contains(path, inStaffs) {
		return 0
	}
	for _, route := range largeBodies {
		below, ok := strings.CutPrefix(string(path), route.prefix)
		if ok && string(h.Method()) == route.method && route.holds(strings.Split(below, "/")[1:]) {
			return route.bytes
		}
	}
	return 0
}

// limitBodies says how much of a request's body is read, and for how long: more than usual on some routes, for those
// who are signed in.
func limitBodies(guard respond.Authenticator,
	timeout time.Duration) func(h *fasthttp.RequestHeader) fasthttp.RequestConfig {
	return func(h *fasthttp.RequestHeader) fasthttp.RequestConfig {
		if most := largeBody(h); most > 0 && guard.IsSignedIn(h) {
			return fasthttp.RequestConfig{MaxRequestBodySize: most, ReadTimeout: timeout}
		}
		return fasthttp.RequestConfig{}
	}
}
