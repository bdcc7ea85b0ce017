package locks

// The line on a real Redis Cluster of three masters with replicas, while it is changed and broken.

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/dbtest"
)

// clusterHarness is a harness on a Redis Cluster of its own.
type clusterHarness struct {
	*harness
	cluster *dbtest.Cluster
	key     string // of the line
}

func newClusterHarness(t testing.TB) *clusterHarness {
	t.Helper()
	h := &harness{t: t, prefix: dbtest.KeyPrefix(t), name: Name{"evening", "19:00"}}
	return &clusterHarness{h, dbtest.RedisCluster(t), lineKeys(h.prefix, h.name).record()}
}

// member starts a node of the line with connections of its own.
func (r *clusterHarness) member(name string, edit func(*Config)) *Client {
	r.t.Helper()
	options := r.cluster.Options()
	options.ReadTimeout, options.DialerRetries = time.Second, 1
	options.PoolSize = 32
	rdb := redis.NewClusterClient(options)
	r.t.Cleanup(func() { rdb.Close() })
	return r.nodeOn(rdb, name, edit)
}

// traffic is a number of loops that lock and release; no two may be at work at once.
type traffic struct {
	count  *counter
	fences []int64
	mu     sync.Mutex // guards what follows
	turns  map[*Client]int
	failed int
}

// drive begins traffic at the nodes, until the function that it returns is called.
func (r *clusterHarness) drive(t *testing.T, nodes ...*Client) (run *traffic, stop func()) {
	run = &traffic{count: &counter{}, turns: map[*Client]int{}}
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	var loops sync.WaitGroup
	for i := range 3 * len(nodes) {
		c := nodes[i%len(nodes)]
		loops.Go(func() {
			for ctx.Err() == nil {
				run.loop(ctx, t, c, c.Line(r.name))
			}
		})
	}
	return run, func() {
		cancel()
		loops.Wait()
	}
}

func (run *traffic) loop(ctx context.Context, t *testing.T, c *Client, line *Line) {
	turn, err := line.Lock(ctx, ticket())
	if err == nil {
		run.count.add(t)
		run.mu.Lock()
		run.fences = append(run.fences, turn.Fence())
		run.turns[c]++
		run.mu.Unlock()
		err = turn.Release(context.WithoutCancel(ctx), 1)
	}
	if err != nil && ctx.Err() == nil {
		run.mu.Lock()
		run.failed++
		run.mu.Unlock()
	}
}

// goesOn waits until every node has had some more turns.
func (run *traffic) goesOn(t *testing.T, what string, nodes ...*Client) {
	t.Helper()
	at := func(c *Client) int {
		run.mu.Lock()
		defer run.mu.Unlock()
		return run.turns[c]
	}
	for _, c := range nodes {
		begun := at(c)
		eventually(t, what, func() bool { return at(c) >= begun+20 })
	}
}

// changed drives traffic while the cluster is changed several times; pushes must be heard again each time.
func changed(t *testing.T, r *clusterHarness, what string, change func(c *Client)) {
	j := newRecordingObserver()
	a, b := r.member("a", j.attach), r.member("b", j.attach)
	run, stop := r.drive(t, a, b)
	defer stop()
	run.goesOn(t, "the traffic begins", a, b)
	for i := range 2 {
		before := r.cluster.Master(r.key)
		change(a)
		if r.cluster.Master(r.key) == before {
			t.Fatal("nothing was changed")
		}
		run.goesOn(t, fmt.Sprintf("turns after %s %d", what, i+1), a, b)
		heard := j.read().paths[ByPush]
		eventually(t, "messages are heard again",
			func() bool { return j.read().paths[ByPush] > heard+10 })
	}
	stop()
	if !slices.IsSorted(run.fences) || len(slices.Compact(slices.Clone(run.fences))) != len(run.fences) {
		t.Error("fences do not rise strictly")
	}
	f := j.read()
	t.Logf("%d turns, %d failed, learnt by %v, events %v", len(run.fences), run.failed, f.paths, f.events)
	eventually(t, "nobody is left", func() bool {
		p, err := a.Line(r.name).Progress(r.ctx())
		return err == nil && !p.Holder && p.Count == 0
	})
}

func TestCluster_HandOffsContinueWhileTheSlotMoves(t *testing.T) {
	t.Parallel()
	r := newClusterHarness(t)
	changed(t, r, "move", func(c *Client) {
		r.cluster.MoveSlot(r.key, func() {
			for range 3 { // half of a line is of no use to a script
				if _, err := c.Line(r.name).Progress(r.ctx()); !redis.IsTryAgainError(err) {
					t.Errorf("Redis works on half a line: %v", err)
				}
			}
		})
	})
}

func TestCluster_LocksContinueDuringManualFailover(t *testing.T) {
	t.Parallel()
	r := newClusterHarness(t)
	changed(t, r, "failover", func(*Client) { r.cluster.FailOver(r.key) })
}

func TestCluster_MessagesStayInTheirShard(t *testing.T) {
	t.Parallel()
	r := newClusterHarness(t)
	j := newRecordingObserver()
	patient := func(cfg *Config) {
		j.attach(cfg)
		cfg.Lease, cfg.ClaimWindow = dbtest.Patience, dbtest.Patience // the first turn lasts until both listen
	}
	a, b := r.member("a", patient), r.member("b", patient)
	const n = 12
	r.enterInTurn(n, a, b)
	channel := lineKeys(r.prefix, r.name).channel
	master := r.cluster.Node(r.cluster.Master(r.key))
	eventually(t, "both listen where the line lives", func() bool {
		heard := master.PubSubShardNumSub(r.ctx(), channel+"a", channel+"b").Val()
		return heard[channel+"a"] == 1 && heard[channel+"b"] == 1
	})
	for _, addr := range r.cluster.Addrs {
		if all := r.cluster.Node(addr).PubSubChannels(r.ctx(), r.prefix+"*").Val(); len(all) != 0 {
			t.Errorf("%s would get messages of %s from every node", addr, strings.Join(all, ", "))
		}
	}
	serveAll(r.harness, n, a, b)
	if f := j.turns(t, n); f.paths[ByPush] < n/2 { // the rest on a busy machine by the next beat
		t.Errorf("learnt by %v, want push", f.paths)
	}
}

func TestCluster_MessageOfOtherKindIsNotReceived(t *testing.T) {
	t.Parallel()
	r := newClusterHarness(t)
	j := newRecordingObserver()
	a := r.member("a", func(cfg *Config) {
		cfg.Lease, cfg.ClaimWindow = dbtest.Patience, dbtest.Patience // its turn lasts until b listens
	})
	b := r.member("b", j.attach)
	a.publishMode.command = plainPublish
	r.enter(a, "t1")
	turn := r.next(a)
	r.enter(b, "t2")
	channel := lineKeys(r.prefix, r.name).channel + "b"
	eventually(t, "b listens", func() bool {
		return r.cluster.Node(r.cluster.Master(r.key)).PubSubShardNumSub(r.ctx(), channel).Val()[channel] == 1
	})
	r.release(turn, 1)
	r.next(b)
	if f := j.turns(t, 1); f.paths[ByBeat] != 1 {
		t.Errorf("learnt by %v, want beat: the control shows nothing", f.paths)
	}
}
