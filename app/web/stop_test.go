package web_test

import (
	"context"
	"strings"
	"testing"
	"time"

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
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if err := h.Site.Shutdown(ctx); err != nil {
		t.Fatal(err)
	}
	for _, events := range streams {
		for e := range events {
			if e.name == "done" {
				t.Error("a browser gets the event that its wait is over")
			}
		}
	}
}
