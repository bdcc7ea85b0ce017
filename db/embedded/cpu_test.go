package embedded

import (
	"database/sql"
	"log/slog"
	"os"
	"runtime"
	"testing"
	"time"
)

func TestParseStat(t *testing.T) {
	t.Parallel()
	s, err := parseStat([]byte(
		"42 (a (strange) name) S 7 42 42 0 -1 4194560 1 2 3 4 150 50 30 20 20 0 1 0 12345 1 2\n"))
	if err != nil {
		t.Fatal(err)
	}
	if want := (stat{name: "a (strange) name", parent: 7, own: 2 * time.Second,
		reaped: 500 * time.Millisecond}); s != want {
		t.Errorf("read %+v, want %+v", s, want)
	}
	for _, text := range []string{"", "42 (name", "42 (name) S 7",
		"42 (name) S x 42 42 0 -1 4194560 1 2 3 4 150 50 30 20 20"} {
		if s, err := parseStat([]byte(text)); err == nil {
			t.Errorf("%q was read as %+v", text, s)
		}
	}
}

// What a connection has cost counts while it is open and after it has ended, and once each.
func TestPostgresCPU_CountsBackendsThatEnded(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("processor time is read from /proc")
	}
	if _, err := PostgresCPU(os.Getpid()); err == nil {
		t.Error("this test was taken for a PostgreSQL")
	}
	server, err := StartScratchPostgres(t.Context(), t.TempDir(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Stop(t.Context()) }()
	connect := func() (*sql.DB, int) {
		db, err := openPostgres(server.URL, "postgres")
		if err != nil {
			t.Fatal(err)
		}
		db.SetMaxOpenConns(1)
		var pid int
		if err := db.QueryRow(`SELECT pg_backend_pid()`).Scan(&pid); err != nil {
			t.Fatal(err)
		}
		return db, pid
	}
	watch, pid := connect()
	defer watch.Close()
	used := func() time.Duration {
		sum, err := PostgresCPU(pid)
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	before := used()
	worker, busy := connect()
	open, enough := before, time.Now().Add(10*time.Second)
	for open < before+100*time.Millisecond { // a machine says itself how much work that is
		if time.Now().After(enough) {
			t.Fatalf("after ten seconds of work an open connection has cost %s", open-before)
		}
		if _, err := worker.Exec(`SELECT sum(i) FROM generate_series(1, 500000) AS i`); err != nil {
			t.Fatal(err)
		}
		open = used()
	}
	if err := worker.Close(); err != nil {
		t.Fatal(err)
	}
	ended := time.Now().Add(10 * time.Second)
	for alive := true; alive && time.Now().Before(ended); {
		if err := watch.QueryRow(`SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $1)`,
			busy).Scan(&alive); err != nil {
			t.Fatal(err)
		}
	}
	for gone := false; !gone && time.Now().Before(ended); { // until the server has taken note of its end
		_, err := PostgresCPU(busy)
		gone = err != nil
	}
	if after := used(); after < open-20*time.Millisecond {
		t.Errorf("after the end of a connection %s are known, of %s", after, open)
	}
}
