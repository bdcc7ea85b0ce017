package web

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
)

// middleware are what every request goes through before its handler, from the outside in.
func middleware(deps Deps, failures *failures, guard respond.Authenticator) []fiber.Handler {
	return []fiber.Handler{
		identify,
		harden(deps.Secure),
		observe(failures.routes, deps.Log),
		compress,
		failures.catch,
		bound(cmp.Or(deps.WorkTimeout, workTimeout), cmp.Or(deps.UploadTimeout, uploadTimeout)),
		guard.Identify,
		respond.RefuseCrossSite,
	}
}

type requestIDKey struct{}

const requestIDLength = 12

// identify gives the request an id that its log lines and its error page share.
func identify(c *fiber.Ctx) error {
	id := rand.Text()[:requestIDLength]
	c.Locals(requestIDKey{}, id)
	c.Set(fiber.HeaderXRequestID, id)
	return c.Next()
}

func requestID(c *fiber.Ctx) string {
	id, _ := c.Locals(requestIDKey{}).(string)
	return id
}

// slow is from when on a request is worth a line in the log of a busy day.
const slow = 2 * time.Second

// observe logs requests: each at level debug, some slow ones at info. A rush of thousands leaves no thousands of lines.
// They name the route, never the path: addresses hold tokens, and whoever has the token of an offer may answer it.
func observe(routes *respond.Routes, log *slog.Logger) fiber.Handler {
	var slowOnes pace
	return func(c *fiber.Ctx) error {
		start := time.Now()
		err := c.Next()
		took := time.Since(start)
		level := slog.LevelDebug
		if took > slow && slowOnes.allows(start) {
			level = slog.LevelInfo
		}
		if log.Enabled(context.Background(), level) {
			log.LogAttrs(context.Background(), level, "request",
				slog.String("method", c.Method()), slog.String("route", routes.Of(c)),
				slog.Int("status", c.Response().StatusCode()), slog.Duration("took", took),
				slog.String("request", requestID(c)))
		}
		return err
	}
}

// bound gives the request's work a deadline, a later one where its body is large.
func bound(usual, large time.Duration) fiber.Handler {
	return func(c *fiber.Ctx) error {
		limit := usual
		if largeBody(&c.Request().Header) > 0 {
			limit = max(usual, large)
		}
		ctx, cancel := context.WithTimeout(c.UserContext(), limit)
		defer cancel()
		c.SetUserContext(ctx)
		return c.Next()
	}
}

// panicked is what is left of a panic in a handler.
type panicked struct {
	value any
	stack string
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

// rescued runs the rest of the request and makes a panic an error.
func rescued(c *fiber.Ctx) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &panicked{value: value, stack: string(debug.Stack())}
		}
	}()
	return c.Next()
}
