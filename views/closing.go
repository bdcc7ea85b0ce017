package views

import "time"

// FieldReservations says what becomes of the reservations of a day that is closed: ReservationsKeep or
// ReservationsCancel.
const FieldReservations = "reservations"

// Values of FieldReservations.
const (
	ReservationsKeep   = "keep"
	ReservationsCancel = "cancel"
)

// StaffClosing closes a day, and shows whom that touches and what became of them. Component:
// staff.Closing(views.StaffClosing).
type StaffClosing struct {
	StaffShell
	Day     time.Time // midnight
	Closed  bool
	IsOver  bool
	Coming  []ClosingParty // who still have their reservations: the first of them
	Named   []string       // ids of the reservations of all of them
	Cancels int            // of them that can be cancelled: who is there stays
	People  int            // in all of those parties
	Money   int64          // won that would go back to them
	Done    int            // reservations that are cancelled
	Pending int            // that are about to be
	Failed  []ClosingParty
	Others  []ClosingDay
	Reason  string // as stored, or as typed
	Message string
	Cancel  bool // as chosen
	Errors  FieldErrors
}

// HasProgress says whether reservations of the day were to be cancelled.
func (s StaffClosing) HasProgress() bool { return s.Done+s.Pending+len(s.Failed) > 0 }

// ClosingParty is a party of the day.
type ClosingParty struct {
	MessageGuest
	Paid    int64  // won that would go back
	Reached bool   // a letter goes to them
	There   bool   // they have arrived, and stay
	Failure string // why the cancellation failed
}

// ClosingDay is another closed day on which somebody comes.
type ClosingDay struct {
	Day     time.Time
	Parties int
}

// StaffClosingURL closes a day. GET: staff.Closing. POST: fields Reason, Reservations, Message and Confirmed, the ids
// of the reservations that the form named, with commas between; 303 to it, 409 and 422 render it again.
func StaffClosingURL(restaurant int64, day time.Time) string {
	return staffRestaurantURL(restaurant) + "/days/" + DateValue(day) + "/closing"
}
