package e2e_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"testing"

	"lunchgo/db/dbtest"
)

// orphans is how many diners wait when everybody and almost everything is gone.
const orphans = 60

// TestOrphans has diners wait in two of three servers, ends all connections of theirs, and kills those two. The third,
// which has never heard of that line, serves everybody who pressed, in the order of their presses, and writes to them.
func TestOrphans(t *testing.T) {
	skipShort(t)
	t.Parallel()
	p := newProduct(t)
	doomed := []*product{p.another(), p.another()}
	s := p.freeSlot("sotbul", 2)
	p.setCapacity(s, orphans*s.party)
	line := p.holdLine(s, 0)
	var keys []string
	wires := []*wire{doomed[0].newWire(), doomed[1].newWire()}
	for i, token := range p.seedDiners(orphans) {
		key := fmt.Sprintf("press-%03d", i)
		keys = append(keys, key)
		diner{product: wires[i%2].product, token: token}.waitWatching(s, key)
	}
	for i, server := range doomed {
		wires[i].Cut()
		server.kill()
	}
	line.leave()

	dbtest.Eventually(t, "everybody has a table", func() bool { return len(p.served(s)) == orphans })
	if served := p.served(s); !slices.Equal(served, keys) {
		t.Errorf("served in the order %v", served)
	}
	const notified = `SELECT count(DISTINCT m.user_id) FROM mails m JOIN reservations r ON r.id = m.reservation_id
		JOIN slots s ON s.id = r.slot_id
		WHERE m.kind = 'turn' AND s.restaurant_id = $1 AND s.service_date = $2 AND s.service_time = $3`
	dbtest.Eventually(t, "everybody is written to", func() bool {
		return p.number(notified, s.restaurantID, s.date, s.time) == orphans
	})
	p.run("audit")
}

// another starts a further server of the same installation, which ends with the test.
func (p *product) another() *product {
	p.t.Helper()
	further := *p
	further.start("127.0.0.1:0")
	p.t.Cleanup(further.kill)
	return &further
}

// waitWatching presses, and follows the ticket until the connection breaks.
func (d diner) waitWatching(s slot, key string) {
	d.t.Helper()
	status, answer, err := d.try(http.MethodPost, "/api/reservations", s.order(), "Idempotency-Key", key, "Prefer",
		"respond-async")
	dbtest.Must(d.t, err)
	var waits struct{ Ticket string }
	dbtest.Must(d.t, json.Unmarshal(answer, &waits))
	if status != http.StatusAccepted || waits.Ticket == "" {
		d.t.Fatalf("a press is answered by %d %s", status, answer)
	}
	r, err := http.NewRequestWithContext(d.t.Context(), http.MethodGet,
		d.url+"/api/tickets/"+waits.Ticket+"/events", nil)
	dbtest.Must(d.t, err)
	r.Header.Set("Authorization", "Bearer "+d.token)
	events, err := clients.Transport.RoundTrip(r)
	dbtest.Must(d.t, err)
	if events.StatusCode != http.StatusOK {
		d.t.Fatalf("GET %s: %s", r.URL.Path, events.Status)
	}
	go func() {
		_, _ = io.Copy(io.Discard, events.Body) // until the connection is cut
		_ = events.Body.Close()
	}()
}

// served returns the keys of the presses that got a table in a slot, in the order in which they did.
func (p *product) served(s slot) (keys []string) {
	p.t.Helper()
	rows, err := p.db.QueryContext(p.t.Context(), `
		SELECT r.idempotency_key
		FROM reservations r
		JOIN slots s ON s.id = r.slot_id
		WHERE s.restaurant_id = $1 AND s.service_date = $2 AND s.service_time = $3
		ORDER BY r.ordinal`, s.restaurantID, s.date, s.time)
	dbtest.Must(p.t, err)
	defer rows.Close()
	for rows.Next() {
		var key string
		dbtest.Must(p.t, rows.Scan(&key))
		keys = append(keys, key)
	}
	dbtest.Must(p.t, rows.Err())
	return keys
}
