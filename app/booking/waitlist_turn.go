package booking

import (
	"maps"
	"slices"
	"time"
)

// vacancies returns the slots of the turn and the further slots that waitlist entries need.
func (s SlotState) vacancies() map[TimeOfDay]Vacancy {
	rooms := map[TimeOfDay]Vacancy{}
	maps.Copy(rooms, s.Vacancies)
	for i, at := range s.Times {
		rooms[at] = s.Slots[i].Vacancy()
	}
	return rooms
}

// Vacancy returns the free seats of a slot; none if it is closed.
func (o Occupancy) Vacancy() Vacancy {
	if o.Closed {
		return Vacancy{Capacity: o.Capacity, Seats: o.Seats, Closed: true}
	}
	return Vacancy{Capacity: o.Capacity, Free: o.Capacity - o.Held, Seats: o.Seats, Arriving: o.Arriving,
		ArrivalLimit: o.ArrivalLimit}
}

// withoutOwnEntry returns the state for a user's request: seats promised to the waitlist are taken, but the user's own
// entry does not count.
func (s SlotState) withoutOwnEntry(userID string) SlotState {
	if len(s.Waitlist) > 0 {
		s.Waitlist, s.Slots = s.Waitlist.withoutUser(userID), slices.Clone(s.Slots)
		s.applyPromises()
	}
	return s
}

// overtake removes a user who gets seats from the waitlist, counts a pass for each entry that the user overtakes, and
// returns their ids.
func (s *SlotState) overtake(userID string) []string {
	if len(s.Waitlist) == 0 {
		return nil
	}
	s.Waitlist = s.Waitlist.withoutUser(userID)
	return s.Waitlist.countPasses(s.Times, s.Plan, s.vacancies(), s.Now)
}

// Retake returns whether an expired reservation can have its seats again, and the ids of the entries that it overtakes.
// Staff booked theirs beyond the limit of arrivals, if need be.
func (s SlotState) Retake(r Reservation) (passed []string, free bool) {
	left := AllOf(s.withoutOwnEntry(r.UserID).Slots)
	if r.Source != Web {
		left.ArrivalLimit = 0
	}
	gone := slices.ContainsFunc(r.Seats, func(seat ReservedSeat) bool { return left.Seats.Has(seat.ID) })
	if gone || r.PartySize > left.Remaining() {
		return nil, false
	}
	return s.overtake(r.UserID), true
}

// applyPromises sets what each slot promises to the waitlist.
func (s SlotState) applyPromises() {
	if len(s.Waitlist) == 0 {
		return
	}
	settled := s.Waitlist.Allocate(s.Plan, s.vacancies(), s.Now)
	for i, at := range s.Times {
		s.Slots[i] = s.Waitlist.Promise(at, s.Slots[i], settled)
	}
}

// Promise returns the occupancy of a slot with what a settlement promises to the waitlist.
func (w Waitlist) Promise(at TimeOfDay, o Occupancy, settled Allocation) Occupancy {
	for _, entry := range w {
		if slices.Contains(entry.Times, at) {
			o.Waitlisted++
		}
	}
	if o.Waitlisted > 0 && !o.Closed {
		o.Promised = o.Free() - settled.Remaining[at]
		o.Arriving += settled.Arriving[at]
		o.Seats = o.Seats.With(settled.OfferedSeats[at])
		o.KeptUntil, o.PassesLeft = settled.KeptUntil[at], settled.PassesLeft[at]
	}
	return o
}

// PromiseDay sets what each slot of a day promises to those of the list who wait for seats in it, as a turn of that
// slot sees it.
func (w Waitlist) PromiseDay(plan SeatPlan, day map[TimeOfDay]Occupancy, now time.Time) {
	rooms := make(map[TimeOfDay]Vacancy, len(day))
	for at, o := range day {
		rooms[at] = o.Vacancy()
	}
	for at, o := range day {
		var list Waitlist
		for _, entry := range w {
			if slices.Contains(entry.Times, at) {
				list = append(list, entry)
			}
		}
		if len(list) > 0 {
			day[at] = list.Promise(at, o, list.Allocate(plan, rooms, now))
		}
	}
}
