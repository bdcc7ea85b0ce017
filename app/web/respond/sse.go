package respond

import (
	"context"
	"errors"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"lunchgo/app/refusal"
	"lunchgo/app/telemetry"
)

// Times of a stream.
const (
	PingEvery    = 15 * time.Second // so that proxies, the server and a page notice a dead stream
	writeTimeout = 10 * time.Second // a client that stops reading must not hold its stream for ever
)

// Stream is an open event stream. It belongs to one goroutine. What is sent goes out when that goroutine is about to
// wait, so that several things that come together cost one write.
type Stream struct {
	conn      net.Conn
	isChunked bool // as HTTP/1.1 frames an answer of unknown length; before that its end is the connection's
	buffers   *sync.Pool
	pending   []byte // of the answer, not written yet; nil if there is nothing
	err       error  // of the first write that failed
	ping      time.Duration
	forPage   bool                        // see Streams.ForPages
	isValid   func() bool                 // the viewer's session still stands
	allowed   func(context.Context) error // nil: always
	checked   time.Time                   // when allowed was asked last
	answer    telemetry.Span              // ends with the stream
}

// Traces notes that the stream ends with an answer, whose way to the client is a span.
func (s *Stream) Traces(answer telemetry.Span) { s.answer = answer }

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

// Send sends one event. Returns an error once the client is known to be gone.
func (s *Stream) Send(event, id, data string) error {
	start := s.beginChunk()
	if id != "" {
		s.pending = append(append(append(s.pending, "id: "...), id...), '\n')
	}
	s.pending = append(append(append(s.pending, "event: "...), event...), '\n')
	for line := range strings.SplitSeq(data, "\n") {
		s.pending = append(append(append(s.pending, "data: "...), strings.TrimSuffix(line, "\r")...), '\n')
	}
	s.pending = append(s.pending, '\n')
	s.endChunk(start)
	return s.err
}

// Reconnect sends how soon to reconnect once the stream has ended or broken: after a random pause, since a server
// that ends takes all its streams with it.
func (s *Stream) Reconnect() error {
	start := s.beginChunk()
	pause := RandomPause(refusal.UsualPause, time.Millisecond).Milliseconds()
	s.pending = append(strconv.AppendInt(append(s.pending, "retry: "...), pause, 10), "\n\n"...)
	s.endChunk(start)
	return s.err
}

// sendPing says that the stream lives. A page hears it, with the longest silence in milliseconds; to a program it is a
// comment.
func (s *Stream) sendPing() error {
	if s.forPage {
		return s.Send("ping", "", strconv.FormatInt(s.ping.Milliseconds(), 10))
	}
	start := s.beginChunk()
	s.pending = append(s.pending, ": ping\n\n"...)
	s.endChunk(start)
	return s.err
}

// noSize is the room for the size of a chunk, which is known once the chunk is written: up to 2^32 bytes.
const noSize = "00000000\r\n"

// beginChunk makes ready for a part of the answer and returns where it begins.
func (s *Stream) beginChunk() (start int) {
	if s.pending == nil {
		s.pending = s.takeBuffer()
	}
	if s.isChunked {
		s.pending = append(s.pending, noSize...)
	}
	return len(s.pending)
}

// endChunk frames what was appended since beginChunk.
func (s *Stream) endChunk(start int) {
	if !s.isChunked {
		return
	}
	const digits = "0123456789abcdef"
	size := len(s.pending) - start
	for at := start - len("\r\n") - 1; size > 0; at-- {
		s.pending[at] = digits[size&0xf]
		size >>= 4
	}
	s.pending = append(s.pending, "\r\n"...)
}

// largestKept bounds the buffers that are used again: a stream's events are small, a board's are not.
const largestKept = 4 << 10

func (s *Stream) takeBuffer() []byte {
	if s.buffers != nil {
		if kept, ok := s.buffers.Get().(*[]byte); ok {
			return (*kept)[:0]
		}
	}
	return make([]byte, 0, 1<<10)
}

// flush writes what is pending. Its errors are the first sign that a client is gone.
func (s *Stream) flush() error {
	if s.err != nil || len(s.pending) == 0 {
		return s.err
	}
	if s.err = s.conn.SetWriteDeadline(time.Now().Add(writeTimeout)); s.err == nil {
		_, s.err = s.conn.Write(s.pending)
	}
	written := s.pending // of its own: the pool must not point into this stream
	s.pending = nil
	if s.buffers != nil && cap(written) <= largestKept {
		s.buffers.Put(&written)
	}
	return s.err
}

// end ends the answer and closes the connection. A write that failed is no end: the client may see half of an event.
func (s *Stream) end() {
	if s.isChunked {
		s.pending = append(s.pending, "0\r\n\r\n"...)
	}
	_ = s.flush()
	_ = s.conn.Close()
	s.answer.End(s.err)
}

// errSilent is why a wait ends in which nothing was sent for the time of a ping.
var errSilent = errors.New("respond: nothing new on the stream")

// silence ends waits once nothing has come for a while. One wait lasts over many events: a timer and a context for each
// would cost more than the event.
type silence struct {
	ctx    context.Context // of the stream
	limit  time.Duration
	wait   context.Context // ends with errSilent
	cancel context.CancelCauseFunc
	timer  *time.Timer
}

// begin returns the context of the next wait.
func (s *silence) begin() context.Context {
	if s.wait != nil && s.timer.Stop() {
		s.timer.Reset(s.limit)
		return s.wait
	}
	s.end()
	wait, cancel := context.WithCancelCause(s.ctx)
	s.wait, s.cancel = wait, cancel
	s.timer = time.AfterFunc(s.limit, func() { cancel(errSilent) })
	return wait
}

// isOver says whether the wait has ended without an event, and the stream has not.
func (s *silence) isOver() bool { return context.Cause(s.wait) == errSilent }

func (s *silence) end() {
	if s.wait != nil {
		s.timer.Stop()
		s.cancel(nil)
	}
}

// Pump sends what next gives, until send says that it was the last, the client is gone or ctx ends; with a ping
// whenever next has had nothing new for a while. next returns its ctx's error when that ends.
func Pump[T any](ctx context.Context, s *Stream, next func(context.Context) (T, error),
	send func(T) (last bool, err error)) {
	if s.flush() == nil {
		PumpAtOnce(ctx, s, next, send)
	}
}

// PumpAtOnce is Pump for a next whose first call returns at once: what it gives goes out together with the answer's
// head.
func PumpAtOnce[T any](ctx context.Context, s *Stream, next func(context.Context) (T, error),
	send func(T) (last bool, err error)) {
	quiet := silence{ctx: ctx, limit: s.ping}
	defer quiet.end()
	for {
		value, err := next(quiet.begin())
		last, silent := false, err != nil && quiet.isOver()
		if ctx.Err() != nil || err != nil && !silent {
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
		if last || err != nil || s.flush() != nil { // the last event goes out with the end
			return
		}
	}
}
