package pg

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// Migrate brings the schema up to date. Several instances may call it at once: one works, the others wait for it.
func (p *Pool) Migrate(ctx context.Context) error {
	pool, err := p.OpenOther(migrationStatementLimit, migrationLockTime)
	if err != nil {
		return err
	}
	defer func() { _ = pool.Close() }()
	provider, err := p.Migrations(pool)
	if err != nil {
		return fmt.Errorf("pg: migrate: %w", err)
	}
	unlock, err := lockAlone(ctx, pool, lock.DefaultLockID)
	if err != nil {
		return fmt.Errorf("pg: migrate: %w", p.MapError(err))
	}
	defer unlock()
	if err := p.insist(ctx, provider); err != nil {
		return fmt.Errorf("pg: migrate: %w", p.MapError(err))
	}
	return nil
}

// fillLock is the lock of those who fill an empty database.
const fillLock = 7_310_250_901

// FillAlone calls fill while no other instance does. Several may call it at once: one works, the others wait for it.
func (p *Pool) FillAlone(ctx context.Context, fill func() error) error {
	pool, err := p.OpenOther(migrationStatementLimit, migrationLockTime)
	if err != nil {
		return err
	}
	defer func() { _ = pool.Close() }()
	unlock, err := lockAlone(ctx, pool, fillLock)
	if err != nil {
		return fmt.Errorf("pg: wait for another instance: %w", p.MapError(err))
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
func (p *Pool) insist(ctx context.Context, provider *goose.Provider) error {
	for begun := time.Now(); ; {
		_, err := provider.Up(ctx)
		if pq.As(err, pqerror.LockNotAvailable) == nil || time.Since(begun) > migrationPatience {
			return err
		}
		if p.config.MigrationWaits != nil {
			p.config.MigrationWaits(err)
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

// Migrations are those of the schema. They are numbered when they are begun, so one may come in after a later one; none
// touches what another of the same days makes.
func (p *Pool) Migrations(pool *sqlx.DB) (*goose.Provider, error) {
	return goose.NewProvider(goose.DialectPostgres, pool.DB, p.config.Schema.Migrations,
		goose.WithDisableGlobalRegistry(true), goose.WithAllowOutofOrder(true))
}
