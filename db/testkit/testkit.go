// Package testkit gives the tests of the stores a migrated database of their own with a restaurant, and what they do
// there: sign up, reserve, pay, visit, write.
package testkit

import (
	"fmt"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/db"
	"lunchgo/db/accounts"
	"lunchgo/db/catalog"
	"lunchgo/db/dbtest"
	"lunchgo/db/dbtest/tables"
	"lunchgo/db/pg"
	"lunchgo/db/seed"
	"lunchgo/db/wallet"
)

func init() { dbtest.WaitTogether() } // tests of stores wait more than they compute

// Harness is a migrated database of the test's own with one restaurant and its menu.
type Harness struct {
	*pg.Pool
	URL          string
	Slots        *db.SlotStore
	Reservations *db.ReservationStore
	Wallets      *wallet.Store
	Users        *accounts.Store
	Catalog      *catalog.Store
	Seeds        *seed.Store
	Restaurant   booking.Restaurant
	Menu         []booking.MenuItem
}

// Setup returns the harness of a test.
func Setup(t testing.TB) *Harness {
	t.Helper()
	pool, url := keeper.Database(t)
	t.Cleanup(func() { pool.Weakening.Store(nil); pool.Observe(nil) })
	h := New(pool, url)
	h.Open(t, Restaurant())
	return h
}

// SetupWith returns a harness with a database that no test had before: PostgreSQL has counted nothing of it.
func SetupWith(t testing.TB, config pg.Config) *Harness {
	t.Helper()
	config.URL = tables.Database(t)
	h := New(OpenAt(t, config), config.URL)
	h.Open(t, Restaurant())
	return h
}

// New returns the stores of an open database.
func New(pool *pg.Pool, url string) *Harness {
	return &Harness{
		Pool: pool, URL: url,
		Slots: db.NewSlotStore(pool), Reservations: db.NewReservationStore(pool), Wallets: wallet.NewStore(pool),
		Users: accounts.NewStore(pool), Catalog: catalog.NewStore(pool), Seeds: seed.NewStore(pool),
	}
}

// Patient lets calls take long: race tests queue many behind few connections.
var Patient = pg.Config{QueryTimeout: 5 * time.Minute, LockTimeout: 2 * time.Minute}

var keeper = tables.Keeper(Patient)

// OpenAt opens a database until the test ends.
func OpenAt(t testing.TB, config pg.Config) *pg.Pool {
	t.Helper()
	pool, err := db.Open(t.Context(), config)
	dbtest.Must(t, err)
	t.Cleanup(func() { _ = pool.Close() })
	return pool
}

// Open puts a restaurant with the menu of the tests, and makes it the harness's.
func (h *Harness) Open(t testing.TB, r booking.Restaurant) {
	t.Helper()
	id, err := h.Seeds.PutRestaurant(t.Context(), r, Menu())
	dbtest.Must(t, err)
	if h.Restaurant, err = h.Catalog.FindRestaurant(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if h.Menu, err = h.Catalog.ListMenu(t.Context(), id); err != nil {
		t.Fatal(err)
	}
}

// Instance opens the harness's database as another process of the product does, with the same guards.
func (h *Harness) Instance(t testing.TB) *pg.Pool {
	t.Helper()
	pool := OpenAt(t, pg.Config{URL: h.URL, QueryTimeout: time.Minute, LockTimeout: 30 * time.Second})
	pool.Weakening.Store(h.Weakening.Load())
	return pool
}

// Count runs a query that yields one number.
func (h *Harness) Count(t testing.TB, query string, args ...any) int {
	t.Helper()
	var n int
	dbtest.Must(t, h.SQL().GetContext(t.Context(), &n, query, args...))
	return n
}

// MustExec runs a statement.
func (h *Harness) MustExec(t testing.TB, query string, args ...any) {
	t.Helper()
	if _, err := h.SQL().ExecContext(t.Context(), query, args...); err != nil {
		t.Fatal(fmt.Errorf("%s: %w", query, err))
	}
}
