package embedded

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// pgbouncerPlaces are where packages put PgBouncer when it is not on the PATH.
var pgbouncerPlaces = []string{"/usr/sbin/pgbouncer", "/usr/local/bin/pgbouncer", "/opt/homebrew/bin/pgbouncer"}

// Pooler is a PgBouncer in front of a PostgreSQL, for tests.
type Pooler struct {
	// URL of the PostgreSQL and of the database that the pooler's URL names; it leads to all of its databases
	Server   string
	Settings []string // lines of the section [pgbouncer], such as "pool_mode = transaction"
	Log      *slog.Logger
}

// Start runs it under dir until Stop. ctx bounds the start only.
func (p Pooler) Start(ctx context.Context, dir string) (*Server, error) {
	program, err := findPgBouncer()
	if err != nil {
		return nil, err
	}
	server, err := url.Parse(p.Server)
	if err != nil {
		return nil, err
	}
	return start(ctx, dir, p.Log, service{
		name:     "pgbouncer",
		title:    "PgBouncer",
		program:  program,
		accounts: []string{"postgres", "nobody"},
		endings:  []syscall.Signal{syscall.SIGTERM}, // at once
		prepare:  func(_ context.Context, h *home) error { return p.writeUsers(h, server) },
		command: func(h *home, port int) command {
			path := filepath.Join(h.path, "pgbouncer-"+strconv.Itoa(port)+".ini")
			err := errors.Join(os.WriteFile(path, []byte(p.settings(h, server, port)), 0o600), h.give(path))
			if err != nil {
				p.Log.Error("write the settings of PgBouncer", "error", err)
			}
			return command{path: program, args: []string{path}, log: h.logPath(), as: h.as,
				deathSignal: syscall.SIGTERM}
		},
		url: func(_ *home, port int) (string, error) {
			own := *server
			own.Host = net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
			return own.String(), nil
		},
		ping: func(ctx context.Context, url string) error { return pingPostgres(ctx, url, "postgres") },
	})
}

// usersPath is the file of those who may connect, and their passwords, by which PgBouncer connects as well.
func usersPath(h *home) string { return filepath.Join(h.path, "users") }

func (p Pooler) writeUsers(h *home, server *url.URL) error {
	password, _ := server.User.Password()
	line := fmt.Sprintf("%q %q\n", server.User.Username(), password)
	return errors.Join(os.WriteFile(usersPath(h), []byte(line), 0o600), h.give(usersPath(h)))
}

func (p Pooler) settings(h *home, server *url.URL, port int) string {
	return strings.Join(slices.Concat([]string{
		"[databases]",
		"* = host=" + server.Hostname() + " port=" + server.Port(),
		"[pgbouncer]",
		"listen_addr = 127.0.0.1",
		"listen_port = " + strconv.Itoa(port),
		"unix_socket_dir =",
		"auth_type = md5",
		"auth_file = " + usersPath(h),
		"admin_users = " + server.User.Username(),
		"max_client_conn = 1000",
	}, p.Settings), "\n") + "\n"
}

func findPgBouncer() (string, error) {
	if path, err := exec.LookPath("pgbouncer"); err == nil {
		return path, nil
	}
	for _, place := range pgbouncerPlaces {
		if _, err := os.Stat(place); err == nil {
			return place, nil
		}
	}
	return "", errors.New("pgbouncer not found: install the package pgbouncer")
}
