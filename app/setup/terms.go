package setup

import (
	"fmt"
	"slices"
	"time"

	"lunchgo/app/booking"
)

// Deposits are what parties pay to confirm: tiers by rising size of the party. The first holds from the smallest party
// on.
type Deposits struct {
	// By rising size of the party; the first holds from the smallest party on.
	Tiers []booking.DepositTier `json:"tiers"`
}

func depositsOf(r booking.Restaurant) Deposits { return Deposits{Tiers: slices.Clone(r.Deposits())} }

// Name implements Document.
func (d Deposits) Name() Name { return DocDeposits }

// apply implements Document.
func (d Deposits) apply(r booking.Restaurant) booking.Restaurant {
	first := d.Tiers[0]
	r.DepositPerPerson, r.DepositTiers = 0, slices.Clone(d.Tiers[1:])
	switch first.Kind {
	case booking.PerPerson:
		r.DepositPerPerson = first.Amount
	case booking.PerParty:
		r.DepositTiers = slices.Clone(d.Tiers)
	}
	return r
}

// check implements Document.
func (d Deposits) check(was booking.Restaurant, _ time.Time) []booking.FieldError {
	var f wrongs
	f.add(len(d.Tiers) == 0, "tiers", "required")
	f.tooMany("tiers", len(d.Tiers), booking.MaxTiers)
	if len(f) > 0 {
		return f
	}
	for i, tier := range d.Tiers {
		at := fmt.Sprintf("tiers[%d]", i)
		kinds := []booking.DepositKind{booking.NoDeposit, booking.PerPerson, booking.PerParty}
		f.add(!slices.Contains(kinds, tier.Kind), at+".kind", "unknown")
		least := 1
		if tier.Kind == booking.NoDeposit {
			least = 0
		}
		f.within(at+".amount", int(min(tier.Amount, booking.MaxDeposit+1)), least, booking.MaxDeposit)
		f.add(tier.Kind == booking.NoDeposit && tier.Amount > 0, at+".amount", "no_amount")
		if i == 0 {
			f.within(at+".fromParty", tier.FromParty, 1, was.PartyMin)
			continue
		}
		f.within(at+".fromParty", tier.FromParty, 1, booking.MaxCapacity)
		f.add(tier.FromParty <= max(was.PartyMin, d.Tiers[i-1].FromParty), at+".fromParty", "not_rising")
	}
	return f
}

// Cancellation is what comes back for which notice, and until when guests change their reservation themselves.
type Cancellation struct {
	// By falling notice; after the last nothing comes back.
	Refunds []booking.RefundTier `json:"refunds"`
	// How many hours before its slot a reservation can last be changed; 0: until it begins.
	ChangeHours int `json:"changeHours"`
	// For how many minutes after its confirmation a reservation can be cancelled for free; 0: never. A document without
	// it leaves it as it is.
	FreeCancelMinutes *int `json:"freeCancelMinutes,omitempty"`
}

func cancellationOf(r booking.Restaurant) Cancellation {
	return Cancellation{Refunds: append([]booking.RefundTier{}, r.Policy.Tiers...), ChangeHours: r.Policy.ChangeHours,
		FreeCancelMinutes: &r.Policy.FreeCancelMinutes}
}

// Name implements Document.
func (c Cancellation) Name() Name { return DocCancellation }

// apply implements Document.
func (c Cancellation) apply(r booking.Restaurant) booking.Restaurant {
	r.Policy.Tiers, r.Policy.ChangeHours = slices.Clone(c.Refunds), c.ChangeHours
	if c.FreeCancelMinutes != nil {
		r.Policy.FreeCancelMinutes = *c.FreeCancelMinutes
	}
	return r
}

// check implements Document.
func (c Cancellation) check(booking.Restaurant, time.Time) []booking.FieldError {
	var f wrongs
	f.tooMany("refunds", len(c.Refunds), booking.MaxTiers)
	f.within("changeHours", c.ChangeHours, 0, booking.MaxRefundHours)
	if c.FreeCancelMinutes != nil {
		f.within("freeCancelMinutes", *c.FreeCancelMinutes, 0, booking.MaxFreeCancel)
	}
	for i, tier := range c.Refunds[:min(len(c.Refunds), booking.MaxTiers)] {
		at := fmt.Sprintf("refunds[%d]", i)
		f.within(at+".hoursBefore", tier.HoursBefore, 0, booking.MaxRefundHours)
		f.within(at+".percent", tier.Percent, 0, 100)
		if i > 0 {
			f.add(tier.HoursBefore >= c.Refunds[i-1].HoursBefore, at+".hoursBefore", "not_falling")
			f.add(tier.Percent >= c.Refunds[i-1].Percent, at+".percent", "not_falling")
		}
	}
	return f
}
