package db

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrate brings the schema up to date. Several instances may call it at once: one works, the others wait for it.
func (db *DB) Migrate(ctx context.Context) error {
	// A pool of its own: a migration may run longer than any statement of the product, and wait shorter.
	config := db.config
	config.LockTimeout = migrationLockTime
	connector, err := newConnector(config, migrationStatementLimit, nil)
	if err != nil {
		return err
	}
	pool := connector.pool()
	defer func() { _ = pool.Close() }()
	provider, err := migrationsOf(pool)
	if err != nil {
		return fmt.Errorf("db: migrate: %w", err)
	}
	unlock, err := lockSchema(ctx, pool)
	if err != nil {
		return fmt.Errorf("db: migrate: %w", mapError(err))
	}
	defer unlock()
	if err := db.insist(ctx, provider); err != nil {
		return fmt.Errorf("db: migrate: %w", mapError(err))
	}
	return nil
}

// Bounds of a migration's waits for locks. Behind one that waits for a table all later statements wait that need the
// table: those of pages and turns. So it gives up after a while that they bear, lets them pass, and asks again. That
// while is above PostgreSQL's deadlock_timeout of 1 s, after which a vacuum that runs by itself makes way.
const (
	migrationLockTime = 1500 * time.Millisecond
	migrationPause    = 2 * time.Second
	migrationPatience = 10 * time.Minute
)

// insist migrates, again and again while others hold locks that it needs. What was brought up to date stays so
// meanwhile.
func (db *DB) insist(ctx context.Context, provider *goose.Provider) error {
	for begun := time.Now(); ; {
		_, err := provider.Up(ctx)
		if pq.As(err, pqerror.LockNotAvailable) == nil || time.Since(begun) > migrationPatience {
			return err
		}
		if db.config.MigrationWaits != nil {
			db.config.MigrationWaits(err)
		}
		select {
		case <-time.After(migrationPause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// lockRetry is how often those who wait for the schema's lock ask for it. They hold no connection meanwhile: behind a
// pooler who has the lock needs a second one.
const lockRetry = 200 * time.Millisecond

// lockSchema waits until nobody else migrates. The lock is that of a transaction, because a pooler gives sessions to
// others. It is the one that goose takes by itself, as older binaries do.
func lockSchema(ctx context.Context, pool *sqlx.DB) (unlock func(), err error) {
	for {
		tx, err := pool.BeginTxx(ctx, nil)
		if err != nil {
			return nil, err
		}
		unlock = func() { _ = tx.Rollback() }
		var locked bool
		// The transaction stands idle as long as the migrations take.
		if _, err = tx.ExecContext(ctx, `SET LOCAL idle_in_transaction_session_timeout = 0`); err == nil {
			err = tx.GetContext(ctx, &locked, `SELECT pg_try_advisory_xact_lock($1)`, lock.DefaultLockID)
		}
		if err == nil && locked {
			return unlock, nil
		}
		unlock()
		if err != nil {
			return nil, err
		}
		select {
		case <-time.After(lockRetry):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// migrationsOf are the migrations of a database. They are numbered when they are begun, so one may come in after a
// later one; none touches what another of the same days makes. Number 00007 was never released.
func migrationsOf(pool *sqlx.DB) (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectPostgres, pool.DB, files,
		goose.WithDisableGlobalRegistry(true), goose.WithAllowOutofOrder(true))
}
