package locks

import (
	"context"
	"fmt"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// Not parallel: it counts the goroutines of the process.
func TestAQuietLineLeavesNothing(t *testing.T) {
	r := newRig(t)
	before := goleak.IgnoreCurrent()
	quick := func(cfg *Config) {
		cfg.Lease, cfg.TTL, cfg.ClaimWindow, cfg.Beat = 400*time.Millisecond, 400*time.Millisecond, 400*time.Millisecond, 50*time.Millisecond
	}
	a, b := r.node("a", quick), r.node("b", quick)
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

	eventually(t, 10*time.Second, "no key is left", func() bool { return len(r.keysLeft()) == 0 })
	eventually(t, 10*time.Second, "no subscription is left", func() bool {
		return len(r.rdb.PubSubChannels(r.ctx(), r.prefix+"*").Val()) == 0
	})
	for _, c := range []*Client{a, b} {
		c.mu.Lock()
		if len(c.desks) != 0 || len(c.ears) != 0 {
			t.Errorf("%d desks and %d subscriptions are kept", len(c.desks), len(c.ears))
		}
		c.mu.Unlock()
	}
	if err := goleak.Find(before, goleak.IgnoreTopFunction("internal/poll.runtime_pollWait")); err != nil {
		t.Error(err)
	}
}
