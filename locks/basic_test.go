package locks

import (
	"context"
	"errors"
	"slices"
	"testing"

	"lunchgo/db/dbtest"
)

func TestLine_FreeGrantsAtOnce(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	c := h.node("a", unhurried)
	place := h.enter(c, "t1")
	if !place.Granted || place.Position != 0 || place.Count != 0 || place.Fence <= place.Arrival ||
		place.ServerTime.IsZero() {
		t.Fatalf("place %+v", place)
	}
	turn := h.next(c)
	if turn.Ticket() != "t1" || turn.Fence() != place.Fence || turn.Arrival() != place.Arrival {
		t.Fatalf("turn of %s, fence %d, want that of %+v", turn.Ticket(), turn.Fence(), place)
	}
	again := h.enter(c, "t1")
	if !again.Granted || again.Fence != place.Fence || again.Arrival != place.Arrival {
		t.Fatalf("entered again: %+v, want %+v", again, place)
	}
	h.release(turn, 1)
	h.release(turn, 1)
	if p := h.progress(c); p.Holder || p.Count != 0 || p.HoldPerPerson == 0 {
		t.Fatalf("after release: %+v", p)
	}
}

func TestLine_PlacesAndHandOff(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	a, b := h.node("a", unhurried), h.node("b", unhurried)
	holder := h.enter(a, "t1")
	second, third := h.enter(b, "t2"), h.enter(a, "t3")
	if second.Granted || second.Position != 1 || second.Count != 1 || third.Position != 2 || third.Count != 2 {
		t.Fatalf("places %+v, %+v", second, third)
	}
	if !(holder.Arrival < second.Arrival && second.Arrival < third.Arrival) {
		t.Fatalf("arrivals %d, %d, %d do not rise", holder.Arrival, second.Arrival, third.Arrival)
	}
	p := h.progress(a)
	if !p.Holder || p.Count != 2 || p.HoldSize != 1 || !slices.Equal(order(p), []string{"t2", "t3"}) {
		t.Fatalf("progress %+v", p)
	}
	if n, err := a.Lengths(h.ctx(), []Name{h.name, {"evening", "20:00"}}); err != nil || !slices.Equal(n, []int{3, 0}) {
		t.Fatalf("lengths %v, %v, want 3 and 0", n, err)
	}
	h.release(h.next(a), 1)
	next := h.nextIs(b, "t2")
	h.release(next, 1)
	if last := h.next(a); last.Ticket() != "t3" || last.Fence() <= next.Fence() {
		t.Fatalf("last is %s with fence %d after %d", last.Ticket(), last.Fence(), next.Fence())
	}
}

func TestLeave_GivesTheTurnToTheNext(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	c := h.node("a", unhurried)
	line := c.Line(h.name)
	turn := h.turnOf(c, "t1")
	h.enter(c, "t2")
	h.enter(c, "t3")
	dbtest.Must(t, line.Leave(h.ctx(), "t2"))
	if err := line.Leave(h.ctx(), "t2"); err != nil {
		t.Fatalf("leaving twice: %v", err)
	}
	if err := line.Leave(h.ctx(), "t1"); !errors.Is(err, ErrServing) {
		t.Fatalf("the holder leaves: %v, want ErrServing", err)
	}
	h.release(turn, 0)
	h.nextIs(c, "t3")
}

func TestEnter_RefusesBadEntries(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	c := h.node("a", nil)
	line := c.Line(h.name)
	long := make([]byte, maxTicket+1)
	for _, in := range []Entry{
		{}, {Ticket: string(long)}, {Ticket: "\xff"}, {Ticket: "t", Arrival: -1}, {Ticket: "t", Arrival: 1 << 60},
	} {
		if _, err := line.Enter(h.ctx(), in); !errors.Is(err, ErrBadEntry) {
			t.Errorf("enter %q %d: %v, want ErrBadEntry", in.Ticket, in.Arrival, err)
		}
	}
	if left := h.keysLeft(); len(left) != 0 {
		t.Errorf("refused entries left %v", left)
	}
}

func TestLock_WaitsAndGivesUp(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h, a, b := newTwoNodes(t)
		first := h.lock(a, "t1")
		impatient, cancel := context.WithCancel(h.ctx())
		gaveUp := make(chan error, 1)
		go func() {
			_, err := b.Line(h.name).Lock(impatient, "t2")
			gaveUp <- err
		}()
		eventually(t, "t2 waits", func() bool { return h.progress(a).Count == 1 })
		cancel()
		if err := <-gaveUp; !errors.Is(err, context.Canceled) {
			t.Fatalf("gave up with %v", err)
		}
		if p := h.progress(a); p.Count != 0 || !p.Holder {
			t.Fatalf("a waiter that gave up left %+v", p)
		}
		h.release(first, 1)
		h.release(h.lock(b, "t3"), 1)
	})
}

func TestClient_ClosedReturnsErrors(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	c := h.node("a", nil)
	turn := h.turnOf(c, "t1")
	waiting := make(chan error, 1)
	go func() {
		_, err := c.Line(h.name).Next(context.Background())
		waiting <- err
	}()
	h.kill(c)
	if err := <-waiting; !errors.Is(err, ErrClientClosed) {
		t.Errorf("next: %v", err)
	}
	<-turn.Context().Done()
	if cause := context.Cause(turn.Context()); !errors.Is(cause, ErrClientClosed) {
		t.Errorf("turn ended with %v", cause)
	}
	if _, err := c.Line(h.name).Enter(h.ctx(), Entry{Ticket: "t2"}); !errors.Is(err, ErrClientClosed) {
		t.Errorf("enter: %v", err)
	}
	if err := turn.Release(h.ctx(), 1); !errors.Is(err, ErrClientClosed) {
		t.Errorf("release: %v", err)
	}
}

func TestClient_SameLineWhileInUse(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	c := h.node("a", unhurried)
	line := c.Line(h.name)
	if _, err := line.Enter(h.ctx(), Entry{Ticket: "t1"}); err != nil {
		t.Fatal(err)
	}
	if c.Line(h.name) != line || line.Name() != h.name {
		t.Fatal("another pointer for a line in use")
	}
	h.release(h.next(c), 1)
	eventually(t, "the line is out of use", func() bool { return c.Line(h.name) != line })
}
