package locks

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"
)

// A ticket that a turn takes along may be adopted by another node before the turn's node has read the answer. The turn
// names it all the same: its place ends with the turn, so nobody else can serve it.
func TestTake_NamesATicketThatMovedMeanwhile(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	a := h.node("a", unhurried)
	turn := h.turnOf(a, "first")
	h.offer(a, "moved")
	s, err := a.session(a.Line(h.name))
	if err != nil {
		t.Fatal(err)
	}
	defer a.endUse(s)
	s.mu.Lock()
	delete(s.tickets, "moved") // as the message of the adoption does
	s.mu.Unlock()
	taken, err := turn.Take(h.ctx(), 5)
	if err != nil || len(taken) != 1 || taken[0].Ticket != "moved" {
		t.Errorf("the turn names %v, %v", taken, err)
	}
	h.release(turn, 2)
}

// deafLink is a connection to Redis that can lose answers: then every command is carried out, and fails.
type deafLink struct{ deaf atomic.Bool }

func (d *deafLink) DialHook(next redis.DialHook) redis.DialHook { return next }

func (d *deafLink) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func (d *deafLink) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		if d.deaf.Load() {
			err = errLinkCut
			cmd.SetErr(err)
		}
		return err
	}
}

// Those that Redis takes along in a call whose answer is lost keep their places: the turn ends without them, and serves
// those that another call took along.
func TestTake_LosesNobodyWithItsAnswer(t *testing.T) {
	testWithGuards(t, takeUnheard, returnOfUnknown)
}

func takeUnheard(t testing.TB, edit func(*Client)) {
	h, link := newHarness(t), &deafLink{}
	a, b := h.nodeOn(h.connect(link), "a", unhurried), h.node("b", unhurried)
	edit(a)
	edit(b)
	h.loadScripts(a)
	turn := h.turnOf(a, "first")
	for _, ticket := range []string{"second", "third", "fourth"} {
		h.enter(a, ticket)
	}
	h.offer(b, "fifth")
	h.take(turn, 1, "second")
	link.deaf.Store(true)
	if taken, err := turn.Take(h.ctx(), 3); err == nil {
		t.Errorf("the turn names %v", taken)
	}
	link.deaf.Store(false)
	h.release(turn, 2)
	turn = h.nextIs(a, "third")
	h.take(turn, 5, "fourth", "fifth")
	h.release(turn, 3)
}
