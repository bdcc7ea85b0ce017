package db_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/refusal"
	"lunchgo/app/token"
	"lunchgo/db/catalog"
	"lunchgo/db/dbtest"
	"lunchgo/db/dbtest/measured"
	"lunchgo/db/pg"
	"lunchgo/db/testkit"
)

// A crowd presses for one slot while somebody's transaction holds the slot's row. The pool of connections is small.
const (
	pressers     = 200
	pressedConns = 10
)

var pressedSizes = map[string]int{"diners": pressers, "connections": pressedConns}

// holdSlot makes a slot and holds its row until the returned function is called.
func holdSlot(t *testing.T, h *harness, slot booking.SlotKey) (release func()) {
	t.Helper()
	if _, _, err := h.Slots.Serve(t.Context(), h.Turn(slot, scarceSeats, 0), nil); err != nil {
		t.Fatal(err)
	}
	holder := h.SQL().MustBeginTx(t.Context(), nil)
	t.Cleanup(func() { _ = holder.Rollback() })
	holder.MustExec(`SELECT id FROM slots FOR UPDATE`)
	return func() {
		if err := holder.Commit(); err != nil {
			t.Error(err)
		}
	}
}

// otherPage asks what another page of the program needs, and gives up early.
func otherPage(t *testing.T, d *pg.Pool, within time.Duration) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	_, err := catalog.NewStore(d).ListRestaurants(ctx)
	return err
}

// Control, the design without a line: every press begins a transaction and waits in it for the row of the slot. The
// first ten take all connections; everybody else, and every other page, waits for one of those, and gives up.
func TestPool_RunsDryWithoutLine(t *testing.T) {
	t.Parallel()
	h := setup(t)
	slot := h.Slot("19:00")
	release := holdSlot(t, h, slot)
	d := testkit.OpenAt(t, pg.Config{URL: h.URL, MaxConns: pressedConns, QueryTimeout: 3 * time.Second,
		LockTimeout: time.Minute})
	var mu sync.Mutex
	var wg sync.WaitGroup
	timeouts := 0
	for range pressers {
		wg.Go(func() {
			err := d.InTx(t.Context(), func(ctx context.Context, t *pg.Tx) error {
				var id int64
				return t.GetContext(ctx, &id, `SELECT id FROM slots WHERE service_time = $1::time FOR UPDATE`,
					string(slot.Time))
			})
			mu.Lock()
			defer mu.Unlock()
			if errors.Is(err, refusal.ErrUnavailable) {
				timeouts++
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	for dbtest.WaitingForLock(t, h.SQL()) < pressedConns {
	}
	if err := otherPage(t, d, 200*time.Millisecond); !errors.Is(err, refusal.ErrUnavailable) {
		t.Errorf("another page got a connection: %v", err)
	}
	wg.Wait()
	release()
	if timeouts < pressers-pressedConns {
		t.Errorf("%d of %d presses timed out: the test below proves nothing", timeouts, pressers)
	}
	measured.Log(t, "pool-without-line", pressedSizes, map[string]float64{"timed out": float64(timeouts),
		"connections waiting": pressedConns})
}

// With the line the same crowd waits without connections: one turn waits for the row, other pages are answered
// meanwhile, and nobody times out.
func TestPool_StaysFreeWithLine(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.openLargePlace(t)
	slot := h.comingDay(2, "19:00")
	release := holdSlot(t, h, slot)
	d := testkit.OpenAt(t, pg.Config{URL: h.URL, MaxConns: pressedConns, QueryTimeout: time.Minute,
		LockTimeout: time.Minute})
	at := &server{Pool: d, served: serve(t, d, dbtest.KeyPrefix(t), token.Secrets{rand.Text() + rand.Text()})}
	c := newRush(t, pressers)
	for _, diner := range h.Diners(t, pressers, 0) {
		c.post(apiRequest{at: at, path: "/api/reservations", userID: diner,
			body: map[string]any{"restaurantId": h.Restaurant.ID, "date": slot.Date, "time": slot.Time,
				"partySize": 1}})
	}
	all := make(chan map[reply]int, 1)
	go func() { all <- c.run("presses behind a row that somebody holds") }()
	for waitingIn(t, at, slot) < pressers-1 { // one has the turn
	}
	waiting := dbtest.WaitingForLock(t, h.SQL())
	if waiting > 1 {
		t.Errorf("%d sessions wait for the row, want the turn's alone", waiting)
	}
	if used := d.SQL().Stats().InUse; used > pressedConns/2 {
		t.Errorf("%d of %d connections are taken", used, pressedConns)
	}
	if err := otherPage(t, d, 10*time.Second); err != nil {
		t.Errorf("another page: %v", err)
	}
	release()
	answers := <-all
	if answers[reply{Status: 201}] != scarceSeats ||
		answers[reply{Status: 409, Code: "sold_out"}] != pressers-scarceSeats {
		t.Errorf("not everybody was served or refused as sold out: %v", answers)
	}
	measured.Log(t, "pool-with-line", pressedSizes, map[string]float64{"timed out": 0,
		"connections waiting": float64(waiting)})
}

// waitingIn is how many wait in the line of a slot, as the site shows it.
func waitingIn(t *testing.T, at *server, slot booking.SlotKey) int {
	t.Helper()
	url := fmt.Sprintf("%s/api/restaurants/%d/slots?date=%s&partySize=1", at.URL, slot.RestaurantID, slot.Date)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	dbtest.Must(t, err)
	response, err := http.DefaultClient.Do(request)
	dbtest.Must(t, err)
	defer response.Body.Close()
	var day struct {
		Slots []struct {
			Time    booking.TimeOfDay
			Waiting int
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&day); err != nil {
		t.Fatal(response.Status, err)
	}
	for _, s := range day.Slots {
		if s.Time == slot.Time {
			return s.Waiting
		}
	}
	return 0
}
