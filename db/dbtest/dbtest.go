// Package dbtest gives tests real PostgreSQL and Redis servers. They are
// started when a test first asks for one, once per test process, keep their
// data away from the disk's flushes, and are gone with the process, however it
// ends.
package dbtest

import (
	"context"
	"crypto/rand"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/embedded"
)

// startLimit bounds the start of a server on a busy machine.
const startLimit = 60 * time.Second

var (
	sharedPostgres = sync.OnceValues(func() (*embedded.Server, error) { return startIn(startShared) })
	sharedRedis    = sync.OnceValues(func() (*embedded.Server, error) { return startIn(embedded.StartScratchRedis) })
	scratch        = sync.OnceValues(makeScratch)
	quietRedis     = sync.OnceFunc(func() { redis.SetLogger(discardLog{}) })
)

// discardLog takes what go-redis logs of servers that tests end on purpose.
type discardLog struct{}

func (discardLog) Printf(context.Context, string, ...any) {}

// starter is one of the functions that start a private server.
type starter func(ctx context.Context, dir string, log *slog.Logger) (*embedded.Server, error)

// notShort skips a test with -short: those that need servers take a minute together.
func notShort(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("it needs a server")
	}
}

// RedisURL returns the address of the Redis that the tests of this process
// share. A test keeps to keys and channels under its own KeyPrefix.
func RedisURL(t testing.TB) string {
	t.Helper()
	notShort(t)
	server, err := sharedRedis()
	if err != nil {
		t.Fatal(err)
	}
	return server.URL
}

// KeyPrefix returns a prefix for keys and channels that no other test has.
func KeyPrefix(t testing.TB) string {
	t.Helper()
	return "t" + strings.ToLower(rand.Text()[:10]) + ":"
}

// PrivateRedis returns a Redis for this test alone, which it may flush, Kill
// and Revive. It keeps nothing over a Kill.
func PrivateRedis(t testing.TB) *embedded.Server {
	t.Helper()
	return private(t, embedded.StartScratchRedis)
}

// PrivateDurableRedis is PrivateRedis with data that outlives a Kill.
func PrivateDurableRedis(t testing.TB) *embedded.Server {
	t.Helper()
	return private(t, embedded.StartSyncedRedis)
}

// PrivateRedisURL returns the address of a PrivateRedis.
func PrivateRedisURL(t testing.TB) string {
	t.Helper()
	return PrivateRedis(t).URL
}

// PrivatePostgres returns a PostgreSQL for this test alone, which it may Kill
// and Revive. Its URL names an empty database.
func PrivatePostgres(t testing.TB) *embedded.Server {
	t.Helper()
	return private(t, embedded.StartScratchPostgres)
}

// private starts a server that ends with the test.
func private(t testing.TB, start starter) *embedded.Server {
	t.Helper()
	notShort(t)
	server, err := startIn(start)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := server.Stop(ctx); err != nil {
			t.Errorf("stop the private server: %v", err)
		}
	})
	return server
}

// startIn starts a server in a new folder of the scratch directory.
func startIn(start starter) (*embedded.Server, error) {
	root, err := scratch()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(root.path, "")
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	return start(ctx, dir, slog.New(slog.DiscardHandler))
}

// sweep waits for the end of its standard input, which comes when the test
// process is gone, even by kill -9. Then it ends the servers in the directory
// that the kernel has not ended yet, and removes it.
const sweep = `
read -r _
for pid in "$1"/*/postgres/data/postmaster.pid "$1"/*/redis/data/redis.pid; do
	[ -f "$pid" ] && kill -QUIT "$(head -n 1 "$pid")"
done
for _ in 1 2 3 4 5 6 7 8 9 10; do
	rm -rf "$1" && exit
	sleep 0.3
done`

// scratchDir is the directory for the data of all servers of this process.
type scratchDir struct {
	path    string
	sweeper *exec.Cmd // removes the directory when its standard input ends
}

// makeScratch makes the directory and starts its sweeper. The open end of the
// sweeper's input must not be collected, and so stays with the result.
func makeScratch() (scratchDir, error) {
	quietRedis()
	path, err := os.MkdirTemp("", "lunchgo-test-")
	if err != nil {
		return scratchDir{}, err
	}
	// The servers may run as another user, who has to pass through.
	if err := os.Chmod(path, 0o755); err != nil {
		return scratchDir{}, err
	}
	sweeper := exec.Command("sh", "-c", sweep, "sweep", path)
	sweeper.Dir = filepath.Dir(path)
	outliveUs(sweeper)
	if _, err = sweeper.StdinPipe(); err != nil {
		return scratchDir{}, err
	}
	return scratchDir{path: path, sweeper: sweeper}, sweeper.Start()
}

// Replica starts a PostgreSQL for one test alone that follows a private one.
func Replica(t testing.TB, primary *embedded.Server) *embedded.Server {
	t.Helper()
	return private(t, func(ctx context.Context, dir string, log *slog.Logger) (*embedded.Server, error) {
		return embedded.StartScratchReplica(ctx, dir, primary.URL, log)
	})
}
