package locks

import (
	"cmp"
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/dbtest"
)

// slack is what a busy machine with the race detector may add to a time that was promised.
const slack = 700 * time.Millisecond

// failureLimit bounds the steps of tests that have to fail.
const failureLimit = 3 * time.Second

// harness is one test's share of a Redis.
type harness struct {
	t      testing.TB
	url    string
	prefix string
	rdb    *redis.Client
	name   Name
}

func newHarness(t testing.TB) *harness { return newHarnessAt(t, os.Getenv("REDIS_URL")) }

// newTwoNodes returns a harness and two nodes, a and b.
func newTwoNodes(t testing.TB) (h *harness, a, b *Client) {
	t.Helper()
	h = newHarness(t)
	return h, h.node("a", nil), h.node("b", nil)
}

// newPrivateHarness has a Redis of its own: to flush, to stop, to count its commands.
func newPrivateHarness(t testing.TB) *harness { return newHarnessAt(t, dbtest.PrivateRedisURL(t)) }

func newHarnessAt(t testing.TB, url string) *harness {
	t.Helper()
	h := &harness{t: t, url: url, prefix: dbtest.KeyPrefix(t), name: Name{"evening", "19:00"}}
	h.rdb = h.connect(nil)
	return h
}

func (h *harness) connect(hook redis.Hook) *redis.Client {
	h.t.Helper()
	options, err := redis.ParseURL(h.url)
	if err != nil {
		h.t.Fatal(err)
	}
	options.PoolSize = 64
	rdb := redis.NewClient(options)
	if hook != nil {
		rdb.AddHook(hook)
	}
	h.t.Cleanup(func() { rdb.Close() })
	return rdb
}

// testTimes are times short enough for tests and long enough for a busy machine.
var testTimes = Config{
	Lease: 1500 * time.Millisecond, Beat: 200 * time.Millisecond, TTL: 1500 * time.Millisecond,
	ClaimWindow: 800 * time.Millisecond, MaxHold: 20 * time.Second, Keep: 5 * time.Second,
}

// unhurried has nodes, turns and claims outlast any stall of the machine, for tests that do not go by the clock.
func unhurried(cfg *Config) {
	cfg.TTL, cfg.Lease, cfg.ClaimWindow, cfg.MaxHold = dbtest.Patience, dbtest.Patience, dbtest.Patience, dbtest.Patience
	cfg.Beat = time.Second
}

// node starts a client of the line; edit, if not nil, changes its configuration.
func (h *harness) node(name string, edit func(*Config)) *Client { return h.nodeOn(h.rdb, name, edit) }

func (h *harness) nodeOn(rdb redis.UniversalClient, name string, edit func(*Config)) *Client {
	cfg := testTimes
	cfg.Prefix, cfg.Node = h.prefix, name
	cfg.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	if edit != nil {
		edit(&cfg)
	}
	c := NewClient(rdb, cfg)
	h.t.Cleanup(func() { h.kill(c) })
	return c
}

// beatlessNode starts a node that beats only when it has subscribed.
func (h *harness) beatlessNode(name string, j *recordingObserver) *Client {
	return h.node(name, func(cfg *Config) {
		cfg.Beat, cfg.TTL = time.Hour, 2*time.Hour
		j.attach(cfg)
	})
}

// lastSeen returns when the client last learnt from Redis that a ticket waits, in µs of Redis' clock; 0 if the client
// does not own the ticket.
func (c *Client) lastSeen(line Name, ticket string) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.sessions[line]
	if s == nil {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.tickets[ticket]; e != nil {
		return e.knownAt
	}
	return 0
}

// kill stops a node dead: it sends Redis nothing.
func (h *harness) kill(c *Client) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := c.Close(ctx); err != nil {
		h.t.Errorf("close: %v", err)
	}
}

// ctx bounds a step of a test.
func (h *harness) ctx() context.Context {
	limit := dbtest.Patience
	if failureWanted(h.t) {
		limit = failureLimit
	}
	ctx, cancel := context.WithTimeout(h.t.Context(), limit)
	h.t.Cleanup(cancel)
	return ctx
}

// order lists the waiting tickets by their positions.
func order(p Progress) []string {
	return slices.SortedFunc(maps.Keys(p.Positions), func(a, b string) int {
		return cmp.Compare(p.Positions[a], p.Positions[b])
	})
}

// keysLeft lists what the test has in Redis.
func (h *harness) keysLeft() []string {
	h.t.Helper()
	left, err := h.rdb.Keys(h.ctx(), h.prefix+"*").Result()
	if err != nil {
		h.t.Fatal(err)
	}
	return left
}

// eventually waits for a condition, less long where the test has to fail.
func eventually(t testing.TB, what string, met func() bool) {
	t.Helper()
	limit := dbtest.Patience
	if failureWanted(t) {
		limit = failureLimit
	}
	dbtest.Within(t, limit, what, met)
}

// alteredScripts holds the texts of changed scripts.
var alteredScripts sync.Map // *redis.Script -> string

// mutate changes the text of one operation, prelude included, as a negative control: with the guard gone, the test
// that proves the guard must fail.
func mutate(t testing.TB, c *Client, op operation, from, to string) {
	t.Helper()
	text := source(op, c.cfg.Fallback)
	if changed, ok := alteredScripts.Load(c.scripts[op]); ok {
		text = changed.(string)
	}
	if strings.Count(text, from) != 1 {
		t.Fatalf("%s.lua has %q %d times, want once", op, from, strings.Count(text, from))
	}
	text = strings.Replace(text, from, to, 1)
	c.scripts[op] = redis.NewScript(text)
	alteredScripts.Store(c.scripts[op], text)
	if op == opLines { // its registry is at work already
		c.registry.mu.Lock()
		defer c.registry.mu.Unlock()
		c.registry.script = c.scripts[op]
	}
}

// mutateAll changes what all operations share.
func mutateAll(t testing.TB, c *Client, from, to string) {
	t.Helper()
	for _, op := range operations {
		mutate(t, c, op, from, to)
	}
}

// dropMessages makes the scripts of a client publish nothing, as if every message were lost.
func dropMessages(t testing.TB, c *Client) {
	t.Helper()
	mutateAll(t, c, "call(publish_command, channel .. to, cjson.encode(message))", "")
}

// ticket is an id of the kind that callers use.
func ticket() string { return rand.Text() }
