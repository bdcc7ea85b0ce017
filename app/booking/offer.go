package booking

import (
	"maps"
	"slices"
	"time"
)

// OfferState is what a party can have of a slot.
type OfferState string

// The states of an offer.
const (
	OfferOpen    OfferState = "open"     // the party would get its seats
	OfferSoldOut OfferState = "sold_out" // too few seats are left for it, or none that it can have together
	OfferClosed  OfferState = "closed"   // the slot takes no reservations, or none of that size
)

// PartyStay is the size of a party and the length of its stay.
type PartyStay struct {
	Party   int // 0: any size that the restaurant takes
	Stay    int // slots; 0: those that its minutes touch
	Minutes int // that it stays at least, for its dishes; 0: as long as a party of its size
}

// Ask is a party that asks for its seats from a slot on.
type Ask struct {
	PartyStay
	Slot  SlotKey
	Staff bool         // staff ask, who may book when and for whom diners may not
	Begun bool         // of staff: the slot may have begun
	Own   *Reservation // which the party has, and would change

	passed int // minutes of the slot that are over when a party sits down in it
}

// Offer is what a party would get if its turn came now.
type Offer struct {
	State OfferState
	// Remaining is how many seats the party could have, never fewer than it needs. Of a slot that is sold out it is the
	// size of the largest party below it that would still get seats; without named seats, the covers that are left.
	Remaining int
	Party     int         // the asked size; of any, the smallest that would get seats
	Stay      []TimeOfDay // times of the further slots, in order
	// StayMinutes is for how long the party stays.
	StayMinutes int
	Joint       Occupancy // of all slots of the stay, as AllOf returns it

	plan SeatPlan
}

// Offer returns what a party would get at now, in a day with the given occupancies; a slot that has none is empty. It
// asks what the booking transaction asks, in the same functions: an open slot gives its seats to the next party that
// asks for some, and one that is not open refuses it. What a single diner may have besides is another matter, as are
// dishes. A slot that is paused, or opens later, has the state that it will have then: who asks for it waits.
//
// Seats that the waitlist has a right to are not offered. Where parties wait for several slots, and a stay takes
// several as well, the transaction looks at all of them together, and may give seats that each slot alone promises.
// Staff may go beyond ArrivalsPerSlot.
func (r Restaurant) Offer(ask Ask, day map[TimeOfDay]Occupancy, now time.Time) Offer {
	rules := r.dinerRules(now)
	if ask.Staff {
		rules, ask = r.staffRules(now, ask.Begun), ask.at(r, now)
	}
	least, most := ask.Party, ask.Party
	if ask.Party == 0 {
		least, most = r.PartyMin, r.PartyMax
	}
	o, slots, known := Offer{State: OfferSoldOut, Party: least, plan: r.Seats}, 0, false
	for party := least; ; party++ {
		if n := ask.slots(r, party); n != slots {
			slots = n
			o.Stay, known = ask.stay(r, n)
			o.Joint = AllOf(ask.occupancies(r, o.Stay, day))
			if ask.Staff {
				o.Joint.ArrivalLimit = 0
			}
		}
		if o.Joint.takes(r.Seats, party) || ask.keeps(o.Joint, r.Seats, party) {
			o.State, o.Party = OfferOpen, party
			o.Remaining = max(party, o.Joint.placesFor(r.Seats, most))
		}
		if o.State == OfferOpen || party >= most {
			break
		}
	}
	o.StayMinutes = Policy{StayMinutes: ask.minutes(r, o.Party)}.lastsFor(1+len(o.Stay), r.SlotMinutes)
	if o.State == OfferSoldOut && ask.Party > 0 {
		o.Remaining = o.Joint.largest(r.Seats, ask.Party)
	}
	if o.Joint.Closed || !known || !ask.isTaken(r, o.Stay, rules, now) || ask.Party > 0 &&
		(ask.Party < rules.partyMin || ask.Party > rules.partyMax) {
		o.State = OfferClosed
	}
	return o
}

// Shorter returns the longest stay for which a party that cannot have its whole stay would get some named seats, or any
// if there are none, and when that ends; false if there is none. It is for staff: diners stay as long as the restaurant
// says.
func (r Restaurant) Shorter(ask Ask, seats []int64, day map[TimeOfDay]Occupancy,
	now time.Time) (Offer, TimeOfDay, bool) {
	gives := func() (Offer, bool) {
		offer := r.Offer(ask, day, now)
		if len(seats) > 0 {
			return offer, r.CheckSeats(ask, seats, day, now) == nil
		}
		return offer, offer.State == OfferOpen
	}
	whole, ok := gives()
	if ok || ask.Party == 0 {
		return Offer{}, "", false
	}
	for ask.Stay = len(whole.Stay); ask.Stay > 0; ask.Stay-- {
		if offer, ok := gives(); ok {
			return offer, r.endOf(ask.Slot.Time, ask.Stay), true
		}
	}
	return Offer{}, "", false
}

// slots returns for how many slots a party stays.
func (a Ask) slots(r Restaurant, party int) int {
	if a.Stay > 0 {
		return a.Stay
	}
	return SlotsOfStay(a.minutes(r, party), r.SlotMinutes)
}

// at returns the ask with what is over at now of a slot in which a new party sits down.
func (a Ask) at(r Restaurant, now time.Time) Ask {
	if a.Begun && a.Own == nil {
		a.passed = r.passed(a.Slot, now)
	}
	return a
}

// minutes returns for how long a party stays from the beginning of the slot on.
func (a Ask) minutes(r Restaurant, party int) int {
	return r.sincePassed(max(a.Minutes, StayMinutes(r, a.Slot, party, nil)), a.passed)
}

// EndTime returns the local time at which a stay ends that begins with a slot.
func (o Offer) EndTime(slot SlotKey) TimeOfDay { return after(slot.Time, o.StayMinutes) }

// stay returns the times of the further slots of a stay; false if they do not exist.
func (a Ask) stay(r Restaurant, slots int) ([]TimeOfDay, bool) {
	if a.Own != nil && a.Own.Slot == a.Slot && len(a.Own.Stay) == slots-1 {
		return a.Own.Stay, true // although the hours may have changed
	}
	stay, err := r.stay(a.Slot.Date, a.Slot.Time, slots, a.Staff)
	return stay, err == nil
}

// isTaken returns whether the slot can be asked for at now. A party keeps the slot that it has, until its stay is over.
func (a Ask) isTaken(r Restaurant, stay []TimeOfDay, rules rules, now time.Time) bool {
	if a.Own != nil && a.Own.Slot == a.Slot {
		end, err := r.End(a.Slot, stay)
		return err == nil && now.Before(end)
	}
	return rules.bookable(a.Slot.Date, a.Slot.Time) == nil
}

// keeps returns whether a party that changes its reservation can keep the seats that it has: staff may have put tables
// together that are no partners.
func (a Ask) keeps(o Occupancy, plan SeatPlan, party int) bool {
	return a.Own != nil && party <= o.Remaining() &&
		SlotState{Slots: []Occupancy{o}, Plan: plan}.canKeep(a.Own.SeatIDs(), party, a.Staff)
}

// occupancies returns how full the slots are without the party's own reservation.
func (a Ask) occupancies(r Restaurant, stay []TimeOfDay, day map[TimeOfDay]Occupancy) []Occupancy {
	slots := a.Slot.Slots(stay)
	each := r.Occupancies(slots, day)
	for i, slot := range slots {
		if a.Own != nil && slices.Contains(a.Own.Slots(), slot) {
			each[i] = each[i].freed(slot, *a.Own, a.Party)
		}
	}
	return each
}

// Occupancies returns how full some slots of a day are, of which day has those that have a row; the others are empty.
func (r Restaurant) Occupancies(slots []SlotKey, day map[TimeOfDay]Occupancy) []Occupancy {
	each := make([]Occupancy, 0, len(slots))
	for _, slot := range slots {
		o, ok := day[slot.Time]
		if !ok {
			o = r.EmptySlot(slot.Date)
		}
		o.ArrivalLimit = r.ArrivalsPerSlot
		each = append(each, o)
	}
	return each
}

// SeatsFor returns the named seats that who asks would get if it chose none, in ascending order: a party that changes
// its reservation keeps its own where it can. None where the offer is not open, or seats have no names.
func (o Offer) SeatsFor(ask Ask) []int64 {
	switch {
	case o.State != OfferOpen || len(o.plan) == 0:
		return nil
	case ask.keeps(o.Joint, o.plan, o.Party):
		return ask.Own.SeatIDs()
	}
	return o.plan.Best(o.Joint.Seats, o.Party)
}

// Take returns the day as it is once the party of an open offer has its seats.
func (o Offer) Take(r Restaurant, ask Ask, day map[TimeOfDay]Occupancy) map[TimeOfDay]Occupancy {
	slots, seats, next := ask.Slot.Slots(o.Stay), o.SeatsFor(ask), maps.Clone(day)
	for i, before := range r.Occupancies(slots, day) {
		next[slots[i].Time] = before.with(o.Party, seats, false)
	}
	return next
}

// Fits returns how many parties of the offer's size would still get seats, one after the other. It assigns seats to
// each of them: it is for who shows the number.
func (o Offer) Fits() int {
	if o.State != OfferOpen {
		return 0
	}
	most := o.Joint.Remaining() / max(o.Party, 1)
	if o.Joint.PassesLeft > 0 {
		most = min(most, o.Joint.PassesLeft)
	}
	if len(o.plan) == 0 {
		return most
	}
	n, req := 0, Request{PartySize: o.Party}
	state := SlotState{Slots: []Occupancy{o.Joint}, Plan: o.plan}
	for ; n < most; n++ {
		seats, err := state.seatsFor(req)
		if err != nil {
			break
		}
		state.Slots[0] = state.Slots[0].with(req.PartySize, seats, true)
	}
	return n
}

// FitsLike returns whether another offer of the restaurant has the same Fits, without working it out: neighbouring
// slots are often as full as each other.
func (o Offer) FitsLike(other Offer) bool {
	return o.State == other.State && o.Party == other.Party && o.Joint.Remaining() == other.Joint.Remaining() &&
		o.Joint.PassesLeft == other.Joint.PassesLeft &&
		slices.EqualFunc(o.Joint.Seats, other.Joint.Seats, func(a, b SeatUse) bool { return a.ID == b.ID })
}

// takes returns whether a party of a size gets seats in a slot with this occupancy, were it not closed.
func (o Occupancy) takes(plan SeatPlan, party int) bool {
	return party <= o.Remaining() && plan.CanSeat(o.Seats, party)
}

// largest returns the size of the largest party, up to most, that gets seats in a slot with this occupancy.
func (o Occupancy) largest(plan SeatPlan, most int) int {
	return plan.LargestParty(o.Seats, min(o.Remaining(), most))
}

// placesFor returns how many people can still sit on seats that a party of a size can have.
func (o Occupancy) placesFor(plan SeatPlan, party int) int {
	if len(plan) == 0 {
		return o.Remaining()
	}
	places := 0
	for _, seat := range plan {
		if seat.MinParty <= party && !o.Seats.Has(seat.ID) {
			places += seat.Places
		}
	}
	return min(places, o.Remaining())
}

// freed returns the occupancy of a slot for a party of some size that has a reservation there, which its new one
// replaces: its seats are free for it. Where it takes no more seats than it has, a slot that is closed or waits is open
// to it.
func (o Occupancy) freed(slot SlotKey, own Reservation, party int) Occupancy {
	o = o.without(slot, own)
	if party <= own.PartySize {
		o.Closed, o.Paused, o.OpensAt = false, false, time.Time{}
		if slot == own.Slot { // nobody more arrives
			o.ArrivalLimit = 0
		}
	}
	return o
}
