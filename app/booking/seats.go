package booking

import (
	"fmt"
	"slices"
)

// SeatKind says what a seat is.
type SeatKind string

// The kinds of seats: one at a counter, or a table.
const (
	CounterSeat SeatKind = "counter"
	TableSeat   SeatKind = "table"
)

// Seat is a place with a name that a restaurant gives away: a seat at its counter, or a table.
type Seat struct {
	ID       int64
	Label    string
	Kind     SeatKind
	Places   int
	MinParty int // the smallest party that gets it; 0 for any
	Area     Area
	Partners []int64 // seats that a party can have together with it, ascending
}

// Area is where something stands on a restaurant's map, in centimetres.
type Area struct {
	X      int `json:"x"`
	Y      int `json:"y"`
	Width  int `json:"width"`
	Height int `json:"height"`
}

// Floor is the room that a restaurant's map shows: its size in centimetres, and what stands in it besides the seats.
type Floor struct {
	Width    int       `json:"width,omitempty"`
	Height   int       `json:"height,omitempty"`
	Fixtures []Fixture `json:"fixtures,omitempty"`
}

// Fixture is a part of a room that nobody sits at, such as a kitchen.
type Fixture struct {
	Kind string `json:"kind"` // key, e.g. "window"
	Area
}

// SeatPlan is the seats of a restaurant, in the order in which it gives them away. One that names no seats has none, and
// gives away covers only.
type SeatPlan []Seat

// find is where a seat stands in the plan; -1 if it does not.
func (p SeatPlan) find(id int64) int {
	return slices.IndexFunc(p, func(s Seat) bool { return s.ID == id })
}

// Find returns a seat of the plan.
func (p SeatPlan) Find(id int64) (Seat, bool) {
	if at := p.find(id); at >= 0 {
		return p[at], true
	}
	return Seat{}, false
}

// Places is how many can sit on some seats of the plan.
func (p SeatPlan) Places(ids []int64) int {
	sum := 0
	for _, id := range ids {
		seat, _ := p.Find(id)
		sum += seat.Places
	}
	return sum
}

// SeatUse is a seat that somebody has in a slot.
type SeatUse struct {
	ID     int64 `json:"id"`
	OnHold bool  `json:"onHold"` // it waits for payment and may return
}

// TakenSeats are the seats of a slot that somebody has, ascending.
type TakenSeats []SeatUse

// Has says whether somebody has a seat.
func (t TakenSeats) Has(id int64) bool {
	_, found := slices.BinarySearchFunc(t, SeatUse{ID: id}, compareSeats)
	return found
}

// SeatState is what a seat is in a slot.
type SeatState string

// The states of a seat.
const (
	SeatFree  SeatState = "free"
	SeatHeld  SeatState = "held" // waits for payment and may return
	SeatTaken SeatState = "taken"
)

// State is what a seat is.
func (t TakenSeats) State(id int64) SeatState {
	at, found := slices.BinarySearchFunc(t, SeatUse{ID: id}, compareSeats)
	switch {
	case !found:
		return SeatFree
	case t[at].OnHold:
		return SeatHeld
	}
	return SeatTaken
}

// With returns the seats that are taken once a party has got some more, which wait for its payment.
func (t TakenSeats) With(ids []int64) TakenSeats {
	if len(ids) == 0 {
		return t
	}
	if len(ids) == 0 {
		return t
	}
	more := make(TakenSeats, 0, len(ids))
	for _, id := range slices.Sorted(slices.Values(ids)) {
		more = append(more, SeatUse{ID: id, OnHold: true})
	}
	return t.And(more)
}

// And returns the seats that are taken in one of two slots. One that waits for payment in both may return.
func (t TakenSeats) And(other TakenSeats) TakenSeats {
	if len(t) == 0 {
		return other
	}
	all := slices.Clone(t)
	for _, use := range other {
		if at, found := slices.BinarySearchFunc(all, use, compareSeats); found {
			all[at].OnHold = all[at].OnHold && use.OnHold
		} else {
			all = slices.Insert(all, at, use)
		}
	}
	return all
}

func compareSeats(a, b SeatUse) int { return int(a.ID - b.ID) }

// SeatTakenError says that seats a diner has chosen are no longer free.
type SeatTakenError struct {
	Taken   []int64 `json:"taken"`   // of the chosen ones
	Instead []int64 `json:"instead"` // free ones that fit the party best; none if nothing does
}

func (e *SeatTakenError) Error() string {
	return fmt.Sprintf("booking: seats %v are taken", e.Taken)
}
