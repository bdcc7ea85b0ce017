package web

import (
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/fault"
)

// How many requests may ask the database at once, and how long others wait for their turn. More than the pool has
// connections: most of a request is not spent in a query.
const (
	inFlight     = 64
	gatePatience = 2 * time.Second
)

// overloaded is told to those who waited at the gate in vain.
var overloaded = fault.Fault{Status: fiber.StatusServiceUnavailable, Code: "overloaded", RetryAfter: 3 * time.Second}

// gate lets a bounded number of requests ask the database at once. Without it a flood of pages would queue up for
// connections until every one of them is late; with it some are told to come back, and the others are served in time.
type gate struct {
	places   chan struct{}
	patience time.Duration
}

func newGate(places int, patience time.Duration) *gate {
	return &gate{places: make(chan struct{}, places), patience: patience}
}

// pass is middleware. Returns overloaded when there was no place in time.
func (g *gate) pass(c *fiber.Ctx) error {
	if !asksDatabase(c) {
		return c.Next()
	}
	select {
	case g.places <- struct{}{}:
	default:
		if !g.wait() {
			return overloaded
		}
	}
	defer func() { <-g.places }()
	return c.Next()
}

func (g *gate) wait() bool {
	timer := time.NewTimer(g.patience)
	defer timer.Stop()
	select {
	case g.places <- struct{}{}:
		return true
	case <-timer.C:
		return false
	}
}

// asksDatabase is false for what a rush is made of: pressing, waiting and watching ask no database, and must not stand
// behind those who do; and for what tells whether the server is well.
func asksDatabase(c *fiber.Ctx) bool {
	path := strings.TrimPrefix(c.Path(), "/api")
	switch {
	case strings.HasPrefix(path, "/static/"), strings.HasPrefix(path, "/tickets/"), strings.HasSuffix(path, "/events"):
		return false
	case c.Method() == fiber.MethodPost && (strings.HasSuffix(path, "/reservations") || strings.HasSuffix(path, "/claims")):
		return false
	case path == "/healthz", path == "/readyz", path == "/metrics":
		return false
	}
	return true
}
