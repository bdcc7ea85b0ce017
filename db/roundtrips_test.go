package db_test

import (
	"context"
	"net"
	"sync/atomic"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest/measured"
	"lunchgo/db/dbtest/tables"
	"lunchgo/db/testkit"
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

// countTrips opens a harness whose round trips are counted, over one connection.
func countTrips(t *testing.T) (*harness, *countingDialer) {
	t.Helper()
	address := tables.Database(t)
	var dialer countingDialer
	config := testkit.Patient
	config.URL, config.MaxConns, config.Dial = address, 1, dialer.dial
	h := newHarness(testkit.OpenAt(t, config), address)
	h.Open(t, testkit.Restaurant())
	return h, &dialer
}

// trips serves a run and returns how many round trips it took. Every request must come true.
func (h *harness) trips(t *testing.T, dialer *countingDialer, turn booking.Turn, run []booking.Request) int64 {
	t.Helper()
	before := dialer.trips.Load()
	outcomes, _, err := h.Slots.Serve(t.Context(), turn, run)
	took := dialer.trips.Load() - before
	if err != nil || len(outcomes) != len(run) {
		t.Fatal(len(outcomes), err)
	}
	for _, out := range outcomes {
		if out.Err != nil && turn.Capacity > 0 {
			t.Fatal(out.Err)
		}
	}
	return took
}

// TestServe_RoundTrips counts on the wire, once the statements are prepared.
func TestServe_RoundTrips(t *testing.T) {
	t.Parallel()
	h, dialer := countTrips(t)
	serve := func(at booking.TimeOfDay, size, capacity int, stay ...booking.TimeOfDay) int64 {
		slot := h.Slot(at)
		h.MustExec(t, `UPDATE menu_items SET daily_quantity = 10000 WHERE $1::text >= '21:00'`, string(at))
		var run []booking.Request
		for _, id := range h.Diners(t, size, 0) {
			req := h.Request(id, slot)
			req.Stay = stay
			if at == "22:00" {
				req.DepositAmount = 0
			}
			run = append(run, req)
		}
		turn := h.Turn(slot, capacity, 1)
		turn.Stay = stay
		return h.trips(t, dialer, turn, run)
	}
	serve("17:00", 1, 1_000) // learns the statements
	serve("08:00", 1, 1_000, "09:00")
	for _, c := range []struct {
		name     string
		at       booking.TimeOfDay
		stay     []booking.TimeOfDay
		size     int
		capacity int
		want     int64
	}{
		{"one request", "18:00", nil, 1, 1_000, 5},
		{"sixty-four requests", "19:00", nil, 64, 1_000, 5},
		{"one request for three slots", "11:00", []booking.TimeOfDay{"12:00", "13:00"}, 1, 1_000, 5},
		{"sixty-four requests for three slots", "14:00", []booking.TimeOfDay{"15:00", "16:00"}, 64, 1_000, 5},
		{"sixty-four requests for a full slot", "20:00", nil, 64, 0, 4},
		{"sixty-four requests for dishes of which there are so many", "21:00", nil, 64, 1_000, 5},
		{"one request that is confirmed at once", "22:00", nil, 1, 1_000, 5},
	} {
		got := serve(c.at, c.size, c.capacity, c.stay...)
		if got != c.want {
			t.Errorf("%s: %d round trips, want %d", c.name, got, c.want)
		}
		measured.Log(t, "round-trips/"+c.name, map[string]int{"requests": c.size},
			map[string]float64{"round trips": float64(got)})
	}
}

// TestServe_RoundTripsOfChanges moves diners who have paid from several slots into others, for more persons, alone and
// among diners who reserve.
func TestServe_RoundTripsOfChanges(t *testing.T) {
	t.Parallel()
	h, dialer := countTrips(t)
	serve := func(to booking.TimeOfDay, changes, others int, stay ...booking.TimeOfDay) int64 {
		slot := h.Slot(to)
		var run []booking.Request
		for i, diner := range h.Diners(t, changes, 100_000) {
			id := h.Reserve(t, h.Request(diner, h.Slot([]booking.TimeOfDay{"17:00", "18:00", "21:00"}[i%3])))
			h.MustPay(t, id, diner, booking.Deposit, "pay")
			req := h.Wanting(t, id, testkit.Party(3))
			req.Slot, req.Stay = slot, stay
			run = append(run, req)
		}
		for i, diner := range h.Diners(t, others, 0) {
			req := h.Request(diner, slot)
			req.Stay = stay
			run = append(run[:i*2], append([]booking.Request{req}, run[i*2:]...)...)
		}
		turn := h.Turn(slot, 1_000, 1)
		turn.Stay = stay
		return h.trips(t, dialer, turn, run)
	}
	serve("09:00", 2, 1) // learns the statements
	for _, c := range []struct {
		name            string
		to              booking.TimeOfDay
		stay            []booking.TimeOfDay
		changes, others int
		want            int64
	}{
		{"one change", "10:00", nil, 1, 0, 10},
		{"sixty-four changes", "11:00", nil, 64, 0, 10},
		{"one change among one other", "12:00", nil, 1, 1, 11},
		{"thirty-two changes among as many others", "13:00", nil, 32, 32, 11},
		{"sixty-four changes into three slots", "14:00", []booking.TimeOfDay{"15:00", "16:00"}, 64, 0, 10},
	} {
		got := serve(c.to, c.changes, c.others, c.stay...)
		if got != c.want {
			t.Errorf("%s: %d round trips, want %d", c.name, got, c.want)
		}
		measured.Log(t, "changes-round-trips/"+c.name, map[string]int{"requests": c.changes + c.others},
			map[string]float64{"round trips": float64(got)})
	}
	checkBalances(t, h)
}
