package accounts_test

import (
	"testing"

	"lunchgo/db/testkit"
)

// harness is the kit's, with what only the tests of this package do.
type harness struct{ *testkit.Harness }

func setup(t testing.TB) *harness {
	t.Helper()
	return &harness{testkit.Setup(t)}
}
