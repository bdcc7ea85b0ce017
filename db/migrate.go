package db

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"github.com/jmoiron/sqlx"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrate brings the schema up to date. Several instances may call it at once: one works, the others wait for it.
func (db *DB) Migrate(ctx context.Context) error {
	// A pool of its own: a migration may run longer than any statement of the product.
	connector, err := newConnector(db.config, migrationStatementLimit, nil)
	if err != nil {
		return err
	}
	pool := connector.pool()
	defer func() { _ = pool.Close() }()
	provider, err := migrationsOf(pool)
	if err != nil {
		return fmt.Errorf("db: migrate: %w", err)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("db: migrate: %w", mapError(err))
	}
	return nil
}

// migrationsOf locks the database for its work, so that others wait. Migrations are numbered when they are begun, so one may
// come in after a later one; none touches what another of the same days makes. Number
// 00007 was never released.
func migrationsOf(pool *sqlx.DB) (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectPostgres, pool.DB, files,
		goose.WithSessionLocker(locker), goose.WithDisableGlobalRegistry(true), goose.WithAllowOutofOrder(true))
}
