package embedded

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// StartRedis runs a private Redis on the data in dir/redis, which is made at
// the first start. It appends every write to a file that is flushed each
// second. ctx bounds the start only; end the server with Stop.
//
// Returns an error of one sentence for people when no Redis is installed, or
// when another process runs on the data.
func StartRedis(ctx context.Context, dir string, log *slog.Logger) (*Server, error) {
	return startRedis(ctx, dir, log, "appendonly yes", "appendfsync everysec")
}

// StartSyncedRedis is StartRedis for tests that kill it: no write is answered before it is in the file. Flushed each
// second, writes wait in Redis for a flush that takes its time.
func StartSyncedRedis(ctx context.Context, dir string, log *slog.Logger) (*Server, error) {
	return startRedis(ctx, dir, log, "appendonly yes", "appendfsync always")
}

// StartScratchRedis is StartRedis for tests: it keeps its data in memory only.
func StartScratchRedis(ctx context.Context, dir string, log *slog.Logger) (*Server, error) {
	return startRedis(ctx, dir, log, "appendonly no")
}

func startRedis(ctx context.Context, dir string, log *slog.Logger, settings ...string) (*Server, error) {
	svc, err := redisService(func(*home, int) []string { return settings })
	if err != nil {
		return nil, err
	}
	return start(ctx, dir, log, svc)
}

// redisService is a Redis with further settings, which may depend on the folder
// and the port it gets.
func redisService(settings func(h *home, port int) []string) (service, error) {
	program, err := findRedis()
	if err != nil {
		return service{}, err
	}
	return service{
		name:     "redis",
		title:    "Redis",
		program:  program,
		accounts: []string{"redis", "nobody"},
		endings:  []syscall.Signal{syscall.SIGTERM},
		prepare: func(_ context.Context, h *home) error {
			_, err := h.password()
			return err
		},
		command: func(h *home, port int) command { return redisCommand(h, port, settings(h, port)) },
		url:     redisURL,
		ping:    pingRedis,
	}, nil
}

// redisCommand hands the settings over on standard input, since the password
// among them would show in the list of processes.
func redisCommand(h *home, port int, settings []string) command {
	password, err := h.password()
	if err != nil {
		password = "" // the URL was made from it a moment ago, so the start fails at its ping
	}
	lines := append([]string{
		"bind 127.0.0.1",
		"port " + strconv.Itoa(port),
		"dir " + strconv.Quote(h.data()),
		"pidfile " + strconv.Quote(filepath.Join(h.data(), "redis.pid")),
		"requirepass " + password,
		`save ""`,
	}, settings...)
	return command{
		path: h.service.program, args: []string{"-"}, stdin: strings.Join(lines, "\n") + "\n",
		log: h.logPath(), as: h.as, deathSignal: syscall.SIGTERM,
	}
}

func redisURL(h *home, port int) (string, error) {
	password, err := h.password()
	if err != nil {
		return "", err
	}
	u := url.URL{
		Scheme: "redis",
		User:   url.UserPassword("", password),
		Host:   net.JoinHostPort("127.0.0.1", strconv.Itoa(port)),
		Path:   "/0",
	}
	return u.String(), nil
}

// pingRedis asks the server at the URL whether it serves; one that still loads
// its data does not. It speaks the protocol itself, because a client library
// would retry and log what is expected here.
func pingRedis(ctx context.Context, serverURL string) error {
	u, err := url.Parse(serverURL)
	if err != nil {
		return err
	}
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", u.Host)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(time.Second)); err != nil {
		return err
	}
	password, _ := u.User.Password()
	if _, err := fmt.Fprintf(conn, "AUTH %s\r\nPING\r\n", password); err != nil {
		return err
	}
	answer := bufio.NewReader(conn)
	for _, want := range []string{"+OK\r\n", "+PONG\r\n"} {
		got, err := answer.ReadString('\n')
		if err != nil {
			return err
		}
		if got != want {
			return fmt.Errorf("server answers %q", strings.TrimSpace(got))
		}
	}
	return nil
}
