package locks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

func TestTicketsOfAKilledNodeAreAdoptedInTheirPlace(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	a, b := r.node("a", nil), r.node("b", nil)
	r.enter(b, "t1")
	turn := r.next(b)
	before := r.enter(a, "t2")
	r.enter(b, "t3")
	r.kill(a)
	after := r.enter(b, "t2")
	if after.Arrival != before.Arrival || after.Position != before.Position {
		t.Fatalf("adopted at %+v, stood at %+v", after, before)
	}
	r.release(turn, 1)
	if next := r.next(b); next.Ticket() != "t2" {
		t.Fatalf("next is %s, want t2", next.Ticket())
	}
}

func TestAdoptionTellsTheNodeBefore(t *testing.T) {
	t.Parallel()
	for name, deaf := range map[string]bool{"by message": false, "by beat": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			j := newJournal()
			a, b := r.node("a", j.keep), r.node("b", nil)
			if deaf {
				deafen(t, b)
			}
			r.enter(a, "t1")
			r.enter(a, "t2")
			r.enter(b, "t2")
			eventually(t, 5*time.Second, "a knows that b lends t2", func() bool {
				return j.departures()["t2"] == Departure{Cause: Adopted}
			})
			if place := r.enter(a, "t2"); place.Position != 1 || place.Granted {
				t.Fatalf("back at a: %+v", place)
			}
		})
	}
}

func TestATurnThatGoesOnElsewhere(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := newJournal()
	a, b := r.node("a", nil), r.node("b", j.keep)
	first := r.enter(a, "t1")
	turn := r.next(a)
	again := r.enter(b, "t1")
	if !again.Granted || again.Fence != first.Fence {
		t.Fatalf("%+v, want the fence of %+v", again, first)
	}
	brief, cancel := context.WithTimeout(r.ctx(), 2*brisk.Beat)
	defer cancel()
	if _, err := b.Line(r.name).Next(brief); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("two nodes have the same turn: %v", err)
	}
	r.release(turn, 1)
	eventually(t, 5*time.Second, "b knows that t1 was served", func() bool {
		return j.departures()["t1"] == Departure{Cause: Served}
	})
}

func TestATicketHeldByADeadNodeStandsAgainWhereItWasAdopted(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	a, b := r.node("a", nil), r.node("b", nil)
	first := r.enter(a, "t1")
	r.enter(b, "t2")
	r.kill(a)
	if place := r.enter(b, "t1"); !place.Granted {
		t.Fatalf("%+v", place)
	}
	next := r.next(b)
	if next.Ticket() != "t1" || next.Arrival() != first.Arrival || next.Fence() <= first.Fence {
		t.Fatalf("%s has the turn, arrival %d, fence %d; want t1 again, %+v", next.Ticket(), next.Arrival(), next.Fence(), first)
	}
}

func TestLiveWaitersAreNeverDropped(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := newJournal()
	a, b := r.node("a", j.keep), r.node("b", j.keep)
	r.enter(a, "t0")
	turn := r.next(a)
	var want []string
	for i := range 20 {
		ticket := fmt.Sprintf("t%d", i+1)
		r.enter([]*Client{a, b}[i%2], ticket)
		want = append(want, ticket)
	}
	begun := time.Now()
	eventually(t, 10*time.Second, "two lives pass", func() bool {
		if order := order(r.progress(a)); !slices.Equal(order, want) {
			t.Fatalf("after %s %v wait, want %v", time.Since(begun), order, want)
		}
		return time.Since(begun) > 2*brisk.TTL
	})
	r.release(turn, 1)
	if n := j.event(DeadReaped); n != 0 || len(j.departures()) != 0 {
		t.Errorf("%d reaped, departed %v", n, j.departures())
	}
}

func TestManyDeadHeadsCostOneLifeTogether(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := newJournal()
	a, b := r.node("a", nil), r.node("b", j.keep)
	r.enter(b, "t0")
	turn := r.next(b)
	for i := range 150 { // more than one reap takes
		r.enter(a, fmt.Sprintf("dead%d", i))
	}
	r.enter(b, "live")
	r.kill(a)
	killed := time.Now()
	r.release(turn, 1) // to a dead head; nobody knows yet
	next := r.next(b)
	took := time.Since(killed)
	if limit := brisk.TTL + brisk.ClaimWindow + 2*brisk.Beat; next.Ticket() != "live" || took > limit+time.Second {
		t.Errorf("%s has the turn after %s, want live within %s", next.Ticket(), took, limit)
	}
	if n := j.event(DeadReaped); n < 145 || n > 150 {
		t.Errorf("%d dead reaped of 150, of which some may have got a turn they did not claim", n)
	}
}

func TestPromotionPassesOverDeadHeads(t *testing.T) {
	t.Parallel()
	promoted := func(edit func(*Client)) string {
		p := newPlayer(newRig(t), 1, edit)
		mustRun(t, p, "enter", "holder")
		for i := range 300 { // a reap takes 100
			dead := fmt.Sprintf("dead%d", i)
			p.rdb.ZAdd(p.ctx(), p.key(2), z(float64(i), dead))
			p.rdb.ZAdd(p.ctx(), p.key(5), z(1, dead))
			p.rdb.HSet(p.ctx(), p.key(6), dead, "a")
		}
		mustRun(t, p, "enter", "live")
		p.rdb.HSet(p.ctx(), p.key(0), "end", 1)
		mustRun(t, p, "leave", "nobody")
		return p.rdb.HGet(p.ctx(), p.key(0), "ticket").Val()
	}
	if ticket := promoted(nil); ticket != "live" {
		t.Errorf("%s has the turn, want live", ticket)
	}
	blind := func(c *Client) {
		mutate(t, c, "leave", "if tonumber(call('ZSCORE', alive, head[1]) or 0) > now then", "if true then")
	}
	if ticket := promoted(blind); ticket == "live" {
		t.Error("the control shows nothing: without the look at its life no dead head was promoted")
	}
}

// mustRun sends an operation of node a on a ticket.
func z(score float64, member string) redis.Z { return redis.Z{Score: score, Member: member} }

func mustRun(t *testing.T, p *player, op operation, ticket string) {
	t.Helper()
	if _, err := p.run("a", op, ticket, 0, time.Hour.Microseconds(), "", 0, 0); err != nil {
		t.Fatal(err)
	}
}

// crash kills node a when prepare has run, and returns how long it took until b's ticket had the turn.
func crash(t *testing.T, prepare func(r *rig, a, b *Client)) time.Duration {
	t.Helper()
	r := newRig(t)
	a, b := r.node("a", nil), r.node("b", nil)
	prepare(r, a, b)
	r.kill(a)
	killed := time.Now()
	next := r.next(b)
	if next.Ticket() != "live" {
		t.Errorf("%s has the turn, want live", next.Ticket())
	}
	return time.Since(killed)
}

func TestCrashes(t *testing.T) {
	t.Parallel()
	t.Run("holder", func(t *testing.T) {
		t.Parallel()
		took := crash(t, func(r *rig, a, b *Client) {
			r.enter(a, "t1")
			turn := r.next(a)
			r.enter(b, "live")
			eventually(t, 5*time.Second, "the lease is renewed", func() bool {
				turn.mu.Lock()
				defer turn.mu.Unlock()
				return time.Until(turn.deadline) > brisk.ClaimWindow
			})
		})
		if took > brisk.Lease+slack {
			t.Errorf("replaced after %s, want %s", took, brisk.Lease)
		}
	})
	t.Run("head", func(t *testing.T) {
		t.Parallel()
		took := crash(t, func(r *rig, a, b *Client) {
			r.enter(b, "t1")
			turn := r.next(b)
			r.enter(a, "t2")
			r.enter(b, "live")
			r.kill(a)
			eventually(t, 5*time.Second, "the dead head is out of the line", func() bool { return r.progress(b).Count == 1 })
			r.release(turn, 1)
		})
		if took > slack {
			t.Errorf("passed over after %s, want at once", took)
		}
	})
	t.Run("grantee before it claims", func(t *testing.T) {
		t.Parallel()
		took := crash(t, func(r *rig, a, b *Client) {
			r.enter(b, "t1")
			turn := r.next(b)
			r.enter(a, "t2")
			r.enter(b, "live")
			r.kill(a)
			r.release(turn, 1)
		})
		if took > brisk.ClaimWindow+slack {
			t.Errorf("passed over after %s, want %s", took, brisk.ClaimWindow)
		}
	})
}
