package locks

// What Redisson's own tests assert of its fair lock, and where it is asserted of the line:
//
//	a released or an expired lock goes to waiters in the order of their requests    here
//	a waiter that gives up leaves nothing behind                                    here
//	a late unlock by a former holder fails and frees nothing                        here
//	a crashed holder's lock is free within the watchdog's time                      here, fault_kill_test.go
//	16 clients increment 100 times each, 100 clients once each                      here
//	anybody can unlock by force                                                     evict_test.go
//	a Redis that pauses writes during an acquire keeps no orphan                    fault_redis_test.go
//	lock and unlock go on during a failover of the cluster                          cluster_test.go, fault_master_test.go

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

func TestLock_ServesInTheOrderOfRequests(t *testing.T) {
	t.Parallel()
	for name, released := range map[string]bool{"released": true, "expired": false} {
		t.Run(name, func(t *testing.T) {
			mustPass(t, func(t testing.TB) {
				h := newHarness(t)
				log := &logbook[string]{}
				var all sync.WaitGroup
				for i := range 5 {
					ticket := fmt.Sprintf("t%d", i)
					c := h.node(fmt.Sprintf("n%d", i), func(cfg *Config) {
						if !released {
							cfg.MaxHold, cfg.ClaimWindow = 500*time.Millisecond, 500*time.Millisecond
						}
					})
					all.Go(func() {
						turn, err := c.Line(h.name).Lock(h.ctx(), ticket)
						if err != nil {
							t.Error(err)
							return
						}
						log.add(ticket)
						if released {
							h.release(turn, 1)
						}
					})
					eventually(t, "it stands in line", func() bool {
						return slices.Contains(order(h.progress(c)), ticket) || slices.Contains(log.all(), ticket)
					})
				}
				all.Wait()
				if got := log.all(); !slices.IsSorted(got) || len(got) != 5 {
					t.Errorf("turns in the order %v", got)
				}
			})
		})
	}
}

func TestLock_GivingUpLeavesNothingBehind(t *testing.T) {
	testWithGuards(t, gaveUp,
		guard{"its departure", opLeave, "  call('ZREM', waiting, ticket)\n  call('HDEL', tickets, ticket)\n", ""})
}

func gaveUp(t testing.TB, edit func(*Client)) {
	h, a, b := newTwoNodes(t)
	edit(b)
	turn := h.lock(a, "holder")
	for i := range 5 {
		brief, cancel := context.WithTimeout(h.ctx(), 20*time.Millisecond)
		if _, err := b.Line(h.name).Lock(brief, fmt.Sprint("impatient ", i)); !errors.Is(err,
			context.DeadlineExceeded) {
			t.Errorf("gave up with %v", err)
		}
		cancel()
	}
	k := lineKeys(h.prefix, h.name)
	for _, key := range []string{k.waiting(), k.taken()} {
		if n, err := h.rdb.Exists(h.ctx(), key).Result(); n != 0 || err != nil {
			t.Errorf("%s is left, %v", key, err)
		}
	}
	h.release(turn, 1)
}

func TestRelease_LateFromFormerHolderFreesNothing(t *testing.T) {
	testWithGuards(t, lateUnlock,
		guard{"the fence of a release", opRelease, "if r.ticket == ticket and r.fence == fence then",
			"if r.ticket then"})
}

// lateUnlock lets a turn expire and its holder release it when another one has the turn.
func lateUnlock(t testing.TB, edit func(*Client)) {
	h := newHarness(t)
	short := func(cfg *Config) { cfg.MaxHold, cfg.ClaimWindow = 200*time.Millisecond, 200*time.Millisecond }
	a, b := h.node("a", short), h.node("b", nil)
	edit(a)
	former := h.lock(a, "former")
	present := h.lock(b, "present")
	if err := former.Release(h.ctx(), 1); !errors.Is(err, ErrStale) {
		t.Errorf("the late release: %v", err)
	}
	if place := h.enter(a, "next"); place.Granted || present.Context().Err() != nil {
		t.Errorf("the line was freed: %+v, %v", place, present.Context().Err())
	}
	h.release(present, 1)
}

func TestLock_OfCrashedHolderIsFreeWithinTheLease(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h, a, b := newTwoNodes(t)
		h.lock(a, "crashed")
		h.kill(a)
		crashed := time.Now()
		turn := h.lock(b, "next")
		if took := time.Since(crashed); took > testTimes.Lease+slack {
			t.Fatalf("the turn came after %s, want it within %s", took, testTimes.Lease)
		}
		h.release(turn, 1)
	})
}

// logbook collects what happens in order, such as the tickets of turns.
type logbook[T any] struct {
	mu      sync.Mutex
	entries []T
}

func (l *logbook[T]) add(entry T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, entry)
}

func (l *logbook[T]) all() []T {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.entries)
}

// counter is a count that loses increments when two add at once.
type counter struct {
	value   int
	working sync.Mutex // to notice two at once, not to prevent it
}

func (c *counter) add(t testing.TB) {
	if !c.working.TryLock() {
		t.Error("two at work at once")
		return
	}
	defer c.working.Unlock()
	c.value++
}

// increment adds under the line's lock from many goroutines.
func increment(t *testing.T, clients, loops int) int {
	h := newHarness(t)
	nodes := []*Client{h.node("a", unhurried), h.node("b", unhurried), h.node("c", unhurried)}
	count := &counter{}
	ctx := t.Context() // how long so many turns take is no matter here
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			line := nodes[i%len(nodes)].Line(h.name)
			for loop := range loops {
				turn, err := line.Lock(ctx, fmt.Sprintf("t%d-%d", i, loop))
				if err != nil {
					t.Error(err)
					return
				}
				count.add(t)
				if err := turn.Release(ctx, 1); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	return count.value
}

func TestLock_SixteenClientsIncrementAHundredTimes(t *testing.T) {
	t.Parallel()
	if n := increment(t, 16, 100); n != 1600 {
		t.Errorf("%d, want 1600", n)
	}
}

func TestLock_HundredClientsIncrementOnce(t *testing.T) {
	t.Parallel()
	if n := increment(t, 100, 1); n != 100 {
		t.Errorf("%d, want 100", n)
	}
}

func TestLock_GivesUpWhileTheTurnArrives(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h, a, b := newTwoNodes(t)
		for i := range 30 {
			first := h.lock(a, fmt.Sprintf("a%d", i))
			ctx, cancel := context.WithCancel(h.ctx())
			got := make(chan error, 1)
			go func() {
				turn, err := b.Line(h.name).Lock(ctx, fmt.Sprintf("b%d", i))
				if err == nil {
					err = turn.Release(h.ctx(), 1)
				}
				got <- err
			}()
			eventually(t, "b waits", func() bool { return h.progress(a).Count == 1 })
			go cancel()
			h.release(first, 1)
			if err := <-got; err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		}
		if p := h.progress(a); p.Holder || p.Count != 0 {
			t.Errorf("left: %+v", p)
		}
	})
}
