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

// Waiters are served in the order of their requests.
func TestLock_ServesInTheOrderOfRequests(t *testing.T) {
	t.Parallel()
	for name, released := range map[string]bool{"released": true, "expired": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newHarness(t)
			log := &logbook{}
			var all sync.WaitGroup
			for i := range 5 {
				ticket := fmt.Sprintf("t%d", i)
				c := r.node(fmt.Sprintf("n%d", i), func(cfg *Config) {
					if !released {
						cfg.MaxHold, cfg.ClaimWindow = 200*time.Millisecond, 200*time.Millisecond
					}
				})
				all.Go(func() {
					turn, err := c.Line(r.name).Lock(r.ctx(), ticket)
					if err != nil {
						t.Error(err)
						return
					}
					log.add(ticket)
					if released {
						r.release(turn, 1)
					}
				})
				eventually(t, 5*time.Second, "it stands in line", func() bool {
					return slices.Contains(order(r.progress(c)), ticket) || slices.Contains(log.all(), ticket)
				})
			}
			all.Wait()
			if got := log.all(); !slices.IsSorted(got) || len(got) != 5 {
				t.Errorf("turns in the order %v", got)
			}
		})
	}
}

// A waiter that gives up leaves nothing behind.
func TestLock_GivingUpLeavesNothingBehind(t *testing.T) {
	testWithGuards(t, gaveUp,
		guard{"its departure", opLeave, "    drop({ticket})\n    left = true", "    left = true"})
}

func gaveUp(t testing.TB, edit func(*Client)) {
	r := newHarness(t)
	a, b := r.node("a", nil), r.node("b", nil)
	edit(b)
	turn, err := a.Line(r.name).Lock(r.ctx(), "holder")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		brief, cancel := context.WithTimeout(r.ctx(), 20*time.Millisecond)
		if _, err := b.Line(r.name).Lock(brief, fmt.Sprint("impatient ", i)); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("gave up with %v", err)
		}
		cancel()
	}
	k := lineKeys(r.prefix, r.name)
	for _, key := range k.names[2:8] {
		if n, err := r.rdb.Exists(r.ctx(), key).Result(); n != 0 || err != nil {
			t.Errorf("%s is left, %v", key, err)
		}
	}
	r.release(turn, 1)
}

// A late unlock by a former holder frees nothing.
func TestRelease_LateFromFormerHolderFreesNothing(t *testing.T) {
	testWithGuards(t, lateUnlock,
		guard{"the fence of a release", opRelease, "if h[1] == ticket and h[2] == fence then", "if h[1] then"})
}

// lateUnlock lets a turn expire and its holder release it when another one has the turn.
func lateUnlock(t testing.TB, edit func(*Client)) {
	r := newHarness(t)
	short := func(cfg *Config) { cfg.MaxHold, cfg.ClaimWindow = 200*time.Millisecond, 200*time.Millisecond }
	a, b := r.node("a", short), r.node("b", nil)
	edit(a)
	former, err := a.Line(r.name).Lock(r.ctx(), "former")
	if err != nil {
		t.Fatal(err)
	}
	present, err := b.Line(r.name).Lock(r.ctx(), "present")
	if err != nil {
		t.Fatal(err)
	}
	if err := former.Release(r.ctx(), 1); !errors.Is(err, ErrStale) {
		t.Errorf("the late release: %v", err)
	}
	if place := r.enter(a, "next"); place.Granted || present.Context().Err() != nil {
		t.Errorf("the line was freed: %+v, %v", place, present.Context().Err())
	}
	r.release(present, 1)
}

// A crashed holder's lock is free within the lease.
func TestLock_OfCrashedHolderIsFreeWithinTheLease(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	a, b := r.node("a", nil), r.node("b", nil)
	if _, err := a.Line(r.name).Lock(r.ctx(), "crashed"); err != nil {
		t.Fatal(err)
	}
	r.kill(a)
	crashed := time.Now()
	turn, err := b.Line(r.name).Lock(r.ctx(), "next")
	if took := time.Since(crashed); err != nil || took > testTimes.Lease+slack {
		t.Fatalf("%v after %s, want the turn within %s", err, took, testTimes.Lease)
	}
	r.release(turn, 1)
}

// logbook collects tickets in the order of their turns.
type logbook struct {
	mu      sync.Mutex
	tickets []string
}

func (l *logbook) add(ticket string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tickets = append(l.tickets, ticket)
}

func (l *logbook) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.tickets)
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
	r := newHarness(t)
	nodes := []*Client{r.node("a", nil), r.node("b", nil), r.node("c", nil)}
	count := &counter{}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Second)
	defer cancel()
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			line := nodes[i%len(nodes)].Line(r.name)
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

// Sixteen clients increment a hundred times.
func TestLock_SixteenClientsIncrementAHundredTimes(t *testing.T) {
	t.Parallel()
	skipIfShort(t)
	if n := increment(t, 16, 100); n != 1600 {
		t.Errorf("%d, want 1600", n)
	}
}

// A hundred clients increment once.
func TestLock_HundredClientsIncrementOnce(t *testing.T) {
	t.Parallel()
	if n := increment(t, 100, 1); n != 100 {
		t.Errorf("%d, want 100", n)
	}
}

// Giving up while the turn comes.
func TestLock_GivesUpWhileTheTurnArrives(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	a, b := r.node("a", nil), r.node("b", nil)
	for i := range 30 {
		first, err := a.Line(r.name).Lock(r.ctx(), fmt.Sprintf("a%d", i))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(r.ctx())
		got := make(chan error, 1)
		go func() {
			turn, err := b.Line(r.name).Lock(ctx, fmt.Sprintf("b%d", i))
			if err == nil {
				err = turn.Release(r.ctx(), 1)
			}
			got <- err
		}()
		eventually(t, 5*time.Second, "b waits", func() bool { return r.progress(a).Count == 1 })
		go cancel()
		r.release(first, 1)
		if err := <-got; err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if p := r.progress(a); p.Holder || p.Count != 0 {
		t.Errorf("left: %+v", p)
	}
}
