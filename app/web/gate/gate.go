// Package gate keeps the database from a flood of requests.
package gate

import (
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/fault"
)

// How many requests may ask the database at once, and how long others wait for their turn. More than the pool has
// connections: most of a request is not spent in a query.
const (
	InFlight = 64
	Patience = 2 * time.Second
)

// overloaded is told to those who waited at the gate in vain.
var overloaded = fault.Fault{Status: fiber.StatusServiceUnavailable, Code: "overloaded", RetryAfter: 3 * time.Second}

// Gate lets a bounded number of requests ask the database at once. Without it a flood of pages would queue up for
// connections until every one of them is late; with it some are told to come back, and the others are served in time.
type Gate struct {
	places   chan struct{}
	patience time.Duration
}

// New returns a gate for so many requests at once.
func New(places int, patience time.Duration) *Gate {
	return &Gate{places: make(chan struct{}, places), patience: patience}
}

// local is where a request keeps how it leaves.
const local = "gate.leave"

// Pass is middleware. Returns overloaded when there was no place in time.
func (g *Gate) Pass(c *fiber.Ctx) error {
	select {
	case g.places <- struct{}{}:
	default:
		if !g.wait() {
			return overloaded
		}
	}
	leave := sync.OnceFunc(func() { <-g.places })
	defer leave()
	c.Locals(local, leave)
	return c.Next()
}

// Leave gives a request's place to another. It is for those that have asked the database what they had to, and go on to wait
// in a line: a crowd of them must not keep everybody else out.
func Leave(c *fiber.Ctx) {
	if leave, ok := c.Locals(local).(func()); ok {
		leave()
	}
}

func (g *Gate) wait() bool {
	timer := time.NewTimer(g.patience)
	defer timer.Stop()
	select {
	case g.places <- struct{}{}:
		return true
	case <-timer.C:
		return false
	}
}
