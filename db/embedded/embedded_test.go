//go:build unix

package embedded_test

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/dbtest"
	"lunchgo/db/embedded"
)

// mustExec runs one statement on a server.
func mustExec(t *testing.T, url, statement string) {
	t.Helper()
	db, err := sql.Open("postgres", url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// number reads one integer from a server.
func number(t *testing.T, url, query string) int {
	t.Helper()
	db, err := sql.Open("postgres", url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var n int
	if err := db.QueryRowContext(t.Context(), query).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

func redisClient(t *testing.T, url string) *redis.Client {
	t.Helper()
	options, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	options.DialerRetries = 1
	client := redis.NewClient(options)
	t.Cleanup(func() { client.Close() })
	return client
}

// openDir is an empty directory that every user can pass through. t.TempDir's
// parent is closed to all but us.
func openDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "embedded-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func TestStopKeepsTheDataAndEndsInTime(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it makes a cluster and starts it several times")
	}
	dir := openDir(t)
	pg, err := embedded.StartPostgres(t.Context(), dir, quiet())
	if err != nil {
		t.Fatal(err)
	}
	checkDurable(t, pg.URL)
	mustExec(t, pg.URL, `CREATE TABLE kept (n int)`)
	busy, err := sql.Open("postgres", pg.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	if err := busy.PingContext(t.Context()); err != nil { // an open connection must not hold the end up
		t.Fatal(err)
	}
	if got := embedded.Running(t.Context(), dir); got.Postgres != pg.URL || got.Redis != "" {
		t.Errorf("Running = %+v, want PostgreSQL at %s alone", got, pg.URL)
	}
	began := time.Now()
	if err := pg.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("Stop took %v: it waited for who is connected", took)
	}
	if err := pg.Stop(t.Context()); err != nil {
		t.Errorf("a second Stop: %v, want nil", err)
	}
	if got := embedded.Running(t.Context(), dir); got != (embedded.URLs{}) {
		t.Errorf("Running after Stop = %+v, want nothing", got)
	}
	again, err := embedded.StartPostgres(t.Context(), dir, quiet())
	if err != nil {
		t.Fatal(err)
	}
	defer again.Stop(context.WithoutCancel(t.Context()))
	if got := number(t, again.URL, `SELECT count(*) FROM kept`); got != 0 {
		t.Errorf("the table holds %d rows, want 0", got)
	}
}

// checkDurable checks the settings on which "nothing answered is lost" rests.
func checkDurable(t *testing.T, url string) {
	t.Helper()
	for name, want := range map[string]string{
		"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on",
		"max_connections": "100", "listen_addresses": "127.0.0.1", "TimeZone": "UTC",
	} {
		if got := number(t, url, fmt.Sprintf(`SELECT (current_setting('%s') = '%s')::int`, name, want)); got != 1 {
			t.Errorf("%s is not %s", name, want)
		}
	}
}

func TestASecondProgramOnTheSameDataIsRefused(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	rd, err := embedded.StartRedis(t.Context(), dir, quiet())
	if err != nil {
		t.Fatal(err)
	}
	defer rd.Stop(context.WithoutCancel(t.Context()))
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err = embedded.StartRedis(ctx, dir, quiet())
	if err == nil || !strings.Contains(err.Error(), "another LunchGo runs on this data") {
		t.Errorf("StartRedis = %v, want a refusal that names the other program", err)
	}
	if err := redisClient(t, rd.URL).Ping(t.Context()).Err(); err != nil {
		t.Errorf("the first server no longer answers: %v", err)
	}
}

func TestAServerThatDiesComesBack(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	rd, err := embedded.StartRedis(t.Context(), dir, quiet())
	if err != nil {
		t.Fatal(err)
	}
	defer rd.Stop(context.WithoutCancel(t.Context()))
	client := redisClient(t, rd.URL)
	if err := client.Set(t.Context(), "kept", 1, 0).Err(); err != nil {
		t.Fatal(err)
	}
	before := client.Info(t.Context(), "server").Val()
	client.Do(t.Context(), "SHUTDOWN", "NOSAVE")
	dbtest.Eventually(t, "Redis runs again", func() bool {
		after, err := client.Info(t.Context(), "server").Result()
		return err == nil && runID(after) != runID(before)
	})
	if got := client.Get(t.Context(), "kept").Val(); got != "1" {
		t.Errorf("kept = %q, want 1", got)
	}
}

// runID is the id that Redis draws at each start.
func runID(info string) string {
	_, id, _ := strings.Cut(info, "run_id:")
	id, _, _ = strings.Cut(id, "\r\n")
	return id
}

func TestKillAndRevive(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it makes a cluster and starts it several times")
	}
	pg, err := embedded.StartScratchPostgres(t.Context(), openDir(t), quiet())
	if err != nil {
		t.Fatal(err)
	}
	defer pg.Stop(context.WithoutCancel(t.Context()))
	mustExec(t, pg.URL, `CREATE TABLE kept (n int)`)
	pg.Kill()
	if answers(t, pg.URL) {
		t.Error("the server answers after Kill")
	}
	if err := pg.Revive(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := number(t, pg.URL, `SELECT count(*) FROM kept`); got != 0 {
		t.Errorf("the table holds %d rows, want 0", got)
	}
}

func TestAnInterruptedFirstStartIsBegunAnew(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it makes a cluster")
	}
	dir := openDir(t)
	half := filepath.Join(dir, "postgres", "new", "base")
	if err := os.MkdirAll(half, 0o755); err != nil {
		t.Fatal(err)
	}
	pg, err := embedded.StartPostgres(t.Context(), dir, quiet())
	if err != nil {
		t.Fatal(err)
	}
	if err := pg.Stop(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestDataOfAnotherMajorVersion(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	data := filepath.Join(dir, "postgres", "data")
	if err := os.MkdirAll(data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(data, "PG_VERSION"), []byte("9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := embedded.StartPostgres(t.Context(), dir, quiet())
	if err == nil || !strings.Contains(err.Error(), "was made by PostgreSQL 9, but PostgreSQL") {
		t.Errorf("StartPostgres = %v, want a sentence that names both versions", err)
	}
}

func TestAsRootADirectoryThatIsClosedToOthers(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it makes a cluster")
	}
	if os.Geteuid() != 0 {
		t.Skip("only root starts servers as another user")
	}
	closed := openDir(t)
	if err := os.Chmod(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(closed, "data")
	pg, err := embedded.StartPostgres(t.Context(), dir, quiet())
	if err != nil {
		t.Fatal(err)
	}
	defer pg.Stop(context.WithoutCancel(t.Context()))
	far, err := filepath.EvalSymlinks(filepath.Join(dir, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(far) })
	if strings.HasPrefix(far, closed) {
		t.Errorf("the data is in %s, where its user cannot go", far)
	}
	if got := number(t, pg.URL, `SELECT 1`); got != 1 {
		t.Errorf("SELECT 1 = %d", got)
	}
	if got := embedded.Running(t.Context(), dir).Postgres; got != pg.URL {
		t.Errorf("Running = %q, want %q", got, pg.URL)
	}
}

func TestMissingNamesWhatToInstall(t *testing.T) {
	programs, err := embedded.Missing()
	if programs != nil || err != nil {
		t.Fatalf("Missing = %v, %v on a machine that has both", programs, err)
	}
	t.Setenv("PATH", t.TempDir())
	programs, err = embedded.Missing()
	if len(programs) == 0 || err == nil || !strings.Contains(err.Error(), "install") {
		t.Errorf("Missing = %v, %v with an empty PATH, want redis-server and a sentence", programs, err)
	}
}
