package web_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// A server that ends takes its streams along, and their browsers come back to find their place.
func TestShutdown_WithOpenStreams(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	slot := h.slot("19:00")
	h.rival(slot)
	var streams []<-chan event
	for range 2 {
		b := h.signedIn(0)
		to := strings.TrimPrefix(b.press(slot).location(), h.URL)
		ticket, _, _ := strings.Cut(strings.TrimPrefix(to, "/tickets/"), "?")
		events := b.stream(context.WithoutCancel(t.Context()), views.TicketEventsURL(ticket, 1))
		await(t, events, "waiting", "")
		streams = append(streams, events)
	}
	ctx, cancel := context.WithTimeout(t.Context(), dbtest.Patience)
	defer cancel()
	dbtest.Must(t, h.Site.Shutdown(ctx))
	for _, events := range streams {
		for e := range events {
			if e.name == "done" {
				t.Error("a browser gets the event that its wait is over")
			}
		}
	}
}

// A server that drains asks for no new requests, ends each connection with its answer, and serves whatever comes all
// the same.
func TestDrain_ServesOnWhileItIsNotReady(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	slot := h.slot("19:00")
	probe := func() (*http.Response, string) {
		t.Helper()
		response, err := http.Get(h.URL + "/readyz")
		dbtest.Must(t, err)
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		dbtest.Must(t, err)
		return response, string(text)
	}
	if response, text := probe(); response.StatusCode != 200 || response.Close {
		t.Errorf("before: %s, closes the connection: %t, %s", response.Status, response.Close, text)
	}
	h.Site.Drain()
	if response, text := probe(); response.StatusCode != 503 || !response.Close || text != `{"status":"stopping"}` {
		t.Errorf("draining: %s, closes the connection: %t, %s", response.Status, response.Close, text)
	}
	h.rival(slot)
	b := h.signedIn(0)
	ticket, _, _ := strings.Cut(strings.TrimPrefix(b.press(slot).location(), h.URL+"/tickets/"), "?")
	await(t, b.stream(context.WithoutCancel(t.Context()), views.TicketEventsURL(ticket, 1)), "waiting", "")
}
