package locks

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/dbtest"
)

// paused lets ten tickets give up in the middle of an acquire while Redis pauses writes, and a last one enter when the
// pause is over: it waits in line alone. patience is how long the client waits for an answer.
func paused(patience time.Duration) testBody {
	return func(t testing.TB, edit func(*Client)) {
		h := newPrivateHarness(t)
		options, err := redis.ParseURL(h.url)
		dbtest.Must(t, err)
		options.ReadTimeout, options.PoolSize = patience, 64
		rdb := redis.NewClient(options)
		t.Cleanup(func() { rdb.Close() })
		long := func(cfg *Config) { cfg.Lease, cfg.ClaimWindow = 5*time.Second, 5*time.Second }
		a, b := h.node("a", long), h.nodeOn(rdb, "b", long)
		edit(b)
		turn := h.turnOf(a, "t1")
		h.progress(b) // b knows the server now
		dbtest.Must(t, h.rdb.Do(h.ctx(), "CLIENT", "PAUSE", 700, "WRITE").Err())
		var all sync.WaitGroup
		for i := range 10 {
			all.Go(func() {
				brief, cancel := context.WithTimeout(h.ctx(), 300*time.Millisecond)
				defer cancel()
				if _, err := b.Line(h.name).Lock(brief, fmt.Sprintf("orphan%d", i)); err == nil {
					t.Error("acquired while writes were paused")
				}
			})
		}
		all.Wait()
		h.enter(b, "t2")
		if left := order(h.progress(a)); !slices.Equal(left, []string{"t2"}) {
			t.Errorf("%v stand in line, want t2", left)
		}
		h.release(turn, 1)
		h.nextIs(b, "t2")
	}
}

func TestFaults_PausedWritesLeaveNoOrphan(t *testing.T) {
	testWithGuards(t, paused(5*time.Second),
		guard{"the departure of who gives up", opLeave,
			"  call('ZREM', waiting, ticket)\n  call('HDEL', tickets, ticket)\n", ""})
}

// Redis forgets what a connection asked for that was given up during the pause, so there is no guard to take away.
func TestFaults_AbandonedConnectionLeavesNoOrphan(t *testing.T) {
	testWithGuards(t, paused(200*time.Millisecond))
}

func TestFaults_ForgottenScriptsAreSentAgain(t *testing.T) {
	t.Parallel()
	h := newPrivateHarness(t)
	a, b := h.node("a", unhurried), h.node("b", unhurried)
	stop, flushes := make(chan struct{}), 0
	var flushing sync.WaitGroup
	flushing.Go(func() {
		often := time.NewTicker(time.Millisecond) // not always: Redis has the calls to answer too
		defer often.Stop()
		for {
			select {
			case <-stop:
				return
			case <-often.C:
				if err := h.rdb.ScriptFlush(h.ctx()).Err(); err != nil {
					t.Error(err)
					return
				}
				flushes++
			}
		}
	})
	const n = 100
	want := h.enterInTurn(n, a, b)
	if got := serveAll(h, n, a, b); !slices.Equal(got, want) {
		t.Errorf("served %v", got)
	}
	close(stop)
	flushing.Wait()
	if sent := h.commandStats()["eval"].calls; sent < n/2 {
		t.Errorf("scripts were sent %.0f times in %d flushes: they were hardly ever missing", sent, flushes)
	}
}

func TestFaults_LostAnswerOfEnterLeavesNobodyBehind(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	c := h.node("a", nil)
	turn := h.turnOf(c, "t1")
	s := newSession(c.Line(h.name))
	args := s.arguments(s.newCommand(opEnter, []any{0, "ghost", 0, "", ""}), plainPublish)
	dbtest.Must(t, c.scripts[opEnter].Run(h.ctx(), h.rdb, s.keys.names, args...).Err())
	h.enter(c, "t2")
	h.release(turn, 1)
	h.nextIs(c, "t2")
}
