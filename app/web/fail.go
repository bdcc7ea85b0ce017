package web

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/api"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// failures answers requests whose handlers returned an error. It is the only place that does, and that logs it.
type failures struct {
	layouts *respond.Layouts
	routes  *respond.Routes
	uploads *uploads
	log     *slog.Logger
	pace    pace
}

// catch is middleware that answers errors and panics inside the middleware around it, so that they see the final
// answer.
func (f *failures) catch(c *fiber.Ctx) error {
	if err := rescued(c); err != nil {
		return f.answer(c, err)
	}
	return nil
}

// answerUnread is Fiber's error handler, for what never became a request: its body may not have been read.
func (f *failures) answerUnread(c *fiber.Ctx, err error) error {
	if own, ok := c.Context().Conn().(*connection); ok {
		own.unread.Store(true)
	}
	return f.answer(c, err)
}

// answer says what went wrong: programs get a problem, people a page in their language. The text of the error is for
// the log only.
func (f *failures) answer(c *fiber.Ctx, err error) error {
	if refused := f.uploads.end(&c.Request().Header); refused != nil {
		err = refused
	}
	if errors.Is(err, fiber.ErrBadGateway) { // how Fiber reports a request that broke off
		err = respond.BadRequest
	}
	what := respond.ProblemOf(err)
	f.note(c, what, err)
	c.SetUserContext(context.WithoutCancel(c.UserContext())) // its time may be what ran out
	if requestID(c) == "" {
		setSafety(c)
	}
	respond.SayPause(c, what)
	switch {
	case isForPrograms(c):
		return api.WriteProblem(c, what)
	case what.Status == fiber.StatusUnauthorized && what.Code == respond.Unauthenticated.Code:
		return respond.Redirect(c, views.SignInURL(returnPath(c)))
	}
	return f.page(c, what)
}

func (f *failures) page(c *fiber.Ctx, what respond.Problem) error {
	page := views.Error{Layout: f.layouts.ForError(c), Status: what.Status,
		RetryAfter: respond.Seconds(what.RetryAfter)}
	if page.IsForm = c.Method() != fiber.MethodGet; page.IsForm && page.RetryAfter > 0 {
		page.RetryURL = returnPath(c)
	}
	page.Message = respond.Sentence(page.Lang, what)
	if what.Status >= fiber.StatusInternalServerError {
		page.RequestID = requestID(c)
	}
	return respond.Render(c, what.Status, pages.Error(page))
}

// note logs what is our fault, with what is needed to find it. Of overload only some lines: a flood of them would
// be one more load.
func (f *failures) note(c *fiber.Ctx, what respond.Problem, err error) {
	if what.Status < fiber.StatusInternalServerError {
		return
	}
	about := []any{"method", c.Method(), "route", f.routes.Of(c), "status", what.Status, "code", what.Code, "error",
		err}
	if p, ok := errors.AsType[*panicked](err); ok {
		about = append(about, "stack", p.stack)
	}
	switch {
	case what.Status == fiber.StatusInternalServerError:
		f.log.ErrorContext(c.UserContext(), "request failed", about...)
	case f.pace.allows(time.Now()):
		f.log.WarnContext(c.UserContext(), "request turned away", about...)
	}
}

// returnPath is where a reader who has to sign in first comes back to: the page that was asked for, or the one
// whose form was sent.
func returnPath(c *fiber.Ctx) string {
	if c.Method() == fiber.MethodGet {
		return c.OriginalURL()
	}
	if own, ok := strings.CutPrefix(c.Get(fiber.HeaderReferer), c.BaseURL()); ok && respond.IsLocalPath(own) {
		return own
	}
	return ""
}

// isForPrograms says whether a program asks: it reads no pages. The practice bank has a page and answers JSON.
func isForPrograms(c *fiber.Ctx) bool {
	return isOrBelow(c.Path(), "/api") || isOrBelow(c.Path(), "/hooks") || isOrBelow(c.Path(), "/practice-bank") &&
		strings.HasPrefix(c.Get(fiber.HeaderContentType), fiber.MIMEApplicationJSON)
}

func isOrBelow(path, parent string) bool {
	rest, ok := strings.CutPrefix(path, parent)
	return ok && (rest == "" || rest[0] == '/')
}

// pace allows some lines a second.
type pace struct {
	mu     sync.Mutex
	second int64
	lines  int
}

const linesPerSecond = 5

func (p *pace) allows(now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now.Unix() != p.second {
		p.second, p.lines = now.Unix(), 0
	}
	p.lines++
	return p.lines <= linesPerSecond
}
