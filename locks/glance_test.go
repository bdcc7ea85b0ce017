package locks

import (
	"testing"
	"time"
)

// Of a ticket with a lot a glance does not know for how long it has waited.
func TestGlances_KnowNoTimeOfALot(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h := newHarness(t)
		c := h.node("a", func(cfg *Config) { cfg.Beat, cfg.TTL = 5*time.Second, 20*time.Second })
		h.turnOf(c, "t1")
		entry := Entry{Ticket: "t2", Lot: 7, LotUntil: time.Now().Add(time.Hour)}
		if _, err := c.Line(h.name).Enter(h.ctx(), entry); err != nil {
			t.Fatal(err)
		}
		glances, err := c.Glances(h.ctx(), []Name{h.name})
		if err != nil || glances[0].Waiting != 2 || glances[0].Longest != 0 {
			t.Errorf("%+v, %v", glances, err)
		}
	})
}

// A glance says how many wait, for how long the first of them, and how fast the line is; of an empty line, nothing.
func TestGlances_SayHowALineMoves(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h := newHarness(t)
		// Redis has half a beat to answer: on a busy machine that takes long ones.
		c := h.node("a", func(cfg *Config) { cfg.Beat, cfg.TTL = 5*time.Second, 20*time.Second })
		empty := Name{Partition: h.name.Partition, Key: "empty"}
		look := func() Glance {
			t.Helper()
			glances, err := c.Glances(h.ctx(), []Name{empty, h.name})
			if err != nil || len(glances) != 2 || glances[0] != (Glance{}) {
				t.Fatalf("%+v, %v", glances, err)
			}
			return glances[1]
		}
		if g := look(); g != (Glance{}) {
			t.Errorf("before anybody came: %+v", g)
		}
		turn := h.turnOf(c, "t1")
		if g := look(); g.Waiting != 1 || g.Longest != 0 || g.Estimate() != 3*time.Second {
			t.Errorf("one has the turn: %+v", g)
		}
		h.enter(c, "t2")
		h.enter(c, "t3")
		eventually(t, "the first has waited a while",
			func() bool { return look().Longest > 20*time.Millisecond })
		if g := look(); g.Waiting != 3 || g.Longest > time.Minute {
			t.Errorf("two wait: %+v", g)
		}
		h.release(turn, 1)
		if g := look(); g.PerPerson < 20*time.Millisecond || g.Estimate() != time.Duration(g.Waiting)*g.PerPerson {
			t.Errorf("a turn was served: %+v", g)
		}
	})
}
