package locks

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/dbtest"
)

// usage is what Redis counted of a command.
type usage struct{ calls, micros float64 }

// commandStats reads INFO commandstats.
func (h *harness) commandStats() map[string]usage {
	h.t.Helper()
	info, err := h.rdb.Info(h.ctx(), "commandstats").Result()
	if err != nil {
		h.t.Fatal(err)
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
func (h *harness) cpu() float64 {
	h.t.Helper()
	info, err := h.rdb.Info(h.ctx(), "cpu").Result()
	if err != nil {
		h.t.Fatal(err)
	}
	total := 0.0
	for line := range strings.Lines(info) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		if name == "used_cpu_sys" || name == "used_cpu_user" {
			seconds, err := strconv.ParseFloat(value, 64)
			if err != nil {
				h.t.Fatal(err)
			}
			total += seconds
		}
	}
	return total
}

// fill makes n tickets wait in line, owned by two nodes in turn, without beats: the first by entering, the others by
// what that leaves behind.
func (p *operator) fill(n int) {
	p.t.Helper()
	var first int64
	for i := range 10 {
		r, err := p.run([]string{"a", "b"}[i%2], opEnter, 0, fmt.Sprintf("t%d", i), 0, "", "")
		if err != nil {
			p.t.Fatal(err)
		}
		first = integer(r.list(0)[1])
	}
	ctx, pipe, k := p.ctx(), p.rdb.Pipeline(), lineKeys(p.prefix, p.name)
	for i := 10; i < n; i++ {
		ticket := fmt.Sprintf("t%d", i)
		pipe.ZAdd(ctx, k.waiting(), redis.Z{Score: float64(first + int64(i)), Member: ticket})
		pipe.HSet(ctx, k.tickets(), ticket, []string{"a", "b"}[i%2]+workSeparator)
	}
	if _, err := pipe.Exec(ctx); err != nil {
		p.t.Fatal(err)
	}
}

// handOff claims and releases the present turn, which goes to the other node, and lets the ticket enter again.
func (p *operator) handOff() {
	h, err := p.rdb.HMGet(context.Background(), lineKeys(p.prefix, p.name).record(), "ticket", "fence", "node").Result()
	if err != nil {
		p.t.Fatal(err)
	}
	hour := time.Hour.Microseconds()
	ticket, fence, node := text(h[0]), text(h[1]), text(h[2])
	for _, step := range [][]any{
		{opHold, ticket, fence, hour, hour}, {opRelease, ticket, fence, 1, 0}, {opEnter, 0, ticket, 0, "", ""},
	} {
		if r, err := p.run(node, step[0].(operation), step[1:]...); err != nil || r.status < 1 {
			p.t.Fatal(step, r.status, err)
		}
	}
}

// costOf is what a hand-off (claim, release, enter again) costs Redis when n tickets wait: µs of its processor, and
// calls by command.
func costOf(p *operator, n int) (float64, map[string]float64) {
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

func TestI13_TheCostOfAHandOffDoesNotGrowWithTheLine(t *testing.T) {
	testWithGuards(t, costs(10000))
	linear := func(t testing.TB, edit func(*Client)) {
		costs(3000)(t, func(c *Client) {
			mutate(t, c, opRelease, "promote()\nreturn",
				"for _ = 1, 10 do call('ZRANGE', waiting, 0, -1) end\npromote()\nreturn")
		})
	}
	testWithout(t, "a release that looks at the head alone", linear, func(*Client) {})
}

// costs compares what hand-offs cost with ten waiting and with many.
func costs(lines int) testBody {
	return func(t testing.TB, edit func(*Client)) {
		h := newPrivateHarness(t)
		few, fewCalls := costOf(newOperator(h, 1, edit), 10)
		many, manyCalls := costOf(newOperator(h, 2, edit), lines)
		wanted := failureWanted(t)
		// another process may have disturbed
		for attempt := uint64(3); many > 2*few && attempt < 7 && !wanted; attempt += 2 {
			few, _ = costOf(newOperator(h, attempt, edit), 10)
			many, _ = costOf(newOperator(h, attempt+1, edit), lines)
		}
		t.Logf("Redis used %.0f µs with 10 waiting, %.0f µs with %d; %v", few, many, lines, fewCalls)
		if many > 2*few {
			t.Errorf("%.0f µs with %d waiting, %.0f µs with 10", many, lines, few)
		}
		for name, n := range manyCalls {
			if d := n - fewCalls[name]; d > 0.05 || d < -0.05 {
				t.Errorf("%s is called %.2f times with %d waiting, %.2f times with 10", name, n, lines, fewCalls[name])
			}
		}
		for _, linear := range []string{"hgetall", "hvals", "hkeys", "keys", "smembers", "zunionstore", "scan"} {
			if manyCalls[linear] > 0 {
				t.Errorf("%s on the path of a hand-off", linear)
			}
		}
	}
}

func TestI17_WaitingCostsACallABeat(t *testing.T) {
	testWithGuards(t, waitingCalls,
		guard{"the look at the turn's end alone", opBeat,
			"then wake = math.max(wake, till - now) end",
			"then wake = 0 end",
		},
		guard{"the single news that a joint head is first", "",
			"if r.ready ~= head.ticket or",
			"if true or",
		},
	)
}

// waitingCalls counts the calls while a crowd waits, and while a joint ticket waits at the head of a free line.
func waitingCalls(t testing.TB, edit func(*Client)) {
	h := newPrivateHarness(t)
	const waiters = 1200 // three calls a beat
	const beat = 400 * time.Millisecond
	slow := func(cfg *Config) { cfg.Beat, cfg.TTL, cfg.Lease = beat, 8*time.Second, 30*time.Second }
	c, joint := h.node("a", slow), h.node("b", slow)
	edit(c)
	edit(joint)
	turn := h.turnOf(c, "first")
	both := joint.Joint(h.name.Partition, h.name.Key, "free")
	if place, err := both.Enter(h.ctx(), Entry{Ticket: "both"}); err != nil || place.Position != 1 {
		t.Fatalf("%+v, %v", place, err)
	}
	if place, err := c.Line(Name{h.name.Partition, "free"}).Enter(h.ctx(), Entry{Ticket: "behind"}); err != nil ||
		place.Position != 2 {
		t.Fatalf("%+v, %v", place, err)
	}
	fillLine(h, waiters, c)
	eventually(t, "the lease is renewed once", func() bool {
		turn.mu.Lock()
		defer turn.mu.Unlock()
		return time.Until(turn.deadline) > testTimes.ClaimWindow
	})
	dbtest.Must(t, h.rdb.ConfigResetStat(h.ctx()).Err())
	begun := time.Now()
	eventually(t, "six beats pass", func() bool { return time.Since(begun) > 6*beat })
	stats := h.commandStats()
	calls, beats := stats["evalsha"].calls, time.Since(begun).Seconds()/beat.Seconds()+1
	if limit := 5*beats + 2; calls > limit || calls < 12 { // three and one at a, one at b
		t.Errorf("%.0f calls in %.1f beats of %d waiting tickets and a joint one, want %.0f", calls, beats, waiters,
			limit)
	}
	if sent := stats["publish"].calls; sent > 0 {
		t.Errorf("%.0f messages while nothing happened", sent)
	}
}
