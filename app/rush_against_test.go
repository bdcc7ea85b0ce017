package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"

	"lunchgo/app/rush"
	"lunchgo/db/dbtest"
)

// The same crowd goes to servers of this product and of all designs. Nothing of them stays in database and Redis.
func TestRushCommand_AgainstAllDesigns(t *testing.T) {
	t.Parallel()
	c := installation(t)
	var out bytes.Buffer
	args := strings.Fields("--against all --diners 60 --slots 2 --seats 20 --instances 2 --json")
	dbtest.Must(t, rushCommand(t.Context(), c, args, &out))
	var compared rush.Comparison
	if err := json.Unmarshal(out.Bytes(), &compared); err != nil {
		t.Fatalf("no JSON: %v\n%s", err, out.String())
	}
	var names []string
	for _, r := range compared.Rows {
		names = append(names, r.Design)
		if r.Diners != 60 || r.Answered+r.GaveUp != 60 || r.Answered == 0 || r.Reserved > 20 || r.Oversold != 0 ||
			r.AnswerP50Ms <= 0 || r.AnswerP99Ms < r.AnswerP50Ms || r.PageP50Ms <= 0 || r.PageRefused != 0 {
			t.Errorf("%+v", r)
		}
		if r.Design == ours && (r.Reserved != 20 || r.GaveUp != 0) {
			t.Errorf("%+v", r)
		}
		if r.MaxDBConnections == nil || r.RedisCommandsPerDiner == nil || r.ServerCPUMsPerDiner == nil ||
			r.RedisCPUMsPerDiner == nil || r.PostgresCPUMsPerDiner == nil && runtime.GOOS == "linux" {
			t.Errorf("figures are missing: %+v", r)
		}
	}
	if !slices.Equal(names, append([]string{ours}, rush.Designs...)) {
		t.Errorf("rows of %v", names)
	}
	if n := scratchDatabases(t, c); n != 0 {
		t.Errorf("%d scratch databases are left", n)
	}
	if left := peopleOf(t, c).Live; left != 0 {
		t.Errorf("%d diners are left", left)
	}
	audited(t, c)
}

// scratchDatabases counts those beside the test's own database.
func scratchDatabases(t *testing.T, c Config) (n int) {
	t.Helper()
	pool, err := sqlx.Open("postgres", c.DatabaseURL)
	dbtest.Must(t, err)
	defer pool.Close()
	const scratch = `SELECT count(*) FROM pg_database WHERE starts_with(datname, current_database() || '_against_')`
	dbtest.Must(t, pool.GetContext(t.Context(), &n, scratch))
	return n
}

func TestRushDesign_InterruptedLeavesNothing(t *testing.T) {
	t.Parallel()
	c := installation(t)
	b, err := openBackends(t.Context(), c, newLog(c))
	dbtest.Must(t, err)
	defer func() { _ = b.Close() }()
	o, err := rush.ParseFlags(strings.Fields("--against spin --diners 20 --over 1m"), io.Discard)
	dbtest.Must(t, err)
	ctx, interrupt := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := rushDesign(ctx, c, b, o, "spin")
		ended <- err
	}()
	dbtest.Eventually(t, "there is a scratch database", func() bool { return scratchDatabases(t, c) > 0 })
	interrupt()
	if err := <-ended; err == nil {
		t.Error("an interrupted rush has a report")
	}
	if n := scratchDatabases(t, c); n != 0 {
		t.Errorf("%d scratch databases are left", n)
	}
}
