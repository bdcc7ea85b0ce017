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
	const soon = 400 * time.Millisecond
	cfg.Lease, cfg.TTL, cfg.ClaimWindow, cfg.Grace, cfg.Beat = soon, soon, soon, soon, 50*time.Millisecond
}

// A quiet line leaves nothing.
func TestI09_AQuietLineLeavesNothing(t *testing.T) {
	testWithGuards(t, leavesNothing,
		guard{"the life of keys", "", "for _, key in ipairs({...}) do call('PEXPIRE', key, life) end", ""},
		guard{"the life of the record", opEnter, "renew_life(record, waiting, parked, alive, owners, work)", "renew_life(waiting, parked, alive, owners, work)"},
	)
	testWithout(t, "the end of a subscription", leavesNothing, func(c *Client) { c.retainSubscription("evening") })
	testWithout(t, "the end of a session", leavesNothing, func(c *Client) { _, _ = c.session(c.Line(Name{"evening", "19:00"})) })
}

// leavesNothing does everything that can be done with a line and waits until nothing is left of it, in Redis and at the nodes.
func leavesNothing(t testing.TB, edit func(*Client)) {
	r := newHarness(t)
	a, b, dying := r.node("a", quick), r.node("b", quick), r.node("dying", quick)
	for _, c := range []*Client{a, b, dying} {
		edit(c)
	}
	busy(t, r, a, b)
	leaveBehind(t, r, dying)
	eventually(t, 10*time.Second, "no key is left", func() bool { return len(r.keysLeft()) == 0 })
	eventually(t, 10*time.Second, "no subscription is left", func() bool {
		return len(r.rdb.PubSubChannels(r.ctx(), r.prefix+"*").Val()) == 0
	})
	for _, c := range []*Client{a, b} {
		eventually(t, 5*time.Second, "no session is left", func() bool {
			c.mu.Lock()
			defer c.mu.Unlock()
			return len(c.sessions) == 0 && len(c.subscriptions) == 0
		})
	}
}

// needsBeats serves two nodes' tickets, some of which give up, are taken along, or are sent away.
func busy(t testing.TB, r *harness, a, b *Client) {
	r.enter(a, "t0")
	turn := r.next(a)
	for i := range 20 {
		r.enter([]*Client{a, b}[i%2], fmt.Sprintf("t%d", i+1))
	}
	giveUp, cancel := context.WithTimeout(r.ctx(), 200*time.Millisecond)
	defer cancel()
	if _, err := b.Line(r.name).Lock(giveUp, "t21"); err == nil {
		t.Fatal("t21 got a turn")
	}
	r.release(turn, 1)
	serveAll(r, 18, a, b)
	last := r.next(a) // t19; t20 is left to b
	if _, err := last.Take(r.ctx(), 5); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Line(r.name).Close(r.ctx(), "enough"); err != nil {
		t.Fatal(err)
	}
	r.release(last, 1)
}

// leaveBehind kills a node that holds two lines together, and one with a run taken along, one waiting and one parked.
func leaveBehind(t testing.TB, r *harness, dying *Client) {
	line := dying.Line(r.name)
	enter := func(ticket string) {
		if _, err := line.Enter(r.ctx(), Entry{Ticket: ticket, Work: "work"}); err != nil {
			t.Fatal(err)
		}
	}
	enter("holder")
	turn := r.next(dying)
	for _, ticket := range []string{"taken", "parked", "waiting"} {
		enter(ticket)
	}
	if taken, err := turn.Take(r.ctx(), 1); err != nil || len(taken) != 1 {
		t.Fatal(taken, err)
	}
	if err := line.Park(r.ctx(), "parked"); err != nil {
		t.Fatal(err)
	}
	if _, err := dying.Joint(r.name.Partition, "t1", "t2").Lock(r.ctx(), "both"); err != nil {
		t.Fatal(err)
	}
	r.kill(dying)
}

// Not parallel: it counts the goroutines of the process.
func TestI09_AQuietLineLeavesNoGoroutine(t *testing.T) {
	stays := func(edit func(*Client)) error {
		r := newHarness(t)
		before := goleak.IgnoreCurrent()
		a, b := r.node("a", quick), r.node("b", quick)
		edit(a)
		edit(b)
		busy(t, r, a, b)
		return goleak.Find(before, goleak.IgnoreTopFunction("internal/poll.runtime_pollWait"))
	}
	if err := stays(func(*Client) {}); err != nil {
		t.Error(err)
	}
	if err := stays(func(c *Client) { c.retainSubscription("evening") }); err == nil {
		t.Error("a subscription that does not end was not noticed")
	}
}
