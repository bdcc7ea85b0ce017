package evening

import (
	"maps"
	"slices"
	"time"

	"lunchgo/app/booking"
)

// Slot is a slot of the evening.
type Slot struct {
	Key   booking.SlotKey
	Start time.Time
	End   time.Time
	booking.Occupancy
	Figures
	Line Line
}

// Figures count who is in a slot.
type Figures struct {
	Parties int // that come in it and hold seats, or have had them
	Arrived int // covers of the parties that are there and wait for their table
	Seated  int // covers of the parties that have their table, those that came earlier and stay among them
	Left    int // seats that a party could still have, of whatever size
}

// SlotState is what can be done in a slot.
type SlotState string

// The states of a slot.
const (
	SlotOpen    SlotState = "open"
	SlotSoldOut SlotState = "sold_out" // no party fits
	SlotPaused  SlotState = "paused"
	SlotPlanned SlotState = "planned" // opens later
	SlotClosed  SlotState = "closed"
	SlotOver    SlotState = "over" // it has begun
)

// Confirmed is the covers of the parties that have paid, or need not, and have not been seated.
func (s Slot) Confirmed() int { return max(0, s.Held-s.OnHold-s.Seated) }

// State is what can be done in the slot at now by parties of a restaurant.
func (s Slot) State(r booking.Restaurant, now time.Time) SlotState {
	switch {
	case !now.Before(s.Start):
		return SlotOver
	case s.Closed:
		return SlotClosed
	case s.Paused:
		return SlotPaused
	case s.OpensAt.After(now):
		return SlotPlanned
	case s.Left < r.PartyMin:
		return SlotSoldOut
	}
	return SlotOpen
}

// slotsOf are the slots of the evening that have a row, or lie in the opening hours, by time.
func slotsOf(e Evening, known map[booking.TimeOfDay]booking.Occupancy) []Slot {
	figures := map[booking.TimeOfDay]Figures{}
	for _, p := range e.Parties {
		for i, slot := range p.Slots() {
			f := figures[slot.Time]
			if i == 0 && (p.State.HoldsSeats() || p.HasBeenThere()) {
				f.Parties++
			}
			switch p.State {
			case booking.Arrived:
				f.Arrived += p.PartySize
			case booking.Seated:
				f.Seated += p.PartySize
			default:
			}
			figures[slot.Time] = f
		}
	}
	var slots []Slot
	for _, at := range slices.Sorted(maps.Keys(known)) {
		key := booking.SlotKey{RestaurantID: e.Restaurant.ID, Date: e.Date, Time: at}
		slot := SlotOf(e.Restaurant, key, known, e.Now)
		counted := figures[at]
		counted.Left = slot.Left
		slot.Figures = counted
		slots = append(slots, slot)
	}
	return slots
}

// SlotOf is a slot of a day as staff see it at now, without its parties and its line.
func SlotOf(r booking.Restaurant, key booking.SlotKey, day map[booking.TimeOfDay]booking.Occupancy,
	now time.Time) Slot {
	slot := Slot{Key: key, Start: startOf(r, key), Occupancy: day[key.Time]}
	slot.ArrivalLimit = r.ArrivalsPerSlot
	slot.End = slot.Start.Add(time.Duration(r.SlotMinutes) * time.Minute)
	slot.Left = r.Offer(booking.Ask{Slot: key, Staff: true, Begun: true}, day, now).Remaining
	return slot
}
