package respond_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
)

// A page hears that a silent stream lives, from its start on; a program reads comments.
func TestStreams_SayThatTheyLive(t *testing.T) {
	t.Parallel()
	pages := respond.Streams{Until: t.Context(), Ping: 20 * time.Millisecond, ForPages: true}
	heard := []string{"event: ping", "data: 20"}
	if got := firstLines(t, pages, 4); !slices.Equal(got, slices.Concat(heard, heard)) {
		t.Errorf("a page hears %q", got)
	}
	comments := []string{": ping", ": ping"}
	if got := firstLines(t, pages.ForPrograms(), 2); !slices.Equal(got, comments) {
		t.Errorf("a program reads %q", got)
	}
}

// firstLines are those that a stream with nothing to say sends first, without its pause and empty lines.
func firstLines(t *testing.T, streams respond.Streams, count int) (lines []string) {
	t.Helper()
	app := fiber.New(fiber.Config{DisableStartupMessage: true})
	app.Get("/events", func(c *fiber.Ctx) error {
		return streams.Serve(c, func(ctx context.Context, s *respond.Stream) {
			respond.Pump(ctx, s, func(wait context.Context) (string, error) {
				<-wait.Done()
				return "", wait.Err()
			}, func(string) (bool, error) { return true, nil })
		})
	})
	app.Server().KeepHijackedConns = true
	_ = app.Handler() // prepares the routes
	client, server := net.Pipe()
	var served sync.WaitGroup
	served.Go(func() { _ = app.Server().ServeConn(server) })
	if _, err := io.WriteString(client, "GET /events HTTP/1.1\r\nHost: lunchgo\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(client), nil)
	if err != nil {
		t.Fatal(err)
	}
	for all := bufio.NewScanner(answer.Body); len(lines) < count && all.Scan(); {
		if line := all.Text(); line != "" && !strings.HasPrefix(line, "retry: ") {
			lines = append(lines, line)
		}
	}
	_ = client.Close()
	served.Wait()
	return lines
}
