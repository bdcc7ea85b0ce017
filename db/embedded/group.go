package embedded

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Group is what Redis servers have in common that work together: a cluster, or
// a master with its replicas and sentinels. Its servers are for tests and keep
// their data in memory only.
type Group struct {
	Password string        // of every server, towards clients and towards each other
	DownTime time.Duration // how long a server may be silent before the others replace it
	Log      *slog.Logger
}

// StartClusterNode runs a Redis that knows no other node and owns no slot yet;
// the caller makes it a part of a Redis Cluster.
func (g Group) StartClusterNode(ctx context.Context, dir string) (*Server, error) {
	for attempt := 1; ; attempt++ {
		bus, err := freePort()
		if err != nil {
			return nil, err
		}
		s, err := g.startClusterNode(ctx, dir, bus)
		if err == nil || attempt == portAttempts || ctx.Err() != nil || !foundItsPortTaken(err) {
			return s, err
		}
	}
}

// startClusterNode runs one that talks to the others at the port bus.
func (g Group) startClusterNode(ctx context.Context, dir string, bus int) (*Server, error) {
	return g.start(ctx, dir, func(h *home, _ int) []string {
		return []string{
			"cluster-enabled yes",
			"cluster-port " + strconv.Itoa(bus), // the default is far from the port and may be taken
			"cluster-config-file " + strconv.Quote(filepath.Join(h.data(), "nodes.conf")),
			"cluster-node-timeout " + milliseconds(g.DownTime),
			"cluster-replica-validity-factor 0", // a replica that lost sight of its master for long may follow it too
		}
	})
}

// StartMaster runs a Redis that may be copied.
func (g Group) StartMaster(ctx context.Context, dir string) (*Server, error) {
	return g.start(ctx, dir, func(*home, int) []string { return nil })
}

// StartReplica runs a Redis that copies the one at the address, "host:port".
func (g Group) StartReplica(ctx context.Context, dir, master string) (*Server, error) {
	host, port, err := net.SplitHostPort(master)
	if err != nil {
		return nil, err
	}
	return g.start(ctx, dir, func(*home, int) []string { return []string{"replicaof " + host + " " + port} })
}

func (g Group) start(ctx context.Context, dir string, settings func(*home, int) []string) (*Server, error) {
	svc, err := redisService(func(h *home, port int) []string {
		return append([]string{
			"appendonly no", "masterauth " + g.Password, "repl-diskless-sync-delay 0", "repl-ping-replica-period 1",
		}, settings(h, port)...)
	})
	if err != nil {
		return nil, err
	}
	svc.prepare = func(_ context.Context, h *home) error { return g.shareSecret(h) }
	return start(ctx, dir, g.Log, svc)
}

// shareSecret makes the group's password the server's.
func (g Group) shareSecret(h *home) error {
	if err := os.WriteFile(h.passwordPath(), []byte(g.Password+"\n"), 0o600); err != nil {
		return err
	}
	return h.give(h.passwordPath())
}

// Watch says what a Sentinel looks after.
type Watch struct {
	Name   string // under which clients ask for the master
	Master string // its present address, "host:port"
	Quorum int    // how many sentinels must find it silent before it is replaced
}

// StartSentinel runs a Sentinel.
func (g Group) StartSentinel(ctx context.Context, dir string, watch Watch) (*Server, error) {
	svc, err := redisService(nil)
	if err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(watch.Master)
	if err != nil {
		return nil, err
	}
	svc.title = "Redis Sentinel"
	svc.prepare = func(_ context.Context, h *home) error {
		if err := g.shareSecret(h); err != nil {
			return err
		}
		text := g.sentinelSettings(h, watch.Name, fmt.Sprintf("%s %s %d", host, port, watch.Quorum))
		if err := os.WriteFile(sentinelFile(h), []byte(text), 0o600); err != nil {
			return err
		}
		return h.give(sentinelFile(h))
	}
	svc.command = func(h *home, port int) command {
		return command{
			path: svc.program, args: []string{sentinelFile(h), "--sentinel", "--port", strconv.Itoa(port)},
			log: h.logPath(), as: h.as, deathSignal: svc.endings[0],
		}
	}
	return start(ctx, dir, g.Log, svc)
}

// sentinelFile is the configuration of a Sentinel, which it keeps up to date.
func sentinelFile(h *home) string { return filepath.Join(h.data(), "sentinel.conf") }

func (g Group) sentinelSettings(h *home, name, master string) string {
	return strings.Join([]string{
		"bind 127.0.0.1",
		"dir " + strconv.Quote(h.data()),
		"pidfile " + strconv.Quote(filepath.Join(h.data(), "redis.pid")),
		"requirepass " + g.Password,
		"sentinel sentinel-pass " + g.Password,
		"sentinel monitor " + name + " " + master,
		"sentinel auth-pass " + name + " " + g.Password,
		"sentinel down-after-milliseconds " + name + " " + milliseconds(g.DownTime),
		"sentinel failover-timeout " + name + " " + milliseconds(5*g.DownTime),
	}, "\n") + "\n"
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }
