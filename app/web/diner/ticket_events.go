package diner

import (
	"bytes"
	"context"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
	"lunchgo/views/pages"
)

// ticketEvents answers GET /tickets/:ticket/events: the moving part of the page whenever it moves, then one
// "done", upon which the page asks where it led. Nobody's stream is "done" at once: the page then sends its reader
// to sign in.
func (s *Pages) ticketEvents(c *fiber.Ctx) error {
	if _, err := respond.Session(c); err != nil {
		return s.done(c)
	}
	watch, err := s.watch(c)
	if err != nil {
		return err
	}
	if watch.Status().State != waiting.Waiting {
		watch.Close()
		return s.done(c)
	}
	st, err := s.subjectOf(c.UserContext(), watch)
	if err != nil {
		watch.Close()
		return err
	}
	view := waitingView{Pages: s, subject: st, lang: respond.Lang(c), first: firstPosition(c)}
	return s.Streams.Serve(c, func(ctx context.Context, stream *respond.Stream) {
		defer watch.Close()
		respond.PumpAtOnce(ctx, stream, watch.Await, func(status *waiting.Status) (last bool, err error) {
			if last, err = view.send(ctx, stream, *status); last && !status.Reconnect {
				stream.Traces(watch.TraceAnswer(ctx))
			}
			return last, err
		})
	})
}

func (s *Pages) done(c *fiber.Ctx) error {
	return s.Streams.Serve(c, func(_ context.Context, stream *respond.Stream) { _ = sendDone(stream) })
}

func (v waitingView) send(ctx context.Context, stream *respond.Stream, status waiting.Status) (last bool, err error) {
	switch {
	case status.Reconnect:
		return true, stream.Reconnect()
	case status.State != waiting.Waiting:
		return true, sendDone(stream)
	}
	var part bytes.Buffer
	if err := pages.WaitingStatus(v.status(ctx, status)).Render(ctx, &part); err != nil {
		return true, err
	}
	return false, stream.Send("waiting", version(), part.String())
}

// sendDone carries some data: browsers drop an event without.
func sendDone(stream *respond.Stream) error { return stream.Send("done", version(), "done") }

// version is the id of an event: it rises.
func version() string { return strconv.FormatInt(time.Now().UnixMicro(), 10) }
