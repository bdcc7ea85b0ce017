package web

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
)

// feed is a connection on which everything has come already.
type feed struct {
	net.Conn
	in  *bytes.Reader
	out bytes.Buffer
}

func (f *feed) Read(p []byte) (int, error)       { return f.in.Read(p) }
func (f *feed) Write(p []byte) (int, error)      { return f.out.Write(p) }
func (f *feed) Close() error                     { return nil }
func (f *feed) LocalAddr() net.Addr              { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }
func (f *feed) RemoteAddr() net.Addr             { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9} }
func (f *feed) SetDeadline(time.Time) error      { return nil }
func (f *feed) SetReadDeadline(time.Time) error  { return nil }
func (f *feed) SetWriteDeadline(time.Time) error { return nil }

// Whatever comes on a connection, each answer to it is a whole one, and none of them says that the server failed.
func FuzzConnection(f *testing.F) {
	for _, seed := range []string{
		"GET /x?a=b HTTP/1.1\r\nHost: x\r\nCookie: lang=en; flash=a:b\r\n\r\n",
		"POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabcGET /api/x HTTP/1.1\r\nHost: x\r\n\r\n",
		"POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
		"POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\nHost: x\r\n\r\n",
		"GET /x HTTP/1.1\nHost: x\n\n", "HEAD /none HTTP/1.0\r\n\r\n", "BREW /x HTTP/1.1\r\nHost: x\r\n\r\n", "\r\n\r\n",
		"\x16\x03\x01",
		"GET /x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a.b.c\r\nAccept-Language: ko;q=0.5\r\nX-Forwarded-For: ,\r\nOrigin: null\r\n\r\n",
	} {
		f.Add([]byte(seed))
	}
	app, _ := middlewareApp(func(c *fiber.Ctx) error { return c.SendString(c.Query("a") + string(c.Body())) })
	f.Fuzz(func(t *testing.T, sent []byte) {
		conn := &feed{in: bytes.NewReader(sent)}
		_ = app.Server().ServeConn(conn)
		answers := bufio.NewReader(&conn.out)
		for method := http.MethodGet; ; {
			if _, err := answers.Peek(1); err == io.EOF {
				return
			}
			if bytes.HasPrefix(bytes.TrimLeft(sent, "\r\n"), []byte("HEAD ")) {
				method = http.MethodHead
			}
			answer, err := http.ReadResponse(answers, &http.Request{Method: method})
			if err != nil {
				if method == http.MethodGet && !bytes.Contains(sent, []byte("HEAD ")) {
					t.Fatalf("%q is answered in pieces: %v", sent, err)
				}
				return
			}
			if _, err := io.Copy(io.Discard, answer.Body); err != nil {
				return // the answer to a HEAD further on
			}
			if answer.StatusCode == http.StatusInternalServerError {
				t.Fatalf("%q is answered %s", sent, answer.Status)
			}
		}
	})
}

// A head is ambiguous by the rules whichever way its lines are cut.
func FuzzIsAmbiguous(f *testing.F) {
	for _, seed := range []string{"Host: x\r\n\r\n", "Host: x\n\r\n",
		"Content-Length: 1\r\ntransfer-encoding: chunked\r\n\r\n", "\r\n", "", "a", "\n", "\r"} {
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, head []byte, isHTTP11 bool) {
		bare := bytes.Count(head, []byte("\n")) != bytes.Count(head, []byte("\r\n")) || len(head) > 0 &&
			head[len(head)-1] != '\n'
		fields := map[string]bool{}
		for line := range bytes.SplitSeq(head, []byte("\r\n")) {
			if name, _, ok := bytes.Cut(line, []byte(":")); ok {
				fields[string(bytes.ToLower(name))] = true
			}
		}
		both := fields["transfer-encoding"] && (fields["content-length"] || !isHTTP11)
		if got := isAmbiguous(head, isHTTP11); got != (bare || both) {
			t.Errorf("%q: %t, want %t", head, got, bare || both)
		}
	})
}
