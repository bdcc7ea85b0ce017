package locks

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"
	"time"
)

// Nodes that come back to Redis one after the other, sooner than they would count as dead, keep their common order.
func TestFallback_WaitsForNodesThatWereCutOffToo(t *testing.T) {
	testWithGuards(t, cutTogether,
		guard{"the wait for a silent node", opRejoin, "    await_nodes()\n", ""},
	)
}

// So it does where the other node was last noted as alive half a life before it was cut off, and so counts as dead
// sooner.
func TestFallback_WaitsForANodeThatWasHeardOfLater(t *testing.T) {
	testWithGuards(t, func(t testing.TB, edit func(*Client)) { cutTogetherAfter(t, edit, age) },
		guard{"the memory of a node", "", "local memory = node_life / 2", "local memory = 0"},
	)
}

// age sets a node's deadline in the line to a moment ago, as it is when it was noted half a life before the cut.
func age(h *harness, node *Client) {
	record := lineKeys(h.prefix, h.name).record()
	now, err := h.rdb.Time(h.ctx()).Result()
	if err != nil {
		h.t.Fatal(err)
	}
	ended := now.Add(-time.Millisecond).UnixMicro()
	text := h.rdb.HGet(h.ctx(), record, "nodes").Val()
	aged := regexp.MustCompile(node.cfg.Node+`\x1e(-?)\d+`).ReplaceAllString(text,
		fmt.Sprintf("%s\x1e${1}%d", node.cfg.Node, ended))
	if err := h.rdb.HSet(h.ctx(), record, "nodes", aged).Err(); err != nil || aged == text {
		h.t.Fatalf("nodes were %q, are %q: %v", text, aged, err)
	}
}

// waitsOrServes says whether the line gives no turn for a while, or has given one.
func (h *harness) waitsOrServes() bool {
	now, err := h.rdb.Time(h.ctx()).Result()
	if err != nil {
		h.t.Fatal(err)
	}
	fields := h.rdb.HMGet(h.ctx(), lineKeys(h.prefix, h.name).record(), "ticket", "until").Val()
	ticket, _ := fields[0].(string)
	until, _ := strconv.ParseInt(fmt.Sprint(fields[1]), 10, 64)
	return ticket != "" || until > now.UnixMicro()
}

// cutTogether cuts two nodes off for more than a beat. At each a ticket enters meanwhile; the node of the younger one
// comes back first.
func cutTogether(t testing.TB, edit func(*Client)) { cutTogetherAfter(t, edit, nil) }

func cutTogetherAfter(t testing.TB, edit func(*Client), meanwhile func(h *harness, later *Client)) {
	h, wires := newHarness(t), [2]breakableLink{}
	long := func(cfg *Config) {
		cfg.TTL, cfg.Lease, cfg.ClaimWindow = 20*time.Second, 20*time.Second, 20*time.Second
		cfg.Beat = time.Second // the second node has to come back within the wait, which is little longer
	}
	a, b := h.fallbackNode("a", &wires[0], long), h.fallbackNode("b", &wires[1], long)
	edit(a)
	edit(b)
	for _, c := range []*Client{a, b} {
		h.release(h.turnOf(c, "before"+c.cfg.Node), 1)
	}
	wires[0].cut.Store(true)
	wires[1].cut.Store(true)
	h.enter(b, "older")
	h.enter(a, "younger")
	back := func(c *Client) {
		eventually(t, c.cfg.Node+" is back", func() bool {
			return c.partitions[h.name.Partition].state.Load() == connected
		})
	}
	if meanwhile != nil {
		meanwhile(h, b)
	}
	wires[0].cut.Store(false)
	back(a)
	eventually(t, "the line waits for b, or has given a's ticket its turn", func() bool { return h.waitsOrServes() })
	wires[1].cut.Store(false)
	back(b)
	begun := time.Now()
	for _, want := range []string{"older", "younger"} {
		turn := h.nextOf(a, b)
		if turn.Ticket() != want {
			t.Errorf("%s has the turn, want %s", turn.Ticket(), want)
		}
		h.release(turn, 1)
	}
	if took := time.Since(begun); took > settleTime(a.cfg) {
		t.Errorf("the line waits for %s though both are back", took)
	}
}
