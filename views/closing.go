package views

import "time"

// Fields of what is closed: what becomes of its reservations, one of the values below; and the time of the last slot,
// where slots are closed and not the day.
const (
	FieldReservations = "reservations"
	FieldLast         = "last"
)

// Values of FieldReservations.
const (
	ReservationsKeep   = "keep"
	ReservationsWrite  = "message" // they stay, and the message goes to all
	ReservationsOffer  = "offer"   // as with the message, which offers another time
	ReservationsCancel = "cancel"
)

// StaffClosing closes a day, or slots of it, and shows whom that touches and what became of them. Component:
// staff.Closing(views.StaffClosing).
type StaffClosing struct {
	StaffShell
	Day     time.Time // midnight; of slots, when the first begins
	Last    string    // the time of the last slot; empty for the whole day
	Lasts   []Choice  // which slot may be the last
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
	Offer   OfferForm
	Chosen  string // of the values of FieldReservations; empty: none yet
	Errors  FieldErrors
}

// HasProgress says whether reservations of the day were to be cancelled.
func (s StaffClosing) HasProgress() bool { return s.Done+s.Pending+len(s.Failed) > 0 }

// IsDay says whether it is the whole day.
func (s StaffClosing) IsDay() bool { return s.Last == "" }

// URL is the address of the page, and of its form.
func (s StaffClosing) URL() string {
	if s.IsDay() {
		return StaffClosingURL(s.RestaurantID, s.Day)
	}
	return StaffSlotClosingURL(s.RestaurantID, s.Day, s.Last)
}

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

// StaffClosingURL closes a day. GET: staff.Closing. POST: fields Reason, Reservations, Message, OfferDate, OfferTime, OfferRefund and
// Confirmed, the ids of the reservations that the form named, with commas between; 303 to it, 409 and 422 render it
// again.
func StaffClosingURL(restaurant int64, day time.Time) string {
	return staffRestaurantURL(restaurant) + "/days/" + DateValue(day) + "/closing"
}

// StaffSlotClosingURL closes the slots from one to another, or one alone where last is empty. As StaffClosingURL.
func StaffSlotClosingURL(restaurant int64, first time.Time, last string) string {
	return withQuery(StaffSlotURL(restaurant, first)+"/closing", FieldLast, last)
}
