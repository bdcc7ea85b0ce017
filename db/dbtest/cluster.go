package dbtest

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/embedded"
)

const (
	clusterMasters = 3
	clusterSlots   = 16384
	// groupDownTime is how long a server may be silent before another takes its
	// place: far shorter than the usual 15 or 30 s, long enough for a busy machine.
	groupDownTime = 2 * time.Second
	// groupLimit bounds each step of forming and changing a group of servers.
	groupLimit = 30 * time.Second
	// failOverLimit is how long Redis pursues a change of masters that was ordered;
	// the others refuse their votes when one follows close on another.
	failOverLimit = 5 * time.Second
)

// Cluster is a Redis Cluster of three masters with a replica each, for one test
// alone, which may kill its nodes and move its slots. Its methods are for the
// test's own goroutine.
type Cluster struct {
	Addrs    []string // "host:port" of the nodes: the masters, then their replicas, as they were at first
	Password string

	t     testing.TB
	nodes map[string]*clusterNode // by address
}

type clusterNode struct {
	server *embedded.Server
	client *redis.Client // to this node alone
	killed bool
}

// RedisCluster starts a cluster and returns when all its nodes agree that it is
// whole.
func RedisCluster(t testing.TB) *Cluster {
	t.Helper()
	return RedisClusterOf(t, groupDownTime)
}

// RedisClusterOf is RedisCluster with that cluster-node-timeout.
func RedisClusterOf(t testing.TB, nodeTimeout time.Duration) *Cluster {
	t.Helper()
	c := &Cluster{Password: rand.Text(), t: t, nodes: map[string]*clusterNode{}}
	group := embedded.Group{Password: c.Password, DownTime: nodeTimeout, Log: slog.New(slog.DiscardHandler)}
	for range 2 * clusterMasters {
		server := private(t, func(ctx context.Context, dir string, _ *slog.Logger) (*embedded.Server, error) {
			return group.StartClusterNode(ctx, dir)
		})
		client := redisClient(t, server.URL)
		addr := client.Options().Addr
		c.Addrs = append(c.Addrs, addr)
		c.nodes[addr] = &clusterNode{server: server, client: client}
	}
	c.form()
	return c
}

// redisClient opens a client that does not try again.
func redisClient(t testing.TB, serverURL string) *redis.Client {
	t.Helper()
	options, err := redis.ParseURL(serverURL)
	if err != nil {
		t.Fatal(err)
	}
	options.MaxRetries, options.DialerRetries = -1, 1
	client := redis.NewClient(options)
	t.Cleanup(func() { client.Close() })
	return client
}

// form makes one cluster of the nodes.
func (c *Cluster) form() {
	c.t.Helper()
	for i, addr := range c.Addrs {
		c.must(c.order(addr, "SET-CONFIG-EPOCH", i+1))
		if i < clusterMasters {
			first, last := i*clusterSlots/clusterMasters, (i+1)*clusterSlots/clusterMasters-1
			c.must(c.order(addr, "ADDSLOTSRANGE", first, last))
		}
		host, port, _ := strings.Cut(addr, ":")
		_, bus, _ := strings.Cut(c.self(addr).address, "@")
		for _, other := range c.Addrs[:i] { // each to each, so that nobody waits for gossip
			c.must(c.order(other, "MEET", host, port, bus))
		}
	}
	c.agree("all know each other", func(seen []member) bool {
		return len(seen) == len(c.Addrs) && !slices.ContainsFunc(seen, func(m member) bool { return m.is("handshake") })
	})
	for i, addr := range c.Addrs[clusterMasters:] {
		c.must(c.order(addr, "REPLICATE", c.self(c.Addrs[i]).id))
	}
	c.agree("the replicas follow", func(seen []member) bool {
		return len(slices.DeleteFunc(seen, member.leads)) == len(c.Addrs)-clusterMasters
	})
	c.agreeOnHealth()
}

// order sends a CLUSTER command to one node.
func (c *Cluster) order(addr string, words ...any) error {
	return c.nodes[addr].client.Do(c.ctx(), append([]any{"CLUSTER"}, words...)...).Err()
}

// Options are those of a client of the cluster.
func (c *Cluster) Options() *redis.ClusterOptions {
	return &redis.ClusterOptions{Addrs: slices.Clone(c.Addrs), Password: c.Password}
}

// URL is the cluster as the product's REDIS_URL names it.
func (c *Cluster) URL() string {
	var nodes []string
	for _, addr := range c.Addrs {
		nodes = append(nodes, address(c.Password, addr).String())
	}
	return strings.Join(nodes, ",")
}

// address is a server's URL.
func address(password, hostPort string) *url.URL {
	return &url.URL{Scheme: "redis", User: url.UserPassword("", password), Host: hostPort}
}

// Node is a client of one node alone.
func (c *Cluster) Node(addr string) *redis.Client { return c.nodes[addr].client }

// Master returns the address of the node that owns the key's slot.
func (c *Cluster) Master(key string) string {
	c.t.Helper()
	slot := c.slot(key)
	for _, m := range c.view(c.living()[0]) {
		if m.leads() && m.owns(slot) {
			return m.addr()
		}
	}
	c.t.Fatalf("nobody owns the slot of %q", key)
	return ""
}

// KillMaster ends the node that owns the key's slot, as kill -9 does. It stays
// down; AwaitMaster tells when its replica has taken over. Returns its address.
func (c *Cluster) KillMaster(key string) string {
	c.t.Helper()
	addr := c.Master(key)
	c.nodes[addr].killed = true
	c.nodes[addr].server.Kill()
	return addr
}

// AwaitMaster waits until all agree that another node than the one at the
// address owns the key's slot.
func (c *Cluster) AwaitMaster(key, other string) {
	c.t.Helper()
	slot := c.slot(key)
	c.agree("another master", func(seen []member) bool {
		return slices.ContainsFunc(seen, func(m member) bool { return m.leads() && m.owns(slot) && m.addr() != other })
	})
	c.agreeOnHealth()
}

// FailOver makes the replica of the node that owns the key's slot its master, by
// hand, so that nothing is lost.
func (c *Cluster) FailOver(key string) {
	c.t.Helper()
	old := c.Master(key)
	id, replica := c.self(old).id, ""
	Eventually(c.t, "a replica of "+old, func() bool {
		for _, m := range c.view(old) {
			if m.master == id {
				replica = m.addr()
			}
		}
		return replica != ""
	})
	c.agreeOnHealth()
	ordered := time.Time{}
	Eventually(c.t, replica+" leads", func() bool {
		if time.Since(ordered) > failOverLimit {
			c.must(c.order(replica, "FAILOVER"))
			ordered = time.Now()
		}
		return c.self(replica).leads()
	})
	c.AwaitMaster(key, old)
}

// Flush loses all data of the cluster.
func (c *Cluster) Flush() {
	c.t.Helper()
	for _, addr := range c.living() {
		if c.self(addr).leads() {
			c.must(c.nodes[addr].client.FlushAll(c.ctx()).Err())
		}
	}
}

// MoveSlot gives the key's slot, with all it holds, to another master. When half
// of it is there it calls halfway, if that is not nil.
func (c *Cluster) MoveSlot(key string, halfway func()) {
	c.t.Helper()
	slot, from := c.slot(key), c.Master(key)
	to := ""
	for _, m := range c.view(from) {
		if m.leads() && m.addr() != from {
			to = m.addr()
		}
	}
	source, target := c.self(from).id, c.self(to).id
	c.must(c.order(to, "SETSLOT", slot, "IMPORTING", source))
	c.must(c.order(from, "SETSLOT", slot, "MIGRATING", target))
	held, err := c.nodes[from].client.ClusterCountKeysInSlot(c.ctx(), slot).Result()
	c.must(err)
	c.moveKeys(slot, int(held/2), from, to)
	if halfway != nil {
		halfway()
	}
	for c.moveKeys(slot, 100, from, to) > 0 {
	}
	c.must(c.order(to, "SETSLOT", slot, "NODE", target))
	c.must(c.order(from, "SETSLOT", slot, "NODE", target))
	c.AwaitMaster(key, from)
}

// moveKeys sends up to n keys of a slot to another node and returns how many
// there were.
func (c *Cluster) moveKeys(slot, n int, from, to string) int {
	c.t.Helper()
	source := c.nodes[from].client
	host, port, _ := strings.Cut(to, ":")
	keys, err := source.ClusterGetKeysInSlot(c.ctx(), slot, n).Result()
	c.must(err)
	if len(keys) == 0 {
		return 0
	}
	args := []any{"MIGRATE", host, port, "", 0, groupLimit.Milliseconds(), "AUTH", c.Password, "KEYS"}
	for _, key := range keys {
		args = append(args, key)
	}
	c.must(source.Do(c.ctx(), args...).Err())
	return len(keys)
}
