package booking

import (
	"cmp"
	"slices"
	"time"
)

// Bounds of a stay.
const (
	MaxStay        = 12 // slots; and no more than last for MaxStayMinutes
	MinStayMinutes = 5
	MaxStayMinutes = 3 * MaxSlotMinutes
)

// MostSlots returns of how many slots of a length a stay may be.
func MostSlots(slotMinutes int) int {
	return min(MaxStay, MaxStayMinutes/max(slotMinutes, MinSlotMinutes))
}

// StayTier is the length of the stay of parties from a size on. It is given in minutes, in slots, or in both;
// minutes count.
type StayTier struct {
	FromParty int `json:"fromParty"`
	// For how many slots they have their seats: as many as their minutes touch.
	Slots int `json:"slots" required:"false"`
	// For how long they stay. Without, for as long as their slots last.
	Minutes int `json:"minutes,omitempty"`
}

// In returns the tier with its slots and its minutes in a restaurant whose slots have a length in minutes.
func (t StayTier) In(slotMinutes int) StayTier {
	t.Minutes = cmp.Or(t.Minutes, t.Slots*slotMinutes)
	t.Slots = SlotsOfStay(t.Minutes, slotMinutes)
	return t
}

// Brief returns the tier as documents tell it: without minutes where its slots say as much.
func (t StayTier) Brief(slotMinutes int) StayTier {
	if t = t.In(slotMinutes); t.Minutes == t.Slots*slotMinutes {
		t.Minutes = 0
	}
	return t
}

// Length returns for how long parties stay by the tier, in slots of a length in minutes.
func (t StayTier) Length(slotMinutes int) time.Duration {
	return time.Duration(t.In(slotMinutes).Minutes) * time.Minute
}

// SlotsOfStay returns how many slots of a length a stay touches that begins with the first of them; 1 to MaxStay.
func SlotsOfStay(minutes, slotMinutes int) int {
	if slotMinutes < 1 {
		return 1
	}
	return min(max(1, (minutes+slotMinutes-1)/slotMinutes), MaxStay)
}

// StayMinutes returns for how long a party stays that comes in a slot, in minutes: by its size or by its longest dish,
// whichever is longer. What the service of the slot says of sizes replaces what the restaurant says. A party of whose
// size neither says anything stays for a slot.
func StayMinutes(r Restaurant, slot SlotKey, party int, ordered []MenuItem) int {
	stay := r.staysOf(r.ServiceAt(slot.Date, slot.Time)).minutes(party, r.SlotMinutes)
	return min(max(stay, r.DishMinutes(ordered)), MaxStay*r.SlotMinutes)
}

// Runs returns whether a slot has begun and is not over at now.
func (r Restaurant) Runs(slot SlotKey, now time.Time) bool {
	start, err := r.Start(slot.Date, slot.Time)
	return err == nil && !now.Before(start) && now.Before(start.Add(time.Duration(r.SlotMinutes)*time.Minute))
}

// passed returns how many minutes of a slot that runs are over at now; 0 for any other.
func (r Restaurant) passed(slot SlotKey, now time.Time) int {
	if !r.Runs(slot, now) {
		return 0
	}
	start, _ := r.Start(slot.Date, slot.Time)
	return int(now.Sub(start) / time.Minute)
}

// sincePassed returns how long a stay of some minutes lasts that begins when some of its first slot have passed,
// counted from the beginning of that slot.
func (r Restaurant) sincePassed(minutes, passed int) int {
	return min(passed+minutes, MaxStay*r.SlotMinutes)
}

// stayTiers are the lengths of stays by rising size.
type stayTiers []StayTier

// staysOf are the stays of parties of a service, or of none.
func (r Restaurant) staysOf(service Service) stayTiers {
	if len(service.Stays) > 0 {
		return service.Stays
	}
	return r.StayTiers
}

// minutes returns for how long a party stays by its size.
func (t stayTiers) minutes(party, slotMinutes int) int {
	stay := 0
	for _, tier := range t {
		if tier.FromParty <= party {
			stay = max(stay, tier.In(slotMinutes).Minutes)
		}
	}
	return cmp.Or(stay, slotMinutes)
}

// DishMinutes returns for how long a party stays at least that has ordered some dishes; 0 for none.
func (r Restaurant) DishMinutes(ordered []MenuItem) int {
	stay := 0
	for _, item := range ordered {
		stay = max(stay, item.stay(r.SlotMinutes))
	}
	return stay
}

// StayOf returns for how many slots a party has its seats: all that its StayMinutes touch; 1 to MaxStay.
func StayOf(r Restaurant, slot SlotKey, party int, ordered []MenuItem) int {
	return SlotsOfStay(StayMinutes(r, slot, party, ordered), r.SlotMinutes)
}

// Elsewhere returns the stay of a party in other slots, which stays for some minutes in one: what its size takes there,
// and where its dishes made it longer, so much at least.
func (r Restaurant) Elsewhere(slot SlotKey, party, minutes int) PartyStay {
	if minutes == StayMinutes(r, slot, party, nil) {
		minutes = 0
	}
	return PartyStay{Party: party, Minutes: minutes}
}

// StayLength returns how long a stay of some minutes lasts; 0 for that of a slot, which needs no mention.
func (r *Restaurant) StayLength(minutes int) time.Duration {
	if minutes == r.SlotMinutes {
		return 0
	}
	return time.Duration(minutes) * time.Minute
}

// stayTerms returns the terms with the length of a stay over some slots, unless that is the length of the slots.
func (p Policy) stayTerms(minutes, slots int) Policy {
	p.StayMinutes = 0
	if minutes != slots*p.SlotMinutes && SlotsOfStay(minutes, p.SlotMinutes) == slots {
		p.StayMinutes = minutes
	}
	return p
}

// lastsFor returns for how many minutes a party stays that has its seats in some slots of a length: as agreed, else
// for as long as they last. Staff may have given it other slots than those that it agreed to.
func (p Policy) lastsFor(slots, slotMinutes int) int {
	if p.StayMinutes > 0 && SlotsOfStay(p.StayMinutes, slotMinutes) == slots {
		return p.StayMinutes
	}
	return slots * slotMinutes
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

// End returns the instant at which the slots of a stay end. Returns the errors of Start.
func (r Restaurant) End(slot SlotKey, stay []TimeOfDay) (time.Time, error) {
	last := slot.Time
	if len(stay) > 0 {
		last = stay[len(stay)-1]
	}
	start, err := r.Start(slot.Date, last)
	return start.Add(time.Duration(r.SlotMinutes) * time.Minute), err
}

// LeaveAt returns the instant at which a party leaves that has its seats in the slots of a stay, by the terms that it
// agreed to. Returns the errors of Start.
func (r Restaurant) LeaveAt(slot SlotKey, stay []TimeOfDay, agreed Policy) (time.Time, error) {
	r.SlotMinutes = cmp.Or(agreed.SlotMinutes, r.SlotMinutes)
	end, err := r.End(slot, stay)
	return end.Add(-agreed.unused(1+len(stay), r.SlotMinutes)), err
}

// unused is how long the last of some slots goes on after the party has left.
func (p Policy) unused(slots, slotMinutes int) time.Duration {
	return time.Duration(slots*slotMinutes-p.lastsFor(slots, slotMinutes)) * time.Minute
}

// StayMinutes returns for how long the party stays, in minutes.
func (r Reservation) StayMinutes() int { return r.Policy.lastsFor(1+len(r.Stay), r.SlotMinutes) }

// MinutesOf returns for how many minutes the party of a request stays.
func (r Restaurant) MinutesOf(req Request) int {
	return req.Policy.lastsFor(1+len(req.Stay), cmp.Or(req.Policy.SlotMinutes, r.SlotMinutes))
}

// EndTime returns the local time at which the stay ends.
func (r Reservation) EndTime() TimeOfDay {
	slots := r.Slots()
	lasts := r.StayMinutes() - len(r.Stay)*r.SlotMinutes
	return after(slots[len(slots)-1].Time, lasts)
}

// tightest returns the index of the slot that has the fewest seats left.
func tightest(slots []Occupancy) int {
	at := 0
	for i, o := range slots {
		if o.left() < slots[at].left() {
			at = i
		}
	}
	return at
}

// AllOf returns the occupancy of several slots for a party that needs all of them: that of the fullest slot, closed if
// any is closed, paused if any is paused, open when all are, with the seats that are taken in any of them. The party
// arrives in the first of them.
func AllOf(slots []Occupancy) Occupancy {
	if len(slots) == 0 {
		return Occupancy{}
	}
	all := slots[tightest(slots)]
	all.Arriving, all.ArrivalLimit = slots[0].Arriving, slots[0].ArrivalLimit
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
	return first.Slots(r.StayFrom(first.Time, SlotsOfStay(d.StayMinutes(r, menu, first), r.SlotMinutes)))
}

// StayMinutes returns for how long the party of a draft stays from the beginning of a slot on, in minutes. It ignores
// invalid fields.
func (d Draft) StayMinutes(r Restaurant, menu []MenuItem, first SlotKey) int {
	items, _ := mergeItems(d.Items, menu, "")
	return r.sincePassed(StayMinutes(r, first, d.PartySize, orderedOf(items, menu)), d.passed)
}
