package locks

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// impatientClient opens a client of the test's Redis, or of a proxy before it at addr. A call
// waits no longer than its context allows.
func (h *harness) impatientClient(addr string, hook redis.Hook) *redis.Client {
	h.t.Helper()
	options, err := redis.ParseURL(h.url)
	if err != nil {
		h.t.Fatal(err)
	}
	if addr != "" {
		options.Addr = addr
	}
	options.ContextTimeoutEnabled, options.PoolSize, options.DialerRetries = true, 32, 1
	rdb := redis.NewClient(options)
	if hook != nil {
		rdb.AddHook(hook)
	}
	h.t.Cleanup(func() { rdb.Close() })
	return rdb
}

// fallbackNode starts a node that serves by itself when Redis is away, over a wire of its own, which is nil if it is
// not cut.
func (h *harness) fallbackNode(name string, wire *breakableLink, edit func(*Config)) *Client {
	var hook redis.Hook
	if wire != nil {
		hook = wire
	}
	return h.fallbackNodeOn(h.impatientClient("", hook), name, edit)
}

func (h *harness) fallbackNodeOn(rdb redis.UniversalClient, name string, edit func(*Config)) *Client {
	return h.nodeOn(rdb, name, func(cfg *Config) {
		cfg.Fallback = true
		if edit != nil {
			edit(cfg)
		}
	})
}

// awaitAway waits until a node serves by itself, or not any more.
func awaitAway(t testing.TB, c *Client, want bool) {
	t.Helper()
	eventually(t, "away: "+strconv.FormatBool(want), func() bool { return c.Away() > 0 == want })
}

// waitsForTurn reports whether a node could go back to Redis but for a turn that it gave by itself.
func waitsForTurn(c *Client) bool {
	p := c.partitions["evening"]
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.waiting
}

// storedWork is one ticket's work as the store has it.
type storedWork struct {
	ticket, node   string
	arrival, fence int64
	local          bool
}

// store is what the turns write to: it notes whose work was done, by whom, in order.
type store struct{ logbook[storedWork] }

func (s *store) has(ticket string) bool {
	return slices.ContainsFunc(s.all(), func(m storedWork) bool { return m.ticket == ticket })
}

// put stores work, unless it looks and finds the ticket's work done.
func (s *store) put(work storedWork, looks bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !looks || !slices.ContainsFunc(s.entries, func(m storedWork) bool { return m.ticket == work.ticket }) {
		s.entries = append(s.entries, work)
	}
}

// faults lists tickets that were not served once, or not in order among those of their node, or under fences that do
// not rise at a node. of says which node a ticket entered at.
func (s *store) faults(of map[string]string) []string {
	var all []string
	served, last, fence := map[string]int{}, map[string]storedWork{}, map[string]int64{}
	for _, m := range s.all() {
		served[m.ticket]++
		home := of[m.ticket]
		if before := last[home]; m.arrival < before.arrival {
			all = append(all, fmt.Sprintf("%s of %s was served after %s", m.ticket, home, before.ticket))
		}
		if m.fence < fence[m.node] {
			all = append(all, fmt.Sprintf("fence %d of %s after %d", m.fence, m.node, fence[m.node]))
		}
		last[home], fence[m.node] = m, m.fence
	}
	for ticket := range of { // in any order
		if n := served[ticket]; n != 1 {
			all = append(all, fmt.Sprintf("%s was served %d times", ticket, n))
		}
	}
	return all
}

// check reports faults, with all that was served.
func (s *store) check(t testing.TB, of map[string]string) {
	t.Helper()
	if faults := s.faults(of); faults != nil {
		t.Errorf("%d faults: %v in %+v", len(faults), faults[:min(len(faults), 5)], s.all())
	}
}

// server serves the turns of a node into a store, as an application does: a ticket of which the line lost sight enters
// again, and a store that looks refuses work that another turn has done.
type server struct {
	*harness
	node  *Client
	store *store
	along int // tickets to take along in a turn
	looks bool

	mu       sync.Mutex
	arrivals map[string]int64
	lost     chan string
}

func (h *harness) server(s *store, rdb redis.UniversalClient, name string, edit func(*Client)) *server {
	v := &server{harness: h, store: s, along: 3, lost: make(chan string, 1000), arrivals: map[string]int64{}}
	v.node = h.fallbackNodeOn(rdb, name, func(cfg *Config) {
		cfg.Departed = func(_ Name, ticket string, d Departure) {
			if d.Cause == Reaped {
				v.lost <- ticket
			}
		}
	})
	edit(v.node)
	return v
}

// enter takes a ticket's place, the old one if it had one, however often that has to be tried.
func (v *server) enter(ticket, work string) {
	v.mu.Lock()
	arrival := v.arrivals[ticket]
	v.mu.Unlock()
	for v.ctx().Err() == nil {
		place, err := v.node.Line(v.name).Enter(v.ctx(), Entry{Ticket: ticket, Arrival: arrival, Work: work})
		if err == nil {
			v.mu.Lock()
			v.arrivals[ticket] = place.Arrival
			v.mu.Unlock()
			return
		}
	}
}

// run serves turns, each for a while, until ctx ends.
func (v *server) run(ctx context.Context, each time.Duration) {
	var entering sync.WaitGroup
	defer entering.Wait()
	entering.Go(func() {
		for {
			select {
			case ticket := <-v.lost:
				if !v.looks || !v.store.has(ticket) {
					v.enter(ticket, "")
				}
			case <-ctx.Done():
				return
			}
		}
	})
	for {
		turn, err := v.node.Line(v.name).Next(ctx)
		if err != nil {
			return
		}
		v.serve(ctx, turn, each)
	}
}

// serve does the work of one turn, unless it is lost before that.
func (v *server) serve(ctx context.Context, turn *Turn, each time.Duration) {
	party := []Taken{{Ticket: turn.Ticket(), Arrival: turn.Arrival()}}
	if more, err := turn.Take(ctx, v.along); err == nil {
		party = append(party, more...)
	}
	select {
	case <-time.After(each):
	case <-turn.Context().Done():
		if ctx.Err() == nil {
			v.lost <- turn.Ticket()
		}
		return
	}
	for _, t := range party {
		v.store.put(storedWork{t.Ticket, v.node.cfg.Node, t.Arrival, turn.Fence(), turn.Local()}, v.looks)
	}
	_ = turn.Release(ctx, len(party))
}
