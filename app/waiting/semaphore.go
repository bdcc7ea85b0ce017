package waiting

import (
	"context"
	"time"

	"golang.org/x/sync/semaphore"
)

// timedSemaphore lets a bounded number of people enter, come back or leave at once: all of that asks Redis. Were a whole crowd let
// in together, each step of each would wait behind all others until everybody's time is over and nobody has a place; and the
// line's own beats, claims and releases would wait with them. So people wait here, first come first served, and whoever
// gets in is quick.
type timedSemaphore struct {
	slots   *semaphore.Weighted
	timeout time.Duration
}

func newSemaphore(slots int, timeout time.Duration) timedSemaphore {
	return timedSemaphore{slots: semaphore.NewWeighted(int64(slots)), timeout: timeout}
}

// acquire waits for a slot. The caller must release it. Returns ErrCrowded when none came free in time, and ctx's error when
// that ended first.
func (s timedSemaphore) acquire(ctx context.Context) error {
	waiting, cancel := context.WithTimeoutCause(ctx, s.timeout, ErrCrowded)
	defer cancel()
	if s.slots.Acquire(waiting, 1) != nil {
		return context.Cause(waiting)
	}
	return nil
}

func (s timedSemaphore) release() { s.slots.Release(1) }
