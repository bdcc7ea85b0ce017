package locks

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	"lunchgo/db/dbtest"
	"lunchgo/db/dbtest/measured"
)

// slow keeps tickets alive for a benchmark without beats that disturb it.
func slow(cfg *Config) {
	cfg.Beat, cfg.TTL, cfg.Lease, cfg.ClaimWindow = time.Minute, time.Hour, time.Hour, time.Hour
	cfg.MaxHold = time.Hour
}

// meter measures what a benchmark costs Redis.
type meter struct {
	*harness
	cpu float64
}

// begin starts the measurement, and the benchmark's clock.
func (h *harness) begin(b *testing.B) *meter {
	m := &meter{harness: h, cpu: h.cpu()}
	dbtest.Must(b, h.rdb.ConfigResetStat(h.ctx()).Err())
	b.ResetTimer()
	return m
}

// report adds Redis' processor time, all of it and that of the scripts by the clock, and the number of script calls.
func (m *meter) report(b *testing.B) {
	b.StopTimer()
	u, n := m.commandStats()["evalsha"], float64(b.N)
	b.ReportMetric((m.harness.cpu()-m.cpu)*1e6/n, "redis-cpu-µs/op")
	b.ReportMetric(u.micros/n, "script-µs/op")
	b.ReportMetric(u.calls/n, "scripts/op")
	b.ReportMetric(n/b.Elapsed().Seconds(), "ops/s")
}

// waitingTickets are how many wait behind those between whom a turn is passed.
var waitingTickets = []int{10, 1000, 10000}

// handOffs logs what a benchmark of hand-offs has measured.
func (m *meter) handOffs(b *testing.B, block string, waiting int) {
	b.Helper()
	m.report(b)
	measured.Log(b, fmt.Sprint(block, "/", waiting), map[string]int{"waiting": waiting},
		map[string]float64{"a second": float64(b.N) / b.Elapsed().Seconds(),
			"Redis µs": (m.harness.cpu() - m.cpu) * 1e6 / float64(b.N)})
}

func TestBenchmarks_HaveTheSizesShown(t *testing.T) {
	t.Parallel()
	for _, n := range waitingTickets {
		measured.Hold(t, fmt.Sprint("hand-offs/", n), map[string]int{"waiting": n})
		measured.Hold(t, fmt.Sprint("hand-offs-between-nodes/", n), map[string]int{"waiting": n})
	}
}

// BenchmarkHandOff passes a turn from ticket to ticket of one node, with n others waiting behind.
func BenchmarkHandOff(b *testing.B) {
	for _, n := range waitingTickets {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			h := newPrivateHarness(b)
			c := h.node("a", slow)
			fillLine(h, n+b.N, c) // so that n still wait at the end
			ctx := context.Background()
			m := h.begin(b)
			for range b.N {
				turn, err := c.Line(h.name).Next(ctx)
				dbtest.Must(b, err)
				dbtest.Must(b, turn.Release(ctx, 1))
			}
			m.handOffs(b, "hand-offs", n)
		})
	}
}

// BenchmarkHandOffBetweenNodes passes a turn to and fro between two nodes, with n others waiting behind: each costs a
// message.
func BenchmarkHandOffBetweenNodes(b *testing.B) {
	for _, n := range waitingTickets {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			h := newPrivateHarness(b)
			nodes := []*Client{h.node("a", slow), h.node("b", slow)}
			for i := range n + b.N {
				h.enter(nodes[i%2], fmt.Sprintf("t%d", i))
			}
			h.awaitSubscribed("a", "b")
			m := h.begin(b)
			for i := range b.N {
				h.release(h.next(nodes[i%2]), 1)
			}
			m.handOffs(b, "hand-offs-between-nodes", n)
		})
	}
}

// BenchmarkParallelLines locks and releases many free lines at once: what an evening with many slots costs.
func BenchmarkParallelLines(b *testing.B) {
	h := newPrivateHarness(b)
	c := h.node("a", slow)
	m := h.begin(b)
	b.SetParallelism(16)
	b.RunParallel(func(pb *testing.PB) {
		line := c.Line(Name{"evening", ticket()})
		for pb.Next() {
			turn, err := line.Lock(context.Background(), ticket())
			if err != nil {
				b.Error(err)
				return
			}
			if err := turn.Release(context.Background(), 1); err != nil {
				b.Error(err)
			}
		}
	})
	m.report(b)
}

func BenchmarkEnter(b *testing.B) {
	h := newPrivateHarness(b)
	c := h.node("a", slow)
	h.enter(c, "first")
	m := h.begin(b)
	for i := 0; b.Loop(); i++ {
		h.enter(c, fmt.Sprintf("t%d", i))
	}
	m.report(b)
}

// BenchmarkBeat refreshes n waiting tickets.
func BenchmarkBeat(b *testing.B) {
	benchmarkWaiting(b, []int{500, 10000}, func(h *harness, c *Client) { c.sessions[h.name].beat() })
}

func BenchmarkProgress(b *testing.B) {
	benchmarkWaiting(b, []int{10, 10000}, func(h *harness, c *Client) { h.progress(c) })
}

// benchmarkWaiting measures what is done to a line while each number of tickets waits in it.
func benchmarkWaiting(b *testing.B, numbers []int, act func(*harness, *Client)) {
	for _, n := range numbers {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			h := newPrivateHarness(b)
			c := h.node("a", slow)
			h.enter(c, "first")
			fillLine(h, n, c)
			m := h.begin(b)
			for b.Loop() {
				act(h, c)
			}
			m.report(b)
		})
	}
}
