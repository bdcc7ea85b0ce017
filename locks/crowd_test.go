package locks

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"lunchgo/db/dbtest"
)

func TestI18_TenThousandWaitersAreAllServedInOrder(t *testing.T) {
	testWithGuards(t, crowd,
		guard{"the order of a run", opTake,
			"call('ZRANGE', waiting, 0, most - 1)",
			"call('ZREVRANGE', waiting, 0, most - 1)",
		},
		guard{"the next one's turn", opRelease, "promote()\nreturn", "return"},
	)
}

// crowd serves ten thousand tickets of two nodes in runs; a tenth of it is enough to see that it fails.
func crowd(t testing.TB, edit func(*Client)) {
	ignoresClock(t)
	h := newPrivateHarness(t)
	n, limit := 10000, dbtest.Patience
	if failureWanted(t) {
		n, limit = 1000, failureLimit
	}
	a, b := h.node("a", unhurried), h.node("b", unhurried)
	edit(a)
	edit(b)
	place := h.enter(a, "first")
	fillLine(h, n, a, b)
	arrivals := make(chan int64, n+1)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	var serving sync.WaitGroup
	for _, c := range []*Client{a, b} {
		serving.Go(func() { serveRuns(ctx, t, c.Line(h.name), arrivals) })
	}
	defer serving.Wait()
	defer cancel()
	last := place.Arrival - 1
	for served := range n + 1 {
		select {
		case arrival := <-arrivals:
			if arrival <= last {
				t.Fatalf("arrival %d was served after %d", arrival, last)
			}
			last = arrival
		case <-ctx.Done():
			t.Fatalf("only %d of %d were served", served, n+1)
		}
	}
}

// fillLine enters n tickets, about 200 at one node, then as many at the next.
func fillLine(h *harness, n int, nodes ...*Client) {
	h.t.Helper()
	var next atomic.Int64
	var all sync.WaitGroup
	for range 32 {
		all.Go(func() {
			for i := int(next.Add(1)); i <= n; i = int(next.Add(1)) {
				in := Entry{Ticket: fmt.Sprintf("t%d", i)}
				if _, err := nodes[i/200%len(nodes)].Line(h.name).Enter(context.Background(), in); err != nil {
					h.t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// serveRuns serves turns with up to 64 tickets each and reports the arrival numbers.
func serveRuns(ctx context.Context, t testing.TB, line *Line, arrivals chan<- int64) {
	for {
		turn, err := line.Next(ctx)
		if err != nil {
			return
		}
		run, err := turn.Take(context.Background(), 63)
		if err != nil {
			t.Error(err)
		}
		arrivals <- turn.Arrival()
		for _, taken := range run {
			arrivals <- taken.Arrival
		}
		if err := turn.Release(context.Background(), 1+len(run)); err != nil {
			t.Error(err)
		}
	}
}
