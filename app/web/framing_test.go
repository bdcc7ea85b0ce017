package web_test

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// A request whose end a proxy may see elsewhere is refused, and nothing that follows it on its connection is read.
func TestRequests_AmbiguousFramingIsRefused(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	const next = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
	const post, probe = "POST /language HTTP/1.1\r\nHost: x\r\n", "POST /healthz HTTP/1.1\r\nHost: x\r\n"
	for name, request := range map[string]struct {
		raw     string
		refused bool
	}{
		"length and encoding": {post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", true},
		"encoding and length": {post + "transfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n0\r\n\r\n", true},
		"at a probe":          {probe + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", true},
		"no encoding at all":  {post + "Content-Length: 0\r\nTransfer-Encoding: identity\r\n\r\n", true},
		"chunks in HTTP/1.0": {"POST /language HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n" +
			"0\r\n\r\n", true},
		"bare line feeds":        {"GET /healthz HTTP/1.1\nHost: x\n\n", true},
		"one bare line feed":     {"GET /healthz HTTP/1.1\r\nHost: x\nX-Other: y\r\n\r\n", true},
		"a bare one at the end":  {"GET /healthz HTTP/1.1\r\nHost: x\r\n\n", true},
		"two encodings":          {post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", true},
		"a folded encoding":      {post + "Content-Length: 5\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n", true},
		"bare line feed, chunks": {probe + "Transfer-Encoding: chunked\r\n\r\n0\n\n", true},
		"an ordinary one":        {"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", false},
		"chunks":                 {probe + "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", false},
	} {
		answers := h.rawAll(request.raw + next)
		refused := strings.HasPrefix(answers, "HTTP/1.1 400 ") && strings.Count(answers, "HTTP/1.1 ") == 1 &&
			strings.Contains(answers, "Connection: close\r\n")
		if refused != request.refused || !refused && strings.Count(answers, "HTTP/1.1 ") != 2 {
			t.Errorf("%s: want refused %t\n%.700s", name, request.refused, answers)
		}
	}
}

// rawAll sends bytes and returns all that comes until the server ends the connection.
func (h *harness) rawAll(request string) string {
	h.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(h.URL, "http://"))
	h.must(err)
	defer conn.Close()
	h.must(conn.SetDeadline(time.Now().Add(10 * time.Second)))
	_, err = io.WriteString(conn, request)
	h.must(err)
	answers, err := io.ReadAll(conn)
	if err != nil && len(answers) == 0 {
		h.t.Fatalf("no answer to %.60q: %v", request, err)
	}
	return string(answers)
}
