package respond

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// However many watch one thing, it is read once; and nobody reads it after the last has gone. (The bubble of the test
// fails if the reader goes on.)
func TestFeeds_ReadOnceForAll(t *testing.T) {
	t.Parallel()
	for _, watchers := range []int{1, 200} {
		synctest.Test(t, func(t *testing.T) {
			var reads atomic.Int64
			feeds := &Feeds[string, int64]{Every: time.Second, Same: func(a, b int64) bool { return a/2 == b/2 },
				Read: func(context.Context, string, int64) (int64, error) {
					if n := reads.Add(1); n != 3 {
						return n, nil
					}
					return 0, errors.New("not just now")
				}}
			var all []*FeedWatcher[int64]
			for range watchers {
				all = append(all, feeds.Watch("slot", 0))
			}
			for want := range []int64{1, 2, 4} {
				for _, w := range all {
					if got, err := w.Next(t.Context()); err != nil || got != []int64{1, 2, 4}[want] {
						t.Fatalf("value %d is %d, %v", want, got, err)
					}
				}
			}
			short, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond) // 5 is the same as 4
			defer cancel()
			if got, err := all[0].Next(short); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("what stays the same is sent as %d, %v", got, err)
			}
			if n := reads.Load(); n != 5 {
				t.Errorf("%d watchers cost %d readings in 4 s, want 5", watchers, n)
			}
			for _, w := range all {
				w.Close()
				w.Close()
			}
			synctest.Wait()
			n := reads.Load()
			time.Sleep(time.Minute)
			if reads.Load() != n || len(feeds.open) != 0 {
				t.Error("it is read for nobody")
			}
		})
	}
}

// What takes long to read, or to show, is read less often, but never more rarely than Slowest.
func TestFeeds_ReadRarelyWhatCostsMuch(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name             string
		read, show, slow time.Duration
		want             time.Duration // from one reading to the next
	}{
		{"quick", 10 * time.Millisecond, 10 * time.Millisecond, 5 * time.Second, time.Second},
		{"long to read", 40 * time.Millisecond, 0, 5 * time.Second, 2 * time.Second},
		{"long to show", 0, 60 * time.Millisecond, 5 * time.Second, 3 * time.Second},
		{"very long", time.Second, 0, 5 * time.Second, 5 * time.Second},
		{"without Slowest", 900 * time.Millisecond, 0, 0, time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			var readings []time.Time
			feeds := &Feeds[string, int]{Every: time.Second, Slowest: test.slow, Same: func(a, b int) bool {
				return a == b
			},
				Shown: func(int) time.Duration { return test.show },
				Read: func(_ context.Context, _ string, last int) (int, error) {
					readings = append(readings, time.Now())
					time.Sleep(test.read)
					return last + 1, nil
				}}
			watcher := feeds.Watch("slot", 0)
			for range 4 {
				if _, err := watcher.Next(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			watcher.Close()
			synctest.Wait()
			if got := readings[3].Sub(readings[2]); got != test.want {
				t.Errorf("%s: read again after %v, want %v", test.name, got, test.want)
			}
		})
	}
}
