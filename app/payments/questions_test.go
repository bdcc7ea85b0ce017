package payments_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"lunchgo/app/payments"
)

// oneWindow is a store of one payment whose window is open; it keeps what is asked of it.
type oneWindow struct {
	payments.Store
	mu       sync.Mutex
	notes    int
	hastened []time.Duration
}

func (s *oneWindow) Find(_ context.Context, id string) (payments.Payment, error) {
	return payments.Payment{ID: id, State: payments.Started, Provider: "slow"}, nil
}

func (s *oneWindow) Note(context.Context, payments.Answer) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes++
	return nil
}

func (s *oneWindow) Hasten(_ context.Context, _ string, after time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hastened = append(s.hastened, after)
	return nil
}

// slow is a provider that takes two seconds to say that nothing has happened, and counts how often it is asked.
type slow struct {
	payments.Provider
	mu    sync.Mutex
	asked map[string]int
}

func (*slow) Name() string { return "slow" }

func (s *slow) Find(_ context.Context, p payments.Payment) (payments.Report, error) {
	s.mu.Lock()
	s.asked[p.ID]++
	s.mu.Unlock()
	time.Sleep(2 * time.Second)
	return payments.Report{PaymentID: p.ID, Stand: payments.StandPending}, nil
}

// Whoever knows a payment's id has the provider asked one question of it at a time, and none in the second after its
// answer; other payments do not wait for it, and a report of the provider is not lost.
func TestLook_BoundsQuestions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store, provider := &oneWindow{}, &slow{asked: map[string]int{}}
		s := payments.New(payments.Service{Provider: provider, Store: store})
		var browsers sync.WaitGroup
		for i := range 101 {
			id := "a"
			if i == 100 {
				id = "b"
			}
			browsers.Go(func() {
				if p, _, err := s.Look(t.Context(), id, ""); err != nil || p.State != payments.Started {
					t.Errorf("%s, %v", p.State, err)
				}
			})
		}
		browsers.Wait()
		want := func(when string, asked int) {
			t.Helper()
			if got := provider.asked["a"]; got != asked {
				t.Errorf("%s: asked %d times, want %d", when, got, asked)
			}
		}
		want("a hundred at once", 1)
		if provider.asked["b"] != 1 {
			t.Error("another payment waits")
		}
		if err := s.Reported(t.Context(), "a"); err != nil || len(store.hastened) != 1 ||
			store.hastened[0] != time.Second {
			t.Errorf("a report just after the answer: %v, %v", store.hastened, err)
		}
		want("a report just after the answer", 1)
		time.Sleep(time.Second)
		synctest.Wait()
		if err := s.Reported(t.Context(), "a"); err != nil || len(store.hastened) != 1 {
			t.Errorf("a report: %v, %v", store.hastened, err)
		}
		want("a second later", 2)
		time.Sleep(time.Second)
		synctest.Wait()
	})
}
