package locks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

// faultyEvening is a crowd that is served at several nodes while servers fail. It does what a program does with the
// line: it enters again whom Redis has lost, repeats what Redis did not answer, and writes to a store that refuses a
// lower fence after a higher one.
type faultyEvening struct {
	r        *harness
	ctx      context.Context
	stop     context.CancelFunc
	going    sync.WaitGroup
	arrivals sync.Map // ticket to arrival number

	mu      sync.Mutex
	highest int64    // fence in the store
	served  []string // in the order of the store
	refused int
	errors  int // answers that Redis did not give
}

func newEvening(h *harness, limit time.Duration) *faultyEvening {
	ctx, stop := context.WithTimeout(h.t.Context(), limit)
	h.t.Cleanup(stop)
	return &faultyEvening{r: h, ctx: ctx, stop: stop}
}

// open makes a node serve; start has to pass the configuration on to a new client.
func (e *faultyEvening) open(start func(edit func(*Config)) *Client) *Client {
	lost := make(chan string, 1000)
	c := start(func(cfg *Config) {
		cfg.Departed = func(_ Name, ticket string, d Departure) {
			if d.Cause == Reaped {
				lost <- ticket
			}
		}
	})
	e.going.Go(func() {
		for {
			select {
			case ticket := <-lost:
				e.enter(c, ticket)
			case <-e.ctx.Done():
				return
			}
		}
	})
	e.going.Go(func() { e.serve(c) })
	return c
}

// enter takes a ticket's place, or takes it again.
func (e *faultyEvening) enter(c *Client, ticket string) {
	in := Entry{Ticket: ticket}
	if arrival, known := e.arrivals.Load(ticket); known {
		in.Arrival = arrival.(int64)
	}
	e.insist(func() error {
		place, err := c.Line(e.r.name).Enter(e.ctx, in)
		if err == nil {
			e.arrivals.Store(ticket, place.Arrival)
		}
		return err
	})
}

// insist repeats what Redis did not answer.
func (e *faultyEvening) insist(act func() error) {
	for e.ctx.Err() == nil {
		err := act()
		if err == nil || errors.Is(err, ErrStale) {
			return
		}
		e.mu.Lock()
		e.errors++
		e.mu.Unlock()
	}
}

func (e *faultyEvening) serve(c *Client) {
	for {
		turn, err := c.Line(e.r.name).Next(e.ctx)
		if err != nil {
			return
		}
		if e.store(turn) {
			e.insist(func() error { return turn.Release(e.ctx, 1) })
			continue
		}
		stale := false
		e.insist(func() error {
			err := turn.Return(e.ctx)
			stale = errors.Is(err, ErrStale)
			return err
		})
		if stale {
			e.enter(c, turn.Ticket())
		}
	}
}

// store writes that the turn's ticket is served, unless a later turn has written.
func (e *faultyEvening) store(turn *Turn) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if turn.Fence() <= e.highest {
		e.refused++
		return false
	}
	e.highest = turn.Fence()
	e.served = append(e.served, turn.Ticket())
	return true
}

func (e *faultyEvening) servedSoFar() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.served)
}

// await waits until n tickets are served.
func (e *faultyEvening) await(n int) {
	e.r.t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for len(e.servedSoFar()) < n {
		select {
		case <-tick.C:
		case <-e.ctx.Done():
			e.r.t.Fatalf("only %d of %d were served", len(e.servedSoFar()), n)
		}
	}
}

// close ends the evening and checks that each of the tickets was served once, in the order given.
func (e *faultyEvening) close(t testing.TB, want []string) {
	t.Helper()
	e.stop()
	e.going.Wait()
	t.Logf("%d answers of Redis were missing, %d fences refused", e.errors, e.refused)
	if slices.Equal(e.served, want) {
		return
	}
	times := map[string]int{}
	for _, ticket := range e.served {
		times[ticket]++
	}
	for _, ticket := range want {
		if times[ticket] != 1 {
			t.Errorf("%s was served %d times", ticket, times[ticket])
		}
	}
	for i := range min(len(e.served), len(want)) {
		if e.served[i] != want[i] {
			t.Errorf("turn %d was %s's, want %s; then %v", i, e.served[i], want[i],
				e.served[i:min(i+10, len(e.served))])
			break
		}
	}
}

// ticketNames are names of n tickets.
func ticketNames(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("t%03d", i)
	}
	return names
}
