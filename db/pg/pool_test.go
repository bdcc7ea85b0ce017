package pg

import (
	"testing"

	"lunchgo/db/dbtest"
)

func openTest(t testing.TB, config Config) *Pool {
	t.Helper()
	db, err := Open(t.Context(), config)
	dbtest.Must(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}
