package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
)

// setupPooled returns a harness whose connections go through a PgBouncer, with more of them than it has to the server.
func setupPooled(t *testing.T, settings ...string) *harness {
	t.Helper()
	address := dbtest.Template(t, "schema", migrated)
	settings = append(settings, "pool_mode = transaction", fmt.Sprintf("default_pool_size = %d", serverConns))
	address = dbtest.PgBouncer(t, address, settings...).URL
	h := newHarness(openTest(t, Config{URL: address, MaxConns: 4 * serverConns}), address)
	if !h.connector.shared.Load() {
		t.Fatal("the pooler is not noticed")
	}
	h.open(t, testRestaurant())
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
	if n := h.count(t, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()`); n > serverConns {
		t.Errorf("%d server connections, want %d at most", n, serverConns)
	}
}

func bookPooled(t *testing.T, h *harness) {
	var all sync.WaitGroup
	for i, diner := range h.diners(t, 20, 100_000) {
		all.Go(func() {
			id := h.reserve(t, h.request(diner, h.slot([]booking.TimeOfDay{"11:00", "12:00", "13:00"}[i%3])))
			if _, err := h.pay(t, id, diner, booking.Deposit, "pay"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

func turnPooled(t *testing.T, h *harness) {
	if n := contend(t, h, h.slot("19:00"), h.diners(t, 100, 0), 1, 32); n != 5 {
		t.Errorf("%d parties of two got ten seats", n)
	}
}

func breakConstraint(t *testing.T, h *harness) {
	err := h.exec(t.Context(), `INSERT INTO slots (restaurant_id, service_date, service_time, capacity, opens_at)
		VALUES ($1, '2040-05-07', '09:00', 1, now())`, -1)
	if !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("got %v, want %v", err, booking.ErrNotFound)
	}
}

// Values of all kinds are read behind a pooler as they are without one, whatever they hold.
func TestPooler_ReadsArguments(t *testing.T) {
	t.Parallel()
	h := setupPooled(t)
	hard := `it's \' "$1" 한글`
	at := time.Date(2040, 5, 7, 1, 2, 3, 4_000, time.UTC)
	for range 2 { // the first time the statement is prepared
		var got struct {
			Text  string        `db:"text"`
			List  pq.Int64Array `db:"list"`
			Bytes []byte        `db:"bytes"`
			At    time.Time     `db:"at"`
			None  *string       `db:"none"`
			Yes   bool          `db:"yes"`
			Half  float64       `db:"half"`
		}
		err := h.get(t.Context(), &got,
			`SELECT $1::text AS text, $2::bigint[] AS list, $3::bytea AS bytes, $4::timestamptz AS at,
			$5::text AS none, $6::boolean AS yes, $7::double precision AS half`,
			hard, pq.Array([]int64{1, 2}), []byte{0, 39, 92}, at, nil, true, 0.5)
		if err != nil || got.Text != hard || len(got.List) != 2 || string(got.Bytes) != "\x00'\\" ||
			!got.At.Equal(at) ||
			got.None != nil || !got.Yes || got.Half != 0.5 {
			t.Errorf("%+v, %v", got, err)
		}
	}
	for _, bad := range []string{"a\x00b", "a\xffb"} {
		if err := h.exec(t.Context(), `SELECT $1::text`, bad); !isRefused(err) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// sleepPooled has statements ended by the server, and by their callers.
func sleepPooled(t *testing.T, h *harness) {
	long, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	db := openTest(t, Config{URL: h.url, QueryTimeout: 3 * time.Second})
	begun := time.Now()
	if err := db.exec(long, `SELECT pg_sleep(30)`); !errors.Is(err, ErrUnavailable) ||
		time.Since(begun) > 20*time.Second {
		t.Errorf("a long statement: %v after %v", err, time.Since(begun))
	}
	short, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := db.exec(short, `SELECT pg_sleep(29)`); !errors.Is(err, ErrUnavailable) {
		t.Errorf("a caller without patience: %v", err)
	}
	if n := h.count(t, `SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(29)%' AND state = 'active'
		AND pid <> pg_backend_pid()`); n != 0 {
		t.Errorf("%d statements go on that were given up", n)
	}
}

func waitPooled(t *testing.T, h *harness) {
	slot := booking.SlotKey{RestaurantID: h.restaurant.ID, Date: "2040-05-14", Time: "19:00"}
	turn := h.turn(slot, 10, 1)
	if _, _, err := h.slots.Serve(t.Context(), turn, nil); err != nil {
		t.Fatal(err)
	}
	other, err := h.pool.BeginTxx(t.Context(), nil)
	dbtest.Must(t, err)
	defer func() { _ = other.Rollback() }()
	if _, err := other.ExecContext(t.Context(),
		`SELECT id FROM slots WHERE service_date = '2040-05-14' FOR UPDATE`); err != nil {
		t.Fatal(err)
	}
	db := openTest(t, Config{URL: h.url, LockTimeout: 100 * time.Millisecond})
	patient, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, _, err := NewSlotStore(db).Serve(patient, turn, nil); !errors.Is(err, ErrUnavailable) {
		t.Errorf("got %v, want %v", err, ErrUnavailable)
	}
	err = db.exec(patient, `UPDATE slots SET closed = true WHERE service_date = $1::date`, "2040-05-14")
	if !errors.Is(err, ErrUnavailable) {
		t.Errorf("a statement alone: got %v, want %v", err, ErrUnavailable)
	}
}

// idlePooled forgets a transaction: the server ends it, and the connection is not used again.
func idlePooled(t *testing.T, h *harness) {
	db := openTest(t, Config{URL: h.url, IdleInTxTimeout: 100 * time.Millisecond})
	var idle *sqlx.Tx
	var pid int
	dbtest.Eventually(t, "it knows its server before that ends it, which a busy machine may be too slow for", func() bool {
		var err error
		if idle, err = db.pool.BeginTxx(t.Context(), nil); err != nil {
			return false
		}
		err = idle.GetContext(t.Context(), &pid, `SELECT pg_backend_pid()`)
		if err != nil {
			_ = idle.Rollback()
		}
		return err == nil
	})
	dbtest.Eventually(t, "the server ends it",
		func() bool { return h.count(t, `SELECT count(*) FROM pg_stat_activity WHERE pid = $1`, pid) == 0 })
	if err := idle.Commit(); !errors.Is(mapError(err), ErrUnavailable) {
		t.Errorf("got %v, want %v", err, ErrUnavailable)
	}
	dbtest.Eventually(t, "a transaction that a busy machine is not too slow for comes true afterwards",
		func() bool { return db.inTx(t.Context(), selectOne) == nil })
}

// A pooler that ignores what it does not know is noticed as well. What is prepared by name is not found behind it.
func TestPooler_ThatIgnoresParameters(t *testing.T) {
	t.Parallel()
	h := setupPooled(t, "ignore_startup_parameters = plan_cache_mode,statement_timeout,lock_timeout,"+
		"idle_in_transaction_session_timeout,"+sessionMark)
	named := newNamed(t, h.url)
	failed := make(chan error, 100)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				if err := named.exec(t.Context(), `SELECT $1::int, pg_sleep(0.001)`, 1); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	all.Wait()
	if len(failed) == 0 {
		t.Error("statements with names work behind the pooler: it is not in the way of anything")
	}
}

// newNamed opens a pool that takes a pooler for PostgreSQL.
func newNamed(t *testing.T, address string) *DB {
	t.Helper()
	connector, err := newConnector(Config{URL: address}.withDefaults(), time.Second, nil)
	dbtest.Must(t, err)
	pool := sqlx.NewDb(sql.OpenDB(connector.own), "postgres")
	pool.SetMaxOpenConns(8)
	t.Cleanup(func() { _ = pool.Close() })
	return &DB{pool: pool, connector: connector, config: Config{}.withDefaults(), statements: newStatements()}
}
