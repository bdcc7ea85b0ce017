package availability

import (
	"fmt"
	"strconv"
	"strings"

	"lunchgo/app/booking"
)

// onHold marks a seat that waits for payment.
const onHold = "h"

// encode writes numbers, and where seats have names those that are taken after them: "20 6 2 0 4,5h".
func encode(o booking.Occupancy) string {
	closed := 0
	if o.Closed {
		closed = 1
	}
	text := fmt.Sprintf("%d %d %d %d %d %d", o.Capacity, o.Held, o.OnHold, closed, o.Promised, o.Waitlisted)
	for i, seat := range o.Seats {
		separator := ","
		if i == 0 {
			separator = " "
		}
		text += separator + strconv.FormatInt(seat.ID, 10)
		if seat.OnHold {
			text += onHold
		}
	}
	return text
}

func decode(raw map[string]string) (map[booking.TimeOfDay]booking.Occupancy, error) {
	slots := make(map[booking.TimeOfDay]booking.Occupancy, len(raw))
	for at, value := range raw {
		if at == builtMarker {
			continue
		}
		var version int64
		var closed int
		var o booking.Occupancy
		_, err := fmt.Sscanf(value, "%d %d %d %d %d %d %d", &version, &o.Capacity, &o.Held, &o.OnHold, &closed, &o.Promised, &o.Waitlisted)
		if err != nil {
			return nil, fmt.Errorf("availability: decode %q: %w", value, err)
		}
		o.Closed = closed == 1
		if fields := strings.Fields(value); len(fields) > 7 {
			var err error
			if o.Seats, err = decodeSeats(fields[7]); err != nil {
				return nil, fmt.Errorf("availability: decode %q: %w", value, err)
			}
		}
		slots[booking.TimeOfDay(at)] = o
	}
	return slots, nil
}

func decodeSeats(text string) (booking.TakenSeats, error) {
	var seats booking.TakenSeats
	for part := range strings.SplitSeq(text, ",") {
		digits, held := strings.CutSuffix(part, onHold)
		id, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return nil, err
		}
		seats = append(seats, booking.SeatUse{ID: id, OnHold: held})
	}
	return seats, nil
}
