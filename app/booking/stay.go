package booking

import (
	"slices"
	"time"
)

// MaxStay is the most slots that a party stays for.
const MaxStay = 3

// StayTier is for how many slots parties from a size on stay.
type StayTier struct {
	FromParty int `json:"fromParty"`
	Slots     int `json:"slots"`
}

// StayOf is for how many slots a party stays that orders some dishes: as its size or the longest of the dishes asks for, at
// least 1 and at most MaxStay.
func StayOf(r Restaurant, party int, ordered []MenuItem) int {
	stay := 1
	for _, tier := range r.StayTiers {
		if tier.FromParty <= party {
			stay = max(stay, tier.Slots)
		}
	}
	for _, item := range ordered {
		stay = max(stay, item.StaySlots)
	}
	return min(stay, MaxStay)
}

// StayFrom are the times of the slots that follow one in which a party comes that stays for n slots. They may lie outside
// the opening hours; those past midnight are left out.
func (r Restaurant) StayFrom(at TimeOfDay, n int) []TimeOfDay {
	var stay []TimeOfDay
	for i := 1; i < n; i++ {
		if m := at.Minutes() + i*r.SlotMinutes; m < 24*60 {
			stay = append(stay, timeOfDay(m))
		}
	}
	return stay
}

// CheckStay says whether a party that comes to a bookable slot can stay for n slots. Returns the times of the further ones, or
// ErrStayTooLong when one of them is none of the restaurant's.
func (r Restaurant) CheckStay(date Date, at TimeOfDay, n int) ([]TimeOfDay, error) {
	stay := r.StayFrom(at, n)
	if len(stay) < n-1 {
		return nil, ErrStayTooLong
	}
	for _, next := range stay {
		if _, err := r.Start(date, next); err != nil || !r.opensAt(date, next) {
			return nil, ErrStayTooLong
		}
	}
	return stay, nil
}

// Slots are those of a stay that begins in a slot and goes on at some times of its day, in order.
func (k SlotKey) Slots(stay []TimeOfDay) []SlotKey {
	slots := make([]SlotKey, 1, 1+len(stay))
	slots[0] = k
	for _, at := range stay {
		slots = append(slots, SlotKey{k.RestaurantID, k.Date, at})
	}
	return slots
}

// Slots are all that the request is for, in order.
func (r Request) Slots() []SlotKey { return r.Slot.Slots(r.Stay) }

// Slots are all that the turn decides over, in order.
func (t Turn) Slots() []SlotKey { return t.Slot.Slots(t.Stay) }

// Slots are all in which the party has its seats, in order.
func (r Reservation) Slots() []SlotKey { return r.Slot.Slots(r.Stay) }

// End is the instant at which a stay ends that begins in a slot and goes on at some times of its day. Returns the errors of
// Start.
func (r Restaurant) End(slot SlotKey, stay []TimeOfDay) (time.Time, error) {
	last := slot.Time
	if len(stay) > 0 {
		last = stay[len(stay)-1]
	}
	start, err := r.Start(slot.Date, last)
	return start.Add(time.Duration(r.SlotMinutes) * time.Minute), err
}

// EndTime is the local time at which the stay ends.
func (r Reservation) EndTime() TimeOfDay {
	slots := r.Slots()
	return timeOfDay((slots[len(slots)-1].Time.Minutes() + r.SlotMinutes) % (24 * 60))
}

// tightest is the index of the slot that has the fewest seats left.
func tightest(slots []Occupancy) int {
	at := 0
	for i, o := range slots {
		if o.Remaining() < slots[at].Remaining() {
			at = i
		}
	}
	return at
}

// AllOf is how full several slots are for somebody who needs all of them: as full as the fullest, closed if any is, and
// without the seats that are taken in any.
func AllOf(slots []Occupancy) Occupancy {
	if len(slots) == 0 {
		return Occupancy{}
	}
	all := slots[tightest(slots)]
	all.Closed = slices.ContainsFunc(slots, func(o Occupancy) bool { return o.Closed })
	all.Seats = nil
	for _, o := range slots {
		all.Seats = all.Seats.And(o.Seats)
	}
	return all
}

// Slots returns the slots that a draft is for when it comes in the given one, whatever else is wrong with it.
func (d Draft) Slots(r Restaurant, menu []MenuItem, first SlotKey) []SlotKey {
	items, _ := mergeItems(d.Items, menu)
	return first.Slots(r.StayFrom(first.Time, StayOf(r, d.PartySize, orderedOf(items, menu))))
}
