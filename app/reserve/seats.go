package reserve

import (
	"context"
	"slices"

	"lunchgo/app/booking"
)

// TakenSeats returns the seats that are taken in any of some slots of a date; it may be a moment old. Returns
// ErrOutsideHours for a slot that neither exists in the opening hours nor has a row.
func (s *Service) TakenSeats(ctx context.Context, r booking.Restaurant, slots []booking.SlotKey) (booking.TakenSeats,
	error) {
	known, err := s.Availability.List(ctx, r.ID, slots[0].Date)
	if err != nil {
		return nil, err
	}
	times := r.Times(slots[0].Date)
	var taken booking.TakenSeats
	for _, slot := range slots {
		o, ok := known[slot.Time]
		if !ok && !slices.Contains(times, slot.Time) {
			return nil, booking.ErrOutsideHours
		}
		taken = taken.Union(o.Seats)
	}
	return taken, nil
}
