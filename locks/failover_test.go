package locks

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"lunchgo/db/dbtest"
	"lunchgo/db/embedded"
	"lunchgo/locks/internal/memory"
)

// Redis that answers another partition is slow, not away, however long a call of this one has waited. The control has
// not heard of it either.
func TestFallback_RedisThatAnswersOthersIsNotAway(t *testing.T) {
	h := newHarness(t)
	c := h.fallbackNode("a", nil, func(cfg *Config) { cfg.Beat = time.Minute })
	h.enter(c, "t1")
	c.mu.Lock()
	p := c.partition("another")
	c.mu.Unlock()
	long := c.clock().Add(-2 * c.cfg.Beat)
	p.silentSince = long
	if p.isAway(long, long, context.DeadlineExceeded) {
		t.Error("Redis counts as away that has just answered")
	}
	p.clock, p.silentSince = &memory.Clock{}, long
	if !p.isAway(long, long, context.DeadlineExceeded) {
		t.Error("Redis does not count as away that nobody has heard of")
	}
}

func TestFallback_ServesWhileRedisIsDeadAndReturnsInOrder(t *testing.T) {
	t.Run("data lost", func(t *testing.T) { testWithGuards(t, deadAndBack(dbtest.PrivateRedis)) })
	t.Run("data kept", func(t *testing.T) {
		test := deadAndBack(dbtest.PrivateDurableRedis)
		testWithGuards(t, test, guard{"the wait for other nodes' tickets", opRejoin,
			"if alone and not r.ticket then",
			"if false then",
		})
		testWithout(t, "patience", test, func(c *Client) { c.patience = 0 })
	})
}

// deadAndBack lets two nodes serve by themselves while Redis is dead, each in a turn when it comes back.
func deadAndBack(start func(testing.TB) *embedded.Server) testBody {
	return func(t testing.TB, edit func(*Client)) {
		redis := start(t)
		h, j := newHarnessAt(t, redis.URL), newRecordingObserver()
		slow := func(cfg *Config) { // so that the turn of Redis lasts until a busy machine has noticed the death
			cfg.Beat, cfg.Lease = 2*testTimes.Beat, 4*testTimes.Lease
			cfg.ClaimWindow = cfg.Lease // which a turn lasts that was not renewed yet
		}
		a := h.fallbackNode("a", nil, func(cfg *Config) { slow(cfg); j.attach(cfg) })
		b := h.fallbackNode("b", nil, slow)
		edit(a)
		edit(b)
		fence := h.enter(a, "t0").Fence
		first := h.next(a)
		for i, ticket := range []string{"t1", "t2", "t3", "t4"} {
			h.enter([]*Client{a, b, b, a}[i], ticket)
		}
		redis.Kill()
		killed := time.Now()
		silent(t, h, a, first)
		turn := h.next(a)
		if turn.Ticket() != "t1" || !turn.Local() || turn.Fence() <= fence {
			t.Errorf("%s has the turn, fence %d after %d", turn.Ticket(), turn.Fence(), fence)
		}
		if passed := time.Since(killed); passed < patience(a.cfg) {
			t.Errorf("a served by itself after %s", passed)
		}
		other := h.next(b)
		h.enter(b, "t6")
		dbtest.Must(t, redis.Revive(h.ctx()))
		eventually(t, "both wait for their turns to end",
			func() bool { return waitsForTurn(a) && waitsForTurn(b) })
		goBack(t, h, a, turn)
		h.release(other, 1)
		awaitAway(t, b, false)
		if want, got := []string{"t3", "t4", "t5", "t6", "t7"}, serveAll(h, 5, a, b); !slices.Equal(got, want) {
			t.Errorf("served %v, want %v", got, want)
		}
		if f := j.read(); f.events[WentAway] != 1 || f.events[CameBack] != 1 || len(f.departed) != 0 {
			t.Errorf("events %v, departed %v", f.events, f.departed)
		}
		if p := h.progress(a); p.Local || p.Count != 0 || p.Holder {
			t.Errorf("left: %+v", p)
		}
	}
}

// silent enters a ticket and ends the turn that Redis gave while Redis has just died.
func silent(t testing.TB, h *harness, a *Client, first *Turn) {
	t.Helper()
	if place := h.enter(a, "t5"); !place.Local || !place.Settling || place.Granted {
		t.Errorf("t5 entered at %+v", place)
	}
	if err := first.Release(h.ctx(), 1); err != nil {
		t.Errorf("release of the turn that Redis gave: %v", err)
	}
	if p := h.progress(a); !p.Local || !slices.Equal(order(p), []string{"t1", "t4", "t5"}) {
		t.Errorf("at a: %+v", p)
	}
}

// goBack ends the turn of a node which returns to Redis only then.
func goBack(t testing.TB, h *harness, a *Client, turn *Turn) {
	t.Helper()
	h.enter(a, "t7")
	if p := h.progress(a); a.Away() == 0 || !p.Local || !p.Holder {
		t.Errorf("a has gone back before its turn ended: %+v", p)
	}
	h.release(turn, 1)
	awaitAway(t, a, false)
}

func TestFallback_JointLines(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h, wire := newHarness(t), &breakableLink{}
		c := h.fallbackNode("a", wire, nil)
		joint, single := c.Joint("evening", "19:00", "20:00"), c.Line(h.name)
		h.enter(c, "t1")
		if _, err := joint.Enter(h.ctx(), Entry{Ticket: "both"}); err != nil {
			t.Fatal(err)
		}
		h.enter(c, "t2")
		wire.cut.Store(true)
		if err := h.next(c).Release(h.ctx(), 1); err != nil {
			t.Error(err)
		}
		turn, err := joint.Next(h.ctx())
		if err != nil || turn.Ticket() != "both" || !turn.Local() {
			t.Fatalf("%v, %v", turn, err)
		}
		if p := h.progress(c); !p.Holder || p.Count != 1 {
			t.Errorf("in one of its lines: %+v", p)
		}
		h.release(turn, 1)
		if next, err := single.Next(h.ctx()); err != nil || next.Ticket() != "t2" {
			t.Errorf("%v, %v", next, err)
		}
	})
}

// A turn that lasts longer than its lease is lost, and its ticket waits again.
func TestFallback_TurnPastItsLeaseIsLostAndRequeued(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h, wire := newHarness(t), &breakableLink{}
		c := h.fallbackNode("a", wire, nil)
		first := h.enter(c, "t1")
		h.enter(c, "t2")
		turn := h.next(c)
		wire.cut.Store(true)
		h.enter(c, "t3")
		if _, err := turn.Take(h.ctx(), 1); !errors.Is(err, ErrAway) {
			t.Errorf("take in doubt: %v", err)
		}
		within(t, testTimes.Lease+time.Second, turn.Context())
		if cause := context.Cause(turn.Context()); !errors.Is(cause, ErrLeaseLost) {
			t.Errorf("cause %v", cause)
		}
		if err := turn.Release(h.ctx(), 1); !errors.Is(err, ErrStale) {
			t.Errorf("release after the lease: %v", err)
		}
		if _, err := c.Line(h.name).Enter(h.ctx(), Entry{Ticket: "t1", Arrival: first.Arrival}); err != nil {
			t.Error(err)
		}
		for _, want := range []string{"t1", "t2", "t3"} {
			next := h.next(c)
			if next.Ticket() != want || next.Fence() <= first.Fence {
				t.Errorf("%s has the turn, want %s; fence %d after %d", next.Ticket(), want, next.Fence(), first.Fence)
			}
			h.release(next, 1)
		}
	})
}

// Redis gets the calls that a node made while Redis was uncertain.
func TestFallback_PendingCallsReachRedis(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h, wire := newHarness(t), &breakableLink{}
		patient := func(cfg *Config) {
			cfg.TTL, cfg.Lease, cfg.ClaimWindow = dbtest.Patience, dbtest.Patience, dbtest.Patience
		}
		a, b := h.fallbackNode("a", wire, patient), h.node("b", patient)
		line := a.Line(h.name)
		for i := range 7 {
			h.enter(a, "t"+strconv.Itoa(i))
		}
		h.enter(b, "last")
		turn := h.next(a)
		if _, err := turn.Take(h.ctx(), 1); err != nil {
			t.Fatal(err)
		}
		wire.cut.Store(true)
		for _, ticket := range []string{"t0", "t1"} {
			if err := line.Leave(h.ctx(), ticket); !errors.Is(err, ErrServing) {
				t.Errorf("%s leaves while it is being served: %v", ticket, err)
			}
		}
		if _, err := line.Evict(h.ctx()); !errors.Is(err, ErrAway) {
			t.Errorf("evicted the turn that Redis gave: %v", err)
		}
		h.release(turn, 2)
		if err := line.Leave(h.ctx(), "t2"); err != nil {
			t.Error(err)
		}
		if err := line.Leave(h.ctx(), "t3"); err != nil {
			t.Error(err)
		}
		h.enter(a, "t5")
		h.enter(a, "new")
		wire.cut.Store(false)
		if next := h.next(a); next.Ticket() != "t4" || next.Local() {
			t.Errorf("%s has the turn, want t4 from Redis", next.Ticket())
		}
		p := h.progress(b)
		if want := []string{"t5", "t6", "last", "new"}; !slices.Equal(order(p), want) {
			t.Errorf("Redis has %+v, want %v", p, want)
		}
	})
}

func TestFallback_OffChangesNothing(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h, wire := newHarness(t), &breakableLink{}
		c := h.nodeOn(h.impatientClient("", wire), "a", nil)
		s := newSession(c.Line(h.name))
		if n := len(s.arguments(s.newCommand(opState, nil), plainPublish)); n != 9 ||
			strings.Contains(source(opState, false), "expiry") {
			t.Errorf("calls carry %d arguments, want 9 and no expiry", n)
		}
		h.enter(c, "t1")
		wire.cut.Store(true)
		begun := time.Now()
		if _, err := c.Line(h.name).Enter(h.ctx(), Entry{Ticket: "t2"}); !errors.Is(err, errLinkCut) ||
			time.Since(begun) > testTimes.Beat {
			t.Errorf("%v after %s, want the error of Redis at once", err, time.Since(begun))
		}
		if c.Away() != 0 || len(c.partitions) != 0 {
			t.Errorf("%d away, %d partitions", c.Away(), len(c.partitions))
		}
	})
}
