package db

import (
	"context"
	"maps"

	"lunchgo/app/booking"
)

// readWaitlist says of the slots that a change asks for what is their waitlist's, and finds out whom the change passes where
// it takes further seats.
func (c *changing) readWaitlist(ctx context.Context) error {
	var locked []slotRow
	var times, further []booking.TimeOfDay
	for _, slot := range c.req.Slots() {
		locked, times = append(locked, c.slots[slot]), append(times, slot.Time)
		if c.req.Further(slot) > 0 {
			further = append(further, slot.Time)
		}
	}
	rooms, list, err := readLocked(ctx, c.tx, locked)
	if list = list.Without(c.req.UserID); err != nil || len(list) == 0 {
		return err
	}
	others, err := readRooms(ctx, c.tx, locked[0].ID, timesBesides(list, times))
	if err != nil {
		return err
	}
	maps.Copy(rooms, others)
	settled := list.Settle(c.turn.Seats, rooms)
	for slot, o := range c.state.Slots {
		c.state.Slots[slot] = list.Promise(slot.Time, o, settled)
	}
	if len(further) > 0 {
		c.passed = list.Pass(further, c.turn.Seats, rooms)
	}
	return nil
}
