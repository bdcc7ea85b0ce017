package web

import (
	"bytes"
	"context"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/waiting"
	"lunchgo/app/web/auth"
	"lunchgo/app/web/frame"
	"lunchgo/app/web/sse"
	"lunchgo/views/pages"
)

// comeBack is how soon a browser asks again whose stream the server ends because it is about to end itself.
const comeBack = 2 * time.Second

// ticketEvents answers GET /tickets/:ticket/events: the moving part of the page whenever it moves, then one "done", upon
// which the page asks where it led. Nobody's stream is "done" at once: the page then sends its reader to sign in.
func (s *site) ticketEvents(c *fiber.Ctx) error {
	if _, err := auth.Session(c); err != nil {
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
	st, err := s.standingOf(c.UserContext(), watch)
	if err != nil {
		watch.Close()
		return err
	}
	view := waitingView{site: s, standing: st, lang: frame.Lang(c), first: firstPosition(c)}
	return s.Streams.Serve(c, func(ctx context.Context, stream *sse.Stream) {
		defer watch.Close()
		sse.Pump(ctx, stream, watch.Next, func(status waiting.Status) (last bool, err error) {
			return view.send(ctx, stream, status)
		})
	})
}

func (s *site) done(c *fiber.Ctx) error {
	return s.Streams.Serve(c, func(_ context.Context, stream *sse.Stream) { _ = sendDone(stream) })
}

func (v waitingView) send(ctx context.Context, stream *sse.Stream, status waiting.Status) (last bool, err error) {
	switch {
	case status.Reconnect:
		return true, stream.ComeBack(comeBack)
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
func sendDone(stream *sse.Stream) error { return stream.Send("done", version(), "done") }

// version is the id of an event: it rises.
func version() string { return strconv.FormatInt(time.Now().UnixMicro(), 10) }
