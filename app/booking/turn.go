package booking

// Turn is the right to decide over a slot, or over those of a stay: which, the capacity they get if they have no row yet, the
// seats that their restaurant names, and the line's fence.
type Turn struct {
	Slot     SlotKey
	Stay     []TimeOfDay // of the further slots of its day, in order
	Capacity int
	Seats    SeatPlan
	Fence    int64
}
