package views

import (
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/guests"
)

// Names of the form fields of what staff do for a guest, besides those of the booking form.
const (
	FieldLeft      = "left"       // won that were seen to be left of a payment
	FieldReason    = "reason"     // why: of a cancellation, of what is closed or paused; for diners
	FieldSource    = "source"     // how a guest books: SourcePhone or SourceWalkIn
	FieldPayWithin = "pay_within" // how long the guest has to pay the deposit; empty: it is not asked for
	FieldCaller    = "caller"     // id of the guest who calls, whose name, number and allergies fill the form
	FieldSeated    = "seated"     // "1" when a walk-in sits down at once
	FieldEndTime   = "end_time"   // when the party leaves that gets a shorter stay only, HH:MM
	FieldWas       = "was"        // where a party was before it was moved, and when that was
	FieldOverride  = "override"   // why a party is seated over the plan
	FieldPartyMore = "party_more" // a number of people beyond those that can be pressed; counts before FieldParty
)

// Values of FieldSource.
const (
	SourcePhone  = "phone"
	SourceWalkIn = "walk_in"
)

// PartyButtons is the largest party that has a button of its own in the form of staff.
const PartyButtons = 8

// StaffBooking is the form with which staff book for a guest. Component: staff.Book(views.StaffBooking).
type StaffBooking struct {
	StaffShell
	Day     time.Time // midnight
	Today   time.Time
	Source  string   // SourcePhone or SourceWalkIn
	Deposit int64    // that the guest may be asked for; 0: none
	Within  []Choice // of times to pay it
	NoAsk   string   // why the guest cannot be asked for it here; empty: they can
	Times   []Choice
	Answers StaffBookingForm
	Callers []guests.Guest // who may be calling, by the digits typed so far
	StaffSeating
}

// StaffSeating is the part of a form of staff that is about a party's seats: which there are, until when, and what there
// is where the plan has none.
type StaffSeating struct {
	Seats   []StaffSeat // in the chosen slot; none where they have no names
	EndTime string      // when a shorter stay ends that the party can have, HH:MM; empty: it can have all, or nothing
	Shorter bool        // EndTime is chosen
	Refusal Refusal
	// CanOverride says that the plan has no seats for the party, and that the reader may seat it all the same.
	CanOverride bool
	Why         string // to do so, as typed
	Errors      FieldErrors
}

// StaffBookingForm has the answers of the form as they were typed.
type StaffBookingForm struct {
	Date, Time, Party string
	Name, Phone       string
	Note, Allergies   string
	PayWithin, Email  string // empty: the guest is not asked for the deposit
	Seated            bool
	EndTime           string // of a shorter stay; empty for a whole one
	SeatIDs           []int64
	IdempotencyKey    string
}

// Refusal says why staff did not get what they asked for, or will not, and what there is instead.
type Refusal struct {
	Text  string // empty: nothing was refused
	Seats string // who has the seats, and which are free instead; or why the slot is paused
	Times []Choice
	// what lets a slot go on that stands still: PartResume or PartOpenNow; empty if the reader may not, or it does not
	Part   string
	Action string // URL of the form for Part, which asks first
	Ahead  bool   // nothing was asked for yet
}

// StaffSeat is a named seat in the forms of staff.
type StaffSeat struct {
	ID     int64
	Label  string
	Places int
	State  booking.SeatState // for the whole stay
	Guest  string            // who has it; empty for nobody, or where that is not known
	Chosen bool
}

// IsTaken returns whether a party cannot have the seat.
func (s StaffSeat) IsTaken() bool { return s.State != "" && s.State != booking.SeatFree }

// StaffTicket is the place in the line of a slot of what staff book or move. Component:
// staff.Ticket(views.StaffTicket).
type StaffTicket struct {
	StaffShell
	At      time.Time // the slot
	Ticket  string
	Problem string // why nothing came of it; empty while it waits
	Status  StaffTicketStatus
}

// StaffTicketStatus is the part of a ticket's page that its stream moves. Component:
// staff.TicketStatus(views.StaffTicketStatus).
type StaffTicketStatus struct {
	Lang     string
	Party    int
	Position int
	Steering Steering
}

// WasPrefix begins the names of the fields that say what a field was when the form was first shown: only what differs
// is changed, so that a stale form undoes nothing.
const WasPrefix = "was_"

// StaffDetails is the form for who comes with a reservation. Component: staff.Details(views.StaffDetails).
type StaffDetails struct {
	StaffShell
	ID      string
	Title   string // who comes, as it is stored
	HasName bool   // staff wrote down who comes; else it is the account of a diner, who sees note and allergies
	CanTag  bool
	Was, Is StaffDetailsForm
	Refused string // why nothing was changed, where no field is wrong
	Errors  FieldErrors
}

// StaffDetailsForm has the answers of the form.
type StaffDetailsForm struct {
	Name, Phone     string
	Note, Allergies string
	Tags            TagForm
}

// StaffReservationPage is everything about a party, and what staff can do for it. Components:
// staff.Reservation(views.StaffReservationPage), and staff.CancelReservation, which asks.
type StaffReservationPage struct {
	StaffShell
	Reservation StaffReservation
	Phone       string // in full
	GuestURL    string // of their history; empty for nobody whom the restaurant knows again
	GuestTags   []string
	GuestNote   string // the latest of staff
	Source      string // SourcePhone, SourceWalkIn or empty for the web
	Override    string // why it was seated over the plan; empty: it is in the plan
	SeatsWhy    string // why it has its seats; empty for nothing to say
	BookedAt    time.Time
	ArrivedAt   time.Time // zero for what is not marked, as are the next two
	SeatedAt    time.Time
	EndedAt     time.Time
	Reason      string // of its cancellation, or as typed
	Moved       string // that its table is another since it was moved just now; empty for no news
	MoveBack    *MoveBack
	CanWrite    bool // to its guest
	CanGiveBack bool

	Offered       string // another time that staff offer the guest; empty for none
	OfferDeclined bool   // by the guest, who may still take it

	Amount      string // to give back, as typed
	CanCorrect  bool   // who comes
	CanMove     bool
	CanMoveSlot bool   // to another time
	OtherSeats  string // that what is asked for gives it another table; empty if it keeps its own
	Date        string
	Time        string
	Times       []Choice // of the date
	Party       string
	Key         string
	StaffSeating
}
