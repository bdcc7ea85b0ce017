package waiting

import (
	"container/heap"
	"context"
	"sync"
	"time"
)

// semaphore lets a bounded number of callers in at once; of those who wait, whoever has waited longest comes next.
type semaphore struct {
	mu      sync.Mutex
	free    int
	coming  int64 // how many came so far
	waiting waiters
}

// waiter is somebody who waits for a slot.
type waiter struct {
	since time.Time
	turn  int64 // orders those who came at the same moment
	index int   // in the heap
	ready chan struct{}
}

// acquireSince waits for a slot for somebody who has waited since a moment. The caller must release it. Returns the
// cause of ctx's end when that comes first.
func (s *semaphore) acquireSince(ctx context.Context, since time.Time) error {
	if w := s.enqueue(since); w != nil {
		return s.wait(ctx, w)
	}
	return nil
}

func (s *semaphore) wait(ctx context.Context, w *waiter) error {
	select {
	case <-w.ready:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if w.index < 0 {
		return nil // the slot came at the last moment
	}
	heap.Remove(&s.waiting, w.index)
	return context.Cause(ctx)
}

// enqueue takes a slot that is free, and returns nil, or a place among those who wait.
func (s *semaphore) enqueue(since time.Time) *waiter {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.free > 0 {
		s.free--
		return nil
	}
	s.coming++
	w := &waiter{since: since, turn: s.coming, ready: make(chan struct{})}
	heap.Push(&s.waiting, w)
	return w
}

// release gives a slot to whoever has waited longest, or makes it free.
func (s *semaphore) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) == 0 {
		s.free++
		return
	}
	next, _ := heap.Pop(&s.waiting).(*waiter)
	close(next.ready)
}

// timedSemaphore lets a bounded number of people enter, come back or leave at once. Those who are inside ask Redis in
// groups. Were a whole crowd let in together, each step of each would wait behind all others until everybody's time is
// over and nobody has a place; and the line's own beats, claims and releases would wait with them. So people wait here,
// first come first served, and whoever gets in is quick.
type timedSemaphore struct {
	semaphore
	timeout time.Duration

	refusals sync.Mutex            // guards what follows
	refused  map[string]turnedAway // by person
	swept    int                   // how many refusals were left when the old ones were removed last
}

// turnedAway is when somebody came for the first time, who has waited in vain.
type turnedAway struct{ first, last time.Time }

// Bounds of what is known of people who waited in vain.
const (
	refusalLife  = 30 * time.Second // from the last time; clients come back after 2 to 4 s
	mostRefusals = 100_000
)

func newSemaphore(slots int, timeout time.Duration) *timedSemaphore {
	return &timedSemaphore{semaphore: semaphore{free: slots}, timeout: timeout, refused: map[string]turnedAway{}}
}

// acquire waits for a slot for a person. The caller must release it. Returns ErrCrowded when none came free in time,
// and ctx's error when that ended first.
func (s *timedSemaphore) acquire(ctx context.Context, userID string) error {
	first := s.firstCame(userID)
	w := s.enqueue(first)
	if w == nil {
		return nil
	}
	waiting, cancel := context.WithTimeoutCause(ctx, s.timeout, ErrCrowded)
	defer cancel()
	err := s.wait(waiting, w)
	if err != nil {
		s.remember(userID, first)
	}
	return err
}

// firstCame is when somebody came first: now, unless they waited in vain a while ago.
func (s *timedSemaphore) firstCame(userID string) time.Time {
	s.refusals.Lock()
	defer s.refusals.Unlock()
	now := time.Now()
	before, ok := s.refused[userID]
	delete(s.refused, userID)
	if ok && now.Sub(before.last) < refusalLife {
		return before.first
	}
	return now
}

// remember stores when somebody came for the first time, and removes old refusals each time their number has doubled.
func (s *timedSemaphore) remember(userID string, first time.Time) {
	s.refusals.Lock()
	defer s.refusals.Unlock()
	now := time.Now()
	if len(s.refused) > 2*s.swept+1024 {
		for who, r := range s.refused {
			if now.Sub(r.last) >= refusalLife {
				delete(s.refused, who)
			}
		}
		s.swept = len(s.refused)
	}
	if len(s.refused) < mostRefusals {
		s.refused[userID] = turnedAway{first, now}
	}
}

// waiters is a heap (container/heap) of those who wait: who came first is first.
type waiters []*waiter

func (w waiters) Len() int { return len(w) }

func (w waiters) Less(i, j int) bool {
	if !w[i].since.Equal(w[j].since) {
		return w[i].since.Before(w[j].since)
	}
	return w[i].turn < w[j].turn
}

func (w waiters) Swap(i, j int) {
	w[i], w[j] = w[j], w[i]
	w[i].index, w[j].index = i, j
}

// Push implements heap.Interface.
func (w *waiters) Push(x any) {
	added, _ := x.(*waiter)
	added.index = len(*w)
	*w = append(*w, added)
}

// Pop implements heap.Interface.
func (w *waiters) Pop() any {
	last := len(*w) - 1
	removed := (*w)[last]
	(*w)[last] = nil
	*w = (*w)[:last]
	removed.index = -1
	return removed
}
