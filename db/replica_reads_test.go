package db_test

import (
	"bytes"
	"context"
	"net"
	"net/url"
	"sync"
	"testing"

	"lunchgo/app/guests"
	"lunchgo/app/keyset"
	"lunchgo/app/reports"
	"lunchgo/db/dbtest"
	"lunchgo/db/dbtest/tables"
	dbguests "lunchgo/db/guests"
	"lunchgo/db/pg"
	dbreports "lunchgo/db/reports"
	"lunchgo/db/testkit"
)

// heard is what was sent to a server.
type heard struct {
	mu   sync.Mutex
	sent bytes.Buffer
}

func (h *heard) has(text string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return bytes.Contains(h.sent.Bytes(), []byte(text))
}

type heardConn struct {
	net.Conn
	by *heard
}

func (c heardConn) Write(b []byte) (int, error) {
	c.by.mu.Lock()
	c.by.sent.Write(b)
	c.by.mu.Unlock()
	return c.Conn.Write(b)
}

// The reports and the list of guests are read from the replica while it follows, and from the primary when it is gone.
func TestReplica_ReadingsOfStaff(t *testing.T) {
	t.Parallel()
	primary := dbtest.PrivatePostgres(t)
	dbtest.Must(t, tables.Make(primary.URL))
	replica := dbtest.Replica(t, primary)
	at, err := url.Parse(replica.URL)
	dbtest.Must(t, err)
	var there, elsewhere heard
	h := newHarness(testkit.OpenAt(t, pg.Config{URL: primary.URL, ReplicaURL: replica.URL,
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := new(net.Dialer).DialContext(ctx, network, address)
			if address == at.Host {
				return heardConn{conn, &there}, err
			}
			return heardConn{conn, &elsewhere}, err
		}}), primary.URL)
	h.Open(t, testkit.Restaurant())
	dbtest.Eventually(t, "the replica is read from", func() bool {
		_, read := h.ReplicaStats()()
		return read
	})
	h.readsOfStaff(t)
	for _, query := range []string{"sums.no_shows", "AS expired_holds"} {
		if !there.has(query) || elsewhere.has(query) {
			t.Errorf("not read from the replica: %s", query)
		}
	}
	replica.Kill() // its processes may answer for a moment
	dbtest.Eventually(t, "the primary is read from", func() bool {
		h.readsOfStaff(t)
		return elsewhere.has("AS expired_holds")
	})
}

// readsOfStaff makes the reports and the list of guests.
func (h *harness) readsOfStaff(t *testing.T) {
	t.Helper()
	filter := reports.Filter{Period: reports.Period{From: "2040-05-01", To: "2040-05-31"}, Weekday: -1}
	if _, err := dbreports.NewStore(h.Pool).ReadFacts(t.Context(), h.Restaurant, filter); err != nil {
		t.Error(err)
	}
	if _, err := dbguests.NewStore(h.Pool).ListGuests(t.Context(), h.Restaurant.ID, guests.Search{},
		keyset.Request{}); err != nil {
		t.Error(err)
	}
}
