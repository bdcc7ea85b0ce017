package booking

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// DepositKind says how the deposit of a party is worked out.
type DepositKind string

// The kinds of deposits.
const (
	NoDeposit DepositKind = "none"
	PerPerson DepositKind = "per_person"
	PerParty  DepositKind = "per_party"
)

// DepositTier is what parties from a size on pay.
type DepositTier struct {
	FromParty int         `json:"fromParty"`
	Kind      DepositKind `json:"kind"`
	Amount    int64       `json:"amount"` // won, for each person or for the party
}

// For is what a party pays by the tier, in won.
func (d DepositTier) For(party int) int64 {
	switch d.Kind {
	case PerPerson:
		return d.Amount * int64(party)
	case PerParty:
		return d.Amount
	}
	return 0
}

// Deposits are the tiers of a restaurant by rising FromParty; the first holds for every party that is smaller than the next.
// A restaurant without tiers of its own asks DepositPerPerson of everybody.
func (r Restaurant) Deposits() []DepositTier {
	base := DepositTier{FromParty: r.PartyMin, Kind: PerPerson, Amount: r.DepositPerPerson}
	if r.DepositPerPerson == 0 {
		base.Kind = NoDeposit
	}
	if len(r.DepositTiers) > 0 && r.DepositTiers[0].FromParty <= r.PartyMin {
		return r.DepositTiers
	}
	return append([]DepositTier{base}, r.DepositTiers...)
}

// DepositOf is the tier that holds for a party: the last that begins at its size or below.
func (r Restaurant) DepositOf(party int) DepositTier {
	tiers := r.Deposits()
	holds := tiers[0]
	for _, tier := range tiers {
		if tier.FromParty <= party {
			holds = tier
		}
	}
	return holds
}

// Terms is the restaurant's policy for a party, as it is frozen into a reservation: whatever the restaurant changes
// afterwards, what was agreed stays.
func (r Restaurant) Terms(party int) Policy {
	terms := r.Policy
	terms.Deposit = r.DepositOf(party)
	terms.HoldMinutes, terms.ExtensionMinutes = r.HoldMinutes, r.ExtensionMinutes
	return terms
}

// Policy is a restaurant's rule of refunds, frozen with what else was agreed into every reservation when it is made. Tiers
// are ordered by falling HoursBefore; a cancellation falls into the first tier whose bound it meets, and earns nothing after
// the last.
type Policy struct {
	Tiers []RefundTier `json:"tiers"`
	// ChangeHours is how many hours before its slot a reservation can be changed at the latest; 0 for until that begins.
	ChangeHours int `json:"changeHours,omitempty"`

	// The rest stands in reservations only; those made before it did have none of it.
	Deposit          DepositTier `json:"deposit,omitzero"`
	HoldMinutes      int         `json:"holdMinutes,omitempty"`
	ExtensionMinutes int         `json:"extensionMinutes,omitempty"` // by which the hold can be prolonged once; 0 for never
}

// RefundTier returns Percent of what was paid to those who cancel at least HoursBefore hours before the slot.
type RefundTier struct {
	HoursBefore int `json:"hoursBefore"`
	Percent     int `json:"percent"`
}

// Refund says how many won of paid come back to someone who cancels at now a slot that starts at start. Rounded down.
func (p Policy) Refund(paid int64, start, now time.Time) int64 {
	return paid * int64(p.percent(start, now)) / 100
}

// percent is the share that comes back to someone who cancels at now a slot that starts at start.
func (p Policy) percent(start, now time.Time) int {
	left := start.Sub(now)
	for _, tier := range p.Tiers {
		if left >= time.Duration(tier.HoursBefore)*time.Hour {
			return tier.Percent
		}
	}
	return 0
}

// capped is the policy with no share above percent.
func (p Policy) capped(percent int) Policy {
	p.Tiers = slices.Clone(p.Tiers)
	for i := range p.Tiers {
		p.Tiers[i].Percent = min(p.Tiers[i].Percent, percent)
	}
	return p
}

// MarshalPolicy returns the policy as it is frozen into a reservation.
func (p Policy) MarshalPolicy() ([]byte, error) { return json.Marshal(p) }

// ParsePolicy reads what MarshalPolicy wrote.
func ParsePolicy(b []byte) (Policy, error) {
	var p Policy
	if err := json.Unmarshal(b, &p); err != nil {
		return Policy{}, fmt.Errorf("booking: policy: %w", err)
	}
	return p, nil
}
