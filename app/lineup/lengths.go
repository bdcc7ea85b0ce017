package lineup

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/app/waiting"
	"lunchgo/locks"
)

// Lengths counts those who wait for slots; it implements reserve.Lines.
type Lengths struct {
	Room *waiting.Room
}

// Lengths implements reserve.Lines.
func (l Lengths) Lengths(ctx context.Context, slots []booking.SlotKey) ([]int, error) {
	names := make([]locks.Name, len(slots))
	for i, slot := range slots {
		names[i] = OfSlot(slot)
	}
	return l.Room.Lengths(ctx, names)
}

// CountByRestaurant returns how many wait in the lines of slots, those being served among them, by restaurant and over
// all processes. Restaurants without any are left out.
func (l Lengths) CountByRestaurant(ctx context.Context) (map[int64]int, error) {
	registered, err := l.Room.Registered(ctx)
	if err != nil {
		return nil, err
	}
	var names []locks.Name
	var restaurants []int64
	known := map[locks.Name]bool{}
	for _, line := range registered {
		slots, err := SlotsOf(line)
		if first := line.First(); err == nil && !known[first] {
			known[first] = true
			names, restaurants = append(names, first), append(restaurants, slots[0].RestaurantID)
		}
	}
	lengths, err := l.Room.Lengths(ctx, names)
	counts := map[int64]int{}
	for i, n := range lengths {
		if n > 0 {
			counts[restaurants[i]] += n
		}
	}
	return counts, err
}
