package reserve

import (
	"context"
	"lunchgo/app/booking"
	"slices"
)

// TakenSeats are the seats that somebody has in one of some slots of a date, a moment ago. Returns ErrOutsideHours if one of
// them is none of the restaurant's, nor was.
func (s *Service) TakenSeats(ctx context.Context, r booking.Restaurant, slots []booking.SlotKey) (booking.TakenSeats, error) {
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
		taken = taken.And(o.Seats)
	}
	return taken, nil
}
