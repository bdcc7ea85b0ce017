package locks

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

// A line whose Redis' clock was an hour ahead for a while, while tickets waited in it, goes on once the clock is right.
func TestI14_AClockThatWasAheadStopsNoLine(t *testing.T) {
	testWithGuards(t, clockAhead, guard{"the bound of a wait", "", "till > now and till <= now + longest_wait", "till > now"})
}

// clockAhead lets Redis' clock jump an hour forward, and back.
func clockAhead(t testing.TB, edit func(*Client)) {
	h := newHarness(t)
	key := h.prefix + ":ahead"
	nodes := []*Client{h.node("a", nil), h.node("b", nil)}
	for _, c := range nodes {
		mutateAll(t, c, "local now = clock[1] * 1000000 + clock[2]",
			"local now = (clock[1] + tonumber(redis.call('GET', '"+key+"') or 0)) * 1000000 + clock[2]")
		edit(c)
	}
	// Staff keep the line still, so that tickets wait when the clock jumps.
	dbtest.Must(t, nodes[0].Line(h.name).Suspend(h.ctx(), time.Minute))
	var want []string
	for i := range 6 {
		ticket := fmt.Sprintf("t%d", i)
		if _, err := nodes[i%2].Line(h.name).Enter(h.ctx(), Entry{Ticket: ticket, Work: "w"}); err != nil {
			t.Fatal(err)
		}
		want = append(want, ticket)
	}
	dbtest.Must(t, h.rdb.Set(h.ctx(), key, 3600, 0).Err())
	eventually(t, "the line waits for its nodes", func() bool {
		until, _ := h.rdb.HGet(h.ctx(), lineKeys(h.prefix, h.name).record(), "until").Int64()
		return until > time.Now().Add(30*time.Minute).UnixMicro()
	})
	dbtest.Must(t, h.rdb.Del(h.ctx(), key).Err())
	dbtest.Must(t, nodes[0].Line(h.name).Suspend(h.ctx(), 0))
	if got := serveAll(h, len(want), nodes...); !slices.Equal(got, want) {
		t.Errorf("served %v, want %v", got, want)
	}
}
