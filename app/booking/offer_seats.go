package booking

import "time"

// CheckSeats returns why who asks would not get some named seats at now; nil if it would. Staff have put the seats
// together: only their places count. Returns *InvalidError, ErrClosed, ErrPaused, ErrNotOpenYet, *SoldOutError and
// *SeatTakenError.
func (r Restaurant) CheckSeats(ask Ask, seats []int64, day map[TimeOfDay]Occupancy, now time.Time) error {
	seats, faults := checkSeats(r.Seats, seats, ask.Party, true)
	if len(faults) > 0 {
		return &InvalidError{Fields: faults}
	}
	ask.Staff = true
	offer := r.Offer(ask, day, now)
	if offer.State == OfferClosed {
		return ErrClosed
	}
	if err := offer.Joint.Waits(now); err != nil {
		return err
	}
	return offer.Joint.CheckRequest(r.Seats, Request{PartySize: ask.Party, SeatIDs: seats, Guest: &Guest{}})
}

// Occupy marks the named seats at which a party still sits, although its stay is over, in that slot of a day that runs
// at now: who comes to the door cannot have them. Reservations can, whose party comes later.
func (r Restaurant) Occupy(day map[TimeOfDay]Occupancy, date Date, seats []int64, now time.Time) {
	for at, o := range day { // in any order
		if r.Runs(SlotKey{r.ID, date, at}, now) {
			o.Seats = o.Seats.with(seats, false)
			day[at] = o
		}
	}
}

// LongestOn returns for how long who asks could have some named seats: the end of a stay that is shorter than its own,
// or no end for its whole stay; false if it cannot have them at all. It is for staff.
func (r Restaurant) LongestOn(ask Ask, seats []int64, day map[TimeOfDay]Occupancy, now time.Time) (TimeOfDay, bool) {
	if r.CheckSeats(ask, seats, day, now) == nil {
		return "", true
	}
	_, until, ok := r.Shorter(ask, seats, day, now)
	return until, ok
}
