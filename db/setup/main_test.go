package setup_test

import (
	"os"
	"testing"

	"lunchgo/db/dbtest"
)

func TestMain(m *testing.M) {
	dbtest.WaitTogether()
	os.Exit(m.Run())
}
