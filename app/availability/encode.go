package availability

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"lunchgo/app/booking"
)

// What marks a seat that waits for payment, and one that is blocked.
const (
	onHold  = "h"
	blocked = "b"
)

// said is what staff have set of a slot besides its numbers, and what few slots have.
type said struct {
	Stopped bool   `json:"stopped,omitempty"`
	Paused  bool   `json:"paused,omitempty"`
	Reason  string `json:"reason,omitempty"`
	Notice  string `json:"notice,omitempty"`
	OpensAt int64  `json:"opensAt,omitempty"` // microseconds since 1970
	Draw    bool   `json:"draw,omitempty"`
	Passes  int    `json:"passes,omitempty"` // Occupancy.PassesLeft
	Arrive  int    `json:"arrive,omitempty"` // Occupancy.Arriving, where the restaurant limits it
}

func saidOf(o booking.Occupancy) said {
	s := said{Stopped: o.Stopped, Paused: o.Paused, Reason: o.Reason, Notice: o.Notice, Draw: o.Draw,
		Passes: o.PassesLeft}
	if o.ArrivalLimit > 0 {
		s.Arrive = o.Arriving
	}
	if !o.OpensAt.IsZero() {
		s.OpensAt = o.OpensAt.UnixMicro()
	}
	return s
}

func (s said) addTo(o *booking.Occupancy) {
	o.Stopped, o.Paused, o.Reason, o.Notice, o.Draw = s.Stopped, s.Paused, s.Reason, s.Notice, s.Draw
	o.PassesLeft, o.Arriving = s.Passes, s.Arrive
	if s.OpensAt != 0 {
		o.OpensAt = time.UnixMicro(s.OpensAt).UTC()
	}
}

// encode writes numbers, where seats have names those that are taken after them, and what staff have said if there is
// something: "20 6 2 0 0 0 4,5h,6b {...}".
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
		switch {
		case seat.Blocked:
			text += blocked
		case seat.OnHold:
			text += onHold
		}
	}
	if s := saidOf(o); s != (said{}) {
		object, _ := json.Marshal(s) // texts, numbers and switches can always be written
		text += " " + string(object)
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
		numbers, object, more := strings.Cut(value, "{")
		_, err := fmt.Sscanf(numbers, "%d %d %d %d %d %d %d", &version, &o.Capacity, &o.Held, &o.OnHold, &closed,
			&o.Promised, &o.Waitlisted)
		if err != nil {
			return nil, fmt.Errorf("availability: decode %q: %w", value, err)
		}
		o.Closed = closed == 1
		if fields := strings.Fields(numbers); len(fields) > 7 {
			var err error
			if o.Seats, err = decodeSeats(fields[7]); err != nil {
				return nil, fmt.Errorf("availability: decode %q: %w", value, err)
			}
		}
		if more {
			var s said
			if err := json.Unmarshal([]byte("{"+object), &s); err != nil {
				return nil, fmt.Errorf("availability: decode %q: %w", value, err)
			}
			s.addTo(&o)
		}
		slots[booking.TimeOfDay(at)] = o
	}
	return slots, nil
}

func decodeSeats(text string) (booking.TakenSeats, error) {
	var seats booking.TakenSeats
	for part := range strings.SplitSeq(text, ",") {
		digits, held := strings.CutSuffix(part, onHold)
		digits, isBlocked := strings.CutSuffix(digits, blocked)
		if held && isBlocked {
			return nil, fmt.Errorf("seat %q", part)
		}
		id, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return nil, err
		}
		seats = append(seats, booking.SeatUse{ID: id, OnHold: held, Blocked: isBlocked})
	}
	return seats, nil
}
