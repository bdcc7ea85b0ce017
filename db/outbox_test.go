package db_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/events"
	"lunchgo/db"
	"lunchgo/db/dbtest"
)

// wantEvents begins to have events written, and returns where they are.
func (h *harness) wantEvents(t testing.TB) *db.OutboxStore {
	t.Helper()
	outbox := db.NewOutboxStore(h.Pool)
	held, err := outbox.Hold(t.Context(), events.Lease{Holder: "test", For: time.Minute, Wanted: time.Hour})
	if err != nil || !held {
		t.Fatalf("the feed is not held: %v, %v", held, err)
	}
	return outbox
}

// written returns the events of a key, or all for none, in their order.
func (h *harness) written(t testing.TB, key string) []events.Event {
	t.Helper()
	var written []events.Event
	err := h.List(t.Context(), &written, `SELECT id, type, key, at, data FROM outbox WHERE $1 IN ('', key) ORDER BY id`,
		key)
	dbtest.Must(t, err)
	return written
}

// stateOf is what an event says of some keys of its data.
func stateOf(t testing.TB, e events.Event, keys ...string) string {
	t.Helper()
	var data map[string]json.RawMessage
	dbtest.Must(t, json.Unmarshal(e.Data, &data))
	var parts []string
	for _, key := range keys {
		parts = append(parts, string(data[key]))
	}
	return strings.Join(parts, " ")
}

func shortTypes(list []events.Event) (types []string) {
	for _, e := range list {
		types = append(types, strings.TrimPrefix(e.Type, "lunchgo."))
	}
	return types
}

func TestOutbox_FollowsAReservation(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.wantEvents(t)
	b := h.bookings(t, 1)[0]
	for _, e := range []event{pays(booking.Deposit), dinerChanges, dinerCancels, settles} {
		if err := e.happen(t, b); err != nil {
			t.Fatalf("%s: %v", e.name, err)
		}
	}
	list := h.written(t, b.id)
	want := []string{"reservation.held", "reservation.confirmed", "reservation.changed", "reservation.cancelled",
		"reservation.refunded"}
	if got := shortTypes(list); !slices.Equal(got, want) {
		t.Fatalf("%v, not %v", got, want)
	}
	if got := stateOf(t, list[2], "state", "time", "partySize", "paidAmount",
		"changes"); got != `"confirmed" "03:33" 3 30000 1` {
		t.Errorf("the change says %s: %s", got, list[2].Data)
	}
	if got := shortTypes(h.written(t, b.diner)); !slices.Equal(got,
		[]string{"wallet.charged", "wallet.paid", "wallet.paid", "wallet.refunded"}) {
		t.Errorf("of the wallet: %v", got)
	}
}

func TestOutbox_IsEmptyWhereNothingWantsEvents(t *testing.T) {
	t.Parallel()
	h := setup(t)
	play := func() {
		dbtest.Must(t, pays(booking.Deposit).happen(t, h.bookings(t, 1)[0]))
	}
	play()
	h.wantEvents(t)
	h.MustExec(t, `UPDATE event_feeds SET wanted_until = clock_timestamp()`)
	play()
	if n := len(h.written(t, "")) + h.Count(t, `SELECT count(*) FROM touched_days`); n != 0 {
		t.Errorf("%d rows that nothing wants", n)
	}
	h.wantEvents(t)
	h.MustExec(t, `UPDATE restaurants SET shadow = true`)
	b := h.bookings(t, 1)[0]
	dbtest.Must(t, pays(booking.Deposit).happen(t, b))
	if n := len(h.written(t, b.id)) + h.Count(t,
		`SELECT count(*) FROM outbox WHERE type = 'lunchgo.wallet.paid'`); n != 0 {
		t.Errorf("%d events of a rehearsal", n)
	}
}
