package main

import (
	"log/slog"
	"net/url"
	"strings"
	"testing"

	"lunchgo/db/dbtest"
)

// Redis is reached as one server, as a cluster and through sentinels.
func TestOpenRedis_ServerClusterAndSentinels(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts a cluster and sentinels")
	}
	cluster := dbtest.RedisCluster(t).Options()
	sentinels := dbtest.RedisSentinels(t).Options()
	var nodes []string
	for _, host := range cluster.Addrs {
		node := url.URL{Scheme: "redis", User: url.UserPassword(cluster.Username, cluster.Password), Host: host}
		nodes = append(nodes, node.String())
	}
	throughSentinels := url.URL{
		Scheme: "redis", Host: sentinels.SentinelAddrs[0],
		User: url.UserPassword(sentinels.SentinelUsername, sentinels.SentinelPassword),
		RawQuery: url.Values{
			"master_name": {sentinels.MasterName}, "addr": sentinels.SentinelAddrs[1:], "password": {sentinels.Password},
		}.Encode(),
	}
	for name, address := range map[string]string{
		"one server": dbtest.RedisURL(t),
		"cluster":    strings.Join(nodes, ","),
		"sentinels":  throughSentinels.String(),
	} {
		t.Run(name, func(t *testing.T) {
			rdb, err := openRedis(address)
			if err != nil {
				t.Fatal(err)
			}
			defer rdb.Close()
			key := dbtest.KeyPrefix(t) + "greeting"
			if err := rdb.Set(t.Context(), key, "hello", 0).Err(); err != nil {
				t.Fatal(err)
			}
			if got := rdb.GetDel(t.Context(), key).Val(); got != "hello" {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestOpenRedis_WrongAddresses(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"redis://127.0.0.1:1/zero", "redis://a:1,mysql://b:2", "redis://a:1/zero?master_name=m"} {
		if _, err := openRedis(address); err == nil || !strings.HasPrefix(err.Error(), "REDIS_URL: ") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// A Redis that is away keeps nobody from starting.
func TestServe_StartsWithoutRedis(t *testing.T) {
	t.Parallel()
	away := dbtest.PrivateRedis(t)
	away.Kill()
	c := Config{DatabaseURL: dbtest.PostgresURL(t), RedisURL: away.URL, DatabaseConns: 1}
	b, err := openBackends(t.Context(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	address, err := url.Parse(dbtest.RedisURL(t))
	if err != nil {
		t.Fatal(err)
	}
	address.User = url.UserPassword("default", "wrong")
	c.RedisURL = address.String()
	if _, err := openBackends(t.Context(), c, slog.New(slog.DiscardHandler)); err == nil {
		t.Error("a wrong password is taken for a Redis that is away")
	}
}
