package availability

import (
	"fmt"

	"lunchgo/app/booking"
)

func encode(o booking.Occupancy) string {
	closed := 0
	if o.Closed {
		closed = 1
	}
	return fmt.Sprintf("%d %d %d %d", o.Capacity, o.Held, o.OnHold, closed)
}

func decode(raw map[string]string) (map[booking.TimeOfDay]booking.Occupancy, error) {
	slots := make(map[booking.TimeOfDay]booking.Occupancy, len(raw))
	for at, value := range raw {
		if at == present {
			continue
		}
		var version int64
		var closed int
		var o booking.Occupancy
		if _, err := fmt.Sscanf(value, "%d %d %d %d %d", &version, &o.Capacity, &o.Held, &o.OnHold, &closed); err != nil {
			return nil, fmt.Errorf("availability: decode %q: %w", value, err)
		}
		o.Closed = closed == 1
		slots[booking.TimeOfDay(at)] = o
	}
	return slots, nil
}
