package web_test

import (
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// Event streams count among the connections that an instance can have, though their connections are no longer the
// router's.
func TestServe_CountsStreamsAsConnections(t *testing.T) {
	t.Parallel()
	const most, watching = 5, 4
	h := newHarness(t, func(h *harness) { h.setup.Config.Web.MaxConnections = most })
	slot := h.slot("19:00")
	h.rival(slot)
	for range watching {
		b := h.signedIn(0)
		to := strings.TrimPrefix(b.press(slot).location(), h.URL)
		ticket, _, _ := strings.Cut(strings.TrimPrefix(to, "/tickets/"), "?")
		b.client.CloseIdleConnections()
		await(t, b.stream(context.WithoutCancel(t.Context()), views.TicketEventsURL(ticket, 1)), "waiting", "")
		b.client.CloseIdleConnections()
	}
	first, answer := visit(t, h.URL)
	dbtest.Eventually(t, "connections that ended make room", func() bool {
		if answer == "HTTP/1.1 200" {
			return true
		}
		_ = first.Close()
		first, answer = visit(t, h.URL)
		return false
	})
	if _, answer := visit(t, h.URL); answer != "HTTP/1.1 503" {
		t.Errorf("beside %d streams and a visitor: %s", watching, answer)
	}
}

// visit asks for something light over a connection of its own, and returns the first words of the answer.
func visit(t *testing.T, site string) (net.Conn, string) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(site, "http://"))
	dbtest.Must(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	head := make([]byte, len("HTTP/1.1 200"))
	_, _ = io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
	if _, err := io.ReadFull(conn, head); err != nil {
		return conn, err.Error()
	}
	return conn, string(head)
}
