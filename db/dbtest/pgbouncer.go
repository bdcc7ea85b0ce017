package dbtest

import (
	"context"
	"log/slog"
	"testing"

	"lunchgo/db/embedded"
)

// PgBouncer starts a PgBouncer for one test alone, in front of the database at
// the address, with more lines of its section [pgbouncer]. Its URL names the
// same database.
func PgBouncer(t testing.TB, databaseURL string, settings ...string) *embedded.Server {
	t.Helper()
	pooler := embedded.Pooler{Server: databaseURL, Settings: settings, Log: slog.New(slog.DiscardHandler)}
	return private(t, func(ctx context.Context, dir string, _ *slog.Logger) (*embedded.Server, error) {
		return pooler.Start(ctx, dir)
	})
}
