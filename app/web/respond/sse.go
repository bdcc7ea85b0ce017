package respond

import (
	"bufio"
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
)

// Times of a stream.
const (
	PingEvery    = 15 * time.Second // a comment, so that proxies and the server notice a dead stream
	writeTimeout = 10 * time.Second // a client that stops reading must not hold its stream for ever
)

// Streams opens event streams that end with the server.
type Streams struct {
	Until context.Context // ends when the server begins to shut down: open streams would keep it waiting for ever
	Log   *slog.Logger
	Open  *atomic.Int64 // counts the streams that are open now; may be nil
}

// Stream is an open event stream. It belongs to one goroutine.
type Stream struct {
	w    *bufio.Writer
	conn net.Conn
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

func (s *Stream) ping() error {
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
		waiting, cancel := context.WithTimeout(ctx, PingEvery)
		value, err := next(waiting)
		cancel()
		last := false
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, context.DeadlineExceeded):
			err = s.ping()
		case err == nil:
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

	ctx, cancel := context.WithCancel(o.Until)
	go watchClient(conn, cancel)
	request.SetBodyStreamWriter(func(w *bufio.Writer) {
		defer cancel()
		defer func() { // a panic here would end the process: the router's recover is not on this goroutine's stack
			if r := recover(); r != nil {
				o.Log.Error("event stream panicked", "panic", r, "stack", string(debug.Stack()))
			}
		}()
		if o.Open != nil {
			o.Open.Add(1)
			defer o.Open.Add(-1)
		}
		s := &Stream{w: w, conn: conn}
		_ = s.Reconnect() // if the client is gone already, write finds out by itself; it may have to clean up
		write(ctx, s)
		_ = s.begin() // for the end of the stream, which the server writes
	})
	return nil
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
