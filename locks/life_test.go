package locks

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// The living are never dropped.
func TestI08_TheLivingAreNeverDropped(t *testing.T) {
	testWithGuards(t, longWait, guard{
		"the life that a beat gives", opBeat, "if #refreshed > 0 then call('ZADD', alive, 'GT', unpack(refreshed)) end", "",
	})
}

// longWait lets tickets of two nodes wait for two lives.
func longWait(t testing.TB, edit func(*Client)) {
	skipIfShort(t)
	h := newHarness(t)
	j := newRecordingObserver()
	a, b := h.node("a", j.attach), h.node("b", j.attach)
	edit(a)
	edit(b)
	turn := h.turnOf(a, "first")
	want := h.enterInTurn(20, a, b)
	begun := time.Now()
	eventually(t, 10*time.Second, "two lives pass", func() bool {
		if order := order(h.progress(a)); !slices.Equal(order, want) {
			t.Fatalf("after %s %v wait, want %v", time.Since(begun), order, want)
		}
		return time.Since(begun) > 2*testTimes.TTL
	})
	h.release(turn, 1)
	if n := j.event(DeadReaped); n != 0 || len(j.departures()) != 0 {
		t.Errorf("%d reaped, departed %v", n, j.departures())
	}
}

// Many dead heads cost one life together.
func TestI08_ManyDeadHeadsCostOneLifeTogether(t *testing.T) {
	testWithGuards(t, manyDead,
		removalOfDead,
		guard{"the end of a life", opEnter, "format_int(now + ARGV[10])", "format_int(now + 3600000000)"},
	)
}

// manyDead kills a node whose tickets are the heads of the line.
func manyDead(t testing.TB, edit func(*Client)) {
	h := newHarness(t)
	j := newRecordingObserver()
	a, b := h.node("a", nil), h.node("b", j.attach)
	edit(a)
	edit(b)
	turn := h.turnOf(b, "t0")
	for i := range 150 { // more than one reap takes
		h.enter(a, fmt.Sprintf("dead%d", i))
	}
	h.enter(b, "live")
	h.kill(a)
	killed := time.Now()
	h.release(turn, 1) // to a dead head; nobody knows yet
	next := h.next(b)
	took := time.Since(killed)
	if limit := testTimes.TTL + testTimes.ClaimWindow + 2*testTimes.Beat; next.Ticket() != "live" || took > limit+slack {
		t.Errorf("%s has the turn after %s, want live within %s", next.Ticket(), took, limit)
	}
	if n := j.event(DeadReaped); n < 145 || n > 150 {
		t.Errorf("%d dead reaped of 150, of which some may have got a turn they did not claim", n)
	}
}

// Promotion passes over dead heads.
func TestI08_PromotionPassesOverDeadHeads(t *testing.T) {
	testWithGuards(t, deadHeads, guard{
		"the look at a head's life", opLeave, "if tonumber(call('ZSCORE', alive, head[1]) or 0) > now then", "if true then",
	})
}

// deadHeads promotes a ticket behind more dead ones than a reap takes.
func deadHeads(t testing.TB, edit func(*Client)) {
	p := newOperator(newHarness(t), 1, edit)
	enter := func(ticket string) {
		if _, err := p.run("a", opEnter, ticket, 0, time.Hour.Microseconds(), "", 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	enter("holder")
	for i := range 300 {
		dead := fmt.Sprintf("dead%d", i)
		p.rdb.ZAdd(p.ctx(), p.key(2), redis.Z{Score: float64(i), Member: dead})
		p.rdb.ZAdd(p.ctx(), p.key(5), redis.Z{Score: 1, Member: dead})
		p.rdb.HSet(p.ctx(), p.key(6), dead, "a")
	}
	enter("live")
	p.rdb.HSet(p.ctx(), p.key(0), "end", 1)
	if _, err := p.run("a", opLeave, "nobody"); err != nil {
		t.Fatal(err)
	}
	if ticket := p.rdb.HGet(p.ctx(), p.key(0), "ticket").Val(); ticket != "live" {
		t.Errorf("%s has the turn, want live", ticket)
	}
}
