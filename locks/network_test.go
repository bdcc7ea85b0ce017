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
func (r *harness) network() *network {
	r.t.Helper()
	metrics := toxiproxy.NewMetricsContainer(prometheus.NewRegistry())
	n := &network{r.t, toxiproxy.NewProxy(toxiproxy.NewServer(metrics, zerolog.Nop()), "redis", "127.0.0.1:0", r.rdb.Options().Addr)}
	if err := n.proxy.Start(); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(n.proxy.Stop)
	return n
}

// connect opens a client of the rig's Redis through the network, with less patience than usual.
func (n *network) connect(r *harness) *redis.Client {
	n.t.Helper()
	options, err := redis.ParseURL(r.url)
	if err != nil {
		n.t.Fatal(err)
	}
	options.Addr = n.proxy.Listen
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout = 500*time.Millisecond, 500*time.Millisecond, 500*time.Millisecond
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

// discardLog lets connections stand but nothing through, as when a cable is pulled.
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
	t.Parallel()
	r := newHarness(t)
	net, j := r.network(), newRecordingObserver()
	a, b := r.nodeOn(net.connect(r), "a", j.attach), r.node("b", nil)
	r.enter(a, "t1")
	lost := r.next(a)
	r.enter(b, "t2")
	old := r.enter(a, "t3")
	r.enter(b, "t4")
	net.silence("upstream", "downstream")
	second := r.next(b)
	if lost.Context().Err() == nil || !errors.Is(context.Cause(lost.Context()), ErrLeaseLost) {
		t.Error("two have the turn at once")
	}
	if second.Ticket() != "t2" || second.Fence() <= lost.Fence() {
		t.Errorf("%s has the turn with fence %d after %d", second.Ticket(), second.Fence(), lost.Fence())
	}
	r.release(second, 1)
	fourth := r.next(b)
	eventually(t, 5*time.Second, "t3 is passed over", func() bool { return len(order(r.progress(b))) == 0 })
	r.enter(b, "t5")
	net.restore()
	eventually(t, 5*time.Second, "t3 is told", func() bool { return j.departures()["t3"].Cause == Reaped })
	back, err := a.Line(r.name).Enter(r.ctx(), Entry{Ticket: "t3", Arrival: old.Arrival})
	if err != nil || back.Position != 1 || back.Arrival != old.Arrival {
		t.Fatalf("t3 came back to %+v, %v, want the place of %+v", back, err, old)
	}
	if err := lost.Release(r.ctx(), 1); !errors.Is(err, ErrStale) {
		t.Errorf("release of the lost turn: %v", err)
	}
	r.release(fourth, 1)
	if got := serveAll(r, 2, a, b); !slices.Equal(got, []string{"t3", "t5"}) {
		t.Errorf("served %v, want t3 and t5", got)
	}
}

// A cut shorter than a life costs nobody the place.
func TestNetwork_CutShorterThanTTLKeepsPlaces(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	net, j := r.network(), newRecordingObserver()
	patient := func(cfg *Config) {
		cfg.TTL, cfg.Lease, cfg.ClaimWindow = 6*time.Second, 6*time.Second, 6*time.Second
		j.attach(cfg)
	}
	a, b := r.nodeOn(net.connect(r), "a", patient), r.node("b", patient)
	r.enter(a, "t1")
	turn := r.next(a)
	var want []string
	for i := range 6 {
		want = append(want, fmt.Sprintf("t%d", i+2))
		r.enter([]*Client{b, a}[i%2], want[i])
	}
	net.silence("upstream", "downstream")
	begun := time.Now()
	eventually(t, 5*time.Second, "several beats are lost", func() bool { return time.Since(begun) > 5*testTimes.Beat })
	net.restore()
	r.release(turn, 1)
	if got := serveAll(r, len(want), a, b); !slices.Equal(got, want) {
		t.Errorf("served %v, want %v", got, want)
	}
	if n := len(j.departures()); n != 0 || j.event(LeaseLost) != 0 {
		t.Errorf("%v departed, %d leases lost", j.departures(), j.event(LeaseLost))
	}
}

// A long way to Redis breaks no promise.
func TestNetwork_LatencyBreaksNoPromise(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	j := newRecordingObserver()
	usual := func(cfg *Config) { cfg.Beat, cfg.TTL, cfg.Lease, cfg.ClaimWindow = 0, 0, 0, 0; j.attach(cfg) } // the defaults
	var nodes []*Client
	for _, name := range []string{"a", "b"} {
		net := r.network()
		net.addToxic("latency", "downstream", `"latency": 200, "jitter": 100`)
		nodes = append(nodes, r.nodeOn(net.connect(r), name, usual))
	}
	const n = 8
	var want []string
	for i := range n {
		want = append(want, fmt.Sprintf("t%d", i))
		r.enter(nodes[i%2], want[i])
	}
	if got := serveAll(r, n, nodes...); !slices.Equal(got, want) {
		t.Errorf("served %v, want %v", got, want)
	}
	f := j.turns(t, n)
	if f.events[ClaimTimeout]+f.events[LeaseLapsed]+f.events[DeadReaped] != 0 || len(f.departed) != 0 {
		t.Errorf("events %v, departed %v, want none", f.events, f.departed)
	}
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
	t.Parallel()
	r := newHarness(t)
	net, j := r.network(), newRecordingObserver()
	ears := &flakySubscriber{UniversalClient: r.rdb, first: net.connect(r), later: r.rdb}
	a, b := r.node("a", nil), r.nodeOn(ears, "b", j.attach)
	r.enter(a, "t0")
	turn := r.next(a)
	r.enter(b, "t1")
	channel := lineKeys(r.prefix, r.name).channel + "b"
	eventually(t, 5*time.Second, "b listens", func() bool { return r.rdb.PubSubNumSub(r.ctx(), channel).Val()[channel] == 1 })
	net.silence("downstream")
	// handOff lets a turn of a be followed by one of b.
	handOff := func(i int) Path {
		r.release(turn, 1)
		next := r.next(b)
		by := j.turns(t, i).paths
		r.enter(a, fmt.Sprintf("t%d", 2*i))
		r.enter(b, fmt.Sprintf("t%d", 2*i+1))
		r.release(next, 1)
		turn = r.next(a)
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
	if n := ears.subscriptions.Load(); n != 2 {
		t.Errorf("%d subscriptions, want 2", n)
	}
	f := j.read()
	if f.events[ClaimTimeout] != 0 || slices.Max(f.handoffs) > testTimes.ClaimWindow {
		t.Errorf("events %v, hand-offs took %s, claim window %s", f.events, f.handoffs, testTimes.ClaimWindow)
	}
}

// Redis that is away for a while keeps the places.
func TestNetwork_RedisAwayForAWhileKeepsPlaces(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	wire := &breakableLink{}
	patient := func(cfg *Config) { cfg.TTL = 10 * time.Second }
	c, away := r.node("a", patient), r.nodeOn(r.connect(wire), "b", patient)
	r.enter(c, "t1")
	turn := r.next(c)
	var want []string
	for i := range 4 {
		ticket := fmt.Sprintf("t%d", i+2)
		want = append(want, ticket)
		r.enter(away, ticket)
	}
	wire.cut.Store(true)
	if _, err := away.Line(r.name).Enter(r.ctx(), Entry{Ticket: "t9"}); !errors.Is(err, errLinkCut) {
		t.Errorf("enter while Redis is away: %v", err)
	}
	if err := away.Line(r.name).Leave(r.ctx(), "t5"); !errors.Is(err, errLinkCut) {
		t.Errorf("leave while Redis is away: %v", err)
	}
	if _, err := away.Line(r.name).Progress(r.ctx()); !errors.Is(err, errLinkCut) {
		t.Errorf("progress while Redis is away: %v", err)
	}
	if _, err := away.Lengths(r.ctx(), []Name{r.name}); !errors.Is(err, errLinkCut) {
		t.Errorf("lengths while Redis is away: %v", err)
	}
	wire.cut.Store(false)
	if p := r.progress(c); !slices.Equal(order(p), want) {
		t.Fatalf("%v wait, want %v", order(p), want)
	}
	r.release(turn, 1)
	if got := serveAll(r, 4, away); !slices.Equal(got, want) {
		t.Fatalf("served %v, want %v", got, want)
	}
}
