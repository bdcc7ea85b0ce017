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
	pool, err := db.patientPool()
	if err != nil {
		return err
	}
	defer func() { _ = pool.Close() }()
	provider, err := migrationsOf(pool)
	if err != nil {
		return fmt.Errorf("db: migrate: %w", err)
	}
	unlock, err := lockAlone(ctx, pool, lock.DefaultLockID)
	if err != nil {
		return fmt.Errorf("db: migrate: %w", mapError(err))
	}
	defer unlock()
	if err := db.insist(ctx, provider); err != nil {
		return fmt.Errorf("db: migrate: %w", mapError(err))
	}
	return nil
}

// patientPool opens a pool for work whose statements may run longer than those of the product, and wait shorter.
func (db *DB) patientPool() (*sqlx.DB, error) {
	config := db.config
	config.LockTimeout = migrationLockTime
	connector, err := newConnector(config, migrationStatementLimit, nil)
	if err != nil {
		return nil, err
	}
	return connector.pool(), nil
}

// fillLock is the lock of those who fill an empty database.
const fillLock = 7_310_250_901

// FillAlone calls fill while no other instance does. Several may call it at once: one works, the others wait for it.
func (db *DB) FillAlone(ctx context.Context, fill func() error) error {
	pool, err := db.patientPool()
	if err != nil {
		return err
	}
	defer func() { _ = pool.Close() }()
	unlock, err := lockAlone(ctx, pool, fillLock)
	if err != nil {
		return fmt.Errorf("db: wait for another instance: %w", mapError(err))
	}
	defer unlock()
	return fill()
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

// lockRetry is how often those who wait for such a lock ask for it. They hold no connection meanwhile: behind a
// pooler who has the lock needs a second one.
const lockRetry = 200 * time.Millisecond

// lockAlone waits until nobody else has a lock: of those who migrate it is the one that goose takes by itself, as older
// binaries do. It is that of a transaction, because a pooler gives sessions to others.
func lockAlone(ctx context.Context, pool *sqlx.DB, id int64) (unlock func(), err error) {
	for {
		tx, err := pool.BeginTxx(ctx, nil)
		if err != nil {
			return nil, err
		}
		unlock = func() { _ = tx.Rollback() }
		var locked bool
		// The transaction stands idle as long as the work takes.
		if _, err = tx.ExecContext(ctx, `SET LOCAL idle_in_transaction_session_timeout = 0`); err == nil {
			err = tx.GetContext(ctx, &locked, `SELECT pg_try_advisory_xact_lock($1)`, id)
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
