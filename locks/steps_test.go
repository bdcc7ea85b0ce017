package locks

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// The steps that many tests take. Each ends the test if it goes wrong.

func (h *harness) enter(c *Client, ticket string) Place {
	h.t.Helper()
	place, err := c.Line(h.name).Enter(h.ctx(), Entry{Ticket: ticket})
	if err != nil {
		h.t.Fatalf("enter %s: %v", ticket, err)
	}
	return place
}

// enterInTurn enters n tickets, t0 and so on, each at the next of the nodes, and returns them.
func (h *harness) enterInTurn(n int, nodes ...*Client) []string {
	h.t.Helper()
	tickets := make([]string, n)
	for i := range tickets {
		tickets[i] = fmt.Sprintf("t%02d", i)
		h.enter(nodes[i%len(nodes)], tickets[i])
	}
	return tickets
}

func (h *harness) lock(c *Client, ticket string) *Turn {
	h.t.Helper()
	turn, err := c.Line(h.name).Lock(h.ctx(), ticket)
	if err != nil {
		h.t.Fatalf("lock for %s: %v", ticket, err)
	}
	return turn
}

func (h *harness) next(c *Client) *Turn {
	h.t.Helper()
	turn, err := c.Line(h.name).Next(h.ctx())
	if err != nil {
		h.t.Fatalf("next: %v", err)
	}
	return turn
}

// turnOf enters a ticket into a free line and returns its turn.
func (h *harness) turnOf(c *Client, ticket string) *Turn {
	h.t.Helper()
	h.enter(c, ticket)
	return h.nextIs(c, ticket)
}

// nextIs waits for the next turn of a node, which has to be the ticket's.
func (h *harness) nextIs(c *Client, ticket string) *Turn {
	h.t.Helper()
	turn := h.next(c)
	if turn.Ticket() != ticket {
		h.t.Fatalf("%s has the turn, want %s", turn.Ticket(), ticket)
	}
	return turn
}

// nextOf waits for the next turn of any of the nodes.
func (h *harness) nextOf(nodes ...*Client) *Turn {
	h.t.Helper()
	ctx, cancel := context.WithCancel(h.ctx())
	defer cancel()
	turns := make(chan *Turn, len(nodes))
	var waiting sync.WaitGroup
	for _, c := range nodes {
		waiting.Go(func() {
			if turn, err := c.Line(h.name).Next(ctx); err == nil {
				turns <- turn
				cancel()
			}
		})
	}
	waiting.Wait() // none of them may take a later turn
	if len(turns) != 1 {
		h.t.Fatalf("%d have a turn", len(turns))
	}
	return <-turns
}

func (h *harness) release(turn *Turn, served int) {
	h.t.Helper()
	if err := turn.Release(h.ctx(), served); err != nil {
		h.t.Fatalf("release %s: %v", turn.Ticket(), err)
	}
}

func (h *harness) progress(c *Client) Progress {
	h.t.Helper()
	p, err := c.Line(h.name).Progress(h.ctx())
	if err != nil {
		h.t.Fatalf("progress: %v", err)
	}
	return p
}

// take takes up to n tickets along, which have to be want.
func (h *harness) take(turn *Turn, n int, want ...string) []Taken {
	h.t.Helper()
	run, err := turn.Take(h.ctx(), n)
	var got []string
	for _, taken := range run {
		got = append(got, taken.Ticket)
	}
	if err != nil || !slices.Equal(got, want) {
		h.t.Fatalf("took %v along, %v, want %v", got, err, want)
	}
	return run
}

// awaitSubscribed waits until Redis has the subscriptions of nodes.
func (h *harness) awaitSubscribed(nodes ...string) {
	h.t.Helper()
	for _, node := range nodes {
		channel := lineKeys(h.prefix, h.name).channel + node
		eventually(h.t, node+" listens", func() bool {
			return h.rdb.PubSubNumSub(h.ctx(), channel).Val()[channel] == 1
		})
	}
}

// loadScripts makes Redis know the scripts of nodes.
func (h *harness) loadScripts(nodes ...*Client) {
	h.t.Helper()
	for _, c := range nodes {
		for _, op := range operations {
			if err := c.scripts[op].Load(h.ctx(), h.rdb).Err(); err != nil {
				h.t.Fatal(err)
			}
		}
	}
}
