package setup

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"lunchgo/app/booking"
)

// Where nobody can pay, a restaurant that asks for a deposit is not published, and its set-up says why.
func TestChecks_DepositsThatNobodyCanPay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		noPayments bool
		perPerson  int64
		tiers      []booking.DepositTier
		want       bool
	}{
		"a deposit":                        {true, 10_000, nil, true},
		"a deposit of large parties":       {true, 0, []booking.DepositTier{{FromParty: 6, Kind: booking.PerParty, Amount: 50_000}}, true},
		"no deposit":                       {true, 0, nil, false},
		"a deposit where one can pay":      {false, 10_000, nil, false},
		"none is asked of any size either": {true, 0, []booking.DepositTier{{FromParty: 1, Kind: booking.NoDeposit}}, false},
	} {
		s := &Service{NoPayments: c.noPayments, Now: time.Now}
		r := booking.Restaurant{Location: time.UTC, DepositPerPerson: c.perPerson, DepositTiers: c.tiers,
			Settings: booking.Settings{SlotMinutes: 60, PartyMin: 1, PartyMax: 8}}
		found := s.Checks(State{Restaurant: r})
		blocked := slices.ContainsFunc(found, func(f booking.Contradiction) bool {
			return f.Code == "no_payments" && f.Severity == booking.SeverityError
		})
		if blocked != c.want {
			t.Errorf("%s: refused %v, want %v", name, blocked, c.want)
		}
	}
}

// drafts knows one restaurant.
type drafts struct {
	Store
	state State
}

func (d drafts) FindSetup(context.Context, int64) (State, error) { return d.state, nil }

// A draft without hours is not ready, whoever publishes it; what is published already stays so.
func TestReady_OfADraft(t *testing.T) {
	t.Parallel()
	r := booking.Restaurant{Location: time.UTC, Draft: true,
		Settings: booking.Settings{SlotMinutes: 60, PartyMin: 1, PartyMax: 8, Capacity: 8}}
	ready := func(r booking.Restaurant) error {
		return (&Service{Store: drafts{state: State{Restaurant: r}}, Now: time.Now}).Ready(t.Context(), 1)
	}
	missing, ok := errors.AsType[*NotReadyError](ready(r))
	if !ok || missing.Found[0].Code != "no_hours" {
		t.Errorf("without hours: %+v", missing)
	}
	r.Draft = false
	if err := ready(r); err != nil {
		t.Errorf("published: %v", err)
	}
}
