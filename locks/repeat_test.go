package locks

import (
	"fmt"
	"slices"
	"testing"

	"lunchgo/db/dbtest"
)

func TestI10_AnEveningOverAConnectionThatRepeatsEverything(t *testing.T) {
	testWithGuards(t, repeatedCommands,
		memoryOfRelease,
		memoryOfReturn,
		requestOfTake,
		requestOfClose,
	)
}

// repeatedCommands does everything that can be done with a line, each call being sent one to three times.
func repeatedCommands(t testing.TB, edit func(*Client)) {
	h := newHarness(t)
	j := newRecordingObserver()
	a, b := h.nodeOn(h.connect(&repeatingLink{}), "a", j.attach), h.nodeOn(h.connect(&repeatingLink{}), "b", j.attach)
	edit(a)
	edit(b)
	h.loadScripts(a, b) // only what Redis knows is sent several times
	want := h.enterInTurn(60, a, b)
	must := func(err error) {
		t.Helper()
		dbtest.Must(t, err)
	}
	for _, i := range []int{20, 21, 22} { // of b, a and b
		c := []*Client{a, b}[i%2]
		h.enter(c, want[i])
		must(c.Line(h.name).Leave(h.ctx(), want[i+20]))
	}
	want = slices.Delete(want, 40, 43)
	got := serveAll(h, 6, a, b)
	for range 3 {
		turn := h.nextOf(a, b)
		must(turn.Return(h.ctx()))
	}
	for range 3 {
		turn := h.nextOf(a, b)
		h.take(turn, 1) // nobody: the next one is another node's, and its work is not known
		got = append(got, turn.Ticket())
		h.release(turn, 1)
	}
	got = append(got, serveAll(h, len(want)-len(got), a, b)...)
	if !slices.Equal(got, want) {
		t.Fatalf("served %v, want %v", got, want)
	}
	takenAndClosed(t, h, a)
	if p := h.progress(a); p.Holder || p.Count != 0 {
		t.Errorf("left: %+v", p)
	}
	eventually(t, "no session is left", func() bool {
		a.mu.Lock()
		defer a.mu.Unlock()
		return len(a.sessions) == 0
	})
}

// takenAndClosed takes a run along, three times, and closes the line behind it, three times.
func takenAndClosed(t testing.TB, h *harness, c *Client) {
	for round := range 3 {
		var want []string
		for i := range 6 {
			want = append(want, fmt.Sprintf("run %d %d", round, i))
			h.enter(c, want[i])
		}
		turn := h.next(c)
		h.take(turn, 3, want[1:4]...)
		if sent, err := c.Line(h.name).Close(h.ctx(), "sold out"); sent != 2 || err != nil {
			t.Fatalf("closing sent %d away, %v, want 2", sent, err)
		}
		h.release(turn, 4)
	}
}
