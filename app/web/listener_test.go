package web

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/valyala/fasthttp"

	"lunchgo/db/dbtest"
)

// exhausted has no file for the first connections.
type exhausted struct {
	net.Listener
	left int
}

func (l *exhausted) Accept() (net.Conn, error) {
	if l.left > 0 {
		l.left--
		return nil, &net.OpError{Op: "accept", Err: os.NewSyscallError("accept4", syscall.EMFILE)}
	}
	return l.Listener.Accept()
}

func listenLocally(t *testing.T) net.Listener {
	t.Helper()
	inner, err := net.Listen("tcp4", "127.0.0.1:0")
	dbtest.Must(t, err)
	t.Cleanup(func() { _ = inner.Close() })
	return inner
}

func TestListener_OutlivesALackOfFiles(t *testing.T) {
	t.Parallel()
	var written strings.Builder
	inner := listenLocally(t)
	l := newListener(&exhausted{inner, 3}, 0, nil, slog.New(slog.NewTextHandler(&written, nil)))
	client, err := net.Dial("tcp", inner.Addr().String())
	dbtest.Must(t, err)
	defer client.Close()
	conn, err := l.Accept()
	if err != nil {
		t.Fatalf("the listener gave up: %v", err)
	}
	_ = conn.Close()
	if n := strings.Count(written.String(), "too many open files"); n != 1 {
		t.Errorf("%d warnings: %s", n, written.String())
	}
	_ = inner.Close()
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("after its end: %v", err)
	}
	// The control: without it the server ends.
	alone := listenLocally(t)
	server := fasthttp.Server{Handler: func(*fasthttp.RequestCtx) {}, Logger: slog.NewLogLogger(slog.DiscardHandler, 0)}
	if err := server.Serve(&exhausted{alone, 1}); !errors.Is(err, syscall.EMFILE) {
		t.Errorf("fasthttp ended with %v", err)
	}
}

// Beyond the bound clients are asked to come back; who does so when there is room gets in.
func TestListener_RefusesBeyondItsBound(t *testing.T) {
	t.Parallel()
	inner := listenLocally(t)
	server := fasthttp.Server{Handler: func(*fasthttp.RequestCtx) {}}
	const most = 3
	l := newListener(inner, most, func() int { return int(server.GetOpenConnectionsCount()) },
		slog.New(slog.DiscardHandler))
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	ask := func() (net.Conn, *http.Response) {
		conn, err := net.Dial("tcp", inner.Addr().String())
		dbtest.Must(t, err)
		t.Cleanup(func() { _ = conn.Close() })
		_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
		if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		dbtest.Must(t, err)
		return conn, response
	}
	var first net.Conn
	for range most {
		conn, response := ask()
		if response.StatusCode != http.StatusOK {
			t.Fatalf("within the bound: %s", response.Status)
		}
		first = conn
	}
	for range 2 * mostEndings {
		conn, response := ask()
		body, _ := io.ReadAll(response.Body)
		after, err := strconv.Atoi(response.Header.Get("Retry-After"))
		if response.StatusCode != http.StatusServiceUnavailable || err != nil || after < 1 ||
			!strings.Contains(string(body), `"overloaded"`) {
			t.Fatalf("beyond the bound: %s, Retry-After %q, %s", response.Status, response.Header.Get("Retry-After"),
				body)
		}
		_ = conn.Close()
	}
	_ = first.Close()
	dbtest.Eventually(t, "a connection that ended has made room", func() bool {
		_, response := ask()
		return response.StatusCode == http.StatusOK
	})
	_ = inner.Close()
	if err := <-ended; err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// Who sends a body that is refused unread hears why, once all of it is sent. The control does without: there the
// connection is reset while the body comes.
func TestListener_ReadsOnWhatIsRefused(t *testing.T) {
	t.Parallel()
	const tooLarge = 16 << 20 // more than the system keeps of what nobody reads
	send := func(unread bool) error {
		inner := listenLocally(t)
		server := fasthttp.Server{MaxRequestBodySize: 1, ErrorHandler: func(ctx *fasthttp.RequestCtx, _ error) {
			ctx.Conn().(*connection).unread.Store(unread)
			ctx.SetStatusCode(http.StatusRequestEntityTooLarge)
		}}
		ended := make(chan error, 1)
		go func() { ended <- server.Serve(newListener(inner, 0, nil, slog.New(slog.DiscardHandler))) }()
		defer func() { _ = server.Shutdown(); <-ended }()
		conn, err := net.Dial("tcp", inner.Addr().String())
		dbtest.Must(t, err)
		defer conn.Close()
		if _, err := fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n", tooLarge); err != nil {
			return err
		}
		if _, err := conn.Write(make([]byte, tooLarge)); err != nil {
			return err
		}
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err == nil && response.StatusCode != http.StatusRequestEntityTooLarge {
			err = errors.New(response.Status)
		}
		return err
	}
	if err := send(true); err != nil {
		t.Errorf("the sender does not hear why: %v", err)
	}
	if err := send(false); err == nil {
		t.Error("control: nothing is lost without reading on")
	}
}
