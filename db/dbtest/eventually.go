package dbtest

import (
	"testing"
	"time"
)

// Patience is how long tests wait for what has to come by itself: only a failure uses it up.
const Patience = 2 * time.Minute

// Eventually waits until a condition is met that others bring about, and fails the test when it is not within Patience.
func Eventually(t testing.TB, what string, met func() bool) {
	t.Helper()
	Within(t, Patience, what, met)
}

// Within is Eventually with a limit of the test's own.
func Within(t testing.TB, limit time.Duration, what string, met func() bool) {
	t.Helper()
	deadline := time.NewTimer(limit)
	defer deadline.Stop()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !met() {
		select {
		case <-tick.C:
		case <-deadline.C:
			t.Fatalf("not within %s: %s", limit, what)
		}
	}
}
