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
