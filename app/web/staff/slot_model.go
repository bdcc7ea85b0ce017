package staff

import (
	"context"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/views"
)

// countWaiting says how many wait in the line of each slot. When the lines do not answer, nobody is said to wait: the
// evening has to be run all the same.
func countWaiting(ctx context.Context, bookings *reserve.Service, slots []booking.SlotKey) []int {
	waiting, err := bookings.Lines.Lengths(ctx, slots)
	if err != nil {
		bookings.Log.WarnContext(ctx, "read line lengths failed", "error", err)
	}
	if len(waiting) < len(slots) {
		return make([]int, len(slots))
	}
	return waiting
}

// staffSlot is a slot of a day as staff see it at now; a slot is over once it has begun, and sold out when no party
// fits.
func staffSlot(r booking.Restaurant, key booking.SlotKey, start, now time.Time,
	day map[booking.TimeOfDay]booking.Occupancy) views.StaffSlot {
	o := day[key.Time]
	slot := views.StaffSlot{At: start, State: views.SlotOpen, Capacity: o.Capacity,
		Confirmed: o.Held - o.OnHold, Temporary: o.OnHold, Listed: o.Waitlisted,
		Arriving: o.Arriving, Arrivals: r.ArrivalsPerSlot,
		Left: r.Offer(booking.Ask{Slot: key, Staff: true, Begun: true}, day, now).Remaining}
	switch {
	case !now.Before(start):
		slot.State = views.SlotOver
	case o.Closed:
		slot.State = views.SlotClosed
	case o.Paused:
		slot.State = views.SlotPaused
	case o.OpensAt.After(now):
		slot.State = views.SlotPlanned
	case slot.Left < r.PartyMin:
		slot.State = views.SlotSoldOut
	}
	return slot
}
