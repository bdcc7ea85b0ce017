//go:build unix

package dbtest_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"lunchgo/db/dbtest"
)

// playTest names the variable that makes this binary a test process to be killed.
const playTest = "DBTEST_TEST_PROCESS"

func query(t *testing.T, url, statement string) (n int, err error) {
	t.Helper()
	db, err := sql.Open("postgres", url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.QueryRowContext(t.Context(), statement).Scan(&n)
	return n, err
}

func TestEachTestGetsAnEmptyDatabase(t *testing.T) {
	t.Parallel()
	one, two := dbtest.PostgresURL(t), dbtest.PostgresURL(t)
	if one == two {
		t.Fatalf("both are %s", one)
	}
	if _, err := query(t, one, `WITH x AS (SELECT 1) SELECT set_config('a.b', '1', false)::int`); err != nil {
		t.Fatal(err)
	}
	n, err := query(t, two, `SELECT count(*) FROM pg_tables WHERE schemaname = 'public'`)
	if err != nil || n != 0 {
		t.Errorf("it has %d tables (%v), want none", n, err)
	}
}

func putSeven(url string) error {
	db, err := sql.Open("postgres", url)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(context.Background(), `CREATE TABLE prepared AS SELECT 7 AS n`)
	return err
}

func TestTemplateIsPreparedOnceAndCopied(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it needs a server")
	}
	var calls atomic.Int32
	prepare := func(url string) error {
		calls.Add(1)
		return putSeven(url)
	}
	name := dbtest.KeyPrefix(t)
	for i := range 4 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			url := dbtest.Template(t, name, prepare)
			if n, err := query(t, url, `UPDATE prepared SET n = n + 1 RETURNING n`); err != nil || n != 8 {
				t.Errorf("n = %d (%v), want 8: the copies are not apart", n, err)
			}
		})
	}
	t.Cleanup(func() {
		if calls.Load() != 1 {
			t.Errorf("prepare was called %d times, want once", calls.Load())
		}
	})
}

func TestADatabaseIsDroppedWithItsTest(t *testing.T) {
	t.Parallel()
	var url string
	t.Run("owner", func(t *testing.T) {
		url = dbtest.PostgresURL(t)
		if _, err := query(t, url, `SELECT 1`); err != nil {
			t.Fatal(err)
		}
	})
	if _, err := query(t, url, `SELECT 1`); err == nil {
		t.Errorf("%s still answers", url)
	}
}

// reachable returns a folder of the test's own that the servers' user can pass through.
func reachable(t *testing.T) string {
	t.Helper()
	tmp := t.TempDir()
	for dir := tmp; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		dbtest.Must(t, os.Chmod(dir, 0o755))
	}
	return tmp
}

// Processes with a prepared server begin with what it has, each with a copy of its own.
func TestPreparedServer_IsCopied(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts test processes with servers")
	}
	dir := reachable(t)
	dbtest.Must(t, dbtest.PrepareServer(t.Context(), dir, "seven", putSeven))
	for range 2 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestPreparedProcess$", "-test.v")
		cmd.Env = append(os.Environ(), playTest+"=1", "POSTGRES_TEST_DATA="+dir)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "--- PASS: TestPreparedProcess") {
			t.Errorf("%v: %s", err, out)
		}
	}
}

// TestPreparedProcess is a process of TestPreparedServer_IsCopied.
func TestPreparedProcess(t *testing.T) {
	if os.Getenv(playTest) == "" {
		t.Skip("runs as a child of another test")
	}
	unasked := func(string) error { return errors.New("it is not prepared") }
	url := dbtest.Template(t, "seven", unasked)
	if n, err := query(t, url, `UPDATE prepared SET n = n + 1 RETURNING n`); err != nil || n != 8 {
		t.Errorf("n = %d (%v), want 8", n, err)
	}
}

func TestServersAndDataGoWithAKilledTestProcess(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts and kills a test process with servers")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestProcess$")
	tmp := reachable(t)
	cmd.Env = append(os.Environ(), playTest+"=1", "TMPDIR="+tmp)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var hosts []string
	for lines := bufio.NewScanner(out); len(hosts) < 2 && lines.Scan(); {
		if u, err := url.Parse(lines.Text()); err == nil && u.Host != "" {
			hosts = append(hosts, u.Host)
		}
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // says that it was killed
	if len(hosts) != 2 {
		t.Fatalf("the test process printed the servers %v, want two", hosts)
	}
	dbtest.Eventually(t, fmt.Sprint("nothing is left in ", tmp, ", nobody listens at ", hosts), func() bool {
		left, err := filepath.Glob(filepath.Join(tmp, "lunchgo-test-*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(left) == 0 && !listens(hosts[0]) && !listens(hosts[1])
	})
}

func listens(host string) bool {
	conn, err := net.Dial("tcp", host)
	if err != nil {
		return false
	}
	conn.Close()
	return true
}

// TestProcess is the process that TestServersAndDataGoWithAKilledTestProcess
// kills.
func TestProcess(t *testing.T) {
	if os.Getenv(playTest) == "" {
		t.Skip("runs as a child of another test")
	}
	fmt.Println(dbtest.PostgresURL(t))
	fmt.Println(dbtest.RedisURL(t))
	select {}
}

func TestPrivateRedisDiesAndLives(t *testing.T) {
	t.Parallel()
	server := dbtest.PrivateRedis(t)
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	server.Kill()
	if listens(u.Host) {
		t.Error("it listens after Kill")
	}
	if err := server.Revive(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !listens(u.Host) {
		t.Error("it does not listen after Revive")
	}
}
