package locks

import (
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

func TestReturn_KeepsPlaces(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h, a, b := newTwoNodes(t)
		turn := h.turnOf(a, "t1")
		for _, ticket := range []string{"t2", "t3"} {
			h.enter(a, ticket)
		}
		h.enter(b, "t4")
		h.take(turn, 10, "t2", "t3")
		for range 2 { // again is no error
			dbtest.Must(t, turn.Return(t.Context()))
		}
		if turn.Context().Err() == nil {
			t.Error("the turn's context goes on")
		}
		var order []string
		fence := turn.Fence()
		for _, node := range []*Client{a, a, a, b} {
			next := h.next(node)
			if next.Fence() <= fence {
				t.Errorf("fence %d after %d", next.Fence(), fence)
			}
			fence = next.Fence()
			order = append(order, next.Ticket())
			h.release(next, 1)
		}
		if want := []string{"t1", "t2", "t3", "t4"}; !slices.Equal(order, want) {
			t.Errorf("served %v, want %v", order, want)
		}
	})
}

// A store that refuses a fence says which one it has seen: the next one is higher, and so are all arrival numbers.
func TestReturn_RaisesTheFence(t *testing.T) {
	testWithGuards(t, refusedByTheStore, guard{"the counter that follows", opReturn,
		"if raised then call('SET', counter, format_int(stored), 'PX', life) end", ""})
}

// refusedByTheStore gives turns back to a line whose store has seen a fence of the next hour, once
// when Redis' counter is behind, and once when it is not.
func refusedByTheStore(t testing.TB, edit func(*Client)) {
	h := newHarness(t)
	a := h.node("a", nil)
	edit(a)
	turn := h.turnOf(a, "t1")
	h.enter(a, "t2")
	seen := turn.Fence() + time.Hour.Microseconds()
	for i, stored := range []int64{seen, seen} { // in the second turn the counter is there
		raised, err := turn.ReturnBehind(h.ctx(), stored)
		if again, err := turn.ReturnBehind(h.ctx(), stored); again || err != nil {
			t.Errorf("again: %v, %v", again, err)
		}
		if turn = h.nextIs(a, "t1"); err != nil || raised != (i == 0) || turn.Fence() <= stored {
			t.Fatalf("return %d: %v, %v; then fence %d after %d", i, raised, err, turn.Fence(), stored)
		}
	}
	if place := h.enter(a, "t3"); place.Arrival <= turn.Fence() {
		t.Errorf("t3 drew %d after fence %d", place.Arrival, turn.Fence())
	}
	h.release(turn, 1)
	h.release(h.nextIs(a, "t2"), 1)
	h.release(h.nextIs(a, "t3"), 1)
}

func TestReturn_LateChangesNothing(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	a := h.node("a", unhurried)
	turn := h.turnOf(a, "t1")
	h.release(turn, 1)
	now := h.turnOf(a, "t2")
	late := &heldTurn{line: turn.line, ticket: "t1", fence: turn.Fence() - 1, cancel: turn.cancel, over: true}
	if err := late.Return(t.Context()); !errors.Is(err, ErrStale) {
		t.Errorf("got %v, want ErrStale", err)
	}
	if place := h.enter(a, "t3"); place.Position != 1 || place.Granted {
		t.Errorf("t3 stands at %+v", place)
	}
	eventually(t, "t2 goes on", func() bool { return now.Context().Err() == nil })
	h.release(now, 1)
}

func TestClose_SendsNobodyAwayWhoMayHaveBeenServed(t *testing.T) {
	testWithGuards(t, closedBehindLostTurns,
		guard{"the note of those whose turn ended", "", "  note_doubt(math.max(tonumber(arrival), tonumber(run[#run] or 0)))\n", ""},
		guard{"the note of those who come back", opEnter, "if e.brought then note_doubt(e.arrival) end", ""},
		guard{"the look at the first in line", opClose,
			"if tonumber(first[2] or math.huge) <= tonumber(r.doubt or 0) then return answer(0, 0, {}) end", ""},
	)
}

// closedBehindLostTurns closes a line in which two wait whose turn was given back, then behind one who comes back after
// a turn that was released.
func closedBehindLostTurns(t testing.TB, edit func(*Client)) {
	h := newHarness(t)
	a, b := h.node("a", nil), h.node("b", nil)
	edit(a)
	edit(b)
	close := func(want int, order ...string) {
		t.Helper()
		n, err := b.Line(h.name).Close(h.ctx(), "sold out")
		if got := h.progress(a); err != nil || n != want || !slices.Equal(slices.Sorted(maps.Keys(got.Positions)), order) {
			t.Fatalf("%d sent away, %v; %v wait, want %v", n, err, got.Positions, order)
		}
	}
	turn := h.turnOf(a, "t1")
	h.enter(a, "t2")
	h.enter(a, "t3")
	h.take(turn, 1, "t2")
	dbtest.Must(t, turn.Return(h.ctx()))
	again := h.nextIs(a, "t1")
	close(0, "t2", "t3")
	h.release(again, 1)
	h.release(h.nextIs(a, "t2"), 1)
	turn = h.nextIs(a, "t3")
	h.enter(a, "t4")
	close(1)

	forgotten := turn.Arrival()
	h.release(turn, 1)
	turn = h.turnOf(a, "t5")
	h.enter(a, "t6")
	if _, err := a.Line(h.name).Enter(h.ctx(), Entry{Ticket: "t3", Arrival: forgotten}); err != nil {
		t.Fatal(err)
	}
	close(0, "t3", "t6")
	h.release(turn, 1)
	h.release(h.nextIs(a, "t3"), 1)
	turn = h.nextIs(a, "t6")
	h.enter(a, "t7")
	close(1)
	h.release(turn, 1)
}
