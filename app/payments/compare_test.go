package payments_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"lunchgo/app/payments"
)

// lister is a provider that lists movements, and books that have some.
type lister struct {
	payments.Provider
	payments.Days
	listed, moved []payments.Movement
	found         []payments.Difference
}

func (*lister) Name() string { return "lister" }

func between(all []payments.Movement, from, until time.Time) (some []payments.Movement) {
	for _, m := range all {
		if !m.At.Before(from) && m.At.Before(until) {
			some = append(some, m)
		}
	}
	return some
}

func (l *lister) List(_ context.Context, day time.Time) ([]payments.Movement, error) {
	return between(l.listed, day, day.AddDate(0, 0, 1)), nil
}

func (*lister) BeginDay(context.Context, string, time.Time, time.Duration) (bool, error) {
	return true, nil
}

func (l *lister) ListMoved(_ context.Context, _ string, from, until time.Time) ([]payments.Movement, error) {
	return between(l.moved, from, until), nil
}

func (l *lister) EndDay(_ context.Context, c payments.Compared) error {
	l.found = append(l.found, c.Differences...)
	return nil
}

// What moves around midnight is compared too, once the next day's list is there: what either side does not have is
// missing, and what the clocks put into different days is not.
func TestCompareDay_AroundMidnight(t *testing.T) {
	t.Parallel()
	midnight := time.Date(2040, 5, 2, 0, 0, 0, 0, time.UTC)
	before, after := midnight.Add(-30*time.Minute), midnight.Add(30*time.Minute)
	at := func(when time.Time) []payments.Movement {
		return []payments.Movement{{PaymentID: "p", Amount: 20_000, At: when}}
	}
	both := slices.Concat(at(before), at(after))
	for _, c := range []struct {
		name          string
		listed, moved []payments.Movement
		want          []string
	}{
		{"missing there at 23:30", nil, at(before), []string{"provider 23:30"}},
		{"missing there at 00:30", nil, at(after), []string{"provider 00:30"}},
		{"missing here at 23:30", at(before), nil, []string{"here 23:30"}},
		{"missing here at 00:30", at(after), nil, []string{"here 00:30"}},
		{"missing here at 23:30 beside an equal one", both, at(after), []string{"here 23:30"}},
		{"missing here at 00:30 beside an equal one", both, at(before), []string{"here 00:30"}},
		{"missing there at 23:30 beside an equal one", at(after), both, []string{"provider 23:30"}},
		{"missing there at 00:30 beside an equal one", at(before), both, []string{"provider 00:30"}},
		{"both are there", both, both, nil},
		{"the provider's clock is ahead", at(after), at(before), nil},
		{"the provider's clock is behind", at(before), at(after), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := &lister{listed: c.listed, moved: c.moved}
			s := payments.New(payments.Service{Provider: l, Days: l, Zone: time.UTC, Log: slog.New(slog.DiscardHandler),
				Now: func() time.Time { return midnight.AddDate(0, 0, 3) }})
			for _, day := range []time.Time{midnight.AddDate(0, 0, -1), midnight} {
				if done, err := s.CompareDay(t.Context(), day); !done || err != nil {
					t.Fatalf("%v, %v", done, err)
				}
			}
			var missing []string
			for _, d := range l.found {
				missing = append(missing, fmt.Sprint(d.Missing, " ", d.At.Format("15:04")))
			}
			if !slices.Equal(missing, c.want) {
				t.Errorf("missing %v, want %v", missing, c.want)
			}
		})
	}
	l := &lister{moved: at(before)}
	s := payments.New(payments.Service{Provider: l, Days: l, Zone: time.UTC, Log: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return midnight.Add(2 * time.Hour) }})
	if _, err := s.CompareDay(t.Context(), midnight.AddDate(0, 0, -1)); err != nil || len(l.found) > 0 {
		t.Errorf("before the next day's list is there: %v, %v", l.found, err)
	}
}
