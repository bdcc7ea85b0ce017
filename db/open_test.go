package db_test

import (
	"context"
	"errors"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"lunchgo/app/refusal"
	"lunchgo/db"
	"lunchgo/db/accounts"
	"lunchgo/db/dbtest"
	"lunchgo/db/dbtest/tables"
	"lunchgo/db/pg"
	"lunchgo/db/testkit"
)

// Run-time parameters of the URL win.
func TestOpen_URLParametersWin(t *testing.T) {
	t.Parallel()
	u, err := url.Parse(dbtest.PostgresURL(t))
	dbtest.Must(t, err)
	q := u.Query()
	q.Set("statement_timeout", "1234")
	q.Set("application_name", "mine")
	u.RawQuery = q.Encode()
	pool := testkit.OpenAt(t, pg.Config{URL: u.String(), LockTimeout: 700 * time.Millisecond})
	for name, want := range map[string]string{
		"statement_timeout": "1234ms", "application_name": "mine", "lock_timeout": "700ms", "TimeZone": "UTC",
		"idle_in_transaction_session_timeout": "10s",
	} {
		var got string
		if err := pool.Get(t.Context(), &got, `SELECT current_setting($1)`, name); err != nil || got != want {
			t.Errorf("%s is %q (%v), want %q", name, got, err, want)
		}
	}
	if n := pool.Stats().MaxOpenConnections; n != pg.DefaultMaxConns {
		t.Errorf("%d connections at most, want %d", n, pg.DefaultMaxConns)
	}
}

func TestOpen_BadAddress(t *testing.T) {
	t.Parallel()
	_, err := db.Open(t.Context(), pg.Config{URL: "postgres://%%"})
	if err == nil || errors.Is(err, refusal.ErrUnavailable) {
		t.Errorf("no address: %v", err)
	}
	if _, err := db.Open(t.Context(), pg.Config{URL: "postgres://127.0.0.1:1/none?sslmode=disable"}); !errors.Is(err,
		refusal.ErrUnavailable) {
		t.Errorf("nobody listens: %v, want %v", err, refusal.ErrUnavailable)
	}
}

// Four instances migrate at once, two of them through a pooler that has no connection for one that only waits.
func TestMigrate_FourInstancesAtOnce(t *testing.T) {
	t.Parallel()
	address := dbtest.PostgresURL(t)
	pooled := dbtest.PgBouncer(t, address, "pool_mode = transaction", "default_pool_size = 2").URL
	var wg sync.WaitGroup
	for _, way := range []string{address, pooled, address, pooled} {
		pool := testkit.OpenAt(t, pg.Config{URL: way})
		wg.Go(func() {
			if err := pool.Migrate(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	h := newHarness(testkit.OpenAt(t, pg.Config{URL: address}), address)
	if _, err := h.Seeds.PutRestaurant(t.Context(), testkit.Restaurant(), testkit.Menu()); err != nil {
		t.Error(err)
	}
}

func TestMigrate_DownAndUp(t *testing.T) {
	t.Parallel()
	pool := testkit.OpenAt(t, pg.Config{URL: dbtest.PostgresURL(t)})
	dbtest.Must(t, pool.Migrate(t.Context()))
	provider, err := pool.Migrations(pool.SQL())
	dbtest.Must(t, err)
	if _, err := provider.DownTo(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	var left int
	const tables = `SELECT count(*) FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'goose_db_version'`
	if err := pool.Get(t.Context(), &left, tables); err != nil || left != 0 {
		t.Errorf("%d tables are left, %v", left, err)
	}
	if err := pool.Migrate(t.Context()); err != nil {
		t.Error(err)
	}
}

// A version that starts on the schema of a newer one leaves it as it is, and starts: during an update, and after one
// that is taken back.
func TestMigrate_LeavesANewerSchema(t *testing.T) {
	t.Parallel()
	pool := testkit.OpenAt(t, pg.Config{URL: dbtest.PostgresURL(t)})
	dbtest.Must(t, pool.Migrate(t.Context()))
	const newer = 99999
	if _, err := pool.SQL().ExecContext(t.Context(),
		`INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, true)`, newer); err != nil {
		t.Fatal(err)
	}
	if err := pool.Migrate(t.Context()); err != nil {
		t.Error(err)
	}
	var is int
	if err := pool.Get(t.Context(), &is, `SELECT max(version_id) FROM goose_db_version`); err != nil || is != newer {
		t.Errorf("the schema is of version %d, %v", is, err)
	}
}

// holdAll takes all connections of the fixture's pool until the test ends.
func holdAll(t *testing.T, h *harness) {
	t.Helper()
	for range h.Stats().MaxOpenConnections {
		held, err := h.SQL().Connx(t.Context())
		dbtest.Must(t, err)
		t.Cleanup(func() { _ = held.Close() })
	}
}

// What the database cannot answer now is refusal.ErrUnavailable.
func TestDB_Unavailable(t *testing.T) {
	t.Parallel()
	brief := func(t *testing.T) context.Context {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		t.Cleanup(cancel)
		return ctx
	}
	check := func(t *testing.T, err error) {
		t.Helper()
		if !errors.Is(err, refusal.ErrUnavailable) {
			t.Errorf("got %v, want %v", err, refusal.ErrUnavailable)
		}
	}
	t.Run("no free connection", func(t *testing.T) {
		t.Parallel()
		h := setup(t)
		holdAll(t, h)
		_, err := h.Reservations.Find(brief(t), "x")
		check(t, err)
		_, _, err = h.Slots.Serve(brief(t), h.Turn(h.Slot("19:00"), 10, 1), nil)
		check(t, err)
		check(t, h.Ping(brief(t)))
	})
	t.Run("no deadline of the caller", func(t *testing.T) {
		t.Parallel()
		h := newHarness(testkit.OpenAt(t, pg.Config{URL: setup(t).URL, QueryTimeout: 3 * time.Second}), "")
		holdAll(t, h)
		_, err := h.Reservations.Find(context.Background(), "x")
		check(t, err)
	})
	t.Run("the caller is gone", func(t *testing.T) {
		t.Parallel()
		h := setup(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, _, err := h.Slots.Serve(ctx, h.Turn(h.Slot("19:00"), 10, 1), nil)
		check(t, err)
	})
	t.Run("a long statement", func(t *testing.T) {
		t.Parallel()
		h := newHarness(testkit.OpenAt(t, pg.Config{URL: setup(t).URL, QueryTimeout: time.Second}), "")
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		check(t, h.Exec(ctx, `SELECT pg_sleep(30)`)) // ended by the server
		check(t, h.Exec(brief(t), `SELECT pg_sleep(29)`))
	})
	t.Run("a row that is locked for long", func(t *testing.T) {
		t.Parallel()
		h := setupWith(t, pg.Config{QueryTimeout: time.Minute, LockTimeout: 200 * time.Millisecond})
		turn := h.Turn(h.Slot("19:00"), 10, 1)
		if _, _, err := h.Slots.Serve(t.Context(), turn, nil); err != nil {
			t.Fatal(err)
		}
		lockAllSlots(t, h.SQL())
		_, _, err := h.Slots.Serve(t.Context(), turn, nil)
		check(t, err)
	})
}

func lockAllSlots(t *testing.T, pool *sqlx.DB) {
	t.Helper()
	other, err := pool.BeginTxx(t.Context(), nil)
	dbtest.Must(t, err)
	t.Cleanup(func() { _ = other.Rollback() })
	if _, err := other.ExecContext(t.Context(), `SELECT id FROM slots FOR UPDATE`); err != nil {
		t.Fatal(err)
	}
}

func TestDB_UnavailableWhileServerIsGone(t *testing.T) {
	t.Parallel()
	server := dbtest.PrivatePostgres(t)
	dbtest.Must(t, tables.Make(server.URL))
	h := newHarness(testkit.OpenAt(t, pg.Config{URL: server.URL}), server.URL)
	if _, err := h.Seeds.PutRestaurant(t.Context(), testkit.Restaurant(), testkit.Menu()); err != nil {
		t.Fatal(err)
	}
	server.Kill()
	// Its processes see one after another that the first of them is gone.
	refused := 0
	dbtest.Eventually(t, "three calls are refused", func() bool {
		_, err := h.Catalog.ListRestaurants(t.Context())
		if err != nil && !errors.Is(err, refusal.ErrUnavailable) {
			t.Fatalf("got %v, want %v", err, refusal.ErrUnavailable)
		}
		if err != nil {
			refused++
		}
		return refused == 3
	})
	dbtest.Must(t, server.Revive(t.Context()))
	if all, err := h.Catalog.ListRestaurants(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("after it is back: %d restaurants, %v", len(all), err)
	}
}

// A transaction that the server ended because of a deadlock is tried again.
func TestTx_RetriesDeadlock(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diners := h.Diners(t, 2, 1_000)
	tries := make(chan struct{}, 100)
	var first, wg sync.WaitGroup
	first.Add(2)
	for i := range 2 {
		var once sync.Once
		wg.Go(func() {
			err := h.InTx(t.Context(), func(ctx context.Context, tx *pg.Tx) error {
				tries <- struct{}{}
				if _, err := tx.Exec(ctx, `UPDATE users SET phone = '1' WHERE id = $1`, diners[i]); err != nil {
					return err
				}
				once.Do(func() { first.Done(); first.Wait() }) // both hold their first row now
				_, err := tx.Exec(ctx, `UPDATE users SET phone = '2' WHERE id = $1`, diners[1-i])
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := len(tries); n < 3 {
		t.Errorf("%d tries, want 3 at least: both, and one of them again", n)
	}
}

func TestTx_RollsBackPanic(t *testing.T) {
	t.Parallel()
	h := setup(t)
	userID := h.Diners(t, 1, 0)[0]
	func() {
		defer func() { _ = recover() }()
		_ = h.InTx(t.Context(), func(ctx context.Context, tx *pg.Tx) error {
			if _, err := tx.Exec(ctx, `UPDATE users SET name = 'changed' WHERE id = $1`, userID); err != nil {
				return err
			}
			panic("on purpose")
		})
	}()
	if n := h.Stats().InUse; n != 0 {
		t.Errorf("%d connections are still in use", n)
	}
	if u, err := h.Users.FindUser(t.Context(), userID); err != nil || u.Name == "changed" {
		t.Errorf("%+v, %v", u, err)
	}
}

// A transaction that waits for a row too long undoes what it did, and its connection works again: directly and behind a
// pooler.
func TestTx_GivesUpWhole(t *testing.T) {
	t.Parallel()
	h := setup(t)
	pooled := dbtest.PgBouncer(t, h.URL, "pool_mode = transaction", "default_pool_size = 2").URL
	diners := h.Diners(t, 2, 0)
	lock := h.SQL().MustBeginTx(t.Context(), nil)
	t.Cleanup(func() { _ = lock.Rollback() })
	lock.MustExec(`UPDATE users SET name = 'held' WHERE id = $1`, diners[1])
	for name, address := range map[string]string{"direct": h.URL, "pooled": pooled} {
		pool := testkit.OpenAt(t, pg.Config{URL: address, MaxConns: 1, LockTimeout: 50 * time.Millisecond})
		for range 3 { // the first time the statements are not prepared
			err := pool.InTx(t.Context(), func(ctx context.Context, t *pg.Tx) error {
				for _, id := range diners {
					if _, err := t.Exec(ctx, `UPDATE users SET name = 'changed' WHERE id = $1`, id); err != nil {
						return err
					}
				}
				return nil
			})
			if !errors.Is(err, refusal.ErrUnavailable) {
				t.Errorf("%s: got %v, want %v", name, err, refusal.ErrUnavailable)
			}
			if u, err := accounts.NewStore(pool).FindUser(t.Context(), diners[0]); err != nil || u.Name == "changed" {
				t.Errorf("%s: afterwards: %+v, %v", name, u, err)
			}
		}
	}
}
