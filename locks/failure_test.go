package locks

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

// flushed queues t1 to t5 at two nodes behind a turn, loses all data of Redis, enters a newcomer at once, and returns the
// order in which all are served then.
func flushed(t *testing.T, edit func(*Client)) (served []string) {
	r := newPrivateRig(t)
	a, b := r.node("a", nil), r.node("b", nil)
	edit(a)
	edit(b)
	fence := r.enter(a, "t0").Fence
	lost := r.next(a)
	last := int64(0)
	for i := range 5 {
		last = r.enter([]*Client{a, b}[i%2], fmt.Sprintf("t%d", i+1)).Arrival
	}
	if err := r.rdb.FlushAll(r.ctx()).Err(); err != nil {
		t.Fatal(err)
	}
	if newcomer := r.enter(a, "new"); newcomer.Arrival <= last {
		t.Errorf("a newcomer drew %d after %d", newcomer.Arrival, last)
	}
	for range 6 {
		turn := r.nextOf(a, b)
		if turn.Fence() <= fence {
			t.Errorf("fence %d after %d", turn.Fence(), fence)
		}
		fence = turn.Fence()
		served = append(served, turn.Ticket())
		r.release(turn, 1)
	}
	within(t, 5*time.Second, lost.Context())
	if err := lost.Release(r.ctx(), 1); !errors.Is(err, ErrStale) {
		t.Errorf("release of the lost turn: %v", err)
	}
	return served
}

func TestOrderAndFencesSurviveTheLossOfAllData(t *testing.T) {
	t.Parallel()
	want := []string{"t1", "t2", "t3", "t4", "t5", "new"}
	if got := flushed(t, func(*Client) {}); !slices.Equal(got, want) {
		t.Errorf("served %v, want %v", got, want)
	}
	hasty := func(c *Client) {
		mutate(t, c, opEnter, "if till > now then call('HSET', record, 'until', whole(till)) end", "")
	}
	if got := flushed(t, hasty); slices.Equal(got, want) {
		t.Error("the control shows nothing: without the wait for older tickets the order was kept")
	}
}

func TestNumbersRiseAboveThoseThatCallersBring(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.node("a", nil)
	ahead := time.Now().Add(10 * time.Minute).UnixMicro() // drawn before Redis' clock was set back
	first, err := c.Line(r.name).Enter(r.ctx(), Entry{Ticket: "t1", Arrival: ahead})
	if err != nil || first.Arrival != ahead || first.Fence <= ahead {
		t.Fatalf("%+v, %v, want arrival %d and a higher fence", first, err, ahead)
	}
	if second := r.enter(c, "t2"); second.Arrival <= first.Fence || second.Arrival >= 1<<53 {
		t.Fatalf("t2 drew %d after %d", second.Arrival, first.Fence)
	}
}

// drawn returns arrival numbers and fences that are drawn while the counter is lost again and again.
func drawn(t *testing.T, edit func(*Client)) []int64 {
	r := newRig(t)
	c := r.node("a", nil)
	edit(c)
	var numbers []int64
	for i := range 10 {
		place := r.enter(c, fmt.Sprintf("t%d", i))
		numbers = append(numbers, place.Arrival, place.Fence)
		r.release(r.next(c), 1)
		if err := r.rdb.Del(r.ctx(), lineKeys(r.prefix, r.name).names[8]).Err(); err != nil {
			t.Fatal(err)
		}
	}
	return numbers
}

func TestTheCountersLossIsMadeUpByTheClock(t *testing.T) {
	t.Parallel()
	numbers := drawn(t, func(*Client) {})
	if !slices.IsSorted(numbers) || len(slices.Compact(slices.Clone(numbers))) != len(numbers) {
		t.Errorf("drew %v, want rising numbers", numbers)
	}
	clockless := func(c *Client) {
		mutateAll(t, c, "whole(math.max((call('GET', counter) or 0) + 1, now))", "whole((call('GET', counter) or 0) + 1)")
	}
	if numbers := drawn(t, clockless); slices.IsSorted(numbers) {
		t.Errorf("drew %v: the control shows nothing", numbers)
	}
}

func TestPlacesOutliveARestartOfRedis(t *testing.T) {
	t.Parallel()
	server := dbtest.PrivateDurableRedis(t)
	r := newRigAt(t, server.URL)
	patient := func(cfg *Config) {
		cfg.TTL, cfg.Lease, cfg.ClaimWindow = 15*time.Second, 15*time.Second, 15*time.Second
	}
	a, b := r.node("a", patient), r.node("b", patient)
	r.enter(a, "t0")
	turn := r.next(a)
	var want []string
	for i := range 6 {
		ticket := fmt.Sprintf("t%d", i+1)
		want = append(want, ticket)
		r.enter([]*Client{a, b}[i%2], ticket)
	}
	eventually(t, 10*time.Second, "Redis has written what it was told", func() bool {
		info := r.rdb.Info(r.ctx(), "persistence").Val()
		return strings.Contains(info, "aof_buffer_length:0\r\n") && strings.Contains(info, "aof_pending_bio_fsync:0\r\n")
	})
	server.Kill()
	if err := server.Revive(r.ctx()); err != nil {
		t.Fatal(err)
	}
	eventually(t, 10*time.Second, "Redis answers", func() bool { return r.rdb.Ping(r.ctx()).Err() == nil })
	if p := r.progress(a); !p.Holder || !slices.Equal(order(p), want) {
		t.Fatalf("after the restart: %+v, want %v", p, want)
	}
	r.release(turn, 1)
	if got := serveAll(r, len(want), a, b); !slices.Equal(got, want) {
		t.Errorf("served %v, want %v", got, want)
	}
}

func TestRedisThatIsAwayForAWhileKeepsThePlaces(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	wire := &cable{}
	patient := func(cfg *Config) { cfg.TTL = 10 * time.Second }
	c, away := r.node("a", patient), r.nodeOn(r.connect(wire), "b", patient)
	r.enter(c, "t1")
	turn := r.next(c)
	var want []string
	for i := range 4 {
		ticket := fmt.Sprintf("t%d", i+2)
		want = append(want, ticket)
		r.enter(away, ticket)
	}
	wire.cut.Store(true)
	if _, err := away.Line(r.name).Enter(r.ctx(), Entry{Ticket: "t9"}); !errors.Is(err, errCut) {
		t.Errorf("enter while Redis is away: %v", err)
	}
	if err := away.Line(r.name).Leave(r.ctx(), "t5"); !errors.Is(err, errCut) {
		t.Errorf("leave while Redis is away: %v", err)
	}
	if _, err := away.Line(r.name).Progress(r.ctx()); !errors.Is(err, errCut) {
		t.Errorf("progress while Redis is away: %v", err)
	}
	if _, err := away.Lengths(r.ctx(), []Name{r.name}); !errors.Is(err, errCut) {
		t.Errorf("lengths while Redis is away: %v", err)
	}
	wire.cut.Store(false)
	if p := r.progress(c); !slices.Equal(order(p), want) {
		t.Fatalf("%v wait, want %v", order(p), want)
	}
	r.release(turn, 1)
	if got := serveAll(r, 4, away); !slices.Equal(got, want) {
		t.Fatalf("served %v, want %v", got, want)
	}
}

func TestAnEnterWhoseAnswerWasLostLeavesNobodyBehind(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.node("a", nil)
	r.enter(c, "t1")
	turn := r.next(c)
	d := newDesk(c.Line(r.name))
	args := d.arguments("ghost", 0, c.cfg.TTL.Microseconds(), "", 0, 0)
	if err := c.scripts[opEnter].Run(r.ctx(), r.rdb, d.keys.names, args...).Err(); err != nil {
		t.Fatal(err)
	}
	r.enter(c, "t2")
	r.release(turn, 1)
	if next := r.next(c); next.Ticket() != "t2" {
		t.Errorf("%s has the turn, want t2", next.Ticket())
	}
}
