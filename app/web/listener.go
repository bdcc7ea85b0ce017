package web

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"lunchgo/app/refusal"
	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
)

// listener accepts connections for as long as it is open. fasthttp gives up at the first error, so that the moment in
// which a process has no file left for one more connection would end it; and it says nothing to whom it has no room
// for.
type listener struct {
	net.Listener
	most   int           // connections at a time; 0: any number
	open   func() int    // how many are open
	ending chan struct{} // has room for those that are read on before they close
	log    *slog.Logger
	warned time.Time
}

// Bounds of what is done for connections of which something is refused.
const (
	mostEndings = 32          // at a time; beyond it a connection is closed at once
	refusalTime = time.Second // of one that is refused itself
	readOnTime  = readTimeout // of one over which a body comes that nobody reads
	mostReadOn  = 1 << 30     // bytes of such a body
)

// Pauses between two tries to accept, when the system has nothing to accept with.
const (
	firstAcceptPause = 5 * time.Millisecond
	lastAcceptPause  = 500 * time.Millisecond
)

func newListener(inner net.Listener, most int, open func() int, log *slog.Logger) *listener {
	return &listener{Listener: inner, most: most, open: open, ending: make(chan struct{}, mostEndings), log: log}
}

// Accept implements net.Listener. It belongs to one goroutine.
func (l *listener) Accept() (net.Conn, error) {
	pause := firstAcceptPause
	for {
		conn, err := l.Listener.Accept()
		switch {
		case err == nil && (l.most == 0 || l.open() < l.most):
			return &connection{Conn: conn, listener: l}, nil
		case err == nil:
			l.warn(
				"all connections are in use: others are asked to come back; raise the limit of open files, or run more instances", slog.Int("connections", l.most))
			l.refuse(conn)
		case isExhausted(err):
			l.warn("a connection waits to be accepted", slog.Any("error", err))
			time.Sleep(pause)
			pause = min(2*pause, lastAcceptPause)
		default:
			return nil, err
		}
	}
}

// isExhausted says whether an error of accept passes by itself: the process or the system has no file or no memory for
// one more connection, or the client is gone already.
func isExhausted(err error) bool {
	for _, passing := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM,
		syscall.ECONNABORTED} {
		if errors.Is(err, passing) {
			return true
		}
	}
	return false
}

// refuse asks a client to come back.
func (l *listener) refuse(conn net.Conn) {
	l.end(conn, refusalTime, maxHead+maxBody, func() error {
		_, err := io.WriteString(conn, overloaded())
		return err
	})
}

// end closes a connection once its client has heard the last words: one that is closed before what came over it was
// read is reset, and the answer with it. So it is read on, for a while and for so many bytes.
func (l *listener) end(conn net.Conn, limit time.Duration, most int64, lastWords func() error) {
	select {
	case l.ending <- struct{}{}:
	default:
		_ = conn.Close()
		return
	}
	go func() {
		defer func() { <-l.ending }()
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(limit))
		if lastWords() != nil {
			return
		}
		if half, ok := conn.(interface{ CloseWrite() error }); ok && half.CloseWrite() == nil {
			_, _ = io.Copy(io.Discard, io.LimitReader(conn, most))
		}
	}()
}

// connection is one that may have been answered before all that came over it was read.
type connection struct {
	net.Conn
	listener *listener
	unread   atomic.Bool
}

// Close implements net.Conn.
func (c *connection) Close() error {
	if !c.unread.Swap(false) {
		return c.Conn.Close()
	}
	c.listener.end(c.Conn, readOnTime, mostReadOn, func() error { return nil })
	return nil
}

// overloaded is the problem "overloaded" as it goes over the wire.
func overloaded() string {
	what := respond.NewProblem(waiting.ErrCrowded)
	body := fmt.Sprintf(`{"type":"about:blank","title":"Service Unavailable","status":%d,"code":%q}`, what.Status,
		what.Code)
	return strings.Join([]string{
		fmt.Sprintf("HTTP/1.1 %d Service Unavailable", what.Status),
		fmt.Sprintf("Retry-After: %d", int(respond.RandomPause(refusal.UsualPause, time.Second).Seconds())),
		"Content-Type: application/problem+json",
		fmt.Sprintf("Content-Length: %d", len(body)),
		"Cache-Control: no-store",
		"Connection: close",
		"", body}, "\r\n")
}

// listenWarningEvery is how often the log says that connections do not get in.
const listenWarningEvery = time.Minute

func (l *listener) warn(what string, about slog.Attr) {
	if now := time.Now(); now.Sub(l.warned) >= listenWarningEvery {
		l.warned = now
		l.log.Warn(what, about)
	}
}
