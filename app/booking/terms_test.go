package booking

import (
	"encoding/json"
	"errors"
	"testing"
	"time"
)

func TestDepositOf_PartySize(t *testing.T) {
	t.Parallel()
	tiered := Restaurant{PartyMin: 1, DepositPerPerson: 10_000,
		DepositTiers: []DepositTier{{3, NoDeposit, 0}, {6, PerParty, 100_000}, {9, PerPerson, 20_000}}}
	for party, want := range map[int]int64{1: 10_000, 2: 20_000, 3: 0, 5: 0, 6: 100_000, 8: 100_000, 9: 180_000,
		12: 240_000} {
		if got := tiered.DepositOf(party).For(party); got != want {
			t.Errorf("a party of %d pays %d, want %d", party, got, want)
		}
	}
	if got := tiered.Deposits(); len(got) != 4 || got[0] != (DepositTier{1, PerPerson, 10_000}) {
		t.Errorf("tiers %+v", got)
	}
	own := Restaurant{PartyMin: 2, DepositPerPerson: 7,
		DepositTiers: []DepositTier{{1, NoDeposit, 0}, {4, PerParty, 50_000}}}
	if got := own.Deposits(); len(got) != 2 || own.DepositOf(3).For(3) != 0 || own.DepositOf(4).For(4) != 50_000 {
		t.Errorf("tiers of its own for every party: %+v", got)
	}
	if got := (Restaurant{PartyMin: 1}).DepositOf(4); got != (DepositTier{1, NoDeposit, 0}) {
		t.Errorf("a restaurant that asks none: %+v", got)
	}
}

func TestTerms_Frozen(t *testing.T) {
	t.Parallel()
	r := inZone(t, "Asia/Seoul")
	r.Policy = Policy{Tiers: []RefundTier{{24, 100}}}
	r.DepositTiers, r.HoldMinutes, r.ExtensionMinutes = []DepositTier{{2, PerParty, 30_000}}, 7, 5
	draft := Draft{Date: "2026-12-24", Time: "19:00", PartySize: 3}
	req, err := draft.Check(r, nil, time.Date(2026, 12, 20, 12, 0, 0, 0, r.Location))
	if err != nil {
		t.Fatal(err)
	}
	frozen, err := req.Policy.MarshalPolicy()
	if err != nil {
		t.Fatal(err)
	}
	p, err := ParsePolicy(frozen)
	if err != nil || p.Deposit != (DepositTier{2, PerParty, 30_000}) || p.HoldMinutes != 7 || p.ExtensionMinutes != 5 ||
		len(p.Tiers) != 1 || req.DepositAmount != 30_000 {
		t.Errorf("%s, %v, deposit %d", frozen, err, req.DepositAmount)
	}
	if plain, err := json.Marshal(r.Policy); err != nil ||
		string(plain) != `{"tiers":[{"hoursBefore":24,"percent":100}]}` {
		t.Errorf("a restaurant's own: %s, %v", plain, err)
	}
}

func TestCheckExtension_OnceWhileHeld(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 12, 24, 12, 0, 0, 0, time.UTC)
	held := Reservation{State: Temporary, HoldExpiresAt: now.Add(time.Minute), Policy: Policy{ExtensionMinutes: 5}}
	for name, c := range map[string]struct {
		change func(*Reservation)
		want   error
	}{
		"in time":        {func(*Reservation) {}, nil},
		"twice":          {func(r *Reservation) { r.Extended = true }, ErrAlreadyExtended},
		"too late":       {func(r *Reservation) { r.HoldExpiresAt = now }, ErrHoldExpired},
		"expired":        {func(r *Reservation) { r.State = Expired }, ErrHoldExpired},
		"paid":           {func(r *Reservation) { r.State = PrepaidConfirmed }, ErrAlreadyPaid},
		"cancelled":      {func(r *Reservation) { r.State = Cancelled }, ErrWrongState},
		"never foreseen": {func(r *Reservation) { r.Policy.ExtensionMinutes = 0 }, ErrNoExtension},
	} {
		r := held
		c.change(&r)
		if err := r.CheckExtension(true, now); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if err := held.CheckExtension(false, now); !errors.Is(err, ErrUnconfirmed) {
		t.Errorf("without a confirmed address: %v", err)
	}
}

func TestCancellationCheck_NoLessThanQuoted(t *testing.T) {
	t.Parallel()
	var changed *RefundChangedError
	if err := (Cancellation{Refund: 5_000}).Check(10_000); !errors.As(err, &changed) || changed.Refund != 5_000 {
		t.Errorf("less: %v", err)
	}
	for _, quoted := range []int64{0, 5_000} {
		if err := (Cancellation{Refund: 5_000}).Check(quoted); err != nil {
			t.Errorf("quoted %d: %v", quoted, err)
		}
	}
}
