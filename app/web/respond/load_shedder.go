package respond

import (
	"context"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"golang.org/x/sync/semaphore"

	"lunchgo/app/waiting"
)

// How many requests may ask the database at once, and how long others wait to be admitted. It is more than the pool has
// connections, since most of a request is not spent in a query.
const (
	MaxAdmitted   = 64
	AdmissionWait = 2 * time.Second
)

// LoadShedder admits a bounded number of requests to the database at once. Without it a flood of pages would queue for
// connections until every one of them is late. With it some are asked to come back, and the others are served in time.
type LoadShedder struct {
	admitted *semaphore.Weighted
	wait     time.Duration
}

// NewLoadShedder returns a shedder that admits up to limit requests at once and lets others wait that long.
func NewLoadShedder(limit int64, wait time.Duration) *LoadShedder {
	return &LoadShedder{admitted: semaphore.NewWeighted(limit), wait: wait}
}

// admission is where a request stores how it gives up its place.
type admission struct{}

// Admit is middleware. It returns the problem "overloaded" if the request is not admitted in time. An event stream
// keeps its place only until its handler returns, not while it streams.
func (s *LoadShedder) Admit(c *fiber.Ctx) error {
	if err := s.acquire(c.UserContext()); err != nil {
		return waiting.ErrCrowded
	}
	leave := sync.OnceFunc(func() { s.admitted.Release(1) })
	defer leave()
	c.Locals(admission{}, leave)
	return c.Next()
}

// acquire takes a place. One that is free is taken without a look at the clock: time that the request has waited for a
// processor must not refuse it.
func (s *LoadShedder) acquire(ctx context.Context) error {
	if s.admitted.TryAcquire(1) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, s.wait)
	defer cancel()
	return s.admitted.Acquire(ctx, 1)
}

// LeaveLoadShedder gives a request's place to another one. Requests call it that have asked the database what they
// had to and go on to wait in a line: a crowd of them must not keep everybody else out.
func LeaveLoadShedder(c *fiber.Ctx) {
	if leave, ok := c.Locals(admission{}).(func()); ok {
		leave()
	}
}
