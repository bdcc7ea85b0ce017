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

// slotOf is a slot of a day as staff see it now, with how many wait in its line.
func (p *Pages) slotOf(ctx context.Context, w place, key booking.SlotKey,
	day map[booking.TimeOfDay]booking.Occupancy) views.EveningSlot {
	now := p.Bookings.Now()
	slot := evening.SlotOf(w.Restaurant, key, day, now)
	slot.Line.Waiting = countWaiting(ctx, p.Bookings, []booking.SlotKey{key})[0]
	return shownSlot(w.Restaurant, slot, now)
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
