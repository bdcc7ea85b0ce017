//go:build unix

package locks

// kill -9 of a node's process at each step. What remains of it in Redis must not hold up the living.

import (
	"fmt"
	"slices"
	"syscall"
	"testing"
	"time"
)

// replaced kills a process and waits until the ticket called live, of node b, has the turn; it may take so long.
func replaced(r *rig, dead *process, b *Client, limit time.Duration) *Turn {
	r.t.Helper()
	dead.kill()
	killed := time.Now()
	next := r.next(b)
	if took := time.Since(killed); next.Ticket() != "live" || took > limit+slack {
		r.t.Errorf("%s has the turn after %s, want live within %s", next.Ticket(), took, limit)
	}
	return next
}

func TestANodeKilledWhileItHoldsIsReplacedWithinTheLease(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	a, b := r.process("a"), r.node("b", nil)
	a.do("enter", "t1")
	a.do("next")
	r.enter(b, "live")
	eventually(t, 5*time.Second, "the lease is renewed", func() bool {
		return r.holderEnds() > brisk.ClaimWindow
	})
	replaced(r, a, b, brisk.Lease)
}

// holderEnds is how long the present turn lasts if nobody renews it.
func (r *rig) holderEnds() time.Duration {
	r.t.Helper()
	end, err := r.rdb.HGet(r.ctx(), lineKeys(r.prefix, r.name).holder(), "end").Int64()
	if err != nil {
		return 0
	}
	now, err := r.rdb.Time(r.ctx()).Result()
	if err != nil {
		r.t.Fatal(err)
	}
	return micros(end - now.UnixMicro())
}

func TestANodeKilledBetweenGrantAndClaimIsPassedOverWithinTheClaimWindow(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	a, b := r.process("a"), r.node("b", nil)
	r.enter(b, "t1")
	turn := r.next(b)
	a.do("enter", "t2")
	r.enter(b, "live")
	if err := a.cmd.Process.Signal(syscall.SIGSTOP); err != nil { // it cannot claim any more
		t.Fatal(err)
	}
	r.release(turn, 1)
	holder := r.rdb.HMGet(r.ctx(), lineKeys(r.prefix, r.name).holder(), "ticket", "claimed").Val()
	if fmt.Sprint(holder) != "[t2 0]" {
		t.Fatalf("the holder is %v, want t2, unclaimed", holder)
	}
	replaced(r, a, b, brisk.ClaimWindow)
}

func TestANodeKilledWithTheHeadOfTheLineIsPassedOverWithinALife(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	a, b := r.process("a"), r.node("b", nil)
	r.enter(b, "t1")
	turn := r.next(b)
	for i := range 5 {
		a.do("enter", fmt.Sprintf("dead%d", i))
	}
	if place := r.enter(b, "live"); place.Position != 6 {
		t.Fatalf("live stands at %d", place.Position)
	}
	a.kill()
	killed := time.Now()
	eventually(t, 10*time.Second, "the dead are out of the line", func() bool { return r.progress(b).Positions["live"] == 1 })
	if took := time.Since(killed); took > brisk.TTL+2*brisk.Beat+slack {
		t.Errorf("the dead stood in line for %s, want %s", took, brisk.TTL)
	}
	r.release(turn, 1)
	replaced(r, a, b, 0)
}

// orphanedRun lets a process take b's ticket live along and kills it; it returns who has b's next two turns.
func orphanedRun(t *testing.T, edit func(*Client)) (served []string) {
	r := newRig(t)
	a, b := r.process("a"), r.node("b", nil)
	edit(b)
	a.do("enter", "t1")
	a.do("next")
	a.do("enter", "t2")
	entered, err := b.Line(r.name).Enter(r.ctx(), Entry{Ticket: "live", Work: "work"})
	if err != nil {
		t.Fatal(err)
	}
	if took := a.do("take", 5); took != "t2 live" {
		t.Fatalf("took %q, want t2 and live", took)
	}
	r.enter(b, "later")
	a.kill()
	killed := time.Now()
	for range 2 {
		turn := r.next(b)
		if turn.Ticket() == "live" && turn.Arrival() != entered.Arrival {
			t.Errorf("live came back with %d, entered with %d", turn.Arrival(), entered.Arrival)
		}
		served = append(served, turn.Ticket())
		r.release(turn, 1)
		if limit := max(brisk.Lease, brisk.TTL) + brisk.ClaimWindow; time.Since(killed) > limit+slack {
			t.Errorf("after %s %v were served, want both within %s", time.Since(killed), served, limit)
		}
		if turn.Ticket() == "later" {
			break
		}
	}
	return served
}

func TestANodeKilledWhileItServesARunGivesTheTakenTicketsTheirPlacesBack(t *testing.T) {
	t.Parallel()
	if served := orphanedRun(t, func(*Client) {}); !slices.Equal(served, []string{"live", "later"}) {
		t.Errorf("served %v, want live and later", served)
	}
	forget := func(c *Client) {
		mutateAll(t, c, "for i = 1, #run, 2 do call('ZADD', waiting, run[i + 1], run[i]) end", "")
	}
	if served := orphanedRun(t, forget); slices.Contains(served, "live") {
		t.Errorf("served %v: the control shows nothing", served)
	}
}

func TestNodesKilledInTheMiddleOfTrafficHoldNobodyUpForLong(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	b := r.node("b", nil)
	limit := brisk.Lease + brisk.ClaimWindow + slack // a holder dies, and the head that it leaves is dead too
	for round := range 4 {
		a := r.process(fmt.Sprintf("a%d", round))
		a.do("traffic")
		fence := int64(0)
		for i := range 10 + 7*round {
			begun := time.Now()
			if i == 5+7*round {
				a.kill()
			}
			turn, err := b.Line(r.name).Lock(r.ctx(), ticket())
			if err != nil {
				t.Fatal(err)
			}
			if took := time.Since(begun); took > limit {
				t.Errorf("round %d: waited %s for turn %d, want at most %s", round, took, i, limit)
			}
			if turn.Fence() <= fence {
				t.Errorf("fence %d after %d", turn.Fence(), fence)
			}
			fence = turn.Fence()
			r.release(turn, 1)
		}
	}
	eventually(t, 5*time.Second, "nothing is left of the dead", func() bool {
		p := r.progress(b)
		return !p.Holder && p.Count == 0
	})
}
