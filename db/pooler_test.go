package db_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"lunchgo/app/booking"
	"lunchgo/app/refusal"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/dbtest/tables"
	"lunchgo/db/pg"
	"lunchgo/db/testkit"
)

// setupPooled returns a harness whose connections go through a PgBouncer, with more of them than it has to the server.
func setupPooled(t *testing.T, settings ...string) *harness {
	t.Helper()
	address := tables.Database(t)
	settings = append(settings, "pool_mode = transaction", fmt.Sprintf("default_pool_size = %d", serverConns))
	address = dbtest.PgBouncer(t, address, settings...).URL
	h := newHarness(testkit.OpenAt(t, pg.Config{URL: address, MaxConns: 4 * serverConns}), address)
	if !h.IsPooled() {
		t.Fatal("the pooler is not noticed")
	}
	h.Open(t, testkit.Restaurant())
	return h
}

// serverConns is how many connections PgBouncer has to the server.
const serverConns = 4

// Behind a pooler the product books, refuses and gives up as it does without one. Others with time-outs of their own
// use the same server connections.
func TestPooler_ServesAsWithout(t *testing.T) {
	t.Parallel()
	h := setupPooled(t)
	t.Run("at once", func(t *testing.T) {
		for name, test := range map[string]func(t *testing.T, h *harness){
			"bookings": bookPooled, "a turn of many": turnPooled, "a constraint": breakConstraint,
			"a statement time-out": sleepPooled, "a lock time-out": waitPooled, "an idle transaction": idlePooled,
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				test(t, h)
			})
		}
	})
	if n := h.Count(t, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()`); n > serverConns {
		t.Errorf("%d server connections, want %d at most", n, serverConns)
	}
}

func bookPooled(t *testing.T, h *harness) {
	var all sync.WaitGroup
	for i, diner := range h.Diners(t, 20, 100_000) {
		all.Go(func() {
			id := h.Reserve(t, h.Request(diner, h.Slot([]booking.TimeOfDay{"11:00", "12:00", "13:00"}[i%3])))
			if _, err := h.Pay(t, id, diner, booking.Deposit, "pay"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

func turnPooled(t *testing.T, h *harness) {
	if n := contend(t, h, h.Slot("19:00"), h.Diners(t, 100, 0), 1, 32); n != 5 {
		t.Errorf("%d parties of two got ten seats", n)
	}
}

func breakConstraint(t *testing.T, h *harness) {
	err := h.Exec(t.Context(), `INSERT INTO slots (restaurant_id, service_date, service_time, capacity, opens_at)
		VALUES ($1, '2040-05-07', '09:00', 1, now())`, -1)
	if !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("got %v, want %v", err, booking.ErrNotFound)
	}
}

// sleepPooled has statements ended by the server, and by their callers.
func sleepPooled(t *testing.T, h *harness) {
	long, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	pool := testkit.OpenAt(t, pg.Config{URL: h.URL, QueryTimeout: 3 * time.Second})
	begun := time.Now()
	if err := pool.Exec(long, `SELECT pg_sleep(30)`); !errors.Is(err, refusal.ErrUnavailable) ||
		time.Since(begun) > 20*time.Second {
		t.Errorf("a long statement: %v after %v", err, time.Since(begun))
	}
	short, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := pool.Exec(short, `SELECT pg_sleep(29)`); !errors.Is(err, refusal.ErrUnavailable) {
		t.Errorf("a caller without patience: %v", err)
	}
	if n := h.Count(t, `SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(29)%' AND state = 'active'
		AND pid <> pg_backend_pid()`); n != 0 {
		t.Errorf("%d statements go on that were given up", n)
	}
}

func waitPooled(t *testing.T, h *harness) {
	slot := booking.SlotKey{RestaurantID: h.Restaurant.ID, Date: "2040-05-14", Time: "19:00"}
	turn := h.Turn(slot, 10, 1)
	if _, _, err := h.Slots.Serve(t.Context(), turn, nil); err != nil {
		t.Fatal(err)
	}
	other, err := h.SQL().BeginTxx(t.Context(), nil)
	dbtest.Must(t, err)
	defer func() { _ = other.Rollback() }()
	if _, err := other.ExecContext(t.Context(),
		`SELECT id FROM slots WHERE service_date = '2040-05-14' FOR UPDATE`); err != nil {
		t.Fatal(err)
	}
	pool := testkit.OpenAt(t, pg.Config{URL: h.URL, LockTimeout: 100 * time.Millisecond})
	patient, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, _, err := db.NewSlotStore(pool).Serve(patient, turn, nil); !errors.Is(err, refusal.ErrUnavailable) {
		t.Errorf("got %v, want %v", err, refusal.ErrUnavailable)
	}
	err = pool.Exec(patient, `UPDATE slots SET closed = true WHERE service_date = $1::date`, "2040-05-14")
	if !errors.Is(err, refusal.ErrUnavailable) {
		t.Errorf("a statement alone: got %v, want %v", err, refusal.ErrUnavailable)
	}
}

// idlePooled forgets a transaction: the server ends it, and the connection is not used again.
func idlePooled(t *testing.T, h *harness) {
	pool := testkit.OpenAt(t, pg.Config{URL: h.URL, IdleInTxTimeout: 100 * time.Millisecond})
	var idle *sqlx.Tx
	var pid int
	dbtest.Eventually(t, "it knows its server before that ends it, which a busy machine may be too slow for", func() bool {
		var err error
		if idle, err = pool.SQL().BeginTxx(t.Context(), nil); err != nil {
			return false
		}
		err = idle.GetContext(t.Context(), &pid, `SELECT pg_backend_pid()`)
		if err != nil {
			_ = idle.Rollback()
		}
		return err == nil
	})
	dbtest.Eventually(t, "the server ends it",
		func() bool { return h.Count(t, `SELECT count(*) FROM pg_stat_activity WHERE pid = $1`, pid) == 0 })
	if err := idle.Commit(); !errors.Is(h.MapError(err), refusal.ErrUnavailable) {
		t.Errorf("got %v, want %v", err, refusal.ErrUnavailable)
	}
	dbtest.Eventually(t, "a transaction that a busy machine is not too slow for comes true afterwards",
		func() bool { return pool.InTx(t.Context(), func(context.Context, *pg.Tx) error { return nil }) == nil })
}

// What PgBouncer does with server connections between transactions changes nothing: it keeps them for a client, takes
// away what was set, or only the statements that were prepared.
func TestPooler_ResetsServerConnections(t *testing.T) {
	t.Parallel()
	for name, settings := range map[string][]string{
		"session":     {"pool_mode = session"},
		"discard all": {"pool_mode = transaction", "server_reset_query_always = 1"},
		"deallocate all": {"pool_mode = transaction", "server_reset_query_always = 1",
			"server_reset_query = DEALLOCATE ALL"},
		"short lives": {"pool_mode = transaction", "server_lifetime = 0", "server_idle_timeout = 0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := setupPooled(t, append(settings, "default_pool_size = 10")...)
			bookPooled(t, h)
			bookPooled(t, h)
			checkBalances(t, h)
		})
	}
}

// A statement that fails in the middle of a transaction undoes all of it, and the next one has a connection that works.
func TestPooler_AStatementFails(t *testing.T) {
	t.Parallel()
	h := setupPooled(t)
	diner := h.Diners(t, 1, 0)[0]
	for range 2 * serverConns {
		err := h.InTx(t.Context(), func(ctx context.Context, t *pg.Tx) error {
			if _, err := t.Exec(ctx, `UPDATE users SET name = 'changed' WHERE id = $1`, diner); err != nil {
				return err
			}
			if _, err := t.Exec(ctx, `SELECT 1 / $1::int`, 0); err == nil {
				return errors.New("division by zero")
			}
			_, err := t.Exec(ctx, `UPDATE users SET name = 'changed again' WHERE id = $1`, diner)
			return err
		})
		if err == nil {
			t.Error("it is committed")
		}
		if u, err := h.Users.FindUser(t.Context(), diner); err != nil || strings.HasPrefix(u.Name, "changed") {
			t.Errorf("%+v, %v", u, err)
		}
	}
	if n := h.Stats().InUse; n != 0 {
		t.Errorf("%d connections are held", n)
	}
}
