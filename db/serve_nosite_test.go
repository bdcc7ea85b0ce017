//go:build nosite

package db_test

import (
	"testing"

	"lunchgo/app/token"
	"lunchgo/db/pg"
)

// serve skips a test that asks for the site: half of what is compiled for this package's tests is only for that.
func serve(t *testing.T, _ *pg.Pool, _ string, _ token.Secrets) served {
	t.Helper()
	t.Skip("built without the site")
	return served{}
}
