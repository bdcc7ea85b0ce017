//go:build !nosite

package db_test

import (
	"testing"

	"lunchgo/app/program"
	"lunchgo/app/program/programtest"
	"lunchgo/app/token"
	"lunchgo/db/pg"
)

func serve(t *testing.T, d *pg.Pool, prefix string, secret token.Secrets) served {
	t.Helper()
	server := programtest.Start(t, programtest.Setup{DB: d, Config: program.Config{
		Secrets: secret, Options: program.Options{Prefix: prefix, NoFallback: true}}})
	return served{URL: server.URL, Token: func(userID string) string {
		token, _ := server.Identity.Sessions.Issue(userID)
		return token
	}}
}
