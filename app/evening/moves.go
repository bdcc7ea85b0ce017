package evening

import (
	"cmp"
	"slices"

	"lunchgo/app/booking"
)

// day returns how full the evening's slots are.
func (e Evening) day() map[booking.TimeOfDay]booking.Occupancy {
	day := make(map[booking.TimeOfDay]booking.Occupancy, len(e.Slots))
	for _, s := range e.Slots {
		day[s.Key.Time] = s.Occupancy
	}
	return day
}

// At returns the parties of the evening that have a named seat, or had it and are gone, by time.
func (e Evening) At(seat int64) []Party {
	var parties []Party
	for _, p := range e.Parties {
		if slices.Contains(p.SeatIDs(), seat) && (p.State.HoldsSeats() || p.State == booking.Completed) {
			parties = append(parties, p)
		}
	}
	return parties
}

// Movable is a party that could have another table at its own time.
type Movable struct {
	Party
	EndTime booking.TimeOfDay // of a shorter stay; empty: it could have the table for all of its own
}

// Movable returns the parties that could have a table instead of their own, at their own time: first those that are
// there, then by time.
func (e Evening) Movable(seat booking.Seat) []Movable {
	var present, expected []Movable
	day := e.day()
	for _, p := range e.Parties {
		if slices.Contains(p.SeatIDs(), seat.ID) || !p.State.IsConfirmed() && !p.State.IsPresent() {
			continue
		}
		ask := booking.Ask{PartyStay: booking.PartyStay{Party: p.PartySize, Stay: 1 + len(p.Stay)}, Slot: p.Slot,
			Staff: true, Begun: true, Own: &p.Reservation}
		end, ok := e.Restaurant.LongestOn(ask, []int64{seat.ID}, day, e.Now)
		switch {
		case !ok:
		case p.State.IsPresent():
			present = append(present, Movable{p, end})
		default:
			expected = append(expected, Movable{p, end})
		}
	}
	return append(present, expected...)
}

// WalkIn is a party at the door that could sit down at a table now.
type WalkIn struct {
	Slot    Slot
	Party   int
	Until   booking.TimeOfDay // when its stay ends
	EndTime booking.TimeOfDay // Until, of a stay that is shorter than such a party's; empty: it can stay for all of it
}

// WalkIns returns which parties could sit down at a table now, by size; none while somebody sits there, and on other
// days than today.
func (e Evening) WalkIns(seat booking.Seat) []WalkIn {
	at := slices.IndexFunc(e.Slots, e.takesWalkIns)
	seated := func(p Party) bool { return p.State == booking.Seated }
	if at < 0 || slices.ContainsFunc(e.At(seat.ID), seated) {
		return nil
	}
	var walkIns []WalkIn
	day := e.day()
	for party := 1; party <= seat.Places; party++ {
		ask := booking.Ask{PartyStay: booking.PartyStay{Party: party}, Slot: e.Slots[at].Key,
			Staff: true, Begun: true}
		if end, ok := e.Restaurant.LongestOn(ask, []int64{seat.ID}, day, e.Now); ok {
			whole := e.Restaurant.Offer(ask, day, e.Now).EndTime(ask.Slot)
			walkIns = append(walkIns, WalkIn{e.Slots[at], party, cmp.Or(end, whole), end})
		}
	}
	return walkIns
}

// takesWalkIns returns whether who comes to the door now gets a table from the slot on: it runs, or begins soon.
func (e Evening) takesWalkIns(s Slot) bool {
	return s.End.After(e.Now) && !s.Start.After(e.Now.Add(booking.ArrivalWindow))
}
