package db

import (
	"context"
	"net"
	"sync/atomic"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
)

// countingDialer counts the round trips of its connections: how often something is read after something was written.
type countingDialer struct {
	trips atomic.Int64
}

func (d *countingDialer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &countingConn{Conn: conn, trips: &d.trips}, nil
}

type countingConn struct {
	net.Conn
	trips *atomic.Int64
	asked atomic.Bool
}

func (c *countingConn) Write(b []byte) (int, error) {
	c.asked.Store(true)
	return c.Conn.Write(b)
}

func (c *countingConn) Read(b []byte) (int, error) {
	if c.asked.Swap(false) {
		c.trips.Add(1)
	}
	return c.Conn.Read(b)
}

// TestServe_RoundTrips counts on the wire, once the statements are prepared.
func TestServe_RoundTrips(t *testing.T) {
	t.Parallel()
	address := dbtest.Template(t, "schema", migrated)
	var dialer countingDialer
	db, err := open(t.Context(), Config{URL: address, MaxConns: 1}, dialer.dial)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	h := newHarness(db, address)
	id, err := h.seeds.PutRestaurant(t.Context(), testRestaurant(), testMenu())
	if err != nil {
		t.Fatal(err)
	}
	h.restaurant.ID = id
	if h.menu, err = h.catalog.ListMenu(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	serve := func(at booking.TimeOfDay, size, capacity int) int64 {
		slot := h.slot(at)
		h.mustExec(t, `UPDATE menu_items SET daily_quantity = 10000 WHERE $1::text >= '21:00'`, string(at))
		var run []booking.Request
		for _, id := range h.diners(t, size, 0) {
			run = append(run, h.request(id, slot))
		}
		before := dialer.trips.Load()
		outcomes, _, err := h.slots.Serve(t.Context(), h.turn(slot, capacity, 1), run)
		if err != nil || len(outcomes) != size {
			t.Fatal(len(outcomes), err)
		}
		return dialer.trips.Load() - before
	}
	serve("17:00", 1, 1_000) // learns the statements
	for _, c := range []struct {
		name     string
		at       booking.TimeOfDay
		size     int
		capacity int
		want     int64
	}{
		{"one request", "18:00", 1, 1_000, 5},
		{"sixty-four requests", "19:00", 64, 1_000, 5},
		{"sixty-four requests for a full slot", "20:00", 64, 0, 4},
		{"sixty-four requests for dishes of which there are so many", "21:00", 64, 1_000, 5},
	} {
		if got := serve(c.at, c.size, c.capacity); got != c.want {
			t.Errorf("%s: %d round trips, want %d", c.name, got, c.want)
		}
	}
}
