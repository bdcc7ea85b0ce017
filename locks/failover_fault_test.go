package locks

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/dbtest"
	"lunchgo/db/embedded"
)

// serveRush lets tickets enter at servers that serve, one after the other, while something happens in the middle; it
// returns once all are served, or nobody can be expected to be any more, and says which server each entered at.
func serveRush(h *harness, n int, work string, middle func(), servers ...*server) map[string]string {
	h.t.Helper()
	ctx, stop := context.WithCancel(h.ctx())
	var serving sync.WaitGroup
	defer serving.Wait()
	defer stop()
	for _, v := range servers {
		serving.Go(func() { v.run(ctx, 5*time.Millisecond) })
	}
	of := map[string]string{}
	for i := range n {
		v, ticket := servers[i%len(servers)], "t"+strconv.Itoa(i)
		of[ticket] = v.node.cfg.Node
		v.enter(ticket, work)
		if i == n/4 {
			middle()
		}
	}
	done := func() bool { return len(servers[0].store.all()) >= n }
	for limit := time.Now().Add(15 * time.Second); !done() && time.Now().Before(limit) &&
		sleep(ctx, 10*time.Millisecond); {
	}
	return of
}

func TestFallback_ServesEachOnceWhenRedisDiesAndReturns(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		start func(testing.TB) *embedded.Server
		work  string
		brief bool
	}{
		"data lost":                      {dbtest.PrivateRedis, "", false},
		"data kept":                      {dbtest.PrivateDurableRedis, "", false},
		"nodes serve each other's":       {dbtest.PrivateDurableRedis, "work", false},
		"for a moment, data lost":        {dbtest.PrivateRedis, "", true},
		"for a moment, data kept":        {dbtest.PrivateDurableRedis, "", true},
		"for a moment, each other's too": {dbtest.PrivateDurableRedis, "work", true},
	} {
		t.Run(name, func(t *testing.T) {
			mustPass(t, func(t testing.TB) {
				server, s := c.start(t), &store{}
				h := newHarnessAt(t, server.URL)
				a := h.server(s, h.impatientClient("", nil), "a", func(*Client) {})
				b := h.server(s, h.impatientClient("", nil), "b", func(*Client) {})
				a.looks, b.looks = c.work != "", c.work != ""
				var reviving sync.WaitGroup
				defer reviving.Wait()
				of := serveRush(h, 80, c.work, func() {
					server.Kill()
					reviving.Go(func() {
						if !c.brief {
							awaitAway(t, a.node, true)
							awaitAway(t, b.node, true)
						}
						if err := server.Revive(h.ctx()); err != nil {
							t.Error(err)
						}
					})
				}, a, b)
				s.check(t, of)
				awaitAway(t, a.node, false)
				awaitAway(t, b.node, false)
			})
		})
	}
}

func TestFallback_ServesEachOnceWhenAClusterMasterDies(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		r, s := newClusterHarness(t), &store{}
		connect := func() redis.UniversalClient {
			options := r.cluster.Options()
			options.ContextTimeoutEnabled, options.DialerRetries, options.PoolSize = true, 1, 32
			rdb := redis.NewClusterClient(options)
			t.Cleanup(func() { rdb.Close() })
			return rdb
		}
		a, b := r.server(s, connect(), "a", func(*Client) {}), r.server(s, connect(), "b", func(*Client) {})
		killed := ""
		of := serveRush(r.harness, 80, "", func() { killed = r.cluster.KillMaster(r.key) }, a, b)
		s.check(t, of)
		r.cluster.AwaitMaster(r.key, killed)
		awaitAway(t, a.node, false)
		awaitAway(t, b.node, false)
	})
}

func TestFallback_CutOffNodeServesItsOwnOnce(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h, s := newHarness(t), &store{}
		net := h.network()
		a, b := h.server(s, h.impatientClient(net.proxy.Listen, nil), "a", func(*Client) {}),
			h.server(s, h.impatientClient("", nil), "b", func(*Client) {})
		var mending sync.WaitGroup
		defer mending.Wait()
		of := serveRush(h, 60, "", func() {
			net.silence("upstream", "downstream")
			mending.Go(func() {
				awaitAway(t, a.node, true)
				eventually(t, "a serves by itself", func() bool { return s.local("a") > 2 })
				net.restore()
			})
		}, a, b)
		s.check(t, of)
		awaitAway(t, a.node, false)
		if n := s.local("b"); n != 0 || b.node.Away() != 0 {
			t.Errorf("b, which was never cut off, served %d by itself", n)
		}
	})
}

// local counts what a node has served by itself.
func (s *store) local(node string) int {
	n := 0
	for _, m := range s.all() {
		if m.node == node && m.local {
			n++
		}
	}
	return n
}

func TestFallback_TicketsOfCutOffNodeReturnToTheirPlaces(t *testing.T) {
	testWithGuards(t, cutOff,
		guard{"bringing the tickets back", opRejoin, "if #ARGV > 10 then", "if false then"},
		guard{"the place that a ticket had", opRejoin,
			"call('ZADD', waiting, arrival, ticket)\n    call('HSET', tickets, ticket, ticket_value(node, session, work))",
			"call('ZADD', waiting, now, ticket)\n    call('HSET', tickets, ticket, ticket_value(node, session, work))",
		},
		guard{"the end of those served here", opRejoin,
			"  call('ZREM', waiting, ticket)\n  call('HDEL', tickets, ticket)\n", ""},
	)
}

// cutOff lets a node serve by itself while another has the turn, and come back.
func cutOff(t testing.TB, edit func(*Client)) {
	h, wire, j := newHarness(t), &breakableLink{}, newRecordingObserver()
	a := h.fallbackNode("a", wire, j.attach)
	b := h.fallbackNode("b", nil, nil)
	edit(a)
	turn := h.turnOf(b, "t0")
	for i, c := range []*Client{a, a, b, a, b} {
		h.enter(c, fmt.Sprintf("t%d", i+1))
	}
	wire.cut.Store(true)
	h.enter(a, "t6")
	first := h.next(a)
	if first.Ticket() != "t1" || !first.Local() {
		t.Errorf("%s has a turn at a", first.Ticket())
	}
	if err := a.Line(h.name).Leave(h.ctx(), "t2"); err != nil {
		t.Error(err)
	}
	wire.cut.Store(false)
	eventually(t, "a waits for its turn to end", func() bool { return waitsForTurn(a) })
	h.release(first, 1)
	awaitAway(t, a, false)
	h.enter(b, "t7")
	if p := h.progress(b); !slices.Equal(order(p), []string{"t3", "t4", "t5", "t6", "t7"}) {
		t.Errorf("in Redis: %+v, want t3 to t7", p)
	}
	h.release(turn, 1)
	if want, got := []string{"t3", "t4", "t5", "t6", "t7"}, serveAll(h, 5, a, b); !slices.Equal(got, want) {
		t.Errorf("served %v, want %v", got, want)
	}
	if f := j.read(); len(f.departed) != 0 {
		t.Errorf("departed %v", f.departed)
	}
}

func TestFallback_OneTurnAtATimeInANode(t *testing.T) {
	test := func(t testing.TB, edit func(*Client)) {
		h, wire := newHarness(t), &breakableLink{}
		c := h.fallbackNode("a", wire, nil)
		edit(c)
		turn := h.turnOf(c, "t1")
		h.enter(c, "t2")
		eventually(t, "the lease is renewed", func() bool {
			turn.mu.Lock()
			defer turn.mu.Unlock()
			return c.until(turn.deadline) > testTimes.ClaimWindow
		})
		wire.cut.Store(true)
		h.enter(c, "t3")
		next := h.next(c)
		mustHaveLapsed(t, turn)
		if next.Ticket() != "t2" || !next.Local() {
			t.Errorf("%s has the next turn, of the node's own: %t; want t2", next.Ticket(), next.Local())
		}
	}
	testWithGuards(t, test)
	testWithout(t, "patience", test, func(c *Client) {
		c.patience = 0
		c.cfg.Lease *= 4 // the other's turn does not end by itself before the test looks at it
	})
}

// Calls that lay in connections while Redis stood still would bring tickets to life there that were served in the
// meantime.
func TestFallback_LateCallHasNoEffect(t *testing.T) {
	testWithGuards(t, stoodStill, guard{"the end of a call's time", "", "if moment > expiry then", "if false then"})
}

func stoodStill(t testing.TB, edit func(*Client)) {
	h, s := newPrivateHarness(t), &store{}
	a := h.server(s, h.impatientClient("", nil), "a", edit)
	b := h.node("b", func(cfg *Config) { cfg.Lease, cfg.ClaimWindow = time.Minute, time.Minute })
	turn := h.turnOf(b, "t0")
	a.enter("t1", "work") // a knows the server now
	dbtest.Must(t, a.node.Line(h.name).Leave(h.ctx(), "t1"))
	const n = 4
	ctx, stop := context.WithCancel(h.ctx())
	var serving, entering sync.WaitGroup
	defer serving.Wait()
	defer stop()
	for range 2 * n { // open connections: only on those can calls lie that nobody waits for any more
		entering.Go(func() { a.node.rdb.BLPop(ctx, 50*time.Millisecond, h.prefix+"nothing") })
	}
	entering.Wait()
	serving.Go(func() { a.run(ctx, time.Millisecond) })
	send := h.redisSignal()
	send(syscall.SIGSTOP)
	for i := range n {
		entering.Go(func() { a.enter(fmt.Sprintf("t%d", i+2), "work") })
	}
	entering.Wait()
	eventually(t, "a serves them by itself", func() bool { return len(s.all()) == n })
	send(syscall.SIGCONT)
	awaitAway(t, a.node, false)
	if run, err := turn.Take(h.ctx(), 10); err != nil || len(run) != 0 {
		t.Errorf("b takes %v along, which were served: %v", run, err)
	}
}

// redisSignal returns what stops the private Redis where it is (SIGSTOP), or lets it go on (SIGCONT).
func (h *harness) redisSignal() func(syscall.Signal) {
	h.t.Helper()
	info := h.rdb.InfoMap(h.ctx(), "server").Val()
	pid, err := strconv.Atoi(info["Server"]["process_id"])
	if err != nil {
		h.t.Fatal(err)
	}
	send := func(signal syscall.Signal) {
		if err := syscall.Kill(pid, signal); err != nil {
			h.t.Error(err)
		}
	}
	h.t.Cleanup(func() { send(syscall.SIGCONT) }) // else it does not stop
	return send
}
