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

// newPrivateHarness has a Redis of its own: to flush, to stop, to count its commands.
func newPrivateHarness(t testing.TB) *harness { return newHarnessAt(t, dbtest.PrivateRedisURL(t)) }

func newHarnessAt(t testing.TB, url string) *harness {
	t.Helper()
	r := &harness{t: t, url: url, prefix: dbtest.KeyPrefix(t), name: Name{"evening", "19:00"}}
	r.rdb = r.connect(nil)
	return r
}

func (r *harness) connect(hook redis.Hook) *redis.Client {
	r.t.Helper()
	options, err := redis.ParseURL(r.url)
	if err != nil {
		r.t.Fatal(err)
	}
	options.PoolSize = 64
	rdb := redis.NewClient(options)
	if hook != nil {
		rdb.AddHook(hook)
	}
	r.t.Cleanup(func() { rdb.Close() })
	return rdb
}

// testTimes are times short enough for tests and long enough for a busy machine.
var testTimes = Config{
	Lease: 1500 * time.Millisecond, Beat: 200 * time.Millisecond, TTL: 1500 * time.Millisecond,
	ClaimWindow: 800 * time.Millisecond, Grace: 1500 * time.Millisecond, MaxHold: 20 * time.Second,
}

// node starts a client of the line; edit, if not nil, changes its configuration.
func (r *harness) node(name string, edit func(*Config)) *Client { return r.nodeOn(r.rdb, name, edit) }

func (r *harness) nodeOn(rdb redis.UniversalClient, name string, edit func(*Config)) *Client {
	cfg := testTimes
	cfg.Prefix, cfg.Node = r.prefix, name
	cfg.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	if edit != nil {
		edit(&cfg)
	}
	c := NewClient(rdb, cfg)
	r.t.Cleanup(func() { r.kill(c) })
	return c
}

// lastSeen is when Redis last told the client that a ticket waits in line, in µs of Redis' clock.
func (c *Client) lastSeen(line Name, ticket string) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.sessions[line]
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.tickets[ticket].knownAt
}

// kill stops a node dead: it tells Redis nothing.
func (r *harness) kill(c *Client) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := c.Close(ctx); err != nil {
		r.t.Errorf("close: %v", err)
	}
}

// ctx bounds a step of a test.
func (r *harness) ctx() context.Context {
	limit := 20 * time.Second
	if _, wanted := r.t.(*expectedFailure); wanted {
		limit = failureLimit
	}
	ctx, cancel := context.WithTimeout(r.t.Context(), limit)
	r.t.Cleanup(cancel)
	return ctx
}

func (r *harness) enter(c *Client, ticket string) Place {
	r.t.Helper()
	place, err := c.Line(r.name).Enter(r.ctx(), Entry{Ticket: ticket})
	if err != nil {
		r.t.Fatalf("enter %s: %v", ticket, err)
	}
	return place
}

func (r *harness) next(c *Client) *Turn {
	r.t.Helper()
	turn, err := c.Line(r.name).Next(r.ctx())
	if err != nil {
		r.t.Fatalf("next: %v", err)
	}
	return turn
}

// nextOf waits for the next turn of any of the nodes.
func (r *harness) nextOf(nodes ...*Client) *Turn {
	r.t.Helper()
	ctx, cancel := context.WithCancel(r.ctx())
	defer cancel()
	turns := make(chan *Turn, len(nodes))
	var waiting sync.WaitGroup
	for _, c := range nodes {
		waiting.Go(func() {
			if turn, err := c.Line(r.name).Next(ctx); err == nil {
				turns <- turn
				cancel()
			}
		})
	}
	waiting.Wait() // none of them may take a later turn
	if len(turns) != 1 {
		r.t.Fatalf("%d have a turn", len(turns))
	}
	return <-turns
}

func (r *harness) release(turn *Turn, served int) {
	r.t.Helper()
	if err := turn.Release(r.ctx(), served); err != nil {
		r.t.Fatalf("release %s: %v", turn.Ticket(), err)
	}
}

func (r *harness) progress(c *Client) Progress {
	r.t.Helper()
	p, err := c.Line(r.name).Progress(r.ctx())
	if err != nil {
		r.t.Fatalf("progress: %v", err)
	}
	return p
}

// order lists the waiting tickets by their positions.
func order(p Progress) []string {
	return slices.SortedFunc(maps.Keys(p.Positions), func(a, b string) int {
		return cmp.Compare(p.Positions[a], p.Positions[b])
	})
}

// keysLeft lists what the test has in Redis.
func (r *harness) keysLeft() []string {
	r.t.Helper()
	left, err := r.rdb.Keys(r.ctx(), r.prefix+"*").Result()
	if err != nil {
		r.t.Fatal(err)
	}
	return left
}

// eventually waits for a condition.
func eventually(t testing.TB, within time.Duration, what string, met func() bool) {
	t.Helper()
	if _, wanted := t.(*expectedFailure); wanted {
		within = min(within, failureLimit)
	}
	deadline := time.After(within)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !met() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("not within %s: %s", within, what)
		}
	}
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
