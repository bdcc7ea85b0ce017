package booking

import (
	"slices"
	"time"
)

// DepositKind says how the deposit of a party is computed.
type DepositKind string

// The kinds of deposits.
const (
	NoDeposit DepositKind = "none"
	PerPerson DepositKind = "per_person"
	PerParty  DepositKind = "per_party"
)

// DepositTier is the deposit of parties from a size on.
type DepositTier struct {
	// The smallest party it holds for; up to the next tier's.
	FromParty int         `json:"fromParty"`
	Kind      DepositKind `json:"kind"`
	Amount    int64       `json:"amount"` // for each person or for the party, in won
}

// For returns the deposit of a party by the tier, in won.
func (d DepositTier) For(party int) int64 {
	switch d.Kind {
	case PerPerson:
		return d.Amount * int64(party)
	case PerParty:
		return d.Amount
	}
	return 0
}

// Deposits returns the tiers of a restaurant by rising FromParty; the first applies to every party below the second. A
// restaurant without tiers charges DepositPerPerson.
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

// AsksDeposit says whether any party pays a deposit.
func (r Restaurant) AsksDeposit() bool {
	return slices.ContainsFunc(r.Deposits(), func(d DepositTier) bool { return d.Kind != NoDeposit && d.Amount > 0 })
}

// ConfirmsAtOnce says whether some party pays no deposit, and so needs no hold.
func (r Restaurant) ConfirmsAtOnce() bool {
	return slices.ContainsFunc(r.Deposits(), func(d DepositTier) bool { return d.Kind == NoDeposit || d.Amount == 0 })
}

// DepositOf returns the tier that applies to a party: the last whose FromParty it reaches.
func (r Restaurant) DepositOf(party int) DepositTier {
	tiers := r.Deposits()
	applies := tiers[0]
	for _, tier := range tiers {
		if tier.FromParty <= party {
			applies = tier
		}
	}
	return applies
}

// Terms returns the restaurant's policy for a party. A reservation freezes it: later changes of the restaurant's rules
// do not touch it.
func (r Restaurant) Terms(party int) Policy {
	terms := r.Policy
	terms.Deposit = r.DepositOf(party)
	terms.HoldMinutes, terms.ExtensionMinutes, terms.SlotMinutes = r.HoldMinutes, r.ExtensionMinutes, r.SlotMinutes
	return terms
}

// Policy has a restaurant's refund rules, and, in a reservation, the other terms agreed at booking. Tiers are ordered
// by falling HoursBefore. The first tier whose bound a cancellation meets applies; after the last tier there is no
// refund.
type Policy struct {
	Tiers []RefundTier `json:"tiers"`
	// FreeCancelMinutes is for how many minutes after its confirmation a reservation can be cancelled for free; 0: never.
	FreeCancelMinutes int `json:"freeCancelMinutes,omitempty"`
	// ChangeHours is how many hours before its slot a reservation can last be changed; 0: until the slot begins.
	ChangeHours int `json:"changeHours,omitempty"`

	// Only reservations have the following fields; the oldest ones have none of them.
	Deposit          DepositTier `json:"deposit,omitzero"`
	HoldMinutes      int         `json:"holdMinutes,omitempty"`
	ExtensionMinutes int         `json:"extensionMinutes,omitempty"` // by which the hold can be extended once; 0: never
	SlotMinutes      int         `json:"slotMinutes,omitempty"`      // how long each slot of the stay lasts
	// StayMinutes is for how long the party stays, if for another time than its slots last.
	StayMinutes int `json:"stayMinutes,omitempty"`
}

// RefundTier refunds Percent of the payment for a cancellation at least HoursBefore hours before the slot.
type RefundTier struct {
	HoursBefore int `json:"hoursBefore"`
	Percent     int `json:"percent"`
}

// percent returns the share that the tiers refund for a cancellation at now; the slot begins at start.
func (p Policy) percent(start, now time.Time) int {
	left := start.Sub(now)
	for _, tier := range p.Tiers {
		if left >= time.Duration(tier.HoursBefore)*time.Hour {
			return tier.Percent
		}
	}
	return 0
}

// capped returns the policy with every share limited to percent, and without the tiers that then say nothing of their
// own: the next one gives as much for longer, or they give nothing.
func (p Policy) capped(percent int) Policy {
	tiers := make([]RefundTier, 0, len(p.Tiers))
	for _, tier := range p.Tiers {
		tier.Percent = min(tier.Percent, percent)
		if last := len(tiers) - 1; last >= 0 && tiers[last].Percent == tier.Percent {
			tiers[last] = tier
			continue
		}
		tiers = append(tiers, tier)
	}
	if last := len(tiers) - 1; last >= 0 && tiers[last].Percent == 0 {
		tiers = tiers[:last]
	}
	p.Tiers = tiers
	return p
}
