package locks

import (
	"context"
	"fmt"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// quick are times after which a line is quiet soon.
func quick(cfg *Config) {
	const soon = 700 * time.Millisecond
	cfg.Lease, cfg.TTL, cfg.ClaimWindow, cfg.Keep, cfg.Beat = soon, soon, soon, soon, 50*time.Millisecond
}

func TestI09_AQuietLineLeavesNothing(t *testing.T) {
	testWithGuards(t, leavesNothing,
		guard{"the life of keys", "", "for _, key in ipairs({...}) do call('PEXPIRE', key, life) end", ""},
		guard{"the life of the record", "",
			"renew_life(record, waiting, taken, tickets, log, counter)",
			"renew_life(waiting, taken, tickets, log, counter)",
		},
	)
	testWithout(t, "the end of a subscription", leavesNothing, func(c *Client) { c.retainSubscription("evening") })
	testWithout(t, "the end of a session", leavesNothing,
		func(c *Client) { _, _ = c.session(c.Line(Name{"evening", "19:00"})) })
}

// leavesNothing does everything that can be done with a line and waits until nothing is left of it, in Redis and at
// the nodes.
func leavesNothing(t testing.TB, edit func(*Client)) {
	h := newHarness(t)
	a, b, dying := h.node("a", quick), h.node("b", quick), h.node("dying", quick)
	for _, c := range []*Client{a, b, dying} {
		edit(c)
	}
	busy(t, h, a, b)
	leaveBehind(t, h, dying)
	eventually(t, "no key is left", func() bool { return len(h.keysLeft()) == 0 })
	eventually(t, "no subscription is left", func() bool {
		return len(h.rdb.PubSubChannels(h.ctx(), h.prefix+"*").Val()) == 0
	})
	for _, c := range []*Client{a, b} {
		eventually(t, "no session is left", func() bool {
			c.mu.Lock()
			defer c.mu.Unlock()
			return len(c.sessions) == 0 && len(c.subscriptions) == 0
		})
	}
}

// busy serves two nodes' tickets, some of which give up, are taken along, or are sent away.
func busy(t testing.TB, h *harness, a, b *Client) {
	turn := h.turnOf(a, "t0")
	for i := range 20 {
		h.enter([]*Client{a, b}[i%2], fmt.Sprintf("t%d", i+1))
	}
	giveUp, cancel := context.WithTimeout(h.ctx(), 200*time.Millisecond)
	defer cancel()
	if _, err := b.Line(h.name).Lock(giveUp, "t21"); err == nil {
		t.Fatal("t21 got a turn")
	}
	h.release(turn, 1)
	serveAll(h, 18, a, b)
	last := h.next(a) // t19; t20 is left to b
	if _, err := last.Take(h.ctx(), 5); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Line(h.name).Close(h.ctx(), "enough"); err != nil {
		t.Fatal(err)
	}
	h.release(last, 1)
}

// leaveBehind kills a node that holds two lines together, and one with a run taken along and one waiting.
func leaveBehind(t testing.TB, h *harness, dying *Client) {
	line := dying.Line(h.name)
	enter := func(ticket string) {
		if _, err := line.Enter(h.ctx(), Entry{Ticket: ticket, Work: "work"}); err != nil {
			t.Fatal(err)
		}
	}
	enter("holder")
	turn := h.next(dying)
	for _, ticket := range []string{"taken", "waiting"} {
		enter(ticket)
	}
	h.take(turn, 1, "taken")
	if _, err := dying.Joint(h.name.Partition, "t1", "t2").Lock(h.ctx(), "both"); err != nil {
		t.Fatal(err)
	}
	h.kill(dying)
}

// Not parallel: it counts the goroutines of the process.
func TestI09_AQuietLineLeavesNoGoroutine(t *testing.T) {
	stays := func(edit func(*Client)) error {
		h := newHarness(t)
		before := goleak.IgnoreCurrent()
		a, b := h.node("a", quick), h.node("b", quick)
		edit(a)
		edit(b)
		busy(t, h, a, b)
		var err error
		for deadline := time.Now().Add(failureLimit); time.Now().Before(deadline); { // a subscription stays for a TTL
			if err = goleak.Find(before, goleak.IgnoreTopFunction("internal/poll.runtime_pollWait")); err == nil {
				break
			}
		}
		return err
	}
	if err := stays(func(*Client) {}); err != nil {
		t.Error(err)
	}
	if err := stays(func(c *Client) { c.retainSubscription("evening") }); err == nil {
		t.Error("a subscription that does not end was not noticed")
	}
}
