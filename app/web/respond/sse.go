package respond

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
)

// Times of a stream.
const (
	PingEvery    = 15 * time.Second // a comment, so that proxies and the server notice a dead stream
	writeTimeout = 10 * time.Second // a client that stops reading must not hold its stream for ever
)

// Streams opens event streams that end with the server, and with the session of their viewer.
type Streams struct {
	Until    context.Context // ends when the server begins to shut down: open streams would keep it waiting for ever
	Log      *slog.Logger
	Open     *atomic.Int64               // counts the streams that are open now; may be nil
	Sessions *identity.Sessions          // says whether a viewer's session still stands
	Ping     time.Duration               // the longest silence of a stream; 0: PingEvery
	allowed  func(context.Context) error // asked again and again; nil for what every viewer may see
}

// While returns streams that also end once allowed returns an error. It is asked at most once a ping, since it may ask the
// database.
func (o Streams) While(allowed func(context.Context) error) Streams {
	o.allowed = allowed
	return o
}

// Stream is an open event stream. It belongs to one goroutine.
type Stream struct {
	w       *bufio.Writer
	conn    net.Conn
	ping    time.Duration
	isValid func() bool                 // the viewer's session still stands
	allowed func(context.Context) error // nil: always
	checked time.Time                   // when allowed was asked last
}

// errViewerGone ends the stream of a viewer who may not see it any more.
var errViewerGone = errors.New("respond: the viewer's session or right has ended")

// check returns an error once the viewer's session has ended, or their right to look.
func (s *Stream) check(ctx context.Context) error {
	if !s.isValid() {
		return errViewerGone
	}
	if s.allowed == nil || time.Since(s.checked) < s.ping {
		return nil
	}
	s.checked = time.Now()
	return s.allowed(ctx)
}

// Send writes one event and flushes it. Returns an error once the client is gone.
func (s *Stream) Send(event, id, data string) error {
	if err := s.begin(); err != nil {
		return err
	}
	if id != "" {
		fmt.Fprintf(s.w, "id: %s\n", id)
	}
	fmt.Fprintf(s.w, "event: %s\n", event)
	for line := range strings.SplitSeq(data, "\n") {
		_, _ = io.WriteString(s.w, "data: "+strings.TrimSuffix(line, "\r")+"\n")
	}
	_ = s.w.WriteByte('\n')
	return s.flush()
}

// Reconnect sends how soon to reconnect once the stream has ended or broken: after a random pause, since a server
// that ends takes all its streams with it.
func (s *Stream) Reconnect() error {
	if err := s.begin(); err != nil {
		return err
	}
	fmt.Fprintf(s.w, "retry: %d\n\n", RandomPause(UsualPause, time.Millisecond).Milliseconds())
	return s.flush()
}

func (s *Stream) sendPing() error {
	if err := s.begin(); err != nil {
		return err
	}
	_, _ = io.WriteString(s.w, ": ping\n\n")
	return s.flush()
}

// begin gives what is written next its time. The time of what was written before is long over, and a large event
// reaches the client in part before it is flushed.
func (s *Stream) begin() error { return s.conn.SetWriteDeadline(time.Now().Add(writeTimeout)) }

// flush errors are the first sign that a client is gone; earlier writes only fill the buffer.
func (s *Stream) flush() error { return s.w.Flush() }

// Pump sends what next gives, until send says that it was the last, the client is gone or ctx ends; with a ping
// whenever next has had nothing new for a while. next returns its ctx's error when that ends.
func Pump[T any](ctx context.Context, s *Stream, next func(context.Context) (T, error),
	send func(T) (last bool, err error)) {
	for {
		waiting, cancel := context.WithTimeout(ctx, s.ping)
		value, err := next(waiting)
		cancel()
		last := false
		silent := errors.Is(err, context.DeadlineExceeded)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil && !silent:
			return
		}
		switch err = s.check(ctx); {
		case err != nil:
			return
		case silent:
			err = s.sendPing()
		default:
			last, err = send(value)
		}
		if last || err != nil {
			return
		}
	}
}

// Serve answers the request with a stream that write fills. ctx ends when the client goes away, or the server begins to
// shut down; write should return soon after. Nothing of c may be used inside write: fasthttp uses it again by then.
func (o Streams) Serve(c *fiber.Ctx, write func(ctx context.Context, s *Stream)) error {
	c.Set(fiber.HeaderContentType, "text/event-stream; charset=utf-8")
	c.Set(fiber.HeaderCacheControl, "no-store, no-transform")
	c.Set("X-Accel-Buffering", "no")
	request := c.Context()
	request.SetConnectionClose()
	conn := request.Conn()
	release, isValid := o.viewerOf(c)

	ctx, cancel := context.WithCancel(o.Until)
	go watchClient(conn, cancel)
	request.SetBodyStreamWriter(func(w *bufio.Writer) {
		defer cancel()
		defer release()
		defer func() { // a panic here would end the process: the router's recover is not on this goroutine's stack
			if r := recover(); r != nil {
				o.Log.Error("event stream panicked", "panic", r, "stack", string(debug.Stack()))
			}
		}()
		if o.Open != nil {
			o.Open.Add(1)
			defer o.Open.Add(-1)
		}
		s := &Stream{w: w, conn: conn, ping: cmp.Or(o.Ping, PingEvery), isValid: isValid, allowed: o.allowed, checked: time.Now()}
		_ = s.Reconnect() // if the client is gone already, write finds out by itself; it may have to clean up
		write(ctx, s)
		_ = s.begin() // for the end of the stream, which the server writes
	})
	return nil
}

// viewerOf returns what gives back the viewer's place among the streams, and what says whether their session still stands.
func (o Streams) viewerOf(c *fiber.Ctx) (release func(), isValid func() bool) {
	release, isValid = takeStream(c), func() bool { return true }
	if session, err := Session(c); err == nil && o.Sessions != nil {
		isValid = func() bool { return o.Sessions.IsValid(session) }
	}
	return release, isValid
}

// watchClient ends the stream as soon as the client closes the connection: a server that only writes would notice after
// some lost writes. A client sends nothing on an event stream; what it sends all the same is dropped.
func watchClient(conn net.Conn, gone context.CancelFunc) {
	defer gone()
	_ = conn.SetReadDeadline(time.Time{})
	buf := make([]byte, 64)
	for {
		if _, err := conn.Read(buf); err != nil {
			return
		}
	}
}
