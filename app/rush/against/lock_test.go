package against

import (
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

// The fair lock is given in the order in which it was asked for. Who has waited for long enough leaves the queue.
func TestFairLock_KeepsTheOrder(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	dbtest.Must(t, h.wakeups.listen(t.Context(), h.redis, h.keys))
	of := func(token string) fairLock { return fairLock{h.tools, h.keys.global("fair"), token} }
	holder := of("holder")
	if !holder.await(dbtest.Patience) {
		t.Fatal("a free lock is not given")
	}
	queued := func(n int64) {
		dbtest.Eventually(t, "the queue has "+strconv.FormatInt(n, 10), func() bool {
			return h.redis.LLen(t.Context(), holder.keysOf()[1]).Val() == n
		})
	}
	var mu sync.Mutex
	var order []string
	var waiting sync.WaitGroup
	tokens := []string{"0", "1", "2", "3", "4", "5"}
	for i, token := range tokens {
		waiting.Go(func() {
			l := of(token)
			if l.await(dbtest.Patience) {
				mu.Lock()
				order = append(order, token)
				mu.Unlock()
			}
			l.release()
		})
		queued(int64(i + 1))
	}
	hasty := of("hasty")
	if hasty.await(50 * time.Millisecond) {
		t.Error("the lock has two holders")
	}
	queued(7)
	hasty.release()
	queued(6)
	holder.release()
	waiting.Wait()
	if !slices.Equal(order, tokens) {
		t.Errorf("served %v", order)
	}
	if n := h.redis.Exists(t.Context(), holder.keysOf()...).Val(); n != 0 {
		t.Errorf("%d keys are left of the lock", n)
	}
}

// Those at the head whose process is gone do not hold up the others.
func TestFairLock_PassesByWhoIsGone(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	l := fairLock{h.tools, h.keys.global("fair"), "next"}
	of := l.keysOf()
	dbtest.Must(t, h.redis.RPush(t.Context(), of[1], "gone").Err())
	dbtest.Must(t, h.redis.HSet(t.Context(), of[2], "gone", time.Now().Add(-time.Second).UnixMilli()).Err())
	if !l.await(dbtest.Patience) {
		t.Error("the lock is not given")
	}
}

// A lock whose time is over is somebody else's: who had it does not end it.
func TestLock_IsEndedByItsHolderOnly(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	first, second := h.lockOf(h.keys.global("lock"), ""), h.lockOf(h.keys.global("lock"), "")
	if !first.try() || second.try() {
		t.Fatal("the lock has not one holder")
	}
	second.release()
	if second.try() {
		t.Error("somebody else has ended the lock")
	}
	first.release()
	if !second.try() {
		t.Error("the lock is not free")
	}
}

func TestWakeups_WakeTheFirstOrAll(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		all  bool
		want []int
	}{
		"the first": {false, []int{1, 0, 0}},
		"all":       {true, []int{1, 1, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWakeups()
			w.all = c.all
			all := []*waiter{w.enter("a"), w.enter("a"), w.enter("a")}
			other := w.enter("b")
			w.wake("a")
			for i, one := range all {
				if len(one.woken) != c.want[i] {
					t.Errorf("%d has %d messages, want %d", i, len(one.woken), c.want[i])
				}
			}
			if len(other.woken) != 0 {
				t.Error("who waits for another message is woken")
			}
			w.leave("a", all[0]) // with a message that it has not read: it goes to the next
			if len(all[1].woken) != 1 {
				t.Error("a message is lost")
			}
		})
	}
}
