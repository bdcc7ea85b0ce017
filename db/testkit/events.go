package testkit

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"lunchgo/app/events"
	"lunchgo/db/dbtest"
	"lunchgo/db/outbox"
)

// WantEvents begins to have events written, and returns where they are.
func (h *Harness) WantEvents(t testing.TB) *outbox.Store {
	t.Helper()
	store := outbox.NewStore(h.Pool)
	held, err := store.Hold(t.Context(), events.Lease{Holder: "test", For: time.Minute, Wanted: time.Hour})
	if err != nil || !held {
		t.Fatalf("the feed is not held: %v, %v", held, err)
	}
	return store
}

// Written returns the events of a key, or all for none, in their order.
func (h *Harness) Written(t testing.TB, key string) []events.Event {
	t.Helper()
	var written []events.Event
	err := h.List(t.Context(), &written, `SELECT id, type, key, at, data FROM outbox WHERE $1 IN ('', key) ORDER BY id`,
		key)
	dbtest.Must(t, err)
	return written
}

// EventState is what an event says of some keys of its data.
func EventState(t testing.TB, e events.Event, keys ...string) string {
	t.Helper()
	var data map[string]json.RawMessage
	dbtest.Must(t, json.Unmarshal(e.Data, &data))
	var parts []string
	for _, key := range keys {
		parts = append(parts, string(data[key]))
	}
	return strings.Join(parts, " ")
}
