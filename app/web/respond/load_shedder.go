package respond

import (
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
)

// How many requests may ask the database at once, and how long others wait for their turn. More than the pool has
// connections: most of a request is not spent in a query.
const (
	InFlight = 64
	Patience = 2 * time.Second
)

// overloaded is told to those who waited at the gate in vain.
var overloaded = Problem{Status: fiber.StatusServiceUnavailable, Code: "overloaded", MeanRetry: UsualPause}

// LoadShedder lets a bounded number of requests ask the database at once. Without it a flood of pages would queue up for
// connections until every one of them is late; with it some are told to come back, and the others are served in time.
type LoadShedder struct {
	places   chan struct{}
	patience time.Duration
}

// NewLoadShedder returns a gate for so many requests at once.
func NewLoadShedder(places int, patience time.Duration) *LoadShedder {
	return &LoadShedder{places: make(chan struct{}, places), patience: patience}
}

// local is where a request keeps how it leaves.
const local = "gate.leave"

// Pass is middleware. Returns overloaded when there was no place in time.
func (g *LoadShedder) Pass(c *fiber.Ctx) error {
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

// LeaveLoadShedder gives a request's place to another. It is for those that have asked the database what they had to, and go on to wait
// in a line: a crowd of them must not keep everybody else out.
func LeaveLoadShedder(c *fiber.Ctx) {
	if leave, ok := c.Locals(local).(func()); ok {
		leave()
	}
}

func (g *LoadShedder) wait() bool {
	timer := time.NewTimer(g.patience)
	defer timer.Stop()
	select {
	case g.places <- struct{}{}:
		return true
	case <-timer.C:
		return false
	}
}
