package locks

import (
	"fmt"
	"slices"
	"testing"

	"lunchgo/db/dbtest"
)

func TestJoint_TurnWhenAllLinesAreFree(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	a, b := h.node("a", unhurried), h.node("b", unhurried)
	lock := func(c *Client, ticket, line string) *Turn {
		turn, err := c.Line(Name{"evening", line}).Lock(h.ctx(), ticket)
		dbtest.Must(t, err)
		return turn
	}
	first, second := lock(a, "one", "t1"), lock(a, "two", "t2")
	both := b.Joint("evening", "t2", "t1", "t2")
	place, err := both.Enter(h.ctx(), Entry{Ticket: "both"})
	if err != nil || place.Granted || place.Position != 1 {
		t.Fatalf("%+v, %v", place, err)
	}
	behind, err := a.Line(Name{"evening", "t1"}).Enter(h.ctx(), Entry{Ticket: "behind"})
	if err != nil || behind.Position != 2 {
		t.Fatalf("behind a joint ticket: %+v, %v", behind, err)
	}
	h.release(first, 1)
	p, err := both.Progress(h.ctx())
	if err != nil || p.Positions["both"] != 1 || !p.Holder {
		t.Fatalf("%+v, %v", p, err)
	}
	h.release(second, 1)
	turn, err := both.Next(h.ctx())
	if err != nil || turn.Ticket() != "both" || turn.Fence() <= second.Fence() {
		t.Fatalf("%+v, %v", turn, err)
	}
	if taken, err := turn.Take(h.ctx(), 10); taken != nil || err != nil {
		t.Errorf("a joint turn took %v along, who stands in one line, %v", taken, err)
	}
	if n, err := b.Lengths(h.ctx(), []Name{{"evening", "t1"}, {"evening", "t2"}}); err != nil ||
		!slices.Equal(n, []int{2, 1}) {
		t.Errorf("lengths %v, %v", n, err)
	}
	h.release(turn, 1)
	last, err := a.Line(Name{"evening", "t1"}).Next(h.ctx())
	if err != nil || last.Ticket() != "behind" {
		t.Fatalf("%+v, %v", last, err)
	}
}

// A joint turn takes those along that are first in all its lines, also other nodes' tickets with their work, and
// orphans. It stops at whoever stands in one of them alone. That takes as many calls for 64 as for one.
func TestTake_JointTurnServesARun(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h := newPrivateHarness(t)
		a, b := h.node("a", slow), h.node("b", slow)
		both := JointName("evening", []string{"t1", "t2"})
		var want []string
		for i := range 64 {
			ticket := fmt.Sprintf("j%02d", i)
			if _, err := []*Client{a, b}[i%2].Line(both).Enter(h.ctx(),
				Entry{Ticket: ticket, Work: "work"}); err != nil {
				t.Fatal(err)
			}
			want = append(want, ticket)
		}
		if _, err := a.Line(Name{"evening", "t2"}).Enter(h.ctx(), Entry{Ticket: "alone", Work: "work"}); err != nil {
			t.Fatal(err)
		}
		if _, err := a.Line(both).Enter(h.ctx(), Entry{Ticket: "behind", Work: "work"}); err != nil {
			t.Fatal(err)
		}
		turn, err := a.Line(both).Next(h.ctx())
		dbtest.Must(t, err)
		dbtest.Must(t, h.rdb.ConfigResetStat(h.ctx()).Err())
		run, err := turn.Take(h.ctx(), 100)
		if err != nil || len(run) != 63 {
			t.Fatalf("took %d, %v", len(run), err)
		}
		for i, taken := range run {
			if taken.Ticket != want[i+1] || taken.Foreign != (i%2 == 0) {
				t.Errorf("%d: %+v", i, taken)
			}
		}
		h.release(turn, 64)
		if calls := h.commandStats()["evalsha"].calls; calls > 6 { // a busy machine has time for beats between the two
			t.Errorf("%.0f calls for 64 tickets, want 2", calls)
		}
		alone, err := a.Line(Name{"evening", "t2"}).Next(h.ctx())
		if err != nil || alone.Ticket() != "alone" {
			t.Fatalf("%+v, %v", alone, err)
		}
		h.release(alone, 1)
		last, err := a.Line(both).Next(h.ctx())
		if err != nil || last.Ticket() != "behind" {
			t.Fatalf("%+v, %v", last, err)
		}
		h.release(last, 1)
		for _, key := range []string{"t1", "t2"} {
			texts, err := a.Line(Name{"evening", key}).Log(h.ctx(), 0)
			if found := slices.ContainsFunc(texts, func(text string) bool {
				return len(text) > 64*16 && text[:5] == "turn "
			}); err != nil || !found {
				t.Errorf("%s: %d texts, %v, none of a turn of 64", key, len(texts), err)
			}
		}
	})
}

// The work of a joint turn is lost with its node: another serves the run in its place.
func TestTake_JointRunOfADeadNodeGoesToAnother(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h := newHarness(t)
		dying := h.node("dying", func(cfg *Config) { cfg.Orphans = func(Name) {} })
		both := JointName(h.name.Partition, []string{"t1", "t2"})
		for _, ticket := range []string{"j1", "j2", "j3"} {
			if _, err := dying.Line(both).Enter(h.ctx(), Entry{Ticket: ticket, Work: "work of " + ticket}); err != nil {
				t.Fatal(err)
			}
		}
		turn, err := dying.Line(both).Next(h.ctx())
		dbtest.Must(t, err)
		h.take(turn, 1, "j2")
		h.kill(dying)
		heir := h.heir("heir", nil)
		eventually(t, "all are served", func() bool { return len(heir.served.all()) == 3 })
		want := []string{"j1:work of j1", "j2:work of j2", "j3:work of j3"}
		if got := heir.served.all(); !slices.Equal(got, want) {
			t.Errorf("served %v", got)
		}
	})
}
