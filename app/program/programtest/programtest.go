// Package programtest starts the program for tests: on a database and under a prefix of the test's own, with cheap
// passwords, at a free port of the loopback, until the test ends.
package programtest

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/identity"
	"lunchgo/app/program"
	"lunchgo/app/redisclient"
	"lunchgo/app/telemetry"
	"lunchgo/app/token"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/dbtest/tables"
	"lunchgo/db/pg"
)

// QuickHash is what a hash costs in tests: too little for the passwords of people.
var QuickHash = identity.Cost{Memory: 64, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// Never is a pace at which nothing happens while a test runs.
const Never = time.Hour

// slowest is how long the work for a request may take on a machine that runs all tests at once under the race detector.
const slowest = 40 * time.Second

// FormPatience has forms wait for their turn as long as a busy machine takes, unless others are in a line: then it
// shows the place in it soon.
func FormPatience(othersInLine *atomic.Int32) func() time.Duration {
	return func() time.Duration {
		if othersInLine.Load() > 0 {
			return 2 * time.Second
		}
		return dbtest.Patience
	}
}

// Setup is what a test wants otherwise. Whatever is zero is made for the test.
type Setup struct {
	Config   program.Config
	DB       *pg.Pool // open already
	Database string   // address of a migrated database, which is opened unless DB is
	Redis    string   // address
	Log      *slog.Logger
	Tracer   *telemetry.Tracer
	NoDemo   bool // an installation for real; else a demo, in which wallets can be charged
}

// Server is a program that serves.
type Server struct {
	*program.Program
	URL   string
	DB    *pg.Pool
	Redis redis.UniversalClient
	Setup Setup // with all that was made
}

// Start starts a program that serves until the test ends.
func Start(t testing.TB, s Setup) *Server {
	t.Helper()
	s = s.withDefaults(t)
	server := &Server{DB: s.DB}
	if server.DB == nil {
		server.DB = openDatabase(t, s)
	}
	s.DB = nil // another server of the same set-up opens the database by its address
	server.Setup = s
	server.Redis = OpenRedis(t, s.Redis)
	var err error
	server.Program, err = program.New(s.Config, program.Backends{DB: server.DB, Redis: server.Redis, Tracer: s.Tracer},
		s.Log)
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Program.Start(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Errorf("close the program: %v", err)
		}
	})
	server.listen(t)
	return server
}

func (s Setup) withDefaults(t testing.TB) Setup {
	if s.DB == nil && s.Database == "" {
		s.DB, s.Database = keeper.Database(t)
	}
	if s.Redis == "" {
		s.Redis = dbtest.RedisURL(t)
	}
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	c := &s.Config
	c.Demo = !s.NoDemo
	if c.Secrets == nil {
		c.Secrets = token.Secrets{rand.Text() + rand.Text()}
	}
	c.Prefix = cmp.Or(c.Prefix, dbtest.KeyPrefix(t))
	c.HashCost = cmp.Or(c.HashCost, QuickHash)
	c.CatalogMaxAge = cmp.Or(c.CatalogMaxAge, time.Minute)
	c.ShutdownTime = cmp.Or(c.ShutdownTime, dbtest.Patience)
	c.Room.TallyEvery = cmp.Or(c.Room.TallyEvery, Never)
	c.Web.WorkTimeout = cmp.Or(c.Web.WorkTimeout, slowest)
	c.Paces.Sweep = cmp.Or(c.Paces.Sweep, Never)
	c.Paces.Offer = cmp.Or(c.Paces.Offer, Never)
	c.Paces.Revoked = cmp.Or(c.Paces.Revoked, Never)
	c.Paces.Mail = cmp.Or(c.Paces.Mail, Never)
	c.Paces.Webhook = cmp.Or(c.Paces.Webhook, Never)
	c.Paces.Forget = cmp.Or(c.Paces.Forget, Never)
	c.Paces.Announce = cmp.Or(c.Paces.Announce, Never)
	c.Paces.Trim = cmp.Or(c.Paces.Trim, Never)
	return s
}

func (s *Server) listen(t testing.TB) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.URL = "http://" + listener.Addr().String()
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, listener) }()
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			t.Errorf("serve: %v", err)
		}
	})
}

var keeper = tables.Keeper(pg.Config{})

// Main runs the tests of a package, and then closes the databases that they left for each other.
type Main struct{ *testing.M }

// Run returns the exit code of the tests.
func (m Main) Run() int {
	code := m.M.Run()
	if err := keeper.Close(); err != nil {
		panic(err)
	}
	return code
}

func openDatabase(t testing.TB, s Setup) *pg.Pool {
	t.Helper()
	d, err := db.Open(t.Context(), pg.Config{URL: s.Database})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// OpenRedis returns a client that gives up soon on a Redis that is away, until the test ends; the product's own for a
// cluster.
func OpenRedis(t testing.TB, address string) redis.UniversalClient {
	t.Helper()
	if strings.Contains(address, ",") {
		client, err := redisclient.Open(address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = client.Close() })
		return client
	}
	options, err := redis.ParseURL(address)
	if err != nil {
		t.Fatal(err)
	}
	options.DialerRetries, options.MaxRetries = 1, 1
	options.ContextTimeoutEnabled = true
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	return client
}
