package locks

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"
)

// gate is a connection to Redis on which calls of one script wait until it is opened.
type gate struct {
	open chan struct{}

	mu     sync.Mutex // guards what follows
	script string     // its hash
	calls  int
}

func newGate() *gate { return &gate{open: make(chan struct{})} }

func (g *gate) guard(script string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.script = script
}

// passes reports whether a command is none of the script's.
func (g *gate) passes(cmd redis.Cmder) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if cmd.Name() != "evalsha" || cmd.Args()[1] != g.script {
		return true
	}
	g.calls++
	return false
}

func (g *gate) sent() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.calls
}

func (g *gate) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

func (g *gate) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if !g.passes(cmd) {
			<-g.open
		}
		return next(ctx, cmd)
	}
}

func (g *gate) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// arrivals enter while a call is under way.
type arrivals struct {
	*harness
	*gate
	client *Client
	going  sync.WaitGroup

	mu     sync.Mutex
	places map[string]Place
	errs   map[string]error
}

// newArrivals lets a first ticket enter, whose call waits at the gate.
func (h *harness) newArrivals(edit func(*Client)) *arrivals {
	h.t.Helper()
	a := &arrivals{harness: h, gate: newGate(), places: map[string]Place{}, errs: map[string]error{}}
	a.client = h.nodeOn(h.connect(a.gate), "a", slow)
	edit(a.client)
	h.loadScripts(a.client)
	a.guard(a.client.scripts[opEnter].Hash())
	a.enter(h.t.Context(), "first")
	eventually(h.t, "the first call is under way", func() bool { return a.sent() == 1 })
	return a
}

func (a *arrivals) enter(ctx context.Context, ticket string) {
	a.going.Go(func() {
		place, err := a.client.Line(a.name).Enter(ctx, Entry{Ticket: ticket})
		a.mu.Lock()
		defer a.mu.Unlock()
		a.places[ticket], a.errs[ticket] = place, err
	})
}

// waiting is how many wait for the next call.
func (a *arrivals) waiting() int {
	a.client.mu.Lock()
	s := a.client.sessions[a.name]
	a.client.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.arriving)
}

// Who arrives while a call is under way goes together in the next, at most so many.
func TestEnter_WhoArrivesTogetherGoesTogether(t *testing.T) {
	testWithGuards(t, together, guard{"the numbers in a row", opEnter,
		"e.arrival, e.behind = format_int(first + k - 1), #drawn - k",
		"e.arrival, e.behind = format_int(first), #drawn - k",
	})
	testWithout(t, "a call under way", func(t testing.TB, edit func(*Client)) { enterMany(t, edit, true) },
		func(*Client) {})
}

func together(t testing.TB, edit func(*Client)) { enterMany(t, edit, false) }

// enterMany lets many enter while a call is under way, or one after the other.
func enterMany(t testing.TB, edit func(*Client), oneByOne bool) {
	h := newHarness(t)
	a := h.newArrivals(edit)
	const n = groupSize + 44
	if oneByOne {
		close(a.open)
	}
	for i := range n {
		a.enter(h.ctx(), fmt.Sprintf("t%03d", i))
		if oneByOne {
			a.going.Wait()
		}
	}
	if !oneByOne {
		eventually(t, "all wait for the next call", func() bool { return a.waiting() == n })
		close(a.open)
	}
	a.going.Wait()
	if calls := a.sent(); calls != 3 {
		t.Errorf("%d calls, want 3", calls)
	}
	byPosition := map[int]Place{}
	for ticket, place := range a.places {
		if err := a.errs[ticket]; err != nil || place.Ticket != ticket {
			t.Fatalf("%s: %+v, %v", ticket, place, err)
		}
		byPosition[place.Position] = place
	}
	for i := range n {
		before, place := byPosition[i], byPosition[i+1]
		if place.Ticket == "" || place.Arrival <= before.Arrival || place.Logged < 2 || place.Count < place.Position {
			t.Fatalf("position %d: %+v after %+v", i+1, place, before)
		}
	}
	if texts, err := a.client.Line(h.name).Log(h.ctx(), 0); err != nil || len(texts) != 3 {
		t.Errorf("%d texts in the log, %v, want one a call", len(texts), err)
	}
}

func TestEnter_WhoGivesUpLeavesTheGroup(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h := newHarness(t)
		a := h.newArrivals(func(*Client) {})
		brief, cancel := context.WithCancel(h.ctx())
		a.enter(h.ctx(), "stays")
		a.enter(brief, "gives up")
		eventually(t, "both wait", func() bool { return a.waiting() == 2 })
		cancel()
		eventually(t, "one gives up", func() bool {
			a.mu.Lock()
			defer a.mu.Unlock()
			return errors.Is(a.errs["gives up"], context.Canceled)
		})
		close(a.open)
		a.going.Wait()
		if place := a.places["stays"]; a.errs["stays"] != nil || place.Position != 1 {
			t.Errorf("%+v, %v", place, a.errs["stays"])
		}
		if p := h.progress(a.client); !slices.Equal(order(p), []string{"stays"}) {
			t.Errorf("%v wait", order(p))
		}
	})
}

func TestEnter_TwiceAtOnceHasOnePlace(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h := newHarness(t)
		a := h.newArrivals(func(*Client) {})
		var places [3]Place
		var twice sync.WaitGroup
		for i := range places {
			twice.Go(func() { places[i] = h.enter(a.client, "t1") })
		}
		eventually(t, "all wait", func() bool { return a.waiting() == len(places) })
		close(a.open)
		a.going.Wait()
		twice.Wait()
		for _, place := range places {
			if place.Position != 1 || place.Arrival != places[0].Arrival {
				t.Errorf("%+v and %+v", place, places[0])
			}
		}
	})
}
