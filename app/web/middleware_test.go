package web

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/telemetry"
	"lunchgo/app/token"
	"lunchgo/app/web/access"
	"lunchgo/app/web/api"
	"lunchgo/app/web/diner"
	"lunchgo/app/web/respond"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// middlewareApp goes through all middleware to one handler, at /x and /api/x; what it logs is in log.
func middlewareApp(handler fiber.Handler) (app *fiber.App, log *bytes.Buffer) {
	log = &bytes.Buffer{}
	logger := slog.New(telemetry.Handler{Handler: slog.NewTextHandler(&safeWriter{w: log}, nil)})
	failures := &failures{layouts: respond.NewLayouts(nil, nil, views.Company{}, logger), routes: new(respond.Routes),
		uploads: new(uploads), log: logger}
	app = fiber.New(fiber.Config{Immutable: true, ErrorHandler: failures.answer})
	app.Use(refuseAmbiguous)
	sessions := identity.NewSessions(token.Secrets{"a secret of the tests"}, nil, time.Now)
	for _, step := range middleware(Deps{Log: logger}, failures, respond.Authenticator{Sessions: sessions}) {
		app.Use(step)
	}
	app.Get("/x", handler)
	app.Post("/x", handler)
	app.Get("/api/x", handler)
	return app, log
}

type safeWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *safeWriter) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(p)
}

func ask(t *testing.T, app *fiber.App, path string) (status int, header http.Header, body string) {
	t.Helper()
	return send(t, app, http.MethodGet, path)
}

func send(t *testing.T, app *fiber.App, method, path string) (status int, header http.Header, body string) {
	t.Helper()
	r := httptest.NewRequest(method, path, nil)
	r.Header.Set("Accept-Language", "en")
	answer, err := app.Test(r, 10_000)
	dbtest.Must(t, err)
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	dbtest.Must(t, err)
	return answer.StatusCode, answer.Header, string(raw)
}

func TestFailures_WhatTheyTell(t *testing.T) {
	t.Parallel()
	for name, handler := range map[string]fiber.Handler{
		"panic": func(*fiber.Ctx) error { panic("the secret of the kitchen") },
		"error": func(*fiber.Ctx) error { return errors.New("the secret of the kitchen") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			app, log := middlewareApp(handler)
			status, header, body := ask(t, app, "/x")
			id := header.Get("X-Request-Id")
			if status != 500 || !strings.Contains(body, "Something went wrong") || id == "" ||
				!strings.Contains(body, id) {
				t.Errorf("a page is answered %d, request %q:\n%s", status, id, body)
			}
			apiStatus, apiHeader, apiBody := ask(t, app, "/api/x")
			if apiStatus != 500 || apiHeader.Get("Content-Type") != "application/problem+json" {
				t.Errorf("the API answers %d %s", apiStatus, apiHeader.Get("Content-Type"))
			}
			if strings.Contains(body+apiBody, "secret") {
				t.Error("the answer tells of the inside")
			}
			lines := log.String()
			if strings.Count(lines, "level=ERROR") != 2 || !strings.Contains(lines, "request_id="+id+"\n") ||
				!strings.Contains(lines, "the secret of the kitchen") {
				t.Errorf("the log says:\n%s", lines)
			}
			if name == "panic" && !strings.Contains(lines, "middleware_test.go") {
				t.Errorf("the log does not say where it panicked:\n%s", lines)
			}
		})
	}
}

// A request that is slow gets a line; one that waited in a line, as its client asked, is none.
func TestObserve_WaitingIsNotSlow(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	app := fiber.New()
	app.Use(observe(new(respond.Routes), slog.New(slog.NewTextHandler(&log, nil)), time.Nanosecond))
	app.Get("/:status<int>", func(c *fiber.Ctx) error {
		status, err := c.ParamsInt("status")
		return errors.Join(err, c.SendStatus(status))
	})
	for _, path := range []string{"/200", "/429", "/503"} {
		send(t, app, http.MethodGet, path)
	}
	lines := log.String()
	if strings.Count(lines, "msg=request") != 2 || strings.Contains(lines, "status=429") {
		t.Errorf("the log says\n%s", lines)
	}
}

// A trusted proxy may give a request its id; another sender's id, or one that could forge a line of the log, is
// replaced.
func TestRequestID_IsThatOfATrustedProxy(t *testing.T) {
	t.Parallel()
	const given = "3f2a9c-edge_01"
	for _, test := range []struct {
		name, given string
		trusted     []string
		kept        bool
	}{
		{"of a proxy", given, []string{"0.0.0.0"}, true}, // where the tests of Fiber come from
		{"of anybody", given, nil, false},
		{"too short", "abc", []string{"0.0.0.0"}, false},
		{"too long", strings.Repeat("a", maxRequestIDLength+1), []string{"0.0.0.0"}, false},
		{"with a space", "3f2a9c level=ERROR", []string{"0.0.0.0"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			app := fiber.New(fiber.Config{EnableTrustedProxyCheck: true, TrustedProxies: test.trusted})
			app.Get("/x", identify, func(c *fiber.Ctx) error { return c.SendString(requestID(c)) })
			r := httptest.NewRequest(http.MethodGet, "/x", nil)
			r.Header.Set("X-Request-ID", test.given)
			answer, err := app.Test(r, 10_000)
			dbtest.Must(t, err)
			defer answer.Body.Close()
			body, err := io.ReadAll(answer.Body)
			id := answer.Header.Get("X-Request-ID")
			if err != nil || string(body) != id || (id == test.given) != test.kept || !isRequestID(id) {
				t.Errorf("the id is %q in the answer and %q inside, %v", id, body, err)
			}
		})
	}
}

func TestDeadline_WorkThatTakesTooLong(t *testing.T) {
	t.Parallel()
	app, _ := middlewareApp(func(c *fiber.Ctx) error {
		ctx, cancel := context.WithTimeout(c.UserContext(), time.Millisecond)
		defer cancel()
		c.SetUserContext(ctx)
		<-ctx.Done()
		return ctx.Err()
	})
	status, header, body := ask(t, app, "/x")
	if status != 503 || header.Get("Retry-After") == "" || !strings.Contains(body, `http-equiv="refresh"`) {
		t.Errorf("it is answered %d, Retry-After %q:\n%s", status, header.Get("Retry-After"), body)
	}
	status, header, body = send(t, app, http.MethodPost, "/x")
	if status != 503 || header.Get("Retry-After") == "" || strings.Contains(body, `http-equiv="refresh"`) {
		t.Errorf("a form is answered %d, Retry-After %q:\n%s", status, header.Get("Retry-After"), body)
	}
}

// Whatever a rush is made of goes on while the load shedder turns everything else away: pressing, waiting and watching.
func TestLoadShedder_KeepsNobodyFromTheLine(t *testing.T) {
	t.Parallel()
	app := fiber.New()
	app.Use(func(c *fiber.Ctx) error { // signed in; a handler that is reached finds none of its parts
		respond.Authenticator{}.SetCookie(c, "token", identity.Session{UserID: "ann"})
		if err := rescued(c); err != nil {
			return c.SendStatus(http.StatusTeapot)
		}
		return nil
	})
	gates := respond.OpenGates()
	gates.Shed = func(c *fiber.Ctx) error { return c.SendStatus(http.StatusServiceUnavailable) }
	diner.New(diner.Deps{}).Mount(app, gates)
	api.New(api.Deps{}).Mount(app, access.NewRoutes(app), gates)
	for _, route := range []struct {
		method, path string
		sheds        bool
	}{
		{"POST", "/restaurants/haru/reservations", false}, {"POST", "/api/reservations", false},
		{"POST", "/coupons/1/claims", false}, {"POST", "/api/coupons/1/claims", false},
		{"GET", "/tickets/t", false}, {"GET", "/tickets/t/events", false}, {"POST", "/tickets/t/leave", false},
		{"GET", "/api/tickets/t", false}, {"GET", "/api/tickets/t/events", false}, {"DELETE", "/api/tickets/t", false},
		{"GET", "/", true}, {"GET", "/wallet", true}, {"GET", "/api/restaurants", true}, {"POST", "/api/sessions", true},
	} {
		status, _, _ := send(t, app, route.method, route.path)
		if sheds := status == http.StatusServiceUnavailable; sheds != route.sheds || status == http.StatusNotFound {
			t.Errorf("%s %s is answered %d; turned away: want %t", route.method, route.path, status, route.sheds)
		}
	}
}

func TestPace_AFloodLeavesFewLines(t *testing.T) {
	t.Parallel()
	var p pace
	now, allowed := time.Unix(1_000, 0), 0
	for i := range 1_000 {
		if p.allows(now.Add(time.Duration(i) * time.Millisecond)) {
			allowed++
		}
	}
	if allowed != linesPerSecond || !p.allows(now.Add(time.Second)) {
		t.Errorf("%d lines in a second, want %d and more in the next", allowed, linesPerSecond)
	}
}
