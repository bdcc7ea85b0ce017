package booking

import (
	"encoding/json"
	"errors"
	"testing"
	"time"
)

func TestDepositOf_PartySize(t *testing.T) {
	t.Parallel()
	tiered := Restaurant{DepositPerPerson: 10_000,
		DepositTiers: []DepositTier{{3, NoDeposit, 0}, {6, PerParty, 100_000}, {9, PerPerson, 20_000}},
		Settings:     Settings{PartyMin: 1}}
	for party, want := range map[int]int64{1: 10_000, 2: 20_000, 3: 0, 5: 0, 6: 100_000, 8: 100_000, 9: 180_000,
		12: 240_000} {
		if got := tiered.DepositOf(party).For(party); got != want {
			t.Errorf("a party of %d pays %d, want %d", party, got, want)
		}
	}
	if got := tiered.Deposits(); len(got) != 4 || got[0] != (DepositTier{1, PerPerson, 10_000}) {
		t.Errorf("tiers %+v", got)
	}
	own := Restaurant{DepositPerPerson: 7,
		DepositTiers: []DepositTier{{1, NoDeposit, 0}, {4, PerParty, 50_000}},
		Settings:     Settings{PartyMin: 2}}
	if got := own.Deposits(); len(got) != 2 || own.DepositOf(3).For(3) != 0 || own.DepositOf(4).For(4) != 50_000 {
		t.Errorf("tiers of its own for every party: %+v", got)
	}
	if got := (Restaurant{Settings: Settings{PartyMin: 1}}).DepositOf(4); got != (DepositTier{1, NoDeposit, 0}) {
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
	frozen, err := json.Marshal(req.Policy)
	if err != nil {
		t.Fatal(err)
	}
	var p Policy
	err = json.Unmarshal(frozen, &p)
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

// A reservation is free to cancel until its minutes are over, to the moment, and never once its slot begins.
func TestCancellationFor_FreeAfterConfirmation(t *testing.T) {
	t.Parallel()
	confirmed := time.Date(2026, 12, 24, 19, 10, 0, 0, time.UTC)
	soon, late := confirmed.Add(2*time.Hour), confirmed.Add(72*time.Hour)
	tiers := []RefundTier{{HoursBefore: 24, Percent: 100}, {HoursBefore: 3, Percent: 50}}
	for name, c := range map[string]struct {
		minutes int
		start   time.Time
		after   time.Duration // since it was confirmed
		refund  int64
		free    time.Duration // until when it is free for this reason, since then
		err     error
	}{
		"at once":                       {15, soon, 0, 20_000, 15 * time.Minute, nil},
		"at the last moment":            {15, soon, 15 * time.Minute, 20_000, 15 * time.Minute, nil},
		"just afterwards":               {15, soon, 15*time.Minute + 1, 0, 0, nil},
		"a second afterwards":           {15, soon, 15*time.Minute + time.Second, 0, 0, nil},
		"switched off":                  {0, soon, 0, 0, 0, nil},
		"never beyond the start":        {15, confirmed.Add(10 * time.Minute), 9 * time.Minute, 20_000, 10 * time.Minute, nil},
		"once it has begun":             {15, confirmed.Add(10 * time.Minute), 10 * time.Minute, 0, 0, ErrPast},
		"where the tiers say as much":   {15, late, time.Minute, 20_000, 0, nil},
		"where the tiers do so later":   {15, late, 20 * time.Minute, 20_000, 0, nil},
		"where the tiers say less soon": {120, confirmed.Add(25 * time.Hour), time.Minute, 20_000, 2 * time.Hour, nil},
		"by the tiers, once it is over": {15, confirmed.Add(5 * time.Hour), 16 * time.Minute, 10_000, 0, nil},
	} {
		r := Reservation{State: Confirmed, PaidAmount: 20_000, ConfirmedAt: confirmed,
			Policy: Policy{Tiers: tiers, FreeCancelMinutes: c.minutes}}
		got, err := r.CancellationFor(c.start, confirmed.Add(c.after))
		if !errors.Is(err, c.err) || got.Refund != c.refund {
			t.Errorf("%s: refunds %d, %v, want %d, %v", name, got.Refund, err, c.refund, c.err)
		}
		if c.free == 0 != got.FreeUntil.IsZero() || c.free > 0 && !got.FreeUntil.Equal(confirmed.Add(c.free)) {
			t.Errorf("%s: free until %v, want %v after %v", name, got.FreeUntil, c.free, confirmed)
		}
	}
}

// Nobody gets it whose reservation was confirmed before it was noted when, nor who did not come.
func TestCancellationFor_NotFreeWithoutConfirmation(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 12, 24, 19, 10, 0, 0, time.UTC)
	r := Reservation{State: Confirmed, PaidAmount: 20_000, Policy: Policy{FreeCancelMinutes: 15}}
	if got, err := r.CancellationFor(now.Add(time.Hour), now); err != nil || got.Refund != 0 || !got.FreeUntil.IsZero() {
		t.Errorf("an old one: %+v, %v", got, err)
	}
	r.State, r.ConfirmedAt = NoShow, now
	if got, err := r.CancellationFor(now.Add(time.Minute), now); !errors.Is(err, ErrWrongState) {
		t.Errorf("a no-show: %+v, %v", got, err)
	}
}
