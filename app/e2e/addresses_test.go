package e2e_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

// One address has so many connections at the proxy, and leaves the others theirs.
func TestProxy_BoundsTheConnectionsOfAnAddress(t *testing.T) {
	skipShort(t)
	t.Parallel()
	const most, tries = 20, 60
	b := newBalanced(t, 1)
	if got := b.served("127.0.0.2", tries); got != tries {
		t.Errorf("%d of %d connections are served by the documented bound", got, tries)
	}
	b.most = most
	b.reload()
	if got := b.served("127.0.0.2", tries); got != most {
		t.Errorf("%d connections of one address are served, want %d", got, most)
	}
	if got := b.served("127.0.0.3", 1); got != 1 {
		t.Error("another address is turned away")
	}
}

// served opens connections from an address, leaves them idle after one request until the test ends, and returns how many
// of them were answered.
func (b *balanced) served(from string, connections int) (n int) {
	b.t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	for range connections {
		conn, err := dialer.DialContext(b.t.Context(), "tcp", strings.TrimPrefix(b.url, "http://"))
		if err != nil {
			continue
		}
		b.t.Cleanup(func() { _ = conn.Close() })
		_ = conn.SetDeadline(time.Now().Add(dbtest.Patience))
		if _, err := fmt.Fprint(conn, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
			continue
		}
		if answer, err := http.ReadResponse(bufio.NewReader(conn), nil); err == nil {
			_ = answer.Body.Close()
			n++
		}
	}
	return n
}
