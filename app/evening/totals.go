package evening

import (
	"slices"

	"lunchgo/app/booking"
)

// Totals are the sums of an evening.
type Totals struct {
	Parties  int   `json:"parties"`   // expected, there, or gone again
	Covers   int   `json:"covers"`    // of them
	Present  int   `json:"present"`   // covers that are there now
	OnHold   int   `json:"temporary"` // covers that wait for payment
	Waiting  int   `json:"waiting"`   // people in the lines
	NoShows  int   `json:"noShows"`   // parties
	Deposits int64 `json:"deposits"`  // won, paid by deposit and not refunded
	Prepaid  int64 `json:"prepaid"`   // won, paid for whole menus and not refunded
}

// HasBeenThere says whether the party came, and has gone again.
func (p Party) HasBeenThere() bool { return p.State == booking.Completed }

// IsExpected says whether the party is still to come: its reservation is confirmed.
func (p Party) IsExpected() bool {
	return p.State.IsConfirmed()
}

// IsPresent says whether the party is in the restaurant.
func (p Party) IsPresent() bool { return p.State.IsPresent() }

// counts says whether the party is one of the evening's: it has seats, or had them. One whose money goes back is none.
func (p Party) counts() bool {
	return p.State == booking.Temporary || p.IsExpected() || p.IsPresent() || p.HasBeenThere()
}

// Totals returns the sums of the evening.
func (e Evening) Totals() Totals {
	var t Totals
	for _, p := range e.Parties {
		if p.State == booking.NoShow {
			t.NoShows++
		} else if !p.counts() {
			continue
		} else {
			t.Parties++
			t.Covers += p.PartySize
		}
		if p.State == booking.Temporary {
			t.OnHold += p.PartySize
		}
		if p.IsPresent() {
			t.Present += p.PartySize
		}
		if p.PaymentKind == booking.Prepay {
			t.Prepaid += p.PaidAmount
		} else {
			t.Deposits += p.PaidAmount
		}
	}
	for _, slot := range e.Slots {
		t.Waiting += slot.Line.Waiting
	}
	return t
}

// HasJointLines returns whether parties stay for several slots: who waits for such a stay stands in the line of each of
// its slots, and the sum of the lines counts them more than once.
func (e Evening) HasJointLines() bool {
	return slices.ContainsFunc(e.Restaurant.AllStays(), func(tier booking.StayTier) bool {
		return tier.In(e.Restaurant.SlotMinutes).Slots > 1
	}) ||
		slices.ContainsFunc(e.Parties, func(p Party) bool { return len(p.Stay) > 0 })
}

// LongestLine is how many tickets wait in the longest line of the day.
func (e Evening) LongestLine() int {
	longest := 0
	for _, s := range e.Slots {
		longest = max(longest, s.Line.Waiting)
	}
	return longest
}
