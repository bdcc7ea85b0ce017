package main

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"lunchgo/app/identity"
	"lunchgo/db"
	"lunchgo/db/accounts"
	"lunchgo/db/dbtest"
	"lunchgo/db/pg"
)

// startOnce starts an instance, asks it for the page that its greeting links to, and ends it. Returns the greeting, and
// the status of the page.
func startOnce(t *testing.T, c Config) (greeting string, status int) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	at, ended := make(chan addresses, 1), make(chan error, 1)
	go func() { ended <- serve(ctx, c, func(a addresses) { at <- a }) }()
	select {
	case a := <-at:
		var out bytes.Buffer
		greet(&out, c, a)
		if a.setup != "" {
			response, err := http.Get(a.site + a.setup)
			dbtest.Must(t, err)
			_ = response.Body.Close()
			status = response.StatusCode
		}
		greeting = out.String()
	case err := <-ended:
		t.Fatal("it ended:", err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	return greeting, status
}

// Starts print a link while there is no operator, the same when they are together, and none once there is.
func TestServe_PrintsALinkWhileThereIsNoOperator(t *testing.T) {
	t.Parallel()
	c := installation(t)
	c.OperatorLink = true
	link := func(greeting string) string {
		_, after, _ := strings.Cut(greeting, "/operator/setup/")
		token, _, _ := strings.Cut(after, "\n")
		return token
	}
	first, status := startOnce(t, c)
	second, again := startOnce(t, c)
	if status != 200 || again != 200 || len(link(first)) < 26 || link(first) != link(second) {
		t.Fatalf("%d, %d:\n%s\n%s", status, again, first, second)
	}
	c.OperatorLink = false
	if silent, _ := startOnce(t, c); link(silent) != "" {
		t.Error(silent)
	}
	d, err := db.Open(t.Context(), pg.Config{URL: c.DatabaseURL})
	dbtest.Must(t, err)
	defer d.Close()
	hash := []byte("another")
	store := accounts.NewOperatorStore(d)
	if _, err := store.InviteOperator(t.Context(), false, func(time.Time) []byte { return hash },
		identity.InvitationLife); err != nil {
		t.Fatal(err)
	}
	err = store.CreateOperator(t.Context(), hash, identity.User{ID: "kim", Email: "kim@example.org", Name: "Kim",
		PasswordHash: "!"})
	dbtest.Must(t, err)
	c.OperatorLink = true
	if after, _ := startOnce(t, c); link(after) != "" {
		t.Errorf("with an operator:\n%s", after)
	}
}
