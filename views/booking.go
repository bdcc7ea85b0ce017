package views

import "time"

// BookingForm holds the answers of the booking form as they were typed.
type BookingForm struct {
	Date           string // YYYY-MM-DD
	Time           string // HH:MM
	Party          string
	Quantities     map[int64]string // by menu item
	Note           string
	Allergies      string
	IdempotencyKey string // made by the server at the first rendering, kept at each further one
}

// Booking is the booking form. Component: pages.Booking(views.Booking).
type Booking struct {
	Frame
	Restaurant       RestaurantHead
	Form             BookingForm
	Errors           FieldErrors
	Problem          *BookingProblem // why the last press did not lead to a reservation, nil at first
	Day              time.Time       // the chosen date
	FirstDate        time.Time       // the earliest and
	LastDate         time.Time       // the latest date that can be booked
	Slots            []Slot          // of the chosen date
	Party            int             // the chosen party, within the policy
	Menu             []MenuSection
	DepositPerPerson int64
	MenuTotal        int64 // of Form.Quantities, computed by the server
	Policy           Policy
	MaxQuantity      int // of one dish
	MaxNote          int // characters of note and of allergies
}

// Deposit is what is to be paid for the chosen party.
func (b Booking) Deposit() int64 { return b.DepositPerPerson * int64(b.Party) }

// BookingProblem says why a booking was refused although the form was filled in well (409).
type BookingProblem struct {
	Kind          OutcomeKind
	Remaining     int    // seats left, for OutcomeSoldOut
	ReservationID string // the diner's own, for OutcomeDuplicate
	Alternatives  []Slot // the nearest open slots
}
