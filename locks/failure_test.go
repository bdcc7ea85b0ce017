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

func TestOrderAndFencesSurviveTheLossOfAllData(t *testing.T) {
	t.Parallel()
	r := newPrivateRig(t)
	j := newJournal()
	c := r.node("a", j.keep)
	holder := r.enter(c, "t0")
	lost := r.next(c)
	places := make([]Place, 5)
	for i := range places {
		places[i] = r.enter(c, fmt.Sprintf("t%d", i+1))
	}
	if err := r.rdb.FlushAll(r.ctx()).Err(); err != nil {
		t.Fatal(err)
	}
	within(t, 5*time.Second, lost.Context())
	eventually(t, 5*time.Second, "all are told that their places are gone", func() bool { return len(j.departures()) == len(places) })
	for ticket, why := range j.departures() {
		if why.Cause != Reaped {
			t.Errorf("%s departed: %+v, want reaped", ticket, why)
		}
	}
	if err := lost.Release(r.ctx(), 1); !errors.Is(err, ErrStale) {
		t.Errorf("release of the lost turn: %v", err)
	}
	newcomer := r.enter(c, "new") // holds the line while the others come back
	turn := r.next(c)
	for _, i := range []int{3, 0, 4, 2, 1} {
		old := places[i]
		place, err := c.Line(r.name).Enter(r.ctx(), Entry{Ticket: old.Ticket, Arrival: old.Arrival})
		if err != nil || place.Arrival != old.Arrival {
			t.Fatalf("back with %d: %+v, %v", old.Arrival, place, err)
		}
	}
	fence := holder.Fence
	for i := range len(places) + 1 {
		if want := []string{"new", "t1", "t2", "t3", "t4", "t5"}[i]; turn.Ticket() != want || turn.Fence() <= fence {
			t.Fatalf("turn %d is %s's with fence %d after %d, want %s", i, turn.Ticket(), turn.Fence(), fence, want)
		}
		fence = turn.Fence()
		r.release(turn, 1)
		if i < len(places) {
			turn = r.next(c)
		}
	}
	if newcomer.Arrival <= places[4].Arrival {
		t.Errorf("a newcomer drew %d after %d", newcomer.Arrival, places[4].Arrival)
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
		if err := r.rdb.Del(r.ctx(), lineKeys(r.prefix, r.name).names[6]).Err(); err != nil {
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
	if p := r.progress(a); !p.Holder || !slices.Equal(p.Order, want) {
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
	if p := r.progress(c); !slices.Equal(p.Order, want) {
		t.Fatalf("%v wait, want %v", p.Order, want)
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
	args := d.arguments("ghost", 0, c.cfg.TTL.Microseconds())
	if err := c.scripts.enter.Run(r.ctx(), r.rdb, d.keys.names, args...).Err(); err != nil {
		t.Fatal(err)
	}
	r.enter(c, "t2")
	r.release(turn, 1)
	if next := r.next(c); next.Ticket() != "t2" {
		t.Errorf("%s has the turn, want t2", next.Ticket())
	}
}
