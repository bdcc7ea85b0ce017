package embedded

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"path/filepath"
	"strconv"
	"syscall"
)

// StartScratchReplica runs a PostgreSQL that follows the one at a URL, a scratch server, under dir until Stop. It is
// for tests and answers what it has so far. ctx bounds the start only.
func StartScratchReplica(ctx context.Context, dir, primary string, log *slog.Logger) (*Server, error) {
	program, err := findPostgres(filepath.Join(dir, "postgres", "data"))
	if err != nil {
		return nil, err
	}
	own, err := url.Parse(primary)
	if err != nil {
		return nil, err
	}
	return start(ctx, dir, log, service{
		name:     "postgres",
		title:    "PostgreSQL",
		program:  program,
		accounts: []string{"postgres", "nobody"},
		endings:  []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT},
		prepare:  func(ctx context.Context, h *home) error { return copyPrimary(ctx, h, primary) },
		command:  func(h *home, port int) command { return postgresCommand(h, port, scratch.settings) },
		url: func(_ *home, port int) (string, error) {
			at := *own
			at.Host = net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
			return at.String(), nil
		},
		ping: func(ctx context.Context, url string) error { return pingPostgres(ctx, url, "postgres") },
	})
}

// copyPrimary makes the data of a server that follows another one.
func copyPrimary(ctx context.Context, h *home, primary string) error {
	if err := runToEnd(ctx, command{
		path: filepath.Join(filepath.Dir(h.service.program), "pg_basebackup"),
		args: []string{"-d", primary, "-D", h.data(), "-R", "-X", "stream", "-c", "fast", "--no-sync"},
		log:  h.logPath(), as: h.as, deathSignal: syscall.SIGTERM,
	}); err != nil {
		return fmt.Errorf("pg_basebackup: %w: %s", err, h.logTail())
	}
	return nil
}
