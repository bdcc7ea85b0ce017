package locks

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

// What many do at several nodes at once must look as if they had done it one after the other at a single line.
func TestHistory_IsLinearizable(t *testing.T) {
	testWithGuards(t, linearizable,
		orderOfLine,
		placeOnReentry,
		fenceOfRelease,
		guard{"the counter", "",
			"local function grant(head, fence)\n",
			"local function grant(head, fence)\n  fence = format_int(now - 1000000 * (now % 3))\n",
		},
		turnOfLeaver,
	)
}

// linearizable plays a history, or several if a fault is wanted, for not every one shows it.
func linearizable(t testing.TB, edit func(*Client)) {
	histories := 1
	if failureWanted(t) {
		histories = 6
	}
	for i := range histories {
		record(t, uint64(i), edit)
	}
}

// record records a history of ten people at three nodes, and looks for an order that explains it.
func record(t testing.TB, seed uint64, edit func(*Client)) {
	ignoresClock(t)
	r := &recorder{harness: newHarness(t), begun: time.Now()}
	ctx, stop := context.WithCancel(r.ctx())
	var serving, people sync.WaitGroup
	for i := range 3 {
		c := r.node(fmt.Sprint("n", i), func(cfg *Config) {
			cfg.TTL, cfg.Lease, cfg.ClaimWindow = time.Minute, time.Minute, time.Minute
		})
		edit(c)
		r.nodes = append(r.nodes, c)
		serving.Go(func() { r.hand(ctx, c) })
	}
	for i := range 10 {
		people.Go(func() {
			p := &person{recorder: r, id: i, random: rand.New(rand.NewPCG(uint64(i), seed))}
			for round := 0; round < 12 && ctx.Err() == nil; round++ {
				p.dine(ctx, fmt.Sprintf("%c%d", 'a'+i, round))
			}
		})
	}
	people.Wait()
	late := ctx.Err()
	stop()
	serving.Wait()
	verdict := porcupine.CheckOperationsTimeout(fairLock, r.all, 20*time.Second)
	if verdict == porcupine.Illegal {
		t.Fatalf("no order of the %d deeds explains what came of them", len(r.all))
	}
	if verdict != porcupine.Ok || late != nil {
		t.Fatalf("%d deeds: %s, %v", len(r.all), verdict, late)
	}
}

// recorder notes who did what, when, and what came of it.
type recorder struct {
	*harness
	nodes []*Client
	begun time.Time
	turns sync.Map // ticket -> chan *Turn

	mu  sync.Mutex
	all []porcupine.Operation
}

// hand passes a node's turns to those whose they are.
func (r *recorder) hand(ctx context.Context, c *Client) {
	for {
		turn, err := c.Line(r.name).Next(ctx)
		if err != nil {
			return
		}
		if to, known := r.turns.Load(turn.Ticket()); known {
			to.(chan *Turn) <- turn
		}
	}
}

// person does one thing after the other.
type person struct {
	*recorder
	id     int
	random *rand.Rand
}

// did notes a deed.
func (p *person) did(d modelCall, act func() outcome) outcome {
	call := time.Since(p.begun)
	out := act()
	done := time.Since(p.begun)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = append(p.all, porcupine.Operation{
		ClientId: p.id, Input: d, Call: call.Nanoseconds(), Output: out, Return: done.Nanoseconds(),
	})
	return out
}

// dine is one evening of a ticket: it enters, comes back, changes nodes, leaves, or waits for its turn.
func (p *person) dine(ctx context.Context, ticket string) {
	turns := make(chan *Turn, 3)
	p.turns.Store(ticket, turns)
	p.enter(ctx, ticket)
	for range p.random.IntN(4) {
		switch p.random.IntN(3) {
		case 0:
			p.enter(ctx, ticket)
		case 1:
			p.read(ctx)
		case 2:
			if out := p.did(modelCall{what: "leave", ticket: ticket}, func() outcome {
				return outcome{err: p.line().Leave(ctx, ticket)}
			}); out.err == nil {
				return
			}
		}
	}
	p.work(ctx, ticket, turns)
}

// line is that of a random node.
func (p *person) line() *Line { return p.nodes[p.random.IntN(len(p.nodes))].Line(p.name) }

func (p *person) enter(ctx context.Context, ticket string) {
	line := p.line()
	p.did(modelCall{what: "enter", ticket: ticket}, func() outcome {
		place, err := line.Enter(ctx, Entry{Ticket: ticket})
		return outcome{place: place, err: err}
	})
}

func (p *person) read(ctx context.Context) {
	p.did(modelCall{what: "read"}, func() outcome {
		progress, err := p.line().Progress(ctx)
		return outcome{order: order(progress), held: progress.Holder, err: err}
	})
}

// work waits for the turn and ends it; somebody tries to do so with a fence of the past.
func (p *person) work(ctx context.Context, ticket string, turns chan *Turn) {
	var turn *Turn
	p.did(modelCall{what: "turn", ticket: ticket}, func() outcome {
		select {
		case turn = <-turns:
			return outcome{fence: turn.Fence()}
		case <-ctx.Done():
			return outcome{err: ctx.Err()}
		}
	})
	if turn == nil {
		return
	}
	if p.random.IntN(3) == 0 {
		p.did(modelCall{what: "release", ticket: ticket, fence: turn.Fence() - 1}, func() outcome {
			s, err := turn.line.client.session(turn.line)
			if err != nil {
				return outcome{err: err}
			}
			defer s.client.endUse(s)
			r, err := s.call(ctx, opRelease, ticket, turn.Fence()-1, 0)
			if err == nil && r.status == 0 {
				err = ErrStale
			}
			return outcome{err: err}
		})
	}
	p.did(modelCall{what: "release", ticket: ticket, fence: turn.Fence()}, func() outcome {
		return outcome{err: turn.Release(ctx, 1)}
	})
}
