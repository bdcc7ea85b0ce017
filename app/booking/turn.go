package booking

import "time"

// Turn is the right to book in a slot, or in the slots of a stay, under the line's fence. Capacity is for slots that
// have no row yet; Seats is the restaurant's plan.
type Turn struct {
	Slot     SlotKey
	Stay     []TimeOfDay // times of the further slots of its day, in order
	Capacity int
	Seats    SeatPlan
	Fence    int64
	// ArrivalLimit is how many covers diners may have begin in a slot; 0: any number.
	ArrivalLimit int
	// OpensAt and Draw are the opening that the restaurant's rule gives its slots; zero without one.
	OpensAt time.Time
	Draw    bool
}

// By returns the turn with what it needs to know of its restaurant.
func (t Turn) By(r Restaurant) Turn {
	t.Capacity, t.Seats, t.ArrivalLimit = r.Capacity, r.Seats, r.ArrivalsPerSlot
	t.OpensAt, t.Draw = r.OpensAt(t.Slot.Date), r.OpeningRule.Draw
	return t
}

// Limited returns the occupancy of a slot of the turn as its restaurant limits and opens it.
func (t Turn) Limited(o Occupancy) Occupancy {
	o.ArrivalLimit = t.ArrivalLimit
	return o.planned(t.OpensAt, t.Draw)
}
