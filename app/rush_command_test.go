package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"lunchgo/app/booking"
	"lunchgo/app/rush"
	"lunchgo/app/seed"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/pg"
)

// TestMain lets the test binary be the product: a rush starts its instances and its processes of diners from the binary
// that it runs in. What whoever runs the tests has set is no setting of theirs.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "serve" || len(os.Args) > 2 && os.Args[1] == "rush" {
		main()
		return
	}
	for _, s := range new(Config).table() {
		_ = os.Unsetenv(s.name)
		_ = os.Unsetenv(s.name + fileSuffix)
	}
	os.Exit(m.Run())
}

// installation is the configuration of an empty installation of the test's own.
func installation(t *testing.T) Config {
	t.Helper()
	no := false
	return Config{
		Addr:          "127.0.0.1:0",
		DatabaseURL:   dbtest.PostgresURL(t),
		RedisURL:      dbtest.PrivateRedisURL(t),
		DataDir:       t.TempDir(),
		Secret:        "a secret that is only for this test, and long enough",
		Demo:          &no,
		DatabaseConns: 8,
		LineMaxWait:   time.Minute,
		LineMaxLength: 1_000,
		LogLevel:      slog.LevelError,
	}
}

// rushOf runs the command and reads its report.
func rushOf(t *testing.T, c Config, args ...string) rush.Report {
	t.Helper()
	var out bytes.Buffer
	err := rushCommand(t.Context(), c, append(args, "--json"), &out)
	if err != nil && !errors.Is(err, errPromiseBroken) {
		t.Fatal(err)
	}
	var report rush.Report
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatalf("the report is no JSON: %v\n%s", err, out.String())
	}
	if (err == nil) != report.Good() {
		t.Errorf("the command ends with %v for %s", err, out.String())
	}
	return report
}

func TestRushCommand_TwoHundredOnTwentySeats(t *testing.T) {
	t.Parallel()
	c := installation(t)
	r := rushOf(t, c, "--diners", "200", "--seats", "20", "--party", "2", "--instances", "2", "--per-process", "100",
		"--boards", "8")
	if !r.Good() || r.Diners != 200 || r.Answered != 200 || r.Reserved != 10 || r.SoldOut != 190 {
		t.Errorf("%+v", r)
	}
	if r.MaxDBConnections == nil || *r.MaxDBConnections < 1 || *r.MaxDBConnections > c.DatabaseConns {
		t.Errorf("%v connections in use, of %d", r.MaxDBConnections, c.DatabaseConns)
	}
	if r.RSSBytesPerWaiter == nil {
		t.Error("the memory of the instances is not known")
	}
	if r.RedisCommandsPerDiner == nil || *r.RedisCommandsPerDiner <= 0 {
		t.Errorf("%v Redis commands a diner", r.RedisCommandsPerDiner)
	}
	costs := []*float64{r.WALBytesPerDiner, r.DatabaseBytesPerDiner, r.RedisMemoryBytesPerDiner,
		r.RedisNetworkBytesPerDiner, r.ServerCPUMsPerDiner, r.RedisCPUMsPerDiner, r.ServerCPUMsPerReservation,
		r.RedisCPUMsPerReservation}
	if runtime.GOOS == "linux" {
		costs = append(costs, r.PostgresCPUMsPerDiner, r.PostgresCPUMsPerReservation)
	}
	for i, cost := range append(costs, &r.RushCPUMsPerDiner, r.HandoffP50Pings, r.HandoffP99Pings) {
		if cost == nil || *cost < 0 {
			t.Errorf("figure %d is %v", i, cost)
		}
	}
	if held := heldOf(t, c, 1); held != 0 {
		t.Errorf("%d seats are still held after the rush", held)
	}
	var out bytes.Buffer
	if err := auditCommand(t.Context(), c, nil, &out); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// people is a sum over all people of an installation: how many accounts of a load test are not deleted, what is in
// their wallets, and what everybody else has, word for word.
type people struct {
	Live    int    `db:"live"`
	Balance int64  `db:"balance"`
	Others  string `db:"others"`
}

func peopleOf(t *testing.T, c Config) (p people) {
	t.Helper()
	pool, err := sqlx.Open("postgres", c.DatabaseURL)
	dbtest.Must(t, err)
	defer pool.Close()
	err = pool.GetContext(t.Context(), &p, `
		SELECT count(*) FILTER (WHERE u.email LIKE '%@load.lunchgo.example') AS live,
			COALESCE(sum(a.balance) FILTER (WHERE u.email LIKE '%@load.lunchgo.example' OR u.email LIKE 'deleted-%'), 0) AS balance,
			COALESCE(string_agg(concat(u, a, (SELECT array_agg(l ORDER BY l.id) FROM ledger_entries l WHERE l.user_id = u.id)), ';'
				ORDER BY u.id) FILTER (WHERE u.email NOT LIKE '%@load.lunchgo.example' AND u.email NOT LIKE 'deleted-%'), '') AS others
		FROM users u
		LEFT JOIN accounts a ON a.user_id = u.id`)
	dbtest.Must(t, err)
	return p
}

// audited fails the test unless the audit finds nothing.
func audited(t *testing.T, c Config) {
	t.Helper()
	var out bytes.Buffer
	if err := auditCommand(t.Context(), c, nil, &out); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// A rush leaves no diner, no host and no money of theirs, touches nobody else's, and is followed by another one.
func TestRushCommand_LeavesNobody(t *testing.T) {
	t.Parallel()
	c := installation(t)
	dbtest.Must(t, seedCommand(t.Context(), c, nil, io.Discard))
	before := peopleOf(t, c)
	if before.Others == "" {
		t.Fatal("there is nobody else")
	}
	for range 2 {
		if r := rushOf(t, c, "--diners", "60", "--seats", "20", "--boards", "2"); !r.Good() || r.Reserved != 10 {
			t.Errorf("%+v", r)
		}
		if after := peopleOf(t, c); after != before {
			t.Errorf("there was\n%+v\nand is\n%+v", before, after)
		}
		audited(t, c)
	}
	rushOf(t, c, "--diners", "5", "--keep") // the control
	if kept := peopleOf(t, c); kept.Live != 5 || kept.Balance != 5*seed.DinerPurse || kept.Others != before.Others {
		t.Errorf("--keep keeps %d with %d won", kept.Live, kept.Balance)
	}
	audited(t, c)
}

func TestRushCommand_InterruptedLeavesNobody(t *testing.T) {
	t.Parallel()
	c := installation(t)
	ctx, interrupt := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		// So slow that it is in the middle of it for a while.
		ended <- rushCommand(ctx, c, []string{"--diners", "200", "--seats", "400", "--over", "1m", "--json"}, io.Discard)
	}()
	d, err := sqlx.Open("postgres", c.DatabaseURL)
	dbtest.Must(t, err)
	defer d.Close()
	dbtest.Eventually(t, "some have a table", func() bool {
		var n int
		err := d.GetContext(t.Context(), &n, `SELECT count(*) FROM reservations`)
		return err == nil && n > 0 // at first there is no such table
	})
	interrupt()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
	if left := peopleOf(t, c); left != (people{}) {
		t.Errorf("there are still %+v", left)
	}
	if held := heldOf(t, c, 1); held != 0 {
		t.Errorf("%d seats are still held", held)
	}
	audited(t, c)
}

// Browsers are served as programs are, by the pages.
func TestRushCommand_AsBrowsers(t *testing.T) {
	t.Parallel()
	c := installation(t)
	r := rushOf(t, c, "--diners", "100", "--seats", "20", "--party", "2", "--browsers")
	if !r.Good() || r.Reserved != 10 || r.SoldOut != 90 {
		t.Errorf("%+v", r)
	}
	audited(t, c)
}

// Lines of several restaurants are served at once, and all their seats are freed.
func TestRushCommand_SeveralRestaurants(t *testing.T) {
	t.Parallel()
	c := installation(t)
	r := rushOf(t, c, "--diners", "120", "--restaurants", "3", "--slots", "6", "--seats", "10", "--boards", "4")
	if !r.Good() || r.Slots != 6 || r.Reserved != 6*5 || r.SoldOut != 90 {
		t.Errorf("%+v", r)
	}
	for id := range int64(3) {
		if held := heldOf(t, c, 1+id); held != 0 {
			t.Errorf("%d seats are still held at restaurant %d", held, 1+id)
		}
	}
}

func TestRushCommand_AgainstARunningInstance(t *testing.T) {
	t.Parallel()
	c := installation(t)
	c.OpsAddr = "127.0.0.1:0"
	ctx, stop := context.WithCancel(t.Context())
	started, ended := make(chan addresses, 1), make(chan error, 1)
	go func() { ended <- serve(ctx, c, func(at addresses) { started <- at }) }()
	var at addresses
	select {
	case at = <-started:
	case err := <-ended:
		t.Fatal(err)
	}
	c.OpsAddr = strings.TrimPrefix(at.operators, "http://") // as the environment of both has it
	r := rushOf(t, c, "--url", at.site, "--diners", "150", "--slots", "3", "--seats", "100", "--keep")
	if !r.Good() || r.Reserved != 150 || r.SoldOut != 0 {
		t.Errorf("%+v", r)
	}
	if held := heldOf(t, c, 1); held != 300 {
		t.Errorf("%d seats are held, want 300: they were to be kept", held)
	}
	if r.MaxDBConnections == nil || r.RSSBytesPerWaiter == nil {
		t.Errorf("the metrics at OPS_ADDR are not found: %+v", r)
	}
	if rush.ShowsMetricsOf(t.Context(), at.operators, "http://127.0.0.1:1") {
		t.Error("they are taken for those of another instance")
	}
	stop()
	if err := <-ended; err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// heldOf is how many seats are held at a restaurant of an installation, whose first ones are the shadows of its only
// rush.
func heldOf(t *testing.T, c Config, restaurant int64) int {
	t.Helper()
	d, err := db.Open(t.Context(), pg.Config{URL: c.DatabaseURL})
	dbtest.Must(t, err)
	defer d.Close()
	today := booking.DateOf(time.Now(), time.UTC)
	known, err := db.NewSlotStore(d).ListOccupancy(t.Context(), restaurant, today.AddDays(-1), today.AddDays(7))
	dbtest.Must(t, err)
	if len(known) == 0 {
		t.Fatal("no slot was asked for")
	}
	held := 0
	for _, o := range known {
		held += o.Held
	}
	return held
}

func TestRushCommand_WrongFlags(t *testing.T) {
	t.Parallel()
	if err := rushCommand(t.Context(), Config{}, []string{"--diners", "0"}, &bytes.Buffer{}); !errors.Is(err,
		errUsage) {
		t.Errorf("ended with %v", err)
	}
	var help bytes.Buffer
	if err := rushCommand(t.Context(), Config{}, []string{"--help"}, &help); err != nil || help.Len() == 0 {
		t.Errorf("the help ended with %v after %d bytes", err, help.Len())
	}
}
