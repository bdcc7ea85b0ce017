package booking

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
}
