package locks

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/dbtest"
)

// replicated is a Redis whose master another server can replace.
type replicated struct {
	*harness
	member func(node string, edit func(*Config)) *Client // with connections of its own
	master func() *redis.Client
	kill   func() (replaced func()) // the master; replaced waits for another one
}

func TestI15_AQueueOutlivesItsMasterInACluster(t *testing.T) {
	t.Parallel()
	r := newClusterHarness(t)
	outlive(t, &replicated{
		harness: r.harness,
		member:  r.member,
		master:  func() *redis.Client { return r.cluster.Node(r.cluster.Master(r.key)) },
		kill: func() func() {
			killed := r.cluster.KillMaster(r.key)
			return func() { r.cluster.AwaitMaster(r.key, killed) }
		},
	})
}

func TestI15_AQueueOutlivesItsMasterUnderSentinels(t *testing.T) {
	t.Parallel()
	sentinels := dbtest.RedisSentinels(t)
	connect := func() *redis.Client {
		options := sentinels.Options()
		options.ReadTimeout, options.DialerRetries = time.Second, 1 // a killed one refuses at once
		rdb := redis.NewFailoverClient(options)
		t.Cleanup(func() { rdb.Close() })
		return rdb
	}
	h := &harness{t: t, prefix: dbtest.KeyPrefix(t), name: Name{"evening", "19:00"}}
	outlive(t, &replicated{
		harness: h,
		member:  func(node string, edit func(*Config)) *Client { return h.nodeOn(connect(), node, edit) },
		master:  connect,
		kill: func() func() {
			sentinels.KillMaster()
			return func() {}
		},
	})
}

// outlive kills the master of a line while it is served. Everybody is served once and in order.
func outlive(t *testing.T, r *replicated) {
	e := newEvening(r.harness, 40*time.Second)
	// Longer than a master is away: else the turn that it was about to tell of passes on.
	long := func(cfg *Config) {
		cfg.TTL, cfg.Lease, cfg.ClaimWindow, cfg.MaxHold = 20*time.Second, 9*time.Second, 9*time.Second, 5*time.Minute
	}
	other := r.member("other", long)
	alone, err := other.Line(Name{r.name.Partition, "20:00"}).Lock(r.ctx(), "t1") // where nobody waits
	dbtest.Must(t, err)
	r.enter(other, "first") // keeps the line while it fills
	turn := r.next(other)
	var nodes []*Client
	for _, name := range []string{"a", "b"} {
		nodes = append(nodes, e.open(func(watch func(*Config)) *Client {
			return r.member(name, func(cfg *Config) { watch(cfg); long(cfg) })
		}))
	}
	want := ticketNames(240)
	for i, ticket := range want {
		e.enter(nodes[i%2], ticket)
	}
	master := r.master().Conn()
	defer master.Close()
	dbtest.Must(t, master.Set(r.ctx(), lineKeys(r.prefix, r.name).channel+"marker", "after the queue",
		time.Minute).Err())
	// for what this connection wrote
	if n, err := master.Wait(r.ctx(), 1, 10*time.Second).Result(); n != 1 || err != nil {
		t.Fatalf("%d replicas have the queue, %v", n, err)
	}
	r.release(turn, 1)
	e.await(20)
	replaced := r.kill()
	died := time.Now()
	replaced()
	took := time.Since(died)
	eventually(t, "a turn with nobody behind it is released",
		func() bool { return alone.Release(r.ctx(), 1) == nil })
	e.await(len(want))
	t.Logf("replaced after %s, all served after %s", took, time.Since(died))
	e.close(t, want)
}
