package accounts_test

import (
	"os"
	"testing"

	"lunchgo/db/dbtest"
	"lunchgo/db/testkit"
)

func TestMain(m *testing.M) {
	dbtest.WaitTogether()
	os.Exit(m.Run())
}

// harness is the kit's, with what only the tests of this package do.
type harness struct{ *testkit.Harness }

func setup(t testing.TB) *harness {
	t.Helper()
	return &harness{testkit.Setup(t)}
}
