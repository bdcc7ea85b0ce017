package web

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/telemetry"
	"lunchgo/app/web/respond"
)

// middleware are what every request goes through before its handler, from the outside in.
func middleware(deps Deps, failures *failures, guard respond.Authenticator) []fiber.Handler {
	return []fiber.Handler{
		identify,
		traced(deps.Tracer, failures.routes),
		harden(deps.Secure),
		observe(failures.routes, deps.Log, cmp.Or(deps.Slow, slow)),
		compress,
		failures.catch,
		refusePacked,
		bound(cmp.Or(deps.WorkTimeout, workTimeout), cmp.Or(deps.UploadTimeout, uploadTimeout)),
		guard.Identify,
		respond.RefuseCrossSite,
		refuseInvalidText,
	}
}

// Lengths of request ids: of ours, and of those that a proxy may give.
const (
	requestIDLength    = 12
	maxRequestIDLength = 64
)

// identify gives the request an id that its answer, its log lines and its error page share: that of a trusted proxy, if
// it is well-formed, else a new one.
func identify(c *fiber.Ctx) error {
	id := c.Get(fiber.HeaderXRequestID)
	if !isRequestID(id) || !c.IsProxyTrusted() {
		id = rand.Text()[:requestIDLength]
	}
	c.Set(fiber.HeaderXRequestID, id)
	c.SetUserContext(telemetry.WithRequest(c.UserContext(), id))
	return c.Next()
}

// isRequestID says whether an id is one that may stand in logs and headers: letters, digits, and -._ between them.
func isRequestID(id string) bool {
	for _, r := range []byte(id) {
		if (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') &&
			!strings.ContainsRune("-._", rune(r)) {
			return false
		}
	}
	return len(id) >= 8 && len(id) <= maxRequestIDLength
}

func requestID(c *fiber.Ctx) string { return telemetry.RequestID(c.UserContext()) }

// traced records requests as parts of their traces, by the pattern of their route.
func traced(tracer *telemetry.Tracer, routes *respond.Routes) fiber.Handler {
	return func(c *fiber.Ctx) error {
		if tracer == nil {
			return c.Next()
		}
		ctx, span := tracer.StartRequest(c.UserContext(), c.Method(), telemetry.Incoming{
			Traceparent: c.Get("traceparent"), Tracestate: c.Get("tracestate"), Trusted: c.IsProxyTrusted()})
		if !span.IsRecording() {
			return c.Next()
		}
		c.SetUserContext(ctx)
		err := c.Next()
		route, status := routes.Of(c), c.Response().StatusCode()
		span.Rename(c.Method() + " " + route)
		span.Set(telemetry.Text("http.request.method", c.Method()), telemetry.Text("http.route", route),
			telemetry.Number("http.response.status_code", int64(status)),
			telemetry.Text("lunchgo.request", requestID(c)))
		if status >= fiber.StatusInternalServerError {
			span.Fail()
		}
		span.End(err)
		return err
	}
}

// slow is from when on a request is worth a line in the log of a busy day, if Config does not say.
const slow = 2 * time.Second

// observe logs requests: each at level debug, some slow ones at info. A rush of thousands leaves no thousands of lines.
// They name the route, never the path: addresses hold tokens, and whoever has the token of an offer may answer it.
func observe(routes *respond.Routes, log *slog.Logger, slow time.Duration) fiber.Handler {
	var slowOnes pace
	return func(c *fiber.Ctx) error {
		start := time.Now()
		err := c.Next()
		took := time.Since(start)
		level := slog.LevelDebug
		// in a line, for as long as the client asked to
		waited := c.Response().StatusCode() == fiber.StatusTooManyRequests
		if took > slow && !waited && slowOnes.allows(start) {
			level = slog.LevelInfo
		}
		if ctx := c.UserContext(); log.Enabled(ctx, level) {
			log.LogAttrs(ctx, level, "request",
				slog.String("method", c.Method()), slog.String("route", routes.Of(c)),
				slog.Int("status", c.Response().StatusCode()), slog.Duration("took", took))
		}
		return err
	}
}

// refusePacked refuses a body that has to be unpacked, on every route: some kilobytes can hold more than the memory,
// and whatever reads a form would unpack it whole.
func refusePacked(c *fiber.Ctx) error {
	if len(c.Request().Header.PeekAll(fiber.HeaderContentEncoding)) > 0 { // the first of several may be empty
		return respond.MediaType
	}
	return c.Next()
}

// bound gives the request's work a deadline, a later one where its body is large.
func bound(usual, large time.Duration) fiber.Handler {
	return func(c *fiber.Ctx) error {
		limit := usual
		if _, _, ok := largeBodyOf(&c.Request().Header); ok {
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
