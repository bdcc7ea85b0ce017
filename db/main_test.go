package db_test

import (
	"os"
	"testing"

	"lunchgo/db"
	"lunchgo/db/dbtest"
)

func TestMain(m *testing.M) {
	dbtest.WaitTogether()
	db.Serve = serve
	os.Exit(m.Run())
}
