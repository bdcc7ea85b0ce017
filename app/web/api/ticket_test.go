package api

import (
	"testing"
	"time"

	"lunchgo/app/waiting"
)

// Programs ask again soon at the head of the line. Behind it, and when their server ends, they do not ask all at once.
func TestPollAfter_SpreadsTheCrowd(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		status      waiting.Status
		first, last time.Duration
	}{
		"next":            {waiting.Status{Estimate: 0}, time.Second, time.Second},
		"far behind":      {waiting.Status{Estimate: time.Hour}, 3 * time.Second, 5 * time.Second},
		"the server ends": {waiting.Status{Reconnect: true, Estimate: time.Second}, 2 * time.Second, 4 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seen := map[time.Duration]bool{}
			for range 200 {
				after := pollAfter(test.status)
				if after < test.first || after > test.last || after%time.Second != 0 {
					t.Fatalf("asks again after %v, want %v to %v in whole seconds", after, test.first, test.last)
				}
				seen[after] = true
			}
			if want := int((test.last-test.first)/time.Second) + 1; len(seen) != want {
				t.Errorf("%d different pauses, want %d", len(seen), want)
			}
		})
	}
}
