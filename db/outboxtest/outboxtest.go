// Package outboxtest has an outbox of a test's own, with a way to write events into it.
package outboxtest

import (
	"database/sql"
	"testing"

	_ "github.com/lib/pq" // the driver

	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/dbtest/tables"
	"lunchgo/db/outbox"
	"lunchgo/db/pg"
)

// Outbox is one in a database of its own. No relay reads it.
type Outbox struct {
	*outbox.Store
	SQL *sql.DB
}

// Open returns an empty outbox.
func Open(t *testing.T) Outbox {
	t.Helper()
	url := tables.Database(t)
	d, err := db.Open(t.Context(), pg.Config{URL: url})
	dbtest.Must(t, err)
	t.Cleanup(func() { _ = d.Close() })
	raw, err := sql.Open("postgres", url)
	dbtest.Must(t, err)
	t.Cleanup(func() { _ = raw.Close() })
	return Outbox{Store: outbox.NewStore(d), SQL: raw}
}

// Write stores n events that wait, of the reservation with a key.
func (o Outbox) Write(t *testing.T, key string, n int) {
	t.Helper()
	o.WriteOf(t, "lunchgo.reservation.changed", key, n)
}

// WriteOf stores n events of a type that wait.
func (o Outbox) WriteOf(t *testing.T, kind, key string, n int) {
	t.Helper()
	_, err := o.SQL.ExecContext(t.Context(), `
		INSERT INTO outbox (type, key, restaurant_id, data, kafka, webhooks)
		SELECT $3, $1, 1, jsonb_build_object('number', n), true, false
		FROM generate_series(1, $2::integer) n`, key, n, kind)
	dbtest.Must(t, err)
}

// Count returns the number that a query selects.
func (o Outbox) Count(t *testing.T, query string) (n int) {
	t.Helper()
	dbtest.Must(t, o.SQL.QueryRowContext(t.Context(), query).Scan(&n))
	return n
}
