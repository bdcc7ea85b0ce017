package booking

import (
	"cmp"
	"slices"
	"time"
)

// MaxStay is the longest stay, in slots.
const MaxStay = 3

// StayTier is the length of the stay, in slots, of parties from a size on.
type StayTier struct {
	FromParty int `json:"fromParty"`
	Slots     int `json:"slots"`
}

// StayOf returns for how many slots a party stays: by its size or by its longest dish, whichever is longer; 1 to
// MaxStay.
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

// StayLength returns how long a stay for so many slots lasts; 0 for one.
func (r *Restaurant) StayLength(slots int) time.Duration {
	if slots < 2 {
		return 0
	}
	return time.Duration(slots*r.SlotMinutes) * time.Minute
}

// StayFrom returns the times of the n-1 slots that follow the slot at a time. They may lie outside the opening hours;
// it omits those past midnight.
func (r Restaurant) StayFrom(at TimeOfDay, n int) []TimeOfDay {
	var stay []TimeOfDay
	for i := 1; i < n; i++ {
		if m := at.Minutes() + i*r.SlotMinutes; m < 24*60 {
			stay = append(stay, timeOfDay(m))
		}
	}
	return stay
}

// CheckStay returns the times of the further slots of a stay of n slots that begins in a bookable slot. Returns
// errStayTooLong when one of them does not exist.
func (r Restaurant) CheckStay(date Date, at TimeOfDay, n int) ([]TimeOfDay, error) {
	stay := r.StayFrom(at, n)
	if len(stay) < n-1 {
		return nil, errStayTooLong
	}
	for _, next := range stay {
		if _, err := r.Start(date, next); err != nil || !r.opensAt(date, next) {
			return nil, errStayTooLong
		}
	}
	return stay, nil
}

// stay is CheckStay, for staff of as many slots as there are.
func (r Restaurant) stay(date Date, at TimeOfDay, n int, byStaff bool) ([]TimeOfDay, error) {
	stay, err := r.CheckStay(date, at, n)
	for ; err != nil && byStaff && n > 1; n-- {
		stay, err = r.CheckStay(date, at, n-1)
	}
	return stay, err
}

// Slots returns the slots of a stay that begins in a slot and continues at some times of its day, in order.
func (k SlotKey) Slots(stay []TimeOfDay) []SlotKey {
	slots := make([]SlotKey, 1, 1+len(stay))
	slots[0] = k
	for _, at := range stay {
		slots = append(slots, SlotKey{k.RestaurantID, k.Date, at})
	}
	return slots
}

// Slots returns all slots of the request, in order.
func (r Request) Slots() []SlotKey { return r.Slot.Slots(r.Stay) }

// Slots returns all slots of the turn, in order.
func (t Turn) Slots() []SlotKey { return t.Slot.Slots(t.Stay) }

// Slots returns all slots in which the party has its seats, in order.
func (r Reservation) Slots() []SlotKey { return r.Slot.Slots(r.Stay) }

// End returns the instant at which a stay ends. Returns the errors of Start.
func (r Restaurant) End(slot SlotKey, stay []TimeOfDay) (time.Time, error) {
	last := slot.Time
	if len(stay) > 0 {
		last = stay[len(stay)-1]
	}
	start, err := r.Start(slot.Date, last)
	return start.Add(time.Duration(r.SlotMinutes) * time.Minute), err
}

// EndTime returns the local time at which the stay ends.
func (r Reservation) EndTime() TimeOfDay {
	slots := r.Slots()
	return timeOfDay((slots[len(slots)-1].Time.Minutes() + r.SlotMinutes) % (24 * 60))
}

// tightest returns the index of the slot that has the fewest seats left.
func tightest(slots []Occupancy) int {
	at := 0
	for i, o := range slots {
		if o.Remaining() < slots[at].Remaining() {
			at = i
		}
	}
	return at
}

// AllOf returns the occupancy of several slots for a party that needs all of them: that of the fullest slot, closed if
// any is closed, paused if any is paused, open when all are, with the seats that are taken in any of them.
func AllOf(slots []Occupancy) Occupancy {
	if len(slots) == 0 {
		return Occupancy{}
	}
	all := slots[tightest(slots)]
	all.Closed = slices.ContainsFunc(slots, func(o Occupancy) bool { return o.Closed })
	all.Stopped = slices.ContainsFunc(slots, func(o Occupancy) bool { return o.Stopped })
	all.Paused, all.Reason, all.Notice, all.OpensAt, all.Draw = false, "", "", time.Time{}, false
	all.Seats = nil
	for _, o := range slots {
		all.Seats = all.Seats.Union(o.Seats)
		all = all.joined(o)
	}
	return all
}

// joined returns the occupancy of several slots with what keeps one of them from giving seats, and what is said of it:
// the reason of one that is closed comes before that of one that is paused.
func (o Occupancy) joined(one Occupancy) Occupancy {
	if o.Reason == "" || one.Closed {
		o.Reason = cmp.Or(one.Reason, o.Reason)
	}
	o.Notice = cmp.Or(o.Notice, one.Notice)
	if one.PassesLeft > 0 && (o.PassesLeft == 0 || one.PassesLeft < o.PassesLeft) {
		o.PassesLeft = one.PassesLeft
	}
	o.Paused = o.Paused || one.Paused
	if one.OpensAt.After(o.OpensAt) {
		o.OpensAt, o.Draw = one.OpensAt, one.Draw
	}
	return o
}

// Slots returns the slots of a draft whose stay begins in the given slot. It ignores invalid fields.
func (d Draft) Slots(r Restaurant, menu []MenuItem, first SlotKey) []SlotKey {
	items, _ := mergeItems(d.Items, menu, "")
	return first.Slots(r.StayFrom(first.Time, StayOf(r, d.PartySize, orderedOf(items, menu))))
}
