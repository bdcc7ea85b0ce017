package locks

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// usage is what Redis counted of a command.
type usage struct{ calls, micros float64 }

// commandStats reads INFO commandstats.
func (r *rig) commandStats() map[string]usage {
	r.t.Helper()
	info, err := r.rdb.Info(r.ctx(), "commandstats").Result()
	if err != nil {
		r.t.Fatal(err)
	}
	stats := map[string]usage{}
	for line := range strings.Lines(info) {
		name, values, found := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "cmdstat_"), ":")
		if !found {
			continue
		}
		var u usage
		for field := range strings.SplitSeq(values, ",") {
			key, value, _ := strings.Cut(field, "=")
			n, _ := strconv.ParseFloat(value, 64)
			switch key {
			case "calls":
				u.calls = n
			case "usec":
				u.micros = n
			}
		}
		stats[name] = u
	}
	return stats
}

// cpu is the processor time that Redis has used, in seconds. Other processes do not disturb it as they do the clock.
func (r *rig) cpu() float64 {
	r.t.Helper()
	info, err := r.rdb.Info(r.ctx(), "cpu").Result()
	if err != nil {
		r.t.Fatal(err)
	}
	total := 0.0
	for line := range strings.Lines(info) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		if name == "used_cpu_sys" || name == "used_cpu_user" {
			seconds, err := strconv.ParseFloat(value, 64)
			if err != nil {
				r.t.Fatal(err)
			}
			total += seconds
		}
	}
	return total
}

// fill makes n tickets stand in line, lent by two nodes in turn, without beats.
func (p *player) fill(n int) {
	p.t.Helper()
	for i := range n {
		node := []string{"a", "b"}[i%2]
		if _, err := p.run(node, opEnter, fmt.Sprintf("t%d", i), 0, time.Hour.Microseconds(), "", 0, 0); err != nil {
			p.t.Fatal(err)
		}
	}
}

// handOff claims and releases the present turn, which goes to the other node, and lets the ticket enter again.
func (p *player) handOff() {
	h, err := p.rdb.HMGet(context.Background(), p.key(0), "ticket", "fence", "node").Result()
	if err != nil {
		p.t.Fatal(err)
	}
	hour := time.Hour.Microseconds()
	ticket, fence, node := text(h[0]), text(h[1]), text(h[2])
	for _, step := range [][]any{
		{opHold, ticket, fence, hour, hour}, {opRelease, ticket, fence, 1}, {opEnter, ticket, 0, hour, "", 0, 0},
	} {
		if r, err := p.run(node, step[0].(operation), step[1:]...); err != nil || r.status < 1 {
			p.t.Fatal(step, r.status, err)
		}
	}
}

// costOf is what a hand-off (claim, release, enter again) costs Redis when n tickets wait: µs of its processor, and calls by command.
func costOf(p *player, n int) (float64, map[string]float64) {
	const rounds = 200
	p.fill(n)
	for range 20 {
		p.handOff()
	}
	if err := p.rdb.ConfigResetStat(p.ctx()).Err(); err != nil {
		p.t.Fatal(err)
	}
	before := p.cpu()
	for range rounds {
		p.handOff()
	}
	used := (p.cpu() - before) * 1e6 / rounds
	calls := map[string]float64{}
	for name, u := range p.commandStats() {
		calls[name] = u.calls / rounds
	}
	delete(calls, "config|resetstat")
	delete(calls, "info")
	return used, calls
}

func TestCostOfAHandOffDoesNotGrowWithTheLine(t *testing.T) {
	t.Parallel()
	r := newPrivateRig(t)
	few, fewCalls := costOf(newPlayer(r, 1, nil), 10)
	many, manyCalls := costOf(newPlayer(r, 2, nil), 10000)
	t.Logf("Redis used %.0f µs with 10 waiting, %.0f µs with 10,000; %v", few, many, fewCalls)
	for attempt := 3; many > 2*few && attempt < 6; attempt += 2 { // another process may have held the processor
		few, _ = costOf(newPlayer(r, uint64(attempt), nil), 10)
		many, _ = costOf(newPlayer(r, uint64(attempt+1), nil), 10000)
	}
	if many > 2*few {
		t.Errorf("%.0f µs with 10,000 waiting, %.0f µs with 10", many, few)
	}
	for name, n := range manyCalls {
		if d := n - fewCalls[name]; d > 0.05 || d < -0.05 {
			t.Errorf("%s is called %.2f times with 10,000 waiting, %.2f times with 10", name, n, fewCalls[name])
		}
	}
	for _, linear := range []string{"hgetall", "hvals", "hkeys", "keys", "smembers", "zunionstore", "scan"} {
		if manyCalls[linear] > 0 {
			t.Errorf("%s on the path of a hand-off", linear)
		}
	}
}

func TestCostNoticesALinearOperation(t *testing.T) {
	t.Parallel()
	r := newPrivateRig(t)
	linear := func(c *Client) {
		mutate(t, c, opRelease, "promote()\nreturn", "for _ = 1, 5 do call('ZRANGE', waiting, 0, -1) end\npromote()\nreturn")
	}
	few, _ := costOf(newPlayer(r, 1, linear), 10)
	if many, _ := costOf(newPlayer(r, 2, linear), 4000); many <= 2*few {
		t.Errorf("%.0f µs with 4,000 waiting, %.0f µs with 10: the control shows nothing", many, few)
	}
}

func TestWaitingCostsOneCallABeat(t *testing.T) {
	t.Parallel()
	r := newPrivateRig(t)
	const waiters = 1200 // three calls a beat
	c := r.node("a", func(cfg *Config) { cfg.Beat, cfg.TTL, cfg.Lease = 400*time.Millisecond, 8*time.Second, 30*time.Second })
	r.enter(c, "first")
	turn := r.next(c)
	fillLine(r, waiters, c)
	eventually(t, 5*time.Second, "the lease is renewed once", func() bool {
		turn.mu.Lock()
		defer turn.mu.Unlock()
		return time.Until(turn.deadline) > brisk.ClaimWindow
	})
	if err := r.rdb.ConfigResetStat(r.ctx()).Err(); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	eventually(t, 10*time.Second, "five beats pass", func() bool { return time.Since(begun) > 5*400*time.Millisecond })
	calls := r.commandStats()["evalsha"].calls
	beats := time.Since(begun).Seconds()/0.4 + 1
	if calls > 3*beats+2 || calls < 6 {
		t.Errorf("%.0f calls in %.1f beats of %d waiting tickets, want 3 a beat", calls, beats, waiters)
	}
}

// fillLine enters n tickets, about 200 at one node, then as many at the next.
func fillLine(r *rig, n int, nodes ...*Client) {
	r.t.Helper()
	var next atomic.Int64
	var all sync.WaitGroup
	for range 32 {
		all.Go(func() {
			for i := int(next.Add(1)); i <= n; i = int(next.Add(1)) {
				in := Entry{Ticket: fmt.Sprintf("t%d", i)}
				if _, err := nodes[i/200%len(nodes)].Line(r.name).Enter(context.Background(), in); err != nil {
					r.t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

func TestTenThousandWaitersAreAllServedInOrder(t *testing.T) {
	t.Parallel()
	r := newPrivateRig(t)
	const n = 10000
	long := func(cfg *Config) {
		cfg.TTL, cfg.Beat, cfg.Lease, cfg.ClaimWindow = 20*time.Second, time.Second, 20*time.Second, 10*time.Second
	}
	a, b := r.node("a", long), r.node("b", long)
	place := r.enter(a, "first")
	fillLine(r, n, a, b)
	arrivals := make(chan int64, n+1)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Second)
	defer cancel()
	var serving sync.WaitGroup
	for _, c := range []*Client{a, b} {
		serving.Go(func() { serveRuns(ctx, t, c.Line(r.name), arrivals) })
	}
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
	cancel()
	serving.Wait()
}

// serveRuns serves turns with up to 64 tickets each and reports the arrival numbers.
func serveRuns(ctx context.Context, t *testing.T, line *Line, arrivals chan<- int64) {
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
