package locks

import (
	"fmt"
	"testing"
	"time"
)

// playRepeated is play over a connection that sends every operation one to three times.
func playRepeated(t *testing.T, edit func(*Client)) error {
	r := newRig(t)
	r.rdb = r.connect(&stutter{})
	for seed := range uint64(4) {
		p := newPlayer(r, seed, edit)
		p.repeats = true
		for _, c := range p.clients { // repetitions need the scripts to be known
			for _, op := range operations {
				if err := c.scripts[op].Load(p.ctx(), p.rdb).Err(); err != nil {
					t.Fatal(err)
				}
			}
		}
		for i := range 200 {
			if err := p.step(); err != nil {
				return fmt.Errorf("seed %d, step %d: %w", seed, i, err)
			}
		}
	}
	return nil
}

func TestOperationsSentSeveralTimesCountOnce(t *testing.T) {
	t.Parallel()
	if err := playRepeated(t, nil); err != nil {
		t.Fatal(err)
	}
}

func TestRepetitionIsNoticedWithoutItsGuards(t *testing.T) {
	t.Parallel()
	mutants := map[string]struct {
		operation operation
		from, to  string
	}{
		"take forgets its request":     {"take", "local again = h[4] == request", "local again = false"},
		"close forgets its request":    {"close", "if before[1] == request then", "if false then"},
		"release forgets its fence":    {"release", "elseif call('HGET', record, done_by) == fence then", "elseif false then"},
		"enter draws for a known one":  {"enter", "if stood then arrival = stood elseif", "if"},
		"release frees whoever has it": {"release", "if h[1] == ticket and h[2] == fence then", "if true then"},
	}
	for name, mutant := range mutants {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := playRepeated(t, func(c *Client) { mutate(t, c, mutant.operation, mutant.from, mutant.to) })
			if err == nil {
				t.Fatal("nothing was noticed")
			}
			t.Log(err)
		})
	}
}

func TestAWholeEveningOverAStutteringConnection(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	j := newJournal()
	a, b := r.nodeOn(r.connect(&stutter{}), "a", j.keep), r.nodeOn(r.connect(&stutter{}), "b", j.keep)
	const n = 60
	for i := range n {
		r.enter([]*Client{a, b}[i%2], fmt.Sprintf("t%d", i))
	}
	for i, ticket := range serveAll(r, n, a, b) {
		if want := fmt.Sprintf("t%d", i); ticket != want {
			t.Fatalf("turn %d is %s's, want %s", i, ticket, want)
		}
	}
	if p := r.progress(a); p.Holder || p.Count != 0 {
		t.Errorf("left: %+v", p)
	}
	eventually(t, 5*time.Second, "no desk is left", func() bool {
		a.mu.Lock()
		defer a.mu.Unlock()
		return len(a.desks) == 0
	})
}
