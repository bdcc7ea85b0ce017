package locks

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// skews are how far the clocks of three nodes are off.
var skews = map[string]time.Duration{"fast": time.Hour, "slow": -time.Hour, "right": 0}

// own returns what a script would have for the time if it went by the clock of the node that calls it.
func own(skews string) string {
	return "local now = (clock[1] + (({" + skews + "})[node] or 0)) * 1000000 + clock[2]"
}

func TestI14_ClocksOfNodesDoNotCount(t *testing.T) {
	const ours = "local now = clock[1] * 1000000 + clock[2]"
	testWithGuards(t, clocksApart,
		guard{"Redis' clock", "", ours, own("fast = 3600, slow = -3600")},
		guard{"Redis' clock where the node's is fast", "", ours, own("fast = 3600")},
		guard{"Redis' clock where the node's is slow", "", ours, own("slow = -3600")},
	)
	testWithout(t, "a clock that goes on evenly", clocksApart, func(c *Client) {
		var looks atomic.Int64
		c.clock = func() time.Time { return time.Now().Add(time.Duration(looks.Add(1)%2) * time.Hour) }
	})
}

// clocksApart lets nodes whose clocks are hours apart wait, be served, and die.
func clocksApart(t testing.TB, edit func(*Client)) {
	h := newHarness(t)
	j := newRecordingObserver()
	var nodes []*Client
	for _, name := range []string{"fast", "slow", "right"} {
		c := h.node(name, j.attach)
		c.clock = func() time.Time { return time.Now().Add(skews[name]) }
		edit(c)
		nodes = append(nodes, c)
	}
	const n = 9
	var want []string
	last := int64(0)
	for i := range n {
		ticket := fmt.Sprintf("t%d", i)
		place := h.enter(nodes[i%3], ticket)
		if now := time.Now(); place.Arrival <= last || place.Position != i ||
			place.ServerTime.Sub(now).Abs() > time.Minute {
			t.Fatalf("at %s: %+v after %d, want position %d", now, place, last, i)
		}
		last = place.Arrival
		want = append(want, ticket)
	}
	turn := h.next(nodes[0])
	begun := time.Now()
	eventually(t, "a lease and a life pass", func() bool {
		if got := order(h.progress(nodes[2])); !slices.Equal(got, want[1:]) || turn.Context().Err() != nil {
			t.Fatalf("%v wait after %s; the turn: %v", got, time.Since(begun), turn.Context().Err())
		}
		return time.Since(begun) > max(testTimes.Lease, testTimes.TTL)+testTimes.Beat
	})
	h.release(turn, 1)
	if got := serveAll(h, n-2, nodes...); !slices.Equal(got, want[1:n-1]) {
		t.Fatalf("served %v, want %v", got, want[1:n-1])
	}
	h.next(nodes[2])
	h.enter(nodes[0], "live")
	f := j.turns(t, n)
	if f.events[LeaseLost]+f.events[ClaimTimeout]+f.events[DeadReaped]+f.events[LeaseLapsed] != 0 ||
		len(f.departed) != 0 {
		t.Errorf("events %v, departed %v, want none", f.events, f.departed)
	}
	for i, handoff := range f.handoffs {
		if handoff < 0 || handoff > 5*time.Second || f.waits[i] < 0 || f.waits[i] > 10*time.Second {
			t.Errorf("turn %d came after %s, handed over in %s", i, f.waits[i], handoff)
		}
	}
	h.kill(nodes[2])
	killed := time.Now()
	if next := h.next(nodes[0]); next.Ticket() != "live" || time.Since(killed) > testTimes.Lease+slack {
		t.Errorf("%s has the turn %s after the holder died", next.Ticket(), time.Since(killed))
	}
}
