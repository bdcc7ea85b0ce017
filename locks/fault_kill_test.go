//go:build unix

package locks

// kill -9 of a node's process at each step. What remains of it in Redis must not hold up the living.

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

// replaced kills a process and waits until the ticket called live, of node b, has the turn; it may take so long.
func replaced(h *harness, dead *process, b *Client, limit time.Duration) *Turn {
	h.t.Helper()
	dead.kill()
	killed := time.Now()
	next := h.next(b)
	if took := time.Since(killed); next.Ticket() != "live" || took > limit+slack {
		h.t.Errorf("%s has the turn after %s, want live within %s", next.Ticket(), took, limit)
	}
	return next
}

func TestI15_AKilledHolderIsReplacedWithinTheLease(t *testing.T) {
	testWithGuards(t, killedHolder,
		lookAtLease)
}

func killedHolder(t testing.TB, edit func(*Client)) {
	h, a, b := newProcessAndNode(t, edit)
	a.do("enter", "t1")
	a.do("next")
	h.enter(b, "live")
	eventually(t, "the lease is renewed", func() bool { return h.holderEnds() > testTimes.ClaimWindow })
	replaced(h, a, b, testTimes.Lease)
}

// holderEnds is how long the present turn lasts if nobody renews it.
func (h *harness) holderEnds() time.Duration {
	h.t.Helper()
	end, err := h.rdb.HGet(h.ctx(), lineKeys(h.prefix, h.name).record(), "end").Int64()
	if err != nil {
		return 0
	}
	now, err := h.rdb.Time(h.ctx()).Result()
	if err != nil {
		h.t.Fatal(err)
	}
	return micros(end - now.UnixMicro())
}

func TestI15_AKilledGranteeIsPassedOverWithinTheClaimWindow(t *testing.T) {
	testWithGuards(t, killedGrantee,
		guard{"the claim window", "", "'end', format_int(now + claim_window)", "'end', format_int(now + 3600000000)"})
}

// killedGrantee kills a process between its grant and its claim.
func killedGrantee(t testing.TB, edit func(*Client)) {
	h, a, b := newProcessAndNode(t, edit)
	turn := h.turnOf(b, "t1")
	a.do("enter", "t2")
	h.enter(b, "live")
	if err := a.cmd.Process.Signal(syscall.SIGSTOP); err != nil { // it cannot claim any more
		t.Fatal(err)
	}
	h.release(turn, 1)
	holder := h.rdb.HMGet(h.ctx(), lineKeys(h.prefix, h.name).record(), "ticket", "node").Val()
	if fmt.Sprint(holder) != "[t2 a]" {
		t.Fatalf("the holder is %v, want t2 of a", holder)
	}
	replaced(h, a, b, testTimes.ClaimWindow)
}

func TestI15_KilledHeadsArePassedOverWithinALife(t *testing.T) {
	testWithGuards(t, killedHeads,
		lossOfTheDead)
}

func killedHeads(t testing.TB, edit func(*Client)) {
	h, a, b := newProcessAndNode(t, edit)
	turn := h.turnOf(b, "t1")
	for i := range 5 {
		a.do("enter", fmt.Sprintf("dead%d", i))
	}
	if place := h.enter(b, "live"); place.Position != 6 {
		t.Fatalf("live stands at %d", place.Position)
	}
	a.kill()
	killed := time.Now()
	eventually(t, "a life passes", func() bool { return time.Since(killed) > testTimes.TTL })
	h.release(turn, 1)
	replaced(h, a, b, 0)
}

func TestI15_TicketsTakenAlongByAKilledHolderHaveTheirPlacesBack(t *testing.T) {
	testWithGuards(t, orphanedRun, returnOfTaken)
}

// orphanedRun kills a process that has taken b's ticket along.
func orphanedRun(t testing.TB, edit func(*Client)) {
	h, a, b := newProcessAndNode(t, edit)
	a.do("enter", "t1")
	a.do("next")
	a.do("enter", "t2")
	entered, err := b.Line(h.name).Enter(h.ctx(), Entry{Ticket: "live", Work: "work"})
	dbtest.Must(t, err)
	if took := a.do("take", 5); took != "t2 live" {
		t.Fatalf("took %q, want t2 and live", took)
	}
	h.enter(b, "later")
	turn := replaced(h, a, b, max(testTimes.Lease, testTimes.TTL)+testTimes.ClaimWindow)
	if turn.Arrival() != entered.Arrival {
		t.Errorf("live came back with %d, entered with %d", turn.Arrival(), entered.Arrival)
	}
	h.release(turn, 1)
	h.nextIs(b, "later")
}

func TestI15_NodesKilledInTheMiddleOfTrafficHoldNobodyUpForLong(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h := newHarness(t)
		b := h.node("b", nil)
		// a holder dies, and the head that it leaves is dead too
		limit := testTimes.Lease + testTimes.ClaimWindow + slack
		for round := range 3 {
			a := h.process(fmt.Sprintf("a%d", round))
			a.do("traffic")
			fence := int64(0)
			for i := range 10 + 7*round {
				begun := time.Now()
				if i == 5+7*round {
					a.kill()
				}
				turn, err := b.Line(h.name).Lock(h.ctx(), ticket())
				dbtest.Must(t, err)
				if took := time.Since(begun); took > limit {
					t.Errorf("round %d: waited %s for turn %d, want at most %s", round, took, i, limit)
				}
				if turn.Fence() <= fence {
					t.Errorf("fence %d after %d", turn.Fence(), fence)
				}
				fence = turn.Fence()
				h.release(turn, 1)
			}
		}
		eventually(t, "nothing is left of the dead", func() bool {
			p := h.progress(b)
			return !p.Holder && p.Count == 0
		})
	})
}
