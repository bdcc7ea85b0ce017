package respond

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"lunchgo/app/identity"
	"lunchgo/app/telemetry"
)

// Streams opens event streams that end with the server, and with the session of their viewer.
type Streams struct {
	Until    context.Context // ends when the server begins to shut down: open streams would keep it waiting for ever
	Log      *slog.Logger
	Open     *atomic.Int64               // counts the streams that are open now; may be nil
	Sessions *identity.Sessions          // says whether a viewer's session still stands
	Ping     time.Duration               // the longest silence of a stream; 0: PingEvery
	Running  *sync.WaitGroup             // is done when all streams have ended; may be nil
	Buffers  *sync.Pool                  // of *[]byte, for all streams; may be nil
	ForPages bool                        // pings are events, which a page hears; for programs they are comments
	allowed  func(context.Context) error // asked again and again; nil for what every viewer may see
}

// While returns streams that also end once allowed returns an error. It is asked at most once a ping, since it may ask
// the database.
func (o Streams) While(allowed func(context.Context) error) Streams {
	o.allowed = allowed
	return o
}

// ForPrograms returns streams whose pings are comments.
func (o Streams) ForPrograms() Streams {
	o.ForPages = false
	return o
}

// Serve answers the request with a stream that write fills. ctx ends when the client goes away, or the server begins to
// shut down; write should return soon after. Nothing of c may be used inside write: fasthttp uses it again by then.
//
// The stream takes its connection over from the router, and lives on two goroutines with small stacks. The router's own
// way to stream keeps a request, its buffers and a pipe for as long as the stream lasts: three times the memory.
func (o Streams) Serve(c *fiber.Ctx, write func(ctx context.Context, s *Stream)) error {
	c.Set(fiber.HeaderContentType, "text/event-stream; charset=utf-8")
	c.Set(fiber.HeaderCacheControl, "no-store, no-transform")
	c.Set("X-Accel-Buffering", "no")
	request := c.Context()
	s := &Stream{conn: request.Conn(), isChunked: request.Request.Header.IsHTTP11(), buffers: o.Buffers,
		ping: cmp.Or(o.Ping, PingEvery), forPage: o.ForPages, allowed: o.allowed, checked: time.Now()}
	ctx, cancel := context.WithCancel(telemetry.WithIDs(o.Until, c.UserContext()))
	release, isValid := o.viewerOf(c)
	s.isValid = isValid
	end := func() { cancel(); release() }
	if request.IsHead() {
		cancel()
		s.err = net.ErrClosed
		defer end()
		request.SetConnectionClose()
		write(ctx, s) // learns at once that its stream has ended
		return nil
	}
	if o.Running != nil {
		o.Running.Add(1)
	}
	request.HijackSetNoResponse(true)
	// the middleware is through by now; this returns, and with it go the request and its buffers
	request.Hijack(func(net.Conn) {
		s.pending = append(s.takeBuffer(), headOf(&request.Response, s.isChunked)...)
		go watchClient(s.conn, cancel)
		go func() {
			defer o.close(ctx, s, end)
			if o.Open != nil {
				o.Open.Add(1)
			}
			_ = s.Reconnect() // if the client is gone already, write finds out by itself; it may have to clean up
			if s.forPage {
				_ = s.sendPing() // says how often the stream speaks
			}
			write(ctx, s)
		}()
	})
	return nil
}

// headOf is the head of an answer of unknown length, whose end is the connection's too.
func headOf(response *fasthttp.Response, isChunked bool) []byte {
	response.Header.SetConnectionClose()
	if isChunked {
		response.Header.SetContentLength(-1)
	} else {
		response.Header.SetContentLength(-2)
	}
	return response.Header.Header()
}

// close ends a stream, also after a panic, which would end the process: the router's recover is not on this goroutine's
// stack.
func (o Streams) close(ctx context.Context, s *Stream, end func()) {
	if r := recover(); r != nil {
		o.Log.ErrorContext(ctx, "event stream panicked", "panic", r, "stack", string(debug.Stack()))
	}
	s.end()
	end()
	if o.Open != nil {
		o.Open.Add(-1)
	}
	if o.Running != nil {
		o.Running.Done()
	}
}

// viewerOf returns what gives back the viewer's place among the streams, and what says whether their session still
// stands.
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
	buf := make([]byte, 64)
	for {
		if _, err := conn.Read(buf); err != nil {
			return
		}
	}
}
