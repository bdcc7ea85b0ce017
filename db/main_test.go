package db_test

import (
	"os"
	"testing"

	"lunchgo/app/program"
	"lunchgo/app/program/programtest"
	"lunchgo/db"
	"lunchgo/db/dbtest"
)

func TestMain(m *testing.M) {
	dbtest.WaitTogether()
	db.Serve = serve
	os.Exit(m.Run())
}

func serve(t *testing.T, d *db.DB, prefix string, secret []byte) db.Served {
	t.Helper()
	server := programtest.Start(t, programtest.Setup{DB: d, Config: program.Config{
		Secret: secret, Options: program.Options{Prefix: prefix, NoFallback: true}}})
	return db.Served{URL: server.URL, Token: func(userID string) string {
		token, _ := server.People.Sessions.Issue(userID)
		return token
	}}
}
