// Package tables gives tests databases that have the product's tables.
package tables

import (
	"context"
	"errors"
	"testing"

	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/pg"
)

// Name is that of the Template that Make fills.
const Name = "tables"

// Database returns the address of a database of the test's own, with the tables and nothing in them.
func Database(t testing.TB) string {
	t.Helper()
	return dbtest.Template(t, Name, Make)
}

// Keeper keeps databases that are opened with a configuration.
func Keeper(config pg.Config) *dbtest.Keeper[*pg.Pool] {
	return &dbtest.Keeper[*pg.Pool]{Name: Name, Prepare: Make, Open: func(url string) (*pg.Pool, error) {
		config := config
		config.URL = url
		return db.Open(context.Background(), config)
	}}
}

// Make migrates the empty database at an address.
func Make(url string) error {
	pool, err := db.Open(context.Background(), pg.Config{URL: url})
	if err != nil {
		return err
	}
	return errors.Join(pool.Migrate(context.Background()), pool.Close())
}
