package embedded

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
)

// Name of the private server's superuser and of its database.
const (
	postgresUser     = "lunchgo"
	postgresDatabase = "lunchgo"
)

// usage is how PostgreSQL keeps its data and knows who connects.
type usage struct {
	auth     string // how a password is shown to be known
	settings []string
}

// durable is for data that matters; the rest is PostgreSQL's default, which
// flushes every commit.
var durable = usage{"scram-sha-256", []string{"max_connections=100"}}

// scratch is for data that nobody misses after a power cut. A commit is still
// written before it is answered, so it outlives the server. Statements are
// counted, for tests of what costs none. Every test opens connections of its
// own, each of which would cost a tenth of a second to prove its password by
// SCRAM under the race detector. A killed server leaves its shared memory
// behind, which goes with the data where it is a file there.
var scratch = usage{"md5", []string{
	"max_connections=400", "fsync=off", "full_page_writes=off",
	"max_wal_size=2GB", "autovacuum_naptime=1d", "dynamic_shared_memory_type=mmap",
	"shared_preload_libraries=pg_stat_statements",
}}

// StartPostgres runs a private PostgreSQL on the data in dir/postgres, which
// is made at the first start. It keeps PostgreSQL's full durability and takes
// 100 connections. ctx bounds the start only; end the server with Stop.
//
// Returns an error of one sentence for people when PostgreSQL is not
// installed, when its data was made by another major version, or when another
// process runs on the data.
func StartPostgres(ctx context.Context, dir string, log *slog.Logger) (*Server, error) {
	return startPostgres(ctx, dir, log, durable)
}

// StartScratchPostgres is StartPostgres for tests: it never waits for the
// disk, so a power cut may spoil its data, and it takes 400 connections.
func StartScratchPostgres(ctx context.Context, dir string, log *slog.Logger) (*Server, error) {
	return startPostgres(ctx, dir, log, scratch)
}

func startPostgres(ctx context.Context, dir string, log *slog.Logger, use usage) (*Server, error) {
	program, err := findPostgres(filepath.Join(dir, "postgres", "data"))
	if err != nil {
		return nil, err
	}
	return start(ctx, dir, log, service{
		name:     "postgres",
		title:    "PostgreSQL",
		program:  program,
		accounts: []string{"postgres", "nobody"},
		// Fast shutdown, then the immediate one that recovers at the next start.
		endings: []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT},
		prepare: func(ctx context.Context, h *home) error { return initPostgres(ctx, h, use.auth) },
		command: func(h *home, port int) command { return postgresCommand(h, port, use.settings) },
		url:     postgresURL,
		ping:    func(ctx context.Context, url string) error { return pingPostgres(ctx, url, "postgres") },
		ready:   makeDatabase,
	})
}

func postgresCommand(h *home, port int, settings []string) command {
	args := []string{"-D", h.data()}
	settings = append([]string{
		"listen_addresses=127.0.0.1", "port=" + strconv.Itoa(port), "unix_socket_directories=",
		"timezone=UTC", "log_timezone=UTC",
	}, settings...)
	for _, s := range settings {
		args = append(args, "-c", s)
	}
	return command{path: h.service.program, args: args, log: h.logPath(), as: h.as, deathSignal: syscall.SIGINT}
}

func postgresURL(h *home, port int) (string, error) {
	password, err := h.password()
	if err != nil {
		return "", err
	}
	u := url.URL{
		Scheme:   "postgres",
		User:     url.UserPassword(postgresUser, password),
		Host:     net.JoinHostPort("127.0.0.1", strconv.Itoa(port)),
		Path:     "/" + postgresDatabase,
		RawQuery: "sslmode=disable",
	}
	return u.String(), nil
}

// initPostgres makes the cluster at the first start. It is made aside and
// moved into place, so that one that was interrupted is not taken for whole.
func initPostgres(ctx context.Context, h *home, auth string) error {
	_, err := os.Stat(filepath.Join(h.data(), "PG_VERSION"))
	if err == nil {
		return clearPostmasterFile(h)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, err := h.password(); err != nil {
		return err
	}
	aside := filepath.Join(h.path, "new")
	if err := os.RemoveAll(aside); err != nil {
		return err
	}
	args := []string{"-D", aside, "-U", postgresUser, "--auth=" + auth, "--pwfile=" + h.passwordPath(),
		"--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions"}
	if runtime.GOOS == "linux" {
		args = append(args, "--lc-ctype=C.UTF-8") // upper and lower case beyond ASCII
	}
	if err := runToEnd(ctx, command{
		path: filepath.Join(filepath.Dir(h.service.program), "initdb"), args: args,
		log: h.logPath(), as: h.as, deathSignal: syscall.SIGTERM,
	}); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, h.logTail())
	}
	return errors.Join(os.Remove(h.data()), os.Rename(aside, h.data()))
}

// clearPostmasterFile removes the file by which PostgreSQL knows that it runs
// on the data. Nothing runs on it when this is called, but the process id in a
// file that a crash left may meanwhile belong to a stranger, before which
// PostgreSQL would refuse to start.
func clearPostmasterFile(h *home) error {
	err := os.Remove(filepath.Join(h.data(), "postmaster.pid"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// runToEnd runs a child until it exits, or ends it when ctx does.
func runToEnd(ctx context.Context, c command) error {
	ch, err := startChild(c)
	if err != nil {
		return err
	}
	select {
	case <-ch.done:
		return ch.err
	case <-ctx.Done():
		ch.end([]syscall.Signal{syscall.SIGTERM})
		return ctx.Err()
	}
}

// openPostgres opens another database of the server at url.
func openPostgres(serverURL, database string) (*sql.DB, error) {
	u, err := url.Parse(serverURL)
	if err != nil {
		return nil, err
	}
	u.Path = "/" + database
	return sql.Open("postgres", u.String())
}

func pingPostgres(ctx context.Context, serverURL, database string) error {
	db, err := openPostgres(serverURL, database)
	if err != nil {
		return err
	}
	defer db.Close()
	return db.PingContext(ctx)
}

// makeDatabase makes the database of the URL unless it is there.
func makeDatabase(ctx context.Context, serverURL string) error {
	db, err := openPostgres(serverURL, "postgres")
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, `CREATE DATABASE `+pq.QuoteIdentifier(postgresDatabase))
	if pq.As(err, pqerror.DuplicateDatabase) != nil {
		return nil
	}
	return err
}

// majorOf returns the major version in the output of a program's --version,
// such as "postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)".
func majorOf(program string) (string, error) {
	out, err := exec.Command(program, "--version").Output()
	if err != nil {
		return "", fmt.Errorf("%s --version: %w", program, err)
	}
	_, version, _ := strings.Cut(string(out), ") ")
	version, _, _ = strings.Cut(strings.TrimSpace(version), " ")
	major, _, _ := strings.Cut(version, ".")
	return major, nil
}
