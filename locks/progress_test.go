package locks

import (
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

func TestProgress_Estimate(t *testing.T) {
	t.Parallel()
	const s = time.Second
	for name, test := range map[string]struct {
		in       Progress
		position int
		want     time.Duration
	}{
		"unmeasured, nobody ahead":    {Progress{}, 1, 5 * s},
		"unmeasured, a holder ahead":  {Progress{Holder: true, HoldSize: 1}, 1, 3 * s},
		"unmeasured, ten ahead":       {Progress{Holder: true, HoldSize: 1}, 10, 30 * s},
		"unmeasured, a run is served": {Progress{Holder: true, HoldSize: 8}, 3, 30 * s},
		"measured, next":              {Progress{Holder: true, HoldSize: 1, HoldPerPerson: 2 * s, HoldElapsed: s}, 1, s},
		"measured, overdue": {Progress{Holder: true, HoldSize: 1, HoldPerPerson: 2 * s, HoldElapsed: 9 * s},
			1, 0},
		"measured, five behind":           {Progress{Holder: true, HoldSize: 1, HoldPerPerson: 2 * s}, 6, 12 * s},
		"measured, half of them go away":  {Progress{HoldSize: 1, HoldPerPerson: 2 * s, LeaveShare: 0.5}, 11, 12 * s},
		"measured, has the turn or so":    {Progress{HoldSize: 2, HoldPerPerson: 2 * s, HoldElapsed: s}, 0, 3 * s},
		"measured, free":                  {Progress{HoldPerPerson: 2 * s}, 1, 0},
		"measured, a run of four, served": {Progress{HoldSize: 4, HoldPerPerson: s, HoldElapsed: s}, 2, 4 * s},
	} {
		if got := test.in.Estimate(test.position); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

func TestProgress_MeasuresPaceAndShare(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h := newHarness(t)
		j := newRecordingObserver()
		c := h.node("a", j.attach)
		turn := h.turnOf(c, "t1")
		for _, ticket := range []string{"t2", "t3", "t4", "t5"} {
			h.enter(c, ticket)
		}
		if taken, err := turn.Take(h.ctx(), 3); err != nil || len(taken) != 3 {
			t.Fatal(taken, err)
		}
		eventually(t, "the turn has lasted a while", func() bool {
			return h.progress(c).HoldElapsed > 100*time.Millisecond
		})
		h.release(turn, 4)
		p := h.progress(c)
		if p.HoldPerPerson < 25*time.Millisecond || p.HoldPerPerson > time.Second || p.LeaveShare != 0 {
			t.Errorf("after a turn of four: %+v, want a quarter of the turn a person", p)
		}
		h.release(h.next(c), 0)
		if again := h.progress(c); again.HoldPerPerson != p.HoldPerPerson {
			t.Errorf("a turn that served nobody changed the pace from %s to %s", p.HoldPerPerson, again.HoldPerPerson)
		}
		h.enter(c, "t6")
		h.enter(c, "t7")
		dbtest.Must(t, c.Line(h.name).Leave(h.ctx(), "t7"))
		if p := h.progress(c); p.LeaveShare <= 0 || p.LeaveShare > 0.1 || j.event(Abandoned) != 1 {
			t.Errorf("one left: share %f, %d abandoned", p.LeaveShare, j.event(Abandoned))
		}
		f := j.turns(t, 3)
		if f.served != 4 || len(f.waits) != 3 {
			t.Errorf("journal: %d served, %d turns", f.served, len(f.waits))
		}
		for i, wait := range f.waits {
			if wait < 0 || wait > time.Minute || f.handoffs[i] <= 0 || f.handoffs[i] > time.Minute {
				t.Errorf("turn %d came after %s, handed over in %s", i, wait, f.handoffs[i])
			}
		}
	})
}
