package db_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"lunchgo/app/refusal"
	"lunchgo/db/dbtest"
	"lunchgo/db/pg"
	"lunchgo/db/testkit"
)

// altersRestaurants is a migration that locks the table of restaurants.
const altersRestaurants = 37

// setupBefore returns a database of the version before a migration, and a session that reads restaurants in a long
// transaction.
func setupBefore(t *testing.T, version int64, config pg.Config) (pool *pg.Pool, finish func()) {
	t.Helper()
	config.URL = dbtest.PostgresURL(t)
	pool = testkit.OpenAt(t, config)
	provider, err := pool.Migrations(pool.SQL())
	dbtest.Must(t, err)
	if _, err := provider.UpTo(t.Context(), version-1); err != nil {
		t.Fatal(err)
	}
	report := pool.SQL().MustBeginTx(t.Context(), nil)
	report.MustExec(`SET LOCAL idle_in_transaction_session_timeout = 0`)
	report.MustExec(`SELECT count(*) FROM restaurants`)
	finish = func() { _ = report.Rollback() }
	t.Cleanup(finish)
	return pool, finish
}

// readRestaurants is what a page does.
func readRestaurants(ctx context.Context, pool *pg.Pool) error {
	var n int
	return pool.Get(ctx, &n, `SELECT count(*) FROM restaurants`)
}

// A migration whose table somebody reads for long gives way to those who wait behind it, and comes in when the reader
// is done.
func TestMigrate_LetsOthersPass(t *testing.T) {
	t.Parallel()
	waits := make(chan error, 100)
	pool, finish := setupBefore(t, altersRestaurants, pg.Config{MigrationWaits: func(err error) { waits <- err }})
	done := make(chan error, 1)
	go func() { done <- pool.Migrate(t.Context()) }()
	for range 2 {
		dbtest.Eventually(t, "the migration waits", func() bool { return dbtest.WaitingForLock(t, pool.SQL()) > 0 })
		if err := readRestaurants(t.Context(), pool); err != nil {
			t.Errorf("a page that comes meanwhile: %v", err)
		}
	}
	if err := <-waits; err == nil {
		t.Error("it is not said what the migration waits for")
	}
	finish()
	if err := <-done; err != nil {
		t.Error(err)
	}
	var version int
	if err := pool.Get(t.Context(), &version, `SELECT max(version_id) FROM goose_db_version`); err != nil ||
		version < altersRestaurants {
		t.Errorf("the schema is of version %d, %v", version, err)
	}
}

// The control: behind a change of the table that waits as long as it takes, pages wait as well, and give up.
func TestMigrate_AloneHoldsOthersUp(t *testing.T) {
	t.Parallel()
	pool, finish := setupBefore(t, altersRestaurants, pg.Config{LockTimeout: 200 * time.Millisecond})
	done := make(chan error, 1)
	go func() {
		_, err := pool.SQL().ExecContext(t.Context(),
			`SET lock_timeout = 0; ALTER TABLE restaurants ADD COLUMN further integer`)
		done <- err
	}()
	dbtest.Eventually(t, "the change waits", func() bool { return dbtest.WaitingForLock(t, pool.SQL()) > 0 })
	if err := readRestaurants(t.Context(), pool); !errors.Is(err, refusal.ErrUnavailable) {
		t.Errorf("a page that comes meanwhile: %v, want %v", err, refusal.ErrUnavailable)
	}
	finish()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if err := readRestaurants(t.Context(), pool); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}
