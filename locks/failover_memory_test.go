package locks

import (
	"errors"
	"slices"
	"strconv"
	"testing"

	"lunchgo/db/dbtest"
)

func TestFallback_AllOperationsWorkInMemory(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h, wire, j := newHarness(t), &breakableLink{}, newRecordingObserver()
		c := h.fallbackNode("a", wire, func(cfg *Config) {
			j.attach(cfg)
		})
		wire.cut.Store(true) // from the beginning
		for i := range 8 {
			if place := h.enter(c, "t"+strconv.Itoa(i)); place.Position != i+1 || !place.Local {
				t.Errorf("t%d stands at %+v", i, place)
			}
		}
		line := c.Line(h.name)
		if err := line.Leave(h.ctx(), "t1"); err != nil {
			t.Error(err)
		}
		turn := turnsInMemory(t, h, c)
		closeInMemory(t, h, c, turn)
		eventually(t, "all departures arrive",
			func() bool { return j.departures()["t7"].Cause == Closed })
		wire.cut.Store(false)
		awaitAway(t, c, false)
		eventually(t, "nothing stands in Redis",
			func() bool { p := h.progress(c); return p.Count == 0 && !p.Local })
	})
}

// turnsInMemory serves, returns and evicts turns of a node without Redis, and returns the turn that goes on.
func turnsInMemory(t testing.TB, h *harness, c *Client) *Turn {
	t.Helper()
	turn := h.next(c)
	again, err := turn.Reenter()
	dbtest.Must(t, err)
	taken, err := turn.Take(h.ctx(), 2)
	if err != nil || len(taken) != 2 || taken[0].Ticket != "t2" || taken[1].Ticket != "t3" {
		t.Errorf("took %v, %v", taken, err)
	}
	if lengths, err := c.Lengths(h.ctx(), []Name{h.name, {"evening", "20:00"}}); err != nil ||
		!slices.Equal(lengths, []int{7, 0}) {
		t.Errorf("lengths %v, %v", lengths, err)
	}
	h.release(turn, 0)
	if again.Context().Err() != nil {
		t.Error("the turn ended with its first handle")
	}
	if err := again.Return(h.ctx()); err != nil {
		t.Error(err)
	}
	if place := h.enter(c, "t2"); place.Position == 0 || place.Position > 2 {
		t.Errorf("t2 came back to %+v", place)
	}
	turn = h.next(c)
	if turn.Ticket() != "t0" || turn.Fence() <= again.Fence() {
		t.Errorf("%s has the turn, fence %d after %d", turn.Ticket(), turn.Fence(), again.Fence())
	}
	if ticket, err := c.Line(h.name).Evict(h.ctx()); err != nil || ticket != "t0" {
		t.Errorf("evicted %q, %v", ticket, err)
	}
	if turn.Context().Err() == nil {
		t.Error("the evicted turn goes on")
	}
	if turn = h.next(c); turn.Ticket() != "t2" {
		t.Errorf("%s has the turn, want t2", turn.Ticket())
	}
	return turn
}

// closeInMemory closes the line of a node without Redis while a turn goes on.
func closeInMemory(t testing.TB, h *harness, c *Client, turn *Turn) {
	t.Helper()
	line := c.Line(h.name)
	locked := make(chan error, 1)
	go func() {
		_, err := line.Lock(h.ctx(), "locked")
		locked <- err
	}()
	eventually(t, "it waits", func() bool { return h.progress(c).Positions["locked"] > 0 })
	h.release(turn, 1)
	turn = h.nextIs(c, "t3") // who was taken along in a turn that was returned is not sent away
	if n, err := line.Close(h.ctx(), "sold out"); err != nil || n != 5 {
		t.Errorf("%d sent away, %v", n, err)
	}
	if err := <-locked; !errors.Is(err, ErrClosed) {
		t.Errorf("lock of a closed line: %v", err)
	}
	h.release(turn, 1)
}
