package booking

import (
	"maps"
	"slices"
)

// rooms are the slots of the turn, and those that somebody on the waitlist needs besides.
func (s SlotState) rooms() map[TimeOfDay]Room {
	rooms := map[TimeOfDay]Room{}
	maps.Copy(rooms, s.Rooms)
	for i, at := range s.Times {
		rooms[at] = s.Slots[i].Room()
	}
	return rooms
}

// Room is what a slot has to give.
func (o Occupancy) Room() Room {
	if o.Closed {
		return Room{Capacity: o.Capacity, Seats: o.Seats}
	}
	return Room{Capacity: o.Capacity, Free: o.Free(), Seats: o.Seats}
}

// withoutOwnEntry is the state in which what is the waitlist's is not to be had. A person who waits does not stand in their own way.
func (s SlotState) withoutOwnEntry(userID string) SlotState {
	if len(s.Waitlist) > 0 {
		s.Waitlist, s.Slots = s.Waitlist.Without(userID), slices.Clone(s.Slots)
		s.applyPromises()
	}
	return s
}

// pass counts that a diner who pressed is about to be seated, and returns whom that passes. A diner who waited on the list
// leaves it.
func (s *SlotState) pass(userID string) []string {
	if len(s.Waitlist) == 0 {
		return nil
	}
	s.Waitlist = s.Waitlist.Without(userID)
	return s.Waitlist.Pass(s.Times, s.Plan, s.rooms())
}

// Retake says whether a reservation whose seats were given back can have them again, and whom that passes.
func (s SlotState) Retake(r Reservation) (passed []string, free bool) {
	left := AllOf(s.withoutOwnEntry(r.UserID).Slots)
	gone := slices.ContainsFunc(r.Seats, func(seat ReservedSeat) bool { return left.Seats.Has(seat.ID) })
	if gone || r.PartySize > left.Remaining() {
		return nil, false
	}
	return s.pass(r.UserID), true
}

// applyPromises says of each slot what is the waitlist's.
func (s SlotState) applyPromises() {
	if len(s.Waitlist) == 0 {
		return
	}
	settled := s.Waitlist.Settle(s.Plan, s.rooms())
	for i, at := range s.Times {
		s.Slots[i] = s.Waitlist.Promise(at, s.Slots[i], settled)
	}
}

// Promise is how full a slot is, once it is known how much of what is left is the waitlist's.
func (w Waitlist) Promise(at TimeOfDay, o Occupancy, settled Settlement) Occupancy {
	for _, entry := range w {
		if slices.Contains(entry.Times, at) {
			o.Listed++
		}
	}
	if o.Listed > 0 && !o.Closed {
		o.Promised = o.Free() - settled.Left[at]
		o.Seats = o.Seats.With(settled.Kept[at])
	}
	return o
}
