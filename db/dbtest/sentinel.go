package dbtest

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/embedded"
)

const (
	sentinelMaster = "line" // under this name clients ask for the master
	sentinelCount  = 3
	sentinelQuorum = 2
)

// Sentinels is a Redis with a replica and three Sentinels that watch over them,
// for one test alone, which may kill the master.
type Sentinels struct {
	t         testing.TB
	password  string
	servers   map[string]*embedded.Server // master and replica, by address
	sentinels []*redis.SentinelClient
	addrs     []string // of the sentinels
}

// RedisSentinels starts a master, its replica and their sentinels, and returns
// when the sentinels would agree on a new master.
func RedisSentinels(t testing.TB) *Sentinels {
	t.Helper()
	return RedisSentinelsOf(t, groupDownTime)
}

// RedisSentinelsOf is RedisSentinels with that down-after-milliseconds.
func RedisSentinelsOf(t testing.TB, downAfter time.Duration) *Sentinels {
	t.Helper()
	s := &Sentinels{t: t, password: rand.Text(), servers: map[string]*embedded.Server{}}
	group := embedded.Group{Password: s.password, DownTime: downAfter, Log: slog.New(slog.DiscardHandler)}
	start := func(begin func(ctx context.Context, dir string) (*embedded.Server, error)) (*embedded.Server, string) {
		server := private(t, func(ctx context.Context, dir string, _ *slog.Logger) (*embedded.Server, error) {
			return begin(ctx, dir)
		})
		return server, redisClient(t, server.URL).Options().Addr
	}
	first, master := start(group.StartMaster)
	second, replica := start(func(ctx context.Context, dir string) (*embedded.Server, error) {
		return group.StartReplica(ctx, dir, master)
	})
	s.servers[master], s.servers[replica] = first, second
	watch := embedded.Watch{Name: sentinelMaster, Master: master, Quorum: sentinelQuorum}
	for range sentinelCount {
		_, addr := start(func(ctx context.Context, dir string) (*embedded.Server, error) {
			return group.StartSentinel(ctx, dir, watch)
		})
		client := redis.NewSentinelClient(&redis.Options{Addr: addr, Password: s.password})
		t.Cleanup(func() { client.Close() })
		s.sentinels, s.addrs = append(s.sentinels, client), append(s.addrs, addr)
	}
	Eventually(s.t, "the replica has copied", func() bool {
		info := redisClient(t, second.URL).Info(context.Background(), "replication").Val()
		return strings.Contains(info, "master_link_status:up")
	})
	Eventually(s.t, "the sentinels know of each other and the replica", s.ready)
	return s
}

// ready reports whether the sentinels can replace the master.
func (s *Sentinels) ready() bool {
	for _, sentinel := range s.sentinels {
		seen, err := sentinel.Master(context.Background(), sentinelMaster).Result()
		if err != nil || seen["num-other-sentinels"] != "2" || seen["num-slaves"] != "1" || seen["flags"] != "master" {
			return false
		}
	}
	return true
}

// Options are those of a client that follows the master.
func (s *Sentinels) Options() *redis.FailoverOptions {
	return &redis.FailoverOptions{
		MasterName: sentinelMaster, SentinelAddrs: s.addrs, SentinelPassword: s.password, Password: s.password,
	}
}

// URL is the master as the product's REDIS_URL names it.
func (s *Sentinels) URL() string {
	u := address(s.password, s.addrs[0])
	u.RawQuery = url.Values{"master_name": {sentinelMaster}, "addr": s.addrs[1:], "password": {s.password}}.Encode()
	return u.String()
}

// Master returns the address that the sentinels give for the master.
func (s *Sentinels) Master() string {
	s.t.Helper()
	parts, err := s.sentinels[0].GetMasterAddrByName(context.Background(), sentinelMaster).Result()
	if err != nil {
		s.t.Fatal(err)
	}
	return strings.Join(parts, ":")
}

// KillMaster ends the master, as kill -9 does, and returns when the sentinels
// give another.
func (s *Sentinels) KillMaster() {
	s.t.Helper()
	old := s.Master()
	s.servers[old].Kill()
	Eventually(s.t, "another master", func() bool { return s.Master() != old })
}

// FailOver makes the replica the master, by hand, and returns when the sentinels
// give it.
func (s *Sentinels) FailOver() {
	s.t.Helper()
	old := s.Master()
	if err := s.sentinels[0].Failover(context.Background(), sentinelMaster).Err(); err != nil {
		s.t.Fatal(err)
	}
	Eventually(s.t, "another master", func() bool { return s.Master() != old })
}
