package ratelimit

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// CodeTooManyRequests is the code of the problem of somebody who asks for more than the limits allow.
const CodeTooManyRequests = "too_many_requests"

// Press is a gate for what wants a turn. It counts by account; who is not signed in is the handler's matter.
func (g *Guard) Press(c *fiber.Ctx) error { return g.countForAccount(c, "press", g.limits.Presses) }

// Change is a gate for what changes something without a turn, or asks what a change would cost. It counts as Press
// does.
func (g *Guard) Change(c *fiber.Ctx) error { return g.countForAccount(c, "change", g.limits.Changes) }

// Staff is middleware in front of all routes of staff and operators. It counts what may change something, far above
// what a host does on a full evening.
func (g *Guard) Staff(c *fiber.Ctx) error {
	switch c.Method() {
	case fiber.MethodGet, fiber.MethodHead, fiber.MethodOptions:
		return c.Next()
	}
	return g.countForAccount(c, "staff", g.limits.Staff)
}

// countForAccount lets an account pass so many times a minute. A request with the idempotency key of one that passed is
// a repeat and does not count, since a program asks for the result of a press by repeating it.
func (g *Guard) countForAccount(c *fiber.Ctx, what string, perMinute int) error {
	session, err := respond.Session(c)
	if err != nil {
		return c.Next()
	}
	if wait := g.count(c.UserContext(), "{"+what+":"+session.UserID+"}", requestKey(c),
		per(time.Minute, perMinute)); wait > 0 {
		return tooManyRequests(wait)
	}
	return c.Next()
}

func (g *Guard) count(ctx context.Context, who, key string, p pace) (wait time.Duration) {
	first := bucket{key: who, pace: p}
	if key == "" {
		return g.counter.take(ctx, first)
	}
	mark := bucket{key: who + ":" + digest(key), pace: pace{burst: 1, every: markLife}}
	repeat := bucket{key: who + ":repeats", pace: repeats}
	return g.counter.takeOnce(ctx, mark, first, repeat)
}

// Stream is a gate for event streams. It counts those that are open, by account, or by address without one.
func (g *Guard) Stream(c *fiber.Ctx) error {
	who, most := "", 0
	if session, err := respond.Session(c); err == nil {
		who, most = session.UserID, g.limits.Streams
	} else {
		who, most = "@"+g.address(c), g.limits.AnonymousStreams
	}
	release, ok := g.leases.open(c.UserContext(), who, most)
	if !ok {
		return respond.NewProblem("too_many_streams")
	}
	return respond.HoldStream(c, release)
}

// requestKey is the idempotency key of a program's request or of a form, whatever it is worth; empty if there is none.
func requestKey(c *fiber.Ctx) string {
	if key := c.Get("Idempotency-Key"); key != "" {
		return key
	}
	return respond.FormValue(c, views.FieldIdempotencyKey)
}

// Read is middleware that bounds what an address without an account asks for, far above what a crowd behind one address
// does. Each process counts for itself: the limit protects the process, and a page must not cost a round trip to Redis.
func (g *Guard) Read(c *fiber.Ctx) error {
	if _, err := respond.Session(c); err == nil {
		return c.Next()
	}
	from := bucket{key: "read:" + g.address(c),
		pace: pace{burst: g.limits.Reads * readsBurst, every: time.Second / time.Duration(g.limits.Reads)}}
	if wait := g.reads.take(from); wait > 0 {
		return tooManyRequests(wait)
	}
	return c.Next()
}

func tooManyRequests(wait time.Duration) error { return limited(CodeTooManyRequests, wait) }

// limited counts in whole seconds, since that is what Retry-After counts in.
func limited(code string, wait time.Duration) error {
	problem := respond.NewProblem(code)
	problem.RetryAfter = (wait + time.Second - 1).Truncate(time.Second)
	return problem
}
