package waiting

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"testing"
	"time"

	"lunchgo/locks"
)

// Requests are counted by how they ended, those of a joint line in its first; what holds seats already and what staff
// ask for are not. What cannot be stored is counted again, with what came meanwhile.
func TestTallies_CountHowRequestsEnded(t *testing.T) {
	t.Parallel()
	var stored []Tally
	fails := true
	s := &tallies{log: slog.New(slog.DiscardHandler), lines: noTallies(),
		add: func(_ context.Context, counted []Tally) error {
			if fails {
				return errors.New("away")
			}
			stored = append(stored, counted...)
			return nil
		}}
	end := func(r Result) ticketResult { return ticketResult{result: r} }
	refused := func(code string) ticketResult { return end(Result{State: Rejected, Code: code}) }
	s.count(evening, []ticketResult{end(Result{State: Reserved}), end(Result{State: Reserved, Changed: true}),
		refused("full"), refused("other"),
		{request: Request{HoldsSeats: true}, result: Result{State: Rejected, Code: "full"}},
		{request: Request{UserID: "host" + staffMark + "phone"}, result: Result{State: Reserved}}})
	s.store()
	s.count(locks.JointName(evening.Partition, []string{evening.Key, "20:00"}),
		[]ticketResult{end(Result{State: Left, Code: ErrLeft.Code}), refused("full")})
	fails = false
	s.store()
	s.store()
	if len(stored) != 1 || stored[0].Line != evening || stored[0].Reserved != 1 ||
		!maps.Equal(stored[0].Codes, map[string]int{"full": 2, "other": 1, ErrLeft.Code: 1}) {
		t.Errorf("stored %+v", stored)
	}
}

func TestTallies_AreStoredAtTheEnd(t *testing.T) {
	t.Parallel()
	stored, closing := 0, make(chan struct{})
	s := &tallies{lines: noTallies(), add: func(context.Context, []Tally) error { stored++; return nil }}
	s.count(evening, []ticketResult{{result: Result{State: Reserved}}})
	close(closing)
	s.storeLoop(closing, time.Hour)
	if stored != 1 {
		t.Errorf("stored %d times", stored)
	}
}

// BenchmarkTallies counts one request of a busy line: what a press that is refused pays for it.
func BenchmarkTallies(b *testing.B) {
	s := &tallies{lines: noTallies(), add: func(context.Context, []Tally) error { return nil }}
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			s.count(evening, []ticketResult{{result: Result{State: Rejected, Code: "sold_out"}}})
		}
	})
}
