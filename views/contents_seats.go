package views

// ContentsSeats is the room with its seats, as a map and as a table of fields. Component:
// contents.Seats(views.ContentsSeats).
type ContentsSeats struct {
	StaffShell
	ContentsForm
	Version  string
	Room     Room  // what the map shows; the id of a seat is the number of its row, from 1
	Rows     []int // of seats
	Fixtures []int
	ReadOnly bool
	Held     []string // the coming reservations that keep the room from being stored, a line each
}

// Buttons of the form of a room besides the one that saves it.
const (
	ActionAddTable   = "add_table"
	ActionAddCounter = "add_counter"
	ActionAddFixture = "add_fixture"
	ActionTemplate   = "template"
)
