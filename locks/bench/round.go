package main

import (
	"context"
	"errors"
	"sync"
	"time"
)

// round is one go: every waiter gets the lock once. It gets a message by the waiters themselves.
type round struct {
	name    string // of the lock
	waiters int
	done    chan struct{} // closed when every waiter has had its turn
	busy    sync.WaitGroup

	mu       sync.Mutex // guards what follows
	passed   time.Time  // when the last release was called
	handOffs []time.Duration
	order    []int // ranks by request, in the order of the turns
	errors   int
	example  error // one of them
}

func newRound(name string, waiters int) *round {
	return &round{name: name, waiters: waiters, done: make(chan struct{})}
}

// queue lets the waiters ask for the lock one after another, over the nodes in turn: each when Redis has answered to
// the one before it, so that the order of request is beyond doubt. Those that have not been able to within the time
// (commands of waiters that poll stand in their way) ask all at once, and count as having asked at the same moment. It
// returns how many asked in order.
func (r *round) queue(ctx context.Context, nodes []node, within time.Duration) int {
	patience := time.NewTimer(within)
	defer patience.Stop()
	inOrder := r.waiters
	for i := range r.waiters {
		ctx, asked := withAsk(ctx)
		rank := min(i, inOrder)
		r.busy.Go(func() { r.wait(ctx, nodes[i%len(nodes)], rank) })
		if i >= inOrder {
			continue
		}
		select {
		case <-asked:
		case <-patience.C:
			inOrder = i
		}
	}
	return inOrder
}

// wait is what a waiter does: ask until the lock comes, and hand it on.
func (r *round) wait(ctx context.Context, n node, rank int) {
	for {
		release, err := n.lock(ctx, r.name)
		if err == nil {
			r.turn(rank)
			r.release(ctx, release)
			return
		}
		if ctx.Err() != nil {
			return
		}
		r.failed(err)
	}
}

// turn notes that a waiter knows that it has the lock, and is about to release it.
func (r *round) turn(rank int) {
	now := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.handOffs = append(r.handOffs, now.Sub(r.passed))
	r.order = append(r.order, rank)
	if len(r.order) == r.waiters {
		close(r.done)
	}
	r.passed = time.Now()
}

// open hands the lock on to the first waiter.
func (r *round) open(ctx context.Context, release unlock) {
	r.mu.Lock()
	r.passed = time.Now()
	r.mu.Unlock()
	r.busy.Go(func() { r.release(ctx, release) })
}

func (r *round) release(ctx context.Context, release unlock) {
	if err := release(ctx); err != nil && ctx.Err() == nil {
		r.failed(err)
	}
}

// sinceRelease is how long the hand-off under way has lasted.
func (r *round) sinceRelease() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Since(r.passed)
}

func (r *round) failed(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.errors++
	r.example = err
}

// dismiss waits until all waiters have gone.
func (r *round) dismiss() error {
	gone := make(chan struct{})
	go func() {
		r.busy.Wait()
		close(gone)
	}()
	select {
	case <-gone:
		return nil
	case <-time.After(patience):
		return errors.New("waiters do not end with their context")
	}
}
