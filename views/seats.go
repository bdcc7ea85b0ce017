package views

import (
	"slices"
	"time"

	"lunchgo/app/booking"
)

// Room is the map of a restaurant, in centimetres. Component: components.SeatMap(components.Map).
type Room struct {
	booking.Floor
	Seats []Seat
}

// Seat is a table, or a seat at the counter.
type Seat struct {
	booking.Seat
	State  booking.SeatState
	Chosen bool
	Guest  string // who has it; known to staff only
	// Sign says what is the matter with who has it or comes next: SeatOver, SeatLate or SeatDue; known to staff only.
	Sign string
	Note string // a time that goes with Guest, shown on the map
	URL  string // of what can be done there; empty for nothing
}

// Values of Seat.Sign.
const (
	SeatOver = "over" // the stay of who sits there should have ended
	SeatLate = "late" // who comes next should be there
	SeatDue  = "due"  // who comes next comes soon
)

// IsTable returns whether it is a table.
func (s Seat) IsTable() bool { return s.Kind == booking.TableSeat }

// For returns whether a party may choose the seat now.
func (s Seat) For(party int) bool { return s.State == booking.SeatFree && s.MinParty <= party }

// Labels are the labels of some seats of the room.
func (r Room) Labels(ids []int64) []string {
	var labels []string
	for _, seat := range r.Seats {
		if slices.Contains(ids, seat.ID) {
			labels = append(labels, seat.Label)
		}
	}
	return labels
}

// Chosen are the seats of the room that the diner has chosen.
func (r Room) Chosen() []Seat {
	var chosen []Seat
	for _, seat := range r.Seats {
		if seat.Chosen {
			chosen = append(chosen, seat)
		}
	}
	return chosen
}

// SeatPicker lets a party choose among the seats of a slot. SeatsEventsURL streams the inside of it as event "seats"
// while others choose. Components: pages.Seats and, for its inside, pages.SeatChoice.
type SeatPicker struct {
	Lang  string
	Slug  string
	At    time.Time // zero while no time is chosen
	Stay  int       // slots
	Party int
	Room  Room
	// the labels of the seats that the restaurant chooses for a party that chooses none; none if nothing fits
	Suggested []string
	Error     string
}
