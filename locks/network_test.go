package locks

// What a bad network between a node and Redis does, over real connections through a proxy that spoils them.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
	"github.com/rs/zerolog"
)

// network is what a node's connections to Redis go through.
type network struct {
	t     testing.TB
	proxy *toxiproxy.Proxy
}

// network returns a good one, to be spoiled.
func (h *harness) network() *network {
	h.t.Helper()
	metrics := toxiproxy.NewMetricsContainer(prometheus.NewRegistry())
	n := &network{h.t, toxiproxy.NewProxy(toxiproxy.NewServer(metrics, zerolog.Nop()), "redis", "127.0.0.1:0",
		h.rdb.Options().Addr)}
	if err := n.proxy.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(n.proxy.Stop)
	return n
}

// connect opens a client of the test's Redis through the network, with less patience than usual.
func (n *network) connect(h *harness) *redis.Client { return n.connectFor(h, 500*time.Millisecond) }

func (n *network) connectFor(h *harness, patience time.Duration) *redis.Client {
	n.t.Helper()
	options, err := redis.ParseURL(h.url)
	if err != nil {
		n.t.Fatal(err)
	}
	options.Addr = n.proxy.Listen
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout = patience, patience, patience
	options.MaxRetries, options.DialerRetries = 1, 1
	rdb := redis.NewClient(options)
	n.t.Cleanup(func() { rdb.Close() })
	return rdb
}

// addToxic adds a toxic, such as latency, to what Redis sends (downstream) or gets (upstream).
func (n *network) addToxic(toxic, direction, attributes string) {
	n.t.Helper()
	text := fmt.Sprintf(`{"type": %q, "stream": %q, "attributes": {%s}}`, toxic, direction, attributes)
	if _, err := n.proxy.Toxics.AddToxicJson(strings.NewReader(text)); err != nil {
		n.t.Fatal(err)
	}
}

// silence lets connections stand but nothing through, as when a cable is pulled.
func (n *network) silence(directions ...string) {
	n.t.Helper()
	for _, direction := range directions {
		n.addToxic("timeout", direction, `"timeout": 0`)
	}
}

// restore makes the network good again; connections that were silenced break.
func (n *network) restore() { n.proxy.Toxics.ResetToxics(context.Background()) }

// A cut longer than a life passes the turn on and gives the place back.
func TestNetwork_CutLongerThanTTLPassesTheTurnOn(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h := newHarness(t)
		net, j := h.network(), newRecordingObserver()
		a, b := h.nodeOn(net.connect(h), "a", j.attach), h.node("b", nil)
		lost := h.turnOf(a, "t1")
		h.enter(b, "t2")
		old := h.enter(a, "t3")
		h.enter(b, "t4")
		net.silence("upstream", "downstream")
		second := h.next(b)
		mustHaveLapsed(t, lost)
		if second.Ticket() != "t2" || second.Fence() <= lost.Fence() {
			t.Errorf("%s has the turn with fence %d after %d", second.Ticket(), second.Fence(), lost.Fence())
		}
		h.release(second, 1)
		fourth := h.next(b)
		eventually(t, "t3 is passed over", func() bool { return len(order(h.progress(b))) == 0 })
		h.enter(b, "t5")
		net.restore()
		eventually(t, "t3 departs", func() bool { return j.departures()["t3"].Cause == Reaped })
		back, err := a.Line(h.name).Enter(h.ctx(), Entry{Ticket: "t3", Arrival: old.Arrival})
		if err != nil || back.Position != 1 || back.Arrival != old.Arrival {
			t.Fatalf("t3 came back to %+v, %v, want the place of %+v", back, err, old)
		}
		if err := lost.Release(h.ctx(), 1); !errors.Is(err, ErrStale) {
			t.Errorf("release of the lost turn: %v", err)
		}
		h.release(fourth, 1)
		if got := serveAll(h, 2, a, b); !slices.Equal(got, []string{"t3", "t5"}) {
			t.Errorf("served %v, want t3 and t5", got)
		}
	})
}

func TestNetwork_CutShorterThanTTLKeepsPlaces(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h := newHarness(t)
		net, j := h.network(), newRecordingObserver()
		patient := func(cfg *Config) {
			cfg.TTL, cfg.Lease, cfg.ClaimWindow = 6*time.Second, 6*time.Second, 6*time.Second
			j.attach(cfg)
		}
		a, b := h.nodeOn(net.connect(h), "a", patient), h.node("b", patient)
		turn := h.turnOf(a, "first")
		want := h.enterInTurn(6, b, a)
		net.silence("upstream", "downstream")
		begun := time.Now()
		eventually(t, "several beats are lost",
			func() bool { return time.Since(begun) > 5*testTimes.Beat })
		net.restore()
		h.release(turn, 1)
		if got := serveAll(h, len(want), a, b); !slices.Equal(got, want) {
			t.Errorf("served %v, want %v", got, want)
		}
		if n := len(j.departures()); n != 0 || j.event(LeaseLost) != 0 {
			t.Errorf("%v departed, %d leases lost", j.departures(), j.event(LeaseLost))
		}
	})
}

func TestNetwork_LatencyBreaksNoPromise(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h := newHarness(t)
		j := newRecordingObserver()
		usual := func(cfg *Config) {
			cfg.Beat, cfg.TTL, cfg.Lease, cfg.ClaimWindow = 0, 0, 0,
				0
			j.attach(cfg)
		} // the defaults
		var nodes []*Client
		for _, name := range []string{"a", "b"} {
			net := h.network()
			net.addToxic("latency", "downstream", `"latency": 200, "jitter": 100`)
			nodes = append(nodes, h.nodeOn(net.connectFor(h, 5*time.Second), name, usual))
		}
		const n = 8
		want := h.enterInTurn(n, nodes...)
		if got := serveAll(h, n, nodes...); !slices.Equal(got, want) {
			t.Errorf("served %v, want %v", got, want)
		}
		f := j.turns(t, n)
		if f.events[ClaimTimeout]+f.events[LeaseLapsed]+f.events[DeadReaped] != 0 || len(f.departed) != 0 {
			t.Errorf("events %v, departed %v, want none", f.events, f.departed)
		}
	})
}

// flakySubscriber has its subscriptions on connections of their own, the first of them on one that can go silent.
type flakySubscriber struct {
	redis.UniversalClient
	first, later  *redis.Client
	subscriptions atomic.Int64
}

func (h *flakySubscriber) Subscribe(ctx context.Context, channels ...string) *redis.PubSub {
	if h.subscriptions.Add(1) == 1 {
		return h.first.Subscribe(ctx, channels...)
	}
	return h.later.Subscribe(ctx, channels...)
}

// A subscription gone silent costs a beat a hand off and is replaced.
func TestNetwork_SilentSubscriptionIsReplaced(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h := newHarness(t)
		net, j := h.network(), newRecordingObserver()
		subscriber := &flakySubscriber{UniversalClient: h.rdb, first: net.connect(h), later: h.rdb}
		a, b := h.node("a", nil), h.nodeOn(subscriber, "b", j.attach)
		turn := h.turnOf(a, "t0")
		h.enter(b, "t1")
		h.awaitSubscribed("b")
		net.silence("downstream")
		// handOff lets a turn of a be followed by one of b.
		handOff := func(i int) Path {
			h.release(turn, 1)
			next := h.next(b)
			by := j.turns(t, i).paths
			h.enter(a, fmt.Sprintf("t%d", 2*i))
			h.enter(b, fmt.Sprintf("t%d", 2*i+1))
			h.release(next, 1)
			turn = h.next(a)
			if by[ByPush] > 0 {
				return ByPush
			}
			return ByBeat
		}
		if path := handOff(1); path != ByBeat {
			t.Errorf("learnt by %s over a silent connection", path)
		}
		for i := 2; handOff(i) != ByPush; i++ {
			if i == 60 {
				t.Fatal("b never hears again")
			}
		}
		if n := subscriber.subscriptions.Load(); n != 2 {
			t.Errorf("%d subscriptions, want 2", n)
		}
		f := j.read()
		if f.events[ClaimTimeout] != 0 || slices.Max(f.handoffs) > testTimes.ClaimWindow {
			t.Errorf("events %v, hand-offs took %s, claim window %s", f.events, f.handoffs, testTimes.ClaimWindow)
		}
	})
}

func TestNetwork_RedisAwayForAWhileKeepsPlaces(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h := newHarness(t)
		wire := &breakableLink{}
		patient := func(cfg *Config) { cfg.TTL = 10 * time.Second }
		c, away := h.node("a", patient), h.nodeOn(h.connect(wire), "b", patient)
		turn := h.turnOf(c, "first")
		want := h.enterInTurn(4, away)
		wire.cut.Store(true)
		if _, err := away.Line(h.name).Enter(h.ctx(), Entry{Ticket: "t9"}); !errors.Is(err, errLinkCut) {
			t.Errorf("enter while Redis is away: %v", err)
		}
		if err := away.Line(h.name).Leave(h.ctx(), want[3]); !errors.Is(err, errLinkCut) {
			t.Errorf("leave while Redis is away: %v", err)
		}
		if _, err := away.Line(h.name).Progress(h.ctx()); !errors.Is(err, errLinkCut) {
			t.Errorf("progress while Redis is away: %v", err)
		}
		if _, err := away.Lengths(h.ctx(), []Name{h.name}); !errors.Is(err, errLinkCut) {
			t.Errorf("lengths while Redis is away: %v", err)
		}
		wire.cut.Store(false)
		if p := h.progress(c); !slices.Equal(order(p), want) {
			t.Fatalf("%v wait, want %v", order(p), want)
		}
		h.release(turn, 1)
		if got := serveAll(h, 4, away); !slices.Equal(got, want) {
			t.Fatalf("served %v, want %v", got, want)
		}
	})
}
