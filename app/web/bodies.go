package web

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"lunchgo/app/team"
	"lunchgo/app/web/respond"
)

// uploadTimeout is how long a request with a large body may be read and worked at, if Config does not say: a picture
// from a telephone on a slow network, which then waits for its turn to be decoded.
const uploadTimeout = 60 * time.Second

// largeBody is a route that reads more than maxBody, by the end of its address below that of a restaurant's staff, and
// what its sender has to be allowed.
type largeBody struct {
	method string
	prefix string
	holds  func(rest []string) bool // what follows the restaurant's id
	bytes  int
	action team.Action
}

var largeBodies = []largeBody{
	{fiber.MethodPost, "/api/staff/restaurants/", is("pictures"), respond.MaxUpload, team.ChangeMenu},
	{fiber.MethodPut, "/api/staff/restaurants/", is("menu"), respond.MaxDocument, team.ChangeMenu},
	{fiber.MethodPut, "/api/staff/restaurants/", is("seats"), respond.MaxDocument, team.ChangeSettings},
	{fiber.MethodPost, "/staff/restaurants/", is("setup", "seats"), respond.MaxDocument, team.ChangeSettings},
	{fiber.MethodPost, "/staff/restaurants/", is("setup", "picture"), respond.MaxUpload + maxBody, team.ChangeMenu},
	{fiber.MethodPost, "/staff/restaurants/", is("setup", "menu", "*"), respond.MaxUpload + maxBody, team.ChangeMenu},
}

// inStaffs is part of all addresses of largeBodies, so that no other request costs more than to look for it.
var inStaffs = []byte("/staff/restaurants/")

func is(want ...string) func(rest []string) bool {
	return func(rest []string) bool {
		return slices.EqualFunc(want, rest, func(want, part string) bool { return want == "*" || want == part })
	}
}

// largeBodyOf returns the route of a request that may have a large body, and its restaurant; false for any other.
func largeBodyOf(h *fasthttp.RequestHeader) (route largeBody, restaurantID int64, ok bool) {
	path, _, _ := bytes.Cut(h.RequestURI(), []byte("?"))
	if !bytes.Contains(path, inStaffs) {
		return largeBody{}, 0, false
	}
	for _, route := range largeBodies {
		below, ok := strings.CutPrefix(string(path), route.prefix)
		if !ok || string(h.Method()) != route.method {
			continue
		}
		parts := strings.Split(below, "/")
		if id, err := strconv.ParseInt(parts[0], 10, 64); err == nil && route.holds(parts[1:]) {
			return route, id, true
		}
	}
	return largeBody{}, 0, false
}
