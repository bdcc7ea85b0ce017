package views

import (
	"slices"
	"strings"
	"time"

	"lunchgo/app/booking"
	"lunchgo/views/i18n"
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
	Guests []SeatGuest // who has it, or will; known to staff only
	// Sign says what is the matter with who has it or comes next: SeatOver, SeatLate or SeatDue; known to staff only.
	Sign string
	URL  string // of what can be done there; empty for nothing
}

// SeatGuest is who has a seat, in the few words that fit on the map.
type SeatGuest struct {
	Name  string
	Party int    // 0: it is not known
	When  string // they come, or how long they still have it; may be empty
}

// PartyText is how many they are.
func (g SeatGuest) PartyText(lang string) string {
	if g.Party == 0 {
		return ""
	}
	return i18n.T(lang, "evening.map_party", "Count", g.Party)
}

// Words are those of some texts that are not empty, with blanks between.
func Words(texts ...string) string {
	return strings.Join(strings.Fields(strings.Join(texts, " ")), " ")
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
