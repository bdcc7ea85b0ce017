package views

import (
	"time"

	"lunchgo/app/reserve"
)

// Fields of the forms that change slots.
const (
	FieldPart      = "part"      // which of the Part…
	FieldMessage   = "message"   // to all who wait
	FieldOpensAt   = "opens_at"  // local date and time
	FieldOrder     = "order"     // OrderArrival or OrderDraw
	FieldUntil     = "until"     // the last day, YYYY-MM-DD
	FieldShown     = "shown"     // ids of seats that the form showed as blocked
	FieldStopped   = "stopped"   // yes or no
	FieldConfirmed = "confirmed" // yes: the what-if was seen; of the set-up: how many bookings it named
	FieldStep      = "step"      // portions more or less, or StepUnlimited
)

// Values of FieldPart: what a form changes.
const (
	PartCapacity = "capacity"
	PartClose    = "close"
	PartOpen     = "open"
	PartPause    = "pause"
	PartResume   = "resume"
	PartMessage  = "message"
	PartOpening  = "opening"
	PartOpenNow  = "open_now"
	PartBlock    = "block"
	PartStop     = "stop"
	PartGoOn     = "go_on"
)

// Values of other fields of these forms.
const (
	OrderArrival  = "arrival"
	OrderDraw     = "draw"
	StepUnlimited = "unlimited"
	Yes           = "yes"
	No            = "no"
)

// StaffControls is all that staff set of a slot, or of all slots of a day. Component:
// staff.Controls(views.StaffControls).
type StaffControls struct {
	StaffShell
	SlotOrDay
	Today    time.Time
	IsOver   bool          // nothing can be changed any more
	Slots    []EveningSlot // the slot itself, or those of the day
	Message  string
	CanPlan  bool // the reader's role may plan an opening
	CanStop  bool
	CanClose bool // the day in the set-up
	HasSeats bool // with names

	Typed       SteerForm
	Errors      FieldErrors
	Conflict    Conflict
	MaxCapacity int
}

// SteerForm is what was typed into a form, shown again when it was refused.
type SteerForm struct {
	Part     string
	Capacity string
	Reason   string
	Message  string
	OpensAt  string
	Order    string
}

// Conflict are those who keep staff from a change. Component: staff.conflict.
type Conflict struct {
	Sold    int // covers that are taken; 0 where seats are in the way
	Parties []StaffParty
}

// StaffParty is a party that is in the way.
type StaffParty struct {
	Name  string
	Party int
	At    time.Time
	Seats []string // labels
}

// StaffPreview asks whether to make a change, and says whom it touches. Component: staff.Preview(views.StaffPreview).
type StaffPreview struct {
	StaffShell
	Title    string // the change, as a question
	Part     string // what its button does
	Lines    []string
	Affected reserve.Affected
	Action   string // URL of the form
	Fields   []FormValue
	Back     string // URL that changes nothing
	Danger   bool
}

// FormValue is a field of a form and its value.
type FormValue struct {
	Name, Value string
}

// StaffBlockedSeats is which seats are given to nobody. Component: staff.BlockedSeats(views.StaffBlockedSeats).
type StaffBlockedSeats struct {
	StaffShell
	SlotOrDay
	Until    string // the last day, as typed
	MaxDays  int
	Room     Room
	Seats    []BlockableSeat
	Reason   string
	Errors   FieldErrors
	Conflict Conflict
}

// BlockableSeat is a seat with whether it is blocked.
type BlockableSeat struct {
	ID      int64
	Label   string
	Blocked bool
	Partly  bool   // in some slots of the day only
	Reason  string // why it is
	Guest   string // who has it
}

// StaffStop stops a restaurant, or lets it go on. Component: staff.Stop(views.StaffStop).
type StaffStop struct {
	StaffShell
	Stopped bool
	Reason  string // as stored, or as typed
	Errors  FieldErrors
}
