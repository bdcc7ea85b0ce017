package waiting

import (
	"context"
	"strconv"
	"strings"

	"lunchgo/app/booking"
	"lunchgo/locks"
)

// LineOfStay is the line of the slots of one restaurant and date for which a party stays: the slot's own line, or
// the joint one of several, in which a ticket stands in the lines of all of them.
func LineOfStay(slots []booking.SlotKey) locks.Name {
	keys := make([]string, len(slots))
	for i, slot := range slots {
		keys[i] = string(slot.Time)
	}
	return locks.JointName(LineOf(slots[0]).Partition, keys)
}

// SlotsOf are the slots, in order, of a line that LineOf or LineOfStay named. Returns ErrUnknownTicket for any other.
func SlotsOf(line locks.Name) ([]booking.SlotKey, error) {
	restaurant, date, _ := strings.Cut(strings.TrimPrefix(line.Partition, "r"), ":")
	id, err := strconv.ParseInt(restaurant, 10, 64)
	if err != nil || date == "" {
		return nil, ErrUnknownTicket
	}
	var slots []booking.SlotKey
	for _, key := range line.Lines() {
		slots = append(slots, booking.SlotKey{RestaurantID: id, Date: booking.Date(date), Time: booking.TimeOfDay(key)})
	}
	return slots, nil
}

// turnOver is a turn over slots of one date under a fence.
func turnOver(slots []booking.SlotKey, fence int64) booking.Turn {
	turn := booking.Turn{Slot: slots[0], Fence: fence}
	for _, slot := range slots[1:] {
		turn.Stay = append(turn.Stay, slot.Time)
	}
	return turn
}

// known is what the availability cache knows of slots of one date, for somebody who needs all of them; false when
// it knows none of them.
func (s Reservations) known(ctx context.Context, slots []booking.SlotKey) (booking.Occupancy, bool) {
	day, err := s.Bookings.CachedOccupancy(ctx, slots[0].RestaurantID, slots[0].Date)
	if err != nil {
		return booking.Occupancy{}, false
	}
	var known []booking.Occupancy
	for _, slot := range slots {
		if o, ok := day[slot.Time]; ok {
			known = append(known, o)
		}
	}
	return booking.AllOf(known), len(known) > 0
}

// closings are the lines of those slots in which nobody can be seated any more. Whoever waits for one of them
// together with others is answered as well.
func (s Reservations) closings(ctx context.Context, slots []booking.SlotKey, after []booking.Occupancy) []Closing {
	var closings []Closing
	for i, slot := range slots {
		if answer := s.Closing(ctx, slot, after[i]); answer != nil {
			closings = append(closings, Closing{LineOf(slot), *answer})
		}
	}
	return closings
}
