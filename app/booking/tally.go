package booking

// Tally is how many of those who asked for a table of a slot ended how.
type Tally struct {
	Slot     SlotKey
	Served   int
	SoldOut  int
	Left     int // of their own accord
	TimedOut int // waited too long
	Refused  int // for another reason
}

// Plus is the sum of both, for the same slot.
func (t Tally) Plus(u Tally) Tally {
	return Tally{Slot: t.Slot, Served: t.Served + u.Served, SoldOut: t.SoldOut + u.SoldOut, Left: t.Left + u.Left,
		TimedOut: t.TimedOut + u.TimedOut, Refused: t.Refused + u.Refused}
}
