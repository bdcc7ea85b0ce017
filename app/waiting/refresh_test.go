package waiting

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

// scriptUse is how many scripts Redis has run since it was last asked to forget, and for how long.
func scriptUse(t testing.TB, h *harness) (calls int, took time.Duration) {
	t.Helper()
	info, err := h.rdb.Info(t.Context(), "commandstats").Result()
	dbtest.Must(t, err)
	for _, found := range regexp.MustCompile(`cmdstat_evalsha:calls=(\d+),usec=(\d+)`).FindAllStringSubmatch(info, -1) {
		calls, _ = strconv.Atoi(found[1])
		us, _ := strconv.Atoi(found[2])
		took = time.Duration(us) * time.Microsecond
	}
	return calls, took
}

// crowd lets n diners wait in a room and watch their progress until the test ends.
func crowd(t testing.TB, room *Room, n int) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	var watching sync.WaitGroup
	t.Cleanup(watching.Wait)
	t.Cleanup(stop)
	var pressing sync.WaitGroup
	for worker := range 16 {
		pressing.Go(func() {
			for i := worker; i < n; i += 16 {
				watch, err := room.Enter(ctx, request(fmt.Sprintf("diner-%d", i), "k"))
				if err != nil {
					t.Error(err)
					return
				}
				watching.Go(func() {
					defer watch.Close()
					for ctx.Err() == nil {
						_, _ = watch.Next(ctx)
					}
				})
			}
		})
	}
	pressing.Wait()
}

func TestRefresh_ReadsALineOnceForAllWatchers(t *testing.T) {
	t.Parallel()
	h := newHarnessAt(t, dbtest.PrivateRedisURL(t), 10)
	h.takeTurn()
	crowd(t, h.room(Config{}), 300)
	dbtest.Must(t, h.rdb.ConfigResetStat(t.Context()).Err())
	const span = 2 * time.Second
	begun := time.Now()
	dbtest.Eventually(t, "some ticks pass", func() bool { return time.Since(begun) > span })
	ticks := int(time.Since(begun)/refreshInterval) + 1
	const others = 6 // beats of the room and of the rival, and the watchdog
	if calls, _ := scriptUse(t, h); calls > ticks+others || calls < ticks/2 {
		t.Errorf("%d scripts for 300 watchers in %d ticks", calls, ticks)
	}
}

// BenchmarkWaiting has 10,000 diners wait and watch for ten seconds, and reports how much of Redis' time that takes:
// the progress, and everything with the beats that keep the tickets alive.
func BenchmarkWaiting(b *testing.B) {
	for range b.N {
		h := newHarnessAt(b, dbtest.PrivateRedisURL(b), 10)
		h.takeTurn()
		room := h.room(Config{MaxConcurrent: 32, AcquireTimeout: time.Minute})
		crowd(b, room, 10_000)
		line := room.lines.Line(evening)
		look := func() {
			if _, err := line.Progress(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
		one := measure(b, h, look)
		dbtest.Must(b, h.rdb.ConfigResetStat(b.Context()).Err())
		begun := time.Now()
		timer := time.NewTimer(10 * time.Second)
		<-timer.C
		_, all := scriptUse(b, h)
		elapsed := time.Since(begun)
		every := min(max(refreshInterval, 10_000*refreshPerTicket), longestRefresh)
		b.ReportMetric(100*float64(one)/float64(every), "progress-%")
		b.ReportMetric(100*float64(all)/float64(elapsed), "all-scripts-%")
		b.ReportMetric(float64(one.Microseconds()), "µs/look")
	}
}

// measure is the time that Redis takes for one look.
func measure(b *testing.B, h *harness, look func()) time.Duration {
	b.Helper()
	const looks = 20
	before, took := scriptUse(b, h)
	for range looks {
		look()
	}
	after, now := scriptUse(b, h)
	return (now - took) / time.Duration(max(after-before, 1))
}

// A line is read less often the longer it is, and the more of them there are, but at least once a second.
func TestRefreshAfter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tickets, lines int
		want           time.Duration
	}{
		{10, 1, refreshInterval}, {2_000, 1, 600 * time.Millisecond}, {10, 500, 500 * time.Millisecond},
		{50_000, 1, longestRefresh}, {10, 2_000, longestRefresh},
	} {
		if got := refreshAfter(c.tickets, c.lines); got != c.want {
			t.Errorf("%d tickets in one of %d lines: %v, want %v", c.tickets, c.lines, got, c.want)
		}
	}
}

// A ticket whose turn waits until this process has room for it is not taken for lost, however long that takes. Without
// the guard it is.
func TestRefresh_LeavesATicketAloneWhoseTurnWaitsForRoom(t *testing.T) {
	t.Parallel()
	room := newHarness(t, 10).room(Config{MaxTurns: 1})
	dbtest.Must(t, room.turns.acquireSince(t.Context(), time.Time{}))
	defer room.turns.release()
	watch, err := room.Enter(t.Context(), request("ann", "k"))
	dbtest.Must(t, err)
	defer watch.Close()
	q, ticket := watch.queue, watch.ticket
	dbtest.Eventually(t, "the turn waits for room", func() bool {
		q.mu.Lock()
		defer q.mu.Unlock()
		return q.upNext == ticket.id
	})
	isLostLater := func() bool {
		q.noteMissing(time.Now())
		q.noteMissing(time.Now().Add(2 * takeBackAfter))
		return !ticket.goneSince.IsZero()
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if isLostLater() {
		t.Error("the ticket was taken for lost")
	}
	if q.upNext = ""; !isLostLater() {
		t.Error("the ticket was not taken for lost without the guard")
	}
}
