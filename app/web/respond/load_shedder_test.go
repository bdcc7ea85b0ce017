package respond_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
)

// shedding is an app whose routes below /database/ are admitted by a load shedder, and whose others are not.
func shedding(limit int64) *fiber.App {
	app := fiber.New(fiber.Config{ErrorHandler: func(c *fiber.Ctx, err error) error {
		what := respond.ProblemOf(err)
		c.Set("Retry-After", what.RetryAfter.String())
		return c.Status(what.Status).SendString(what.Code)
	}})
	app.Use("/database", respond.NewLoadShedder(limit, 50*time.Millisecond).Admit)
	return app
}

func get(t *testing.T, app *fiber.App, path string) *http.Response {
	t.Helper()
	answer, err := app.Test(httptest.NewRequest(http.MethodGet, path, nil), 10_000)
	if err != nil {
		t.Error(err)
		return &http.Response{}
	}
	answer.Body.Close()
	return answer
}

func wantStatus(t *testing.T, app *fiber.App, path string, want int) {
	t.Helper()
	if got := get(t, app, path).StatusCode; got != want {
		t.Errorf("%s: %d, want %d", path, got, want)
	}
}

// The shedder answers the requests beyond its limit with the time to come back, and none hangs.
func TestLoadShedder_ShedsWhatIsBeyondItsLimit(t *testing.T) {
	t.Parallel()
	app := shedding(2)
	inside, leave := make(chan struct{}, 10), make(chan struct{})
	app.Get("/database/wallet", func(c *fiber.Ctx) error {
		inside <- struct{}{}
		<-leave
		return c.SendString("served")
	})
	app.Get("/tickets/t", func(c *fiber.Ctx) error { return c.SendString("waiting") })
	var served sync.WaitGroup
	for range 2 {
		served.Go(func() { wantStatus(t, app, "/database/wallet", 200) })
		<-inside
	}
	third := get(t, app, "/database/wallet")
	after := third.Header.Get("Retry-After")
	if third.StatusCode != 503 || !slices.Contains([]string{"2s", "3s", "4s"}, after) {
		t.Errorf("%d, to come back after %q; want 503, after 2 to 4 s", third.StatusCode, after)
	}
	wantStatus(t, app, "/tickets/t", 200) // is not shed
	close(leave)
	served.Wait()
	wantStatus(t, app, "/database/wallet", 200)
}

// A place that is free is given whatever time has passed: a busy machine must not refuse whom nobody stands in the way.
func TestLoadShedder_AFreePlaceNeedsNoTime(t *testing.T) {
	t.Parallel()
	app := fiber.New()
	app.Use(respond.NewLoadShedder(1, 0).Admit)
	app.Get("/wallet", func(c *fiber.Ctx) error { return c.SendString("served") })
	wantStatus(t, app, "/wallet", 200)
}

// A request that has asked the database what it had to, and waits in a line now, keeps no other one out.
func TestLoadShedder_LeaveGivesThePlaceToAnother(t *testing.T) {
	t.Parallel()
	app := shedding(1)
	inside, turn := make(chan struct{}), make(chan struct{})
	app.Get("/database/change", func(c *fiber.Ctx) error {
		if c.Query("leaves") != "" {
			respond.LeaveLoadShedder(c)
		}
		inside <- struct{}{}
		<-turn
		return c.SendString("changed")
	})
	app.Get("/database/wallet", func(c *fiber.Ctx) error { return c.SendString("served") })
	for path, want := range map[string]int{"/database/change?leaves=1": 200, "/database/change": 503} {
		var served sync.WaitGroup
		served.Go(func() { get(t, app, path) })
		<-inside
		wantStatus(t, app, "/database/wallet", want)
		turn <- struct{}{}
		served.Wait()
	}
}

// An open stream holds no place: the shedder admits its start only.
func TestLoadShedder_AStreamLeavesWhenItsHandlerReturns(t *testing.T) {
	t.Parallel()
	app := shedding(1)
	stream, end := make(chan struct{}), make(chan struct{})
	streams := respond.Streams{Until: t.Context()}
	app.Get("/database/events", func(c *fiber.Ctx) error {
		return streams.Serve(c, func(context.Context, *respond.Stream) {
			close(stream)
			<-end
		})
	})
	app.Get("/database/wallet", func(c *fiber.Ctx) error { return c.SendString("served") })
	app.Server().KeepHijackedConns = true
	_ = app.Handler() // prepares the routes
	client, server := net.Pipe()
	var served sync.WaitGroup
	served.Go(func() { _ = app.Server().ServeConn(server) })
	if _, err := io.WriteString(client, "GET /database/events HTTP/1.1\r\nHost: lunchgo\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	<-stream
	wantStatus(t, app, "/database/wallet", 200)
	close(end)
	if answer, err := io.ReadAll(client); err != nil || !bytes.HasPrefix(answer, []byte("HTTP/1.1 200 OK")) {
		t.Errorf("the stream is %q, %v", answer, err)
	}
	served.Wait()
}
