package locks

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// offer enters a ticket that any node can serve.
func (h *harness) offer(c *Client, ticket string) Place {
	h.t.Helper()
	place, err := c.Line(h.name).Enter(h.ctx(), Entry{Ticket: ticket, Work: "work of " + ticket})
	if err != nil {
		h.t.Fatalf("offer %s: %v", ticket, err)
	}
	return place
}

// heir is a node that serves orphans: it calls Next where it is notified of them, and notes whom it serves.
type heir struct {
	*Client
	served   *logbook[string]
	notified *logbook[Name]
}

func (h *harness) heir(name string, edit func(*Config)) *heir {
	e := &heir{served: &logbook[string]{}, notified: &logbook[Name]{}}
	e.Client = h.node(name, func(cfg *Config) {
		cfg.Orphans = func(line Name) {
			if slices.Contains(e.notified.all(), line) {
				return
			}
			e.notified.add(line)
			e.start(func() {
				_ = serve(e.ctx, e.Line(line), func(turn *Turn) { e.served.add(turn.Ticket() + ":" + turn.Work()) })
			})
		}
		if edit != nil {
			edit(cfg)
		}
	})
	return e
}

// Two of three nodes are killed with all their tickets waiting. The third, which never had a session in the line,
// serves everybody in order.
func TestI08_TheThirdNodeServesEverybodyWhenTwoAreKilled(t *testing.T) {
	testWithGuards(t, twoKilled,
		guard{"the look for lines that nobody answers for", opLines, "if ARGV[2] ~= '0' then", "if false then"},
		adoptionOfHead,
		guard{"the work that goes with a turn", "",
			"turn = {head.ticket, fence, head.arrival, now_text, claim_window, 1, work}",
			"turn = {head.ticket, fence, head.arrival, now_text, claim_window, 1, ''}",
		},
	)
}

func twoKilled(t testing.TB, edit func(*Client)) {
	h := newHarness(t)
	processes := []*process{h.process("a"), h.process("b")}
	third := h.heir("c", nil)
	edit(third.Client)
	var want []string
	for i := range 12 {
		ticket := fmt.Sprintf("t%02d", i)
		processes[i%2].do("offer", ticket)
		want = append(want, ticket+":work of "+ticket)
	}
	processes[0].do("next")
	for _, p := range processes {
		p.kill()
	}
	killed := time.Now()
	eventually(t, "the third node serves everybody",
		func() bool { return len(third.served.all()) >= len(want) })
	if got := third.served.all(); !slices.Equal(got, want) {
		t.Errorf("served %v, want %v", got, want)
	}
	limit := max(testTimes.TTL, testTimes.Lease) + testTimes.ClaimWindow + 2*testTimes.Beat
	if took := time.Since(killed); took > limit+slack {
		t.Errorf("took %s, want %s", took, limit)
	}
	if notified := third.notified.all(); !slices.Equal(notified, []Name{h.name}) {
		t.Errorf("notified of %v", notified)
	}
	eventually(t, "the registry is empty",
		func() bool { return h.rdb.ZCard(h.ctx(), h.prefix+":lines").Val() == 0 })
}

func TestI03_OrphansAreServedInOrderAmongTheLiving(t *testing.T) {
	testWithGuards(t, orphansInOrder, adoptionOfHead, lookAtNode)
}

func orphansInOrder(t testing.TB, edit func(*Client)) {
	h, a := newHarness(t), newHarness(t)
	a.prefix = h.prefix
	b := h.node("b", func(cfg *Config) { cfg.Orphans = func(Name) {} })
	dying := a.node("a", nil)
	edit(b)
	turn := h.turnOf(b, "first")
	for i := range 3 {
		h.offer(dying, fmt.Sprint("orphan ", i))
		h.enter(b, fmt.Sprint("own ", i))
	}
	h.kill(dying)
	killed := time.Now()
	eventually(t, "a life passes", func() bool { return time.Since(killed) > testTimes.TTL })
	h.release(turn, 1)
	for i := range 3 {
		orphan := h.nextIs(b, fmt.Sprint("orphan ", i))
		if want := fmt.Sprint("work of orphan ", i); orphan.Work() != want {
			t.Errorf("the turn carries %q, want %q", orphan.Work(), want)
		}
		h.release(orphan, 1)
		own := h.nextIs(b, fmt.Sprint("own ", i))
		if own.Work() != "" {
			t.Errorf("the turn of an own ticket carries %q", own.Work())
		}
		h.release(own, 1)
	}
}

func TestTake_TakesOrphansAlong(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h, a, b := newTwoNodes(t)
		turn := h.turnOf(b, "first")
		h.offer(a, "orphan")
		h.enter(a, "gone with its node")
		h.enter(b, "own")
		h.kill(a)
		killed := time.Now()
		eventually(t, "a life passes", func() bool { return time.Since(killed) > testTimes.TTL })
		run := h.take(turn, 10, "orphan", "own")
		if !run[0].Foreign || run[0].Work != "work of orphan" || run[1].Foreign {
			t.Errorf("took %+v", run)
		}
		h.release(turn, 3)
		if p := h.progress(b); p.Holder || p.Count != 0 {
			t.Errorf("left: %+v", p)
		}
	})
}

// A joint ticket whose node is dead is served in all its lines together.
func TestI16_AnOrphanOfSeveralLinesIsServed(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h := newHarness(t)
		a := h.node("a", func(cfg *Config) { cfg.Orphans = func(Name) {} })
		both := JointName(h.name.Partition, []string{"t1", "t2"})
		for _, ticket := range []string{"j1", "j2"} {
			if _, err := a.Line(both).Enter(h.ctx(), Entry{Ticket: ticket, Work: "work of " + ticket}); err != nil {
				t.Fatal(err)
			}
		}
		h.kill(a)
		third := h.heir("c", nil)
		eventually(t, "both are served", func() bool { return len(third.served.all()) == 2 })
		if got := third.served.all(); !slices.Equal(got, []string{"j1:work of j1", "j2:work of j2"}) {
			t.Errorf("served %v", got)
		}
	})
}

func TestOrphans_LateNodeHearsOfAdoption(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h, wire, j := newHarness(t), &breakableLink{}, newRecordingObserver()
		late := h.nodeOn(h.connect(wire), "late", j.attach)
		b := h.node("b", func(cfg *Config) { cfg.Orphans = func(Name) {} })
		turn := h.turnOf(b, "first")
		h.offer(late, "t1")
		h.offer(late, "t2")
		h.awaitSubscribed("late")
		wire.cut.Store(true)
		cut := time.Now()
		eventually(t, "a life passes", func() bool { return time.Since(cut) > testTimes.TTL })
		h.release(turn, 1)
		adopted := h.nextIs(b, "t1")
		seen := late.lastSeen(h.name, "t2")
		wire.cut.Store(false)
		eventually(t, "it beats again", func() bool { return late.lastSeen(h.name, "t2") > seen })
		eventually(t, "it hears", func() bool { return j.departures()["t1"].Cause == Adopted })
		h.release(adopted, 1)
		h.release(h.nextIs(late, "t2"), 1)
	})
}

// A node that does not serve orphans is given none, and says of its own lines nothing.
func TestOrphans_GoToNobodyWhoDoesNotServeThem(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h, a, b := newTwoNodes(t)
		turn := h.turnOf(b, "first")
		h.offer(a, "orphan")
		h.enter(b, "own")
		h.kill(a)
		killed := time.Now()
		eventually(t, "a life passes", func() bool { return time.Since(killed) > testTimes.TTL })
		h.release(turn, 1)
		if p := h.progress(b); p.Holder || !slices.Equal(order(p), []string{"orphan", "own"}) {
			t.Errorf("%+v, want both to wait", p)
		}
		heir := h.heir("c", nil)
		if _, err := heir.Line(h.name).Enter(h.ctx(), Entry{Ticket: "newcomer"}); err != nil { // it brings an heir
			t.Fatal(err)
		}
		heir.cfg.Orphans(h.name)
		h.release(h.nextIs(b, "own"), 1)
		eventually(t, "all are served", func() bool { return len(heir.served.all()) == 2 })
		if got := strings.Join(heir.served.all(), " "); got != "orphan:work of orphan newcomer:" {
			t.Errorf("served %s", got)
		}
	})
}

func TestOrphans_TurnThatNobodyAsksForIsNotifiedAgain(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h, notified := newHarness(t), &logbook[Name]{}
		a := h.node("a", func(cfg *Config) { cfg.Orphans = func(Name) {} })
		h.offer(a, "t1")
		h.kill(a)
		b := h.node("b", func(cfg *Config) { cfg.Orphans = notified.add })
		eventually(t, "it is notified three times", func() bool { return len(notified.all()) >= 3 })
		h.release(h.nextIs(b, "t1"), 1)
	})
}
