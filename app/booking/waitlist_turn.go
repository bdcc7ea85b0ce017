package booking

import (
	"maps"
	"slices"
)

// rooms returns the slots of the turn and the further slots that waitlist entries need.
func (s SlotState) rooms() map[TimeOfDay]Room {
	rooms := map[TimeOfDay]Room{}
	maps.Copy(rooms, s.Rooms)
	for i, at := range s.Times {
		rooms[at] = s.Slots[i].Room()
	}
	return rooms
}

// Room returns the free seats of a slot; none if it is closed.
func (o Occupancy) Room() Room {
	if o.Closed {
		return Room{Capacity: o.Capacity, Seats: o.Seats}
	}
	return Room{Capacity: o.Capacity, Free: o.Free(), Seats: o.Seats}
}

// withoutOwnEntry returns the state for a user's request: seats promised to the waitlist are taken, but the user's own
// entry does not count.
func (s SlotState) withoutOwnEntry(userID string) SlotState {
	if len(s.Waitlist) > 0 {
		s.Waitlist, s.Slots = s.Waitlist.Without(userID), slices.Clone(s.Slots)
		s.applyPromises()
	}
	return s
}

// pass removes a user who gets seats from the waitlist, counts a pass for each entry that the user overtakes, and returns
// their ids.
func (s *SlotState) pass(userID string) []string {
	if len(s.Waitlist) == 0 {
		return nil
	}
	s.Waitlist = s.Waitlist.Without(userID)
	return s.Waitlist.Pass(s.Times, s.Plan, s.rooms())
}

// Retake returns whether an expired reservation can have its seats again, and the ids of the entries that it overtakes.
func (s SlotState) Retake(r Reservation) (passed []string, free bool) {
	left := AllOf(s.withoutOwnEntry(r.UserID).Slots)
	gone := slices.ContainsFunc(r.Seats, func(seat ReservedSeat) bool { return left.Seats.Has(seat.ID) })
	if gone || r.PartySize > left.Remaining() {
		return nil, false
	}
	return s.pass(r.UserID), true
}

// applyPromises sets what each slot promises to the waitlist.
func (s SlotState) applyPromises() {
	if len(s.Waitlist) == 0 {
		return
	}
	settled := s.Waitlist.Settle(s.Plan, s.rooms())
	for i, at := range s.Times {
		s.Slots[i] = s.Waitlist.Promise(at, s.Slots[i], settled)
	}
}

// Promise returns the occupancy of a slot with what a settlement promises to the waitlist.
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
