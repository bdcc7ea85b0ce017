package staff

import (
	"context"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/evening"
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

// slotsOf are some slots of a day as staff see them now, with how many wait in the line of each.
func (p *Pages) slotsOf(ctx context.Context, w place, keys []booking.SlotKey,
	day map[booking.TimeOfDay]booking.Occupancy) []views.EveningSlot {
	now, waiting := p.Bookings.Now(), countWaiting(ctx, p.Bookings, keys)
	slots := make([]views.EveningSlot, len(keys))
	for i, key := range keys {
		slot := evening.SlotOf(w.Restaurant, key, day, now)
		slot.Line.Waiting = waiting[i]
		slots[i] = shownSlot(w.Restaurant, slot, now)
	}
	return slots
}

// shownSlot is a slot of a restaurant as its page shows it at now: an opening that is past is none.
func shownSlot(r booking.Restaurant, s evening.Slot, now time.Time) views.EveningSlot {
	state := s.State(r, now)
	if s.OpensAt.After(now) {
		s.OpensAt = s.OpensAt.In(r.Location)
	} else {
		s.OpensAt = time.Time{}
	}
	return views.EveningSlot{Slot: s, State: state}
}
