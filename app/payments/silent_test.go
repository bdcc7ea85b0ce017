package payments_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"lunchgo/app/payments"
)

// silent is a provider that gives its answers after a minute.
type silent struct{ payments.Provider }

func (silent) Name() string { return "silent" }

func (silent) wait(ctx context.Context) error {
	select {
	case <-time.After(time.Minute):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s silent) Begin(ctx context.Context, _ payments.Order) (payments.Opened, error) {
	return payments.Opened{Reference: "late", CheckoutURL: "late"}, s.wait(ctx)
}

func (s silent) Find(ctx context.Context, p payments.Payment) (payments.Report, error) {
	return payments.Report{PaymentID: p.ID, Stand: payments.StandRefused}, s.wait(ctx)
}

func (s silent) Capture(ctx context.Context, p payments.Payment) (payments.Report, error) {
	return payments.Report{PaymentID: p.ID, Stand: payments.StandCaptured}, s.wait(ctx)
}

// oneStep is a store of one payment of which a step is due; it keeps when the next one is to be taken. Whatever else is
// stored of it fails the test.
type oneStep struct {
	payments.Store
	state  payments.State
	due    bool
	rests  []time.Duration
	errors []string
}

func (s *oneStep) payment() payments.Payment {
	return payments.Payment{ID: "p", State: s.state, Provider: "silent"}
}

func (s *oneStep) Begin(context.Context, payments.NewPayment) (payments.Payment, error) {
	return s.payment(), nil
}

func (s *oneStep) Find(context.Context, string) (payments.Payment, error) { return s.payment(), nil }

func (s *oneStep) Claim(context.Context, payments.Step, int, time.Duration) ([]payments.Due, error) {
	if !s.due {
		return nil, nil
	}
	s.due = false
	return []payments.Due{{Payment: s.payment(), Attempts: 2}}, nil
}

func (s *oneStep) Rest(_ context.Context, _ payments.Due, after time.Duration) error {
	s.rests = append(s.rests, after)
	return nil
}

func (s *oneStep) Note(ctx context.Context, a payments.Answer) error {
	s.errors = append(s.errors, a.Error)
	return ctx.Err()
}

// A provider that is silent for a minute decides nothing: who waits for it is let go after ten seconds, and two seconds
// before the time of a request is over, what it did not say is in the record, and a job tries again, later each time.
func TestService_SilentProvider(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		state payments.State
		ask   func(ctx context.Context, s *payments.Service) error
		want  error
		rests int
		took  time.Duration
	}{
		"begin": {payments.Started, func(ctx context.Context, s *payments.Service) error {
			_, err := s.Begin(ctx, payments.Payment{}.Order(), payments.Diner{})
			return err
		}, payments.ErrAway, 0, 10 * time.Second},
		"settle": {payments.Started, func(ctx context.Context, s *payments.Service) error {
			_, err := s.Settle(ctx, "p", "")
			return err
		}, payments.ErrUnsure, 0, 10 * time.Second},
		"settle within a request": {payments.Started, func(ctx context.Context, s *payments.Service) error {
			request, cancel := context.WithTimeout(ctx, 10*time.Second)
			defer cancel()
			_, err := s.Settle(request, "p", "")
			return err
		}, payments.ErrUnsure, 0, 8 * time.Second},
		"capture": {payments.Capturing, func(ctx context.Context, s *payments.Service) error {
			_, err := s.Jobs(time.Second)[0].Run(ctx)
			return err
		}, nil, 1, 10 * time.Second},
		"look up": {payments.Started, func(ctx context.Context, s *payments.Service) error {
			_, err := s.Jobs(time.Second)[1].Run(ctx)
			return err
		}, nil, 1, 10 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store := &oneStep{state: c.state, due: true}
				s := payments.New(payments.Service{Provider: silent{}, Store: store,
					Log: slog.New(slog.DiscardHandler)})
				begun := time.Now()
				if err := c.ask(t.Context(), s); !errors.Is(err, c.want) {
					t.Errorf("%v, want %v", err, c.want)
				}
				if took := time.Since(begun); took != c.took {
					t.Errorf("it took %s, want %s", took, c.took)
				}
				if len(store.errors) != 1 || store.errors[0] == "" {
					t.Errorf("the record has %q", store.errors)
				}
				if len(store.rests) != c.rests || c.rests == 1 && store.rests[0] != 8*time.Second {
					t.Errorf("the job tries again after %v", store.rests)
				}
			})
		})
	}
}
