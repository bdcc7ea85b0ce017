package locks

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/dbtest"
	"lunchgo/db/embedded"
)

func TestFaults_MixedServeEverybodyOnceInOrder(t *testing.T) {
	testWithGuards(t, mixedFaults, waitForOlder)
}

// mixedFaults serves a crowd while one thing after the other goes wrong, each for less than a claim window.
func mixedFaults(t testing.TB, edit func(*Client)) {
	server := dbtest.PrivateDurableRedis(t)
	h := newHarnessAt(t, server.URL)
	limit := dbtest.Patience
	if failureWanted(t) {
		limit = 6 * time.Second
	}
	e := newEvening(h, limit)
	long := func(cfg *Config) {
		cfg.Beat, cfg.TTL, cfg.Lease, cfg.ClaimWindow = time.Second, 8*time.Second, 6*time.Second, 5*time.Second
	}
	network := h.network()
	start := func(node string, rdb *redis.Client) *Client {
		return e.open(func(watch func(*Config)) *Client {
			c := h.nodeOn(rdb, node, func(cfg *Config) { long(cfg); watch(cfg) })
			edit(c)
			return c
		})
	}
	a, far, dying := start("a", h.rdb), start("far", network.connect(h)), h.node("dying", long)
	edit(dying)
	want := ticketNames(300)
	holder := h.node("first", long)
	h.enter(holder, "first") // keeps the line while it fills
	turn := h.next(holder)
	for i, ticket := range want {
		if i < 240 {
			e.enter([]*Client{a, far}[i%2], ticket)
		} else {
			e.enter(dying, ticket)
		}
	}
	h.release(turn, 1)
	for i, fault := range h.faults(server, network, func() {
		h.kill(dying)
		for _, ticket := range want[240:] {
			e.enter(a, ticket) // their owners reload the page
		}
	}) {
		e.await(25 * (i + 1))
		fault()
	}
	e.await(len(want))
	e.close(t, want)
}

// faults are what goes wrong, one after the other.
func (h *harness) faults(server *embedded.Server, network *network, nodeDies func()) []func() {
	must := func(err error) {
		h.t.Helper()
		if err != nil {
			h.t.Error(err)
		}
	}
	lasts := func(d time.Duration) {
		begun := time.Now()
		eventually(h.t, "the fault lasts", func() bool { return time.Since(begun) > d })
	}
	return []func(){
		func() { must(h.rdb.FlushAll(h.ctx()).Err()) },
		func() { must(h.rdb.ScriptFlush(h.ctx()).Err()) },
		func() { must(h.rdb.ClientKillByFilter(h.ctx(), "TYPE", "pubsub").Err()) },
		func() {
			network.silence("upstream", "downstream")
			lasts(600 * time.Millisecond)
			network.restore()
		},
		func() {
			network.addToxic("latency", "downstream", `"latency": 50, "jitter": 50`)
			lasts(500 * time.Millisecond)
			network.restore()
		},
		func() { must(h.rdb.Do(h.ctx(), "CLIENT", "PAUSE", 500, "WRITE").Err()) },
		nodeDies,
		func() {
			server.Kill()
			must(server.Revive(h.ctx()))
		},
	}
}
