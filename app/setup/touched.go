package setup

import (
	"slices"
	"time"

	"lunchgo/app/booking"
)

// Booked is a reservation in the future that holds seats.
type Booked struct {
	ID        string
	Slot      booking.SlotKey
	Stay      []booking.TimeOfDay
	Minutes   int // of each slot, as agreed
	PartySize int
	State     booking.State
	Paid      int64 // won
	Name      string
	OpensAt   time.Time // of its slot, as staff planned; zero: they planned nothing
}

// Why says which rule a reservation would be outside of.
type Why string

// The reasons for which a change touches a reservation.
const (
	WhyClosed   Why = "closed"        // the date is closed
	WhyHours    Why = "outside_hours" // no slot starts then, or the stay goes on after the last one
	WhyCapacity Why = "over_capacity" // the slot has more covers than it would have
	WhyParty    Why = "party_size"    // the restaurant would not take a party of its size
	WhyNotOpen  Why = "not_open"      // its day would not have opened yet
	WhyLength   Why = "slot_length"   // its slots last for another time than those around it
)

// TouchedBooking is a reservation that a change leaves outside the rules.
type TouchedBooking struct {
	Booked
	Why Why
}

// Affected is what a change leaves outside the rules. All of it stays valid until staff move or cancel it.
type Affected struct {
	Reservations int // holds among them
	Holds        int
	Money        int64            // won that the guests have paid
	First        []TouchedBooking // the soonest ones
}

// showTouched is how many reservations are named.
const showTouched = 10

// touchedBy returns which of the booked reservations, in the order of their slots, are within the rules as they were
// and would not be within those that come.
func touchedBy(was, next booking.Restaurant, booked []Booked, now time.Time) Affected {
	var a Affected
	before, after := newRules(was, booked, now), newRules(next, booked, now)
	for _, b := range booked {
		why := after.breaks(b)
		if why == "" || before.breaks(b) == why {
			continue
		}
		a.Reservations++
		if b.State == booking.Temporary {
			a.Holds++
		}
		a.Money += b.Paid
		if len(a.First) < showTouched {
			a.First = append(a.First, TouchedBooking{b, why})
		}
	}
	return a
}

// rules are a restaurant's, with the covers of its slots.
type rules struct {
	booking.Restaurant
	last map[booking.SlotKey]map[string]int // covers of a slot up to and with each reservation
	now  time.Time
}

func newRules(r booking.Restaurant, booked []Booked, now time.Time) rules {
	covers := rules{Restaurant: r, now: now, last: map[booking.SlotKey]map[string]int{}}
	sums := map[booking.SlotKey]int{}
	for _, b := range booked {
		for _, slot := range b.Slot.Slots(b.Stay) {
			sums[slot] += b.PartySize
			if covers.last[slot] == nil {
				covers.last[slot] = map[string]int{}
			}
			covers.last[slot][b.ID] = sums[slot]
		}
	}
	return covers
}

// breaks returns which rule a reservation is outside of; empty for none.
func (r rules) breaks(b Booked) Why {
	slots := b.Slot.Slots(b.Stay)
	times := r.Times(b.Slot.Date)
	switch {
	case slices.Contains(r.Closures, b.Slot.Date):
		return WhyClosed
	case b.Minutes != r.SlotMinutes:
		return WhyLength
	case slices.ContainsFunc(slots, func(slot booking.SlotKey) bool { return !slices.Contains(times, slot.Time) }):
		return WhyHours
	case slices.ContainsFunc(slots, func(slot booking.SlotKey) bool { return r.last[slot][b.ID] > r.Capacity }):
		return WhyCapacity
	case b.PartySize < r.PartyMin || b.PartySize > r.PartyMax:
		return WhyParty
	case r.Planned(b.Slot.Date, booking.Occupancy{OpensAt: b.OpensAt}).OpensAt.After(r.now):
		return WhyNotOpen
	}
	return ""
}
