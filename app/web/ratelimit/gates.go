package ratelimit

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/refusal"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

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

// countForAccount lets an account pass so many times a minute. A repeat of a request that passed does not count, since
// a program asks for the result of a press by repeating it: see repeatable.
func (g *Guard) countForAccount(c *fiber.Ctx, what string, perMinute int) error {
	session, err := respond.Session(c)
	if err != nil {
		return c.Next()
	}
	if wait := g.count(c.UserContext(), "{"+what+":"+session.UserID+"}", repeatable(c),
		per(time.Minute, perMinute)); wait > 0 {
		return tooManyRequests(wait)
	}
	return c.Next()
}

// count takes one from the bucket of somebody. request names what may come again without being counted; empty for what
// always counts.
func (g *Guard) count(ctx context.Context, who, request string, p pace) (wait time.Duration) {
	first := bucket{key: who, pace: p}
	if request == "" {
		return g.counter.take(ctx, first)
	}
	mark := bucket{key: who + ":" + request, pace: pace{burst: 1, every: markLife}}
	repeat := bucket{key: who + ":repeats", pace: repeats}
	return g.counter.takeOnce(ctx, once{mark, first, repeat})
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
		return respond.TooManyStreams
	}
	return respond.HoldStream(c, release)
}

// Read is middleware that bounds what an address without an account asks for, and what an account does: far above what
// a crowd behind one address does, or a person at a screen. What an account reads and what it sends count apart, and
// most of what it sends has narrower limits of its own. Each process counts for itself: the limits protect the process,
// and a page must not cost a round trip to Redis.
func (g *Guard) Read(c *fiber.Ctx) error {
	session, err := respond.Session(c)
	from := bucket{key: "sent by account:" + session.UserID, pace: per(time.Minute, g.limits.AccountReads)}
	switch {
	case err != nil:
		from = bucket{key: "read:" + g.address(c),
			pace: pace{burst: g.limits.Reads * readsBurst, every: time.Second / time.Duration(g.limits.Reads)}}
	case isRead(c):
		from.key = "read of account:" + session.UserID
	}
	if wait := g.reads.take(from); wait > 0 {
		return tooManyRequests(wait)
	}
	return c.Next()
}

// isRead says whether a request only looks something up, as a form does that asks for the times of another date.
func isRead(c *fiber.Ctx) bool {
	switch c.Method() {
	case fiber.MethodGet, fiber.MethodHead, fiber.MethodOptions:
		return true
	}
	return respond.FormValue(c, views.FieldAction) == views.ActionRefresh
}

func tooManyRequests(wait time.Duration) error { return limited(respond.TooManyRequests, wait) }

// limited counts in whole seconds, since that is what Retry-After counts in.
func limited(r *refusal.Refusal, wait time.Duration) error {
	problem := respond.NewProblem(r)
	problem.RetryAfter = (wait + time.Second - 1).Truncate(time.Second)
	return problem
}
