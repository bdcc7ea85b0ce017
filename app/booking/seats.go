package booking

import (
	"fmt"
	"slices"

	"lunchgo/app/refusal"
)

// SeatKind is the kind of a seat.
type SeatKind string

// The kinds of seats: a seat at a counter, or a table.
const (
	CounterSeat SeatKind = "counter"
	TableSeat   SeatKind = "table"
)

// Seat is a named seat at a counter, or a named table.
type Seat struct {
	ID       int64
	Label    string
	Kind     SeatKind
	Places   int
	MinParty int // the smallest party that can have it; 0: any
	Area     Area
	Partners []int64 // ids of seats that one party can have together with it, ascending
}

// Area is a rectangle on a restaurant's map, in centimetres.
type Area struct {
	X      int `json:"x"`
	Y      int `json:"y"`
	Width  int `json:"width"`
	Height int `json:"height"`
}

// Floor is the map of a restaurant: its size in centimetres, and its fixtures.
type Floor struct {
	Width    int       `json:"width,omitempty"`
	Height   int       `json:"height,omitempty"`
	Fixtures []Fixture `json:"fixtures,omitempty"`
}

// Fixture is a part of the floor without seats, such as a kitchen.
type Fixture struct {
	// key, e.g. "window"
	Kind string `json:"kind"`
	Area
}

// SeatPlan is the named seats of a restaurant, in the order of assignment. A restaurant with an empty plan sells
// covers.
type SeatPlan []Seat

// find returns the index of a seat in the plan; -1 if there is none.
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

// Places returns how many people can sit on some seats of the plan.
func (p SeatPlan) Places(ids []int64) int {
	sum := 0
	for _, id := range ids {
		seat, _ := p.Find(id)
		sum += seat.Places
	}
	return sum
}

// SeatUse is a seat that is taken in a slot.
type SeatUse struct {
	ID     int64 `json:"id"`
	OnHold bool  `json:"onHold"` // its reservation waits for payment, so it may return
	// Blocked says that staff give it to nobody there.
	Blocked bool `json:"blocked,omitempty"`
}

// TakenSeats are the taken seats of a slot, in ascending order.
type TakenSeats []SeatUse

// Has returns whether a seat is taken.
func (t TakenSeats) Has(id int64) bool {
	_, found := slices.BinarySearchFunc(t, SeatUse{ID: id}, compareSeats)
	return found
}

// SeatState is the state of a seat in a slot.
type SeatState string

// The states of a seat.
const (
	SeatFree  SeatState = "free"
	SeatHeld  SeatState = "held" // waits for payment and may return
	SeatTaken SeatState = "taken"
	// SeatBlocked is given to nobody there.
	SeatBlocked SeatState = "blocked"
)

// State returns the state of a seat.
func (t TakenSeats) State(id int64) SeatState {
	at, found := slices.BinarySearchFunc(t, SeatUse{ID: id}, compareSeats)
	switch {
	case !found:
		return SeatFree
	case t[at].Blocked:
		return SeatBlocked
	case t[at].OnHold:
		return SeatHeld
	}
	return SeatTaken
}

// With returns the taken seats plus some that a party now holds until it pays.
func (t TakenSeats) With(ids []int64) TakenSeats { return t.with(ids, true) }

// with returns the taken seats plus some of a party. onHold says that they may return.
func (t TakenSeats) with(ids []int64, onHold bool) TakenSeats {
	if len(ids) == 0 {
		return t
	}
	more := make(TakenSeats, 0, len(ids))
	for _, id := range slices.Sorted(slices.Values(ids)) {
		more = append(more, SeatUse{ID: id, OnHold: onHold})
	}
	return t.Union(more)
}

// Union returns the seats that are taken in one of two slots. A seat may return only if it may return in both.
func (t TakenSeats) Union(other TakenSeats) TakenSeats {
	if len(t) == 0 {
		return other
	}
	all := slices.Clone(t)
	for _, use := range other {
		if at, found := slices.BinarySearchFunc(all, use, compareSeats); found {
			all[at].OnHold = all[at].OnHold && use.OnHold
			all[at].Blocked = all[at].Blocked || use.Blocked
		} else {
			all = slices.Insert(all, at, use)
		}
	}
	return all
}

func compareSeats(a, b SeatUse) int { return int(a.ID - b.ID) }

// SeatTakenError reports that seats which the diner chose are taken.
type SeatTakenError struct {
	Taken   []int64 `json:"takenSeatIds,omitempty"` // the chosen seats that are taken
	Instead []int64 `json:"otherSeatIds,omitempty"` // the best free seats for the party; empty if there are none
}

// ErrSeatTaken is what a *SeatTakenError unwraps to.
var ErrSeatTaken = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "seat_taken", Turn: true,
	Headline: "seat_taken", Unchanged: "unchanged_seats", Alternatives: true,
	New: func() error { return new(SeatTakenError) }, Text: "booking: chosen seats are taken"})

func (e *SeatTakenError) Unwrap() error { return ErrSeatTaken }

func (e *SeatTakenError) Error() string {
	return fmt.Sprintf("booking: seats %v are taken", e.Taken)
}
