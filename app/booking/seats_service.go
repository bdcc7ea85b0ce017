package booking

import (
	"context"
	"slices"
)

// TakenSeats are the seats that somebody has in one of some slots of a date, a moment ago. Returns ErrOutsideHours if one of
// them is none of the restaurant's, nor was.
func (s *Service) TakenSeats(ctx context.Context, r Restaurant, slots []SlotKey) (TakenSeats, error) {
	known, err := s.Availability.List(ctx, r.ID, slots[0].Date)
	if err != nil {
		return nil, err
	}
	times := r.Times(slots[0].Date)
	var taken TakenSeats
	for _, slot := range slots {
		o, ok := known[slot.Time]
		if !ok && !slices.Contains(times, slot.Time) {
			return nil, ErrOutsideHours
		}
		taken = taken.and(o.Seats)
	}
	return taken, nil
}
