package db_test

import (
	"testing"

	"lunchgo/db/pg"
	"lunchgo/db/testkit"
)

// harness is the kit's, with what only the tests of this package do.
type harness struct{ *testkit.Harness }

func setup(t testing.TB) *harness {
	t.Helper()
	return &harness{testkit.Setup(t)}
}

func setupWith(t testing.TB, config pg.Config) *harness {
	t.Helper()
	return &harness{testkit.SetupWith(t, config)}
}

func newHarness(pool *pg.Pool, url string) *harness { return &harness{testkit.New(pool, url)} }
