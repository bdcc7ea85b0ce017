package views

import (
	"time"

	"lunchgo/app/booking"
)

// StaffHome is the choice of restaurant. Component: staff.Home(views.StaffHome).
type StaffHome struct {
	Layout
	Today       time.Time
	Restaurants []StaffRestaurant
	Pager       Pager
}

// StaffRestaurant is a restaurant that somebody works for.
type StaffRestaurant struct {
	Name    string
	Picture string
	Role    string // in the reader's language
	IsDraft bool   // not published yet
	URL     string // of what they do there: the evening, the set-up of a draft; empty for nothing
}

// EstimateFigures are how good the times were that diners in line were shown.
type EstimateFigures struct {
	People  int // the last who were judged; 0 for none
	Percent int // of them who were served in the time shown
}

// StaffSlotPage is one slot with its reservations. Component: staff.Slot(views.StaffSlotPage).
type StaffSlotPage struct {
	StaffShell
	Slot         EveningSlot
	Reservations []StaffReservation
	Waitlist     []StaffWaiting // in its order

	GuestsPager   Pager
	WaitlistPager Pager

	Room *Room // with who has which seat; nil where seats have no names
}

// StaffPass is where a guest's QR code leads staff. Component: staff.Pass(views.StaffPass).
type StaffPass struct {
	StaffShell
	Reservation StaffReservation
}

// StaffMenu is what is left of the dishes on a day. Component: staff.Menu(views.StaffMenu).
type StaffMenu struct {
	StaffShell
	Date        time.Time
	Today       time.Time
	Dishes      []StaffDish
	MaxPortions int
	ReadOnly    bool // the reader's role may not change it
}

// IsOver returns whether the day is past: nothing of it can be changed.
func (m StaffMenu) IsOver() bool { return DateValue(m.Date) < DateValue(m.Today) }

// StaffDish is a dish as staff see it on a day.
type StaffDish struct {
	ID      int64
	Name    string
	Limited bool
	Offered int // portions of the day, the ordered ones among them
	Left    int
	Typed   string // the refused answer; empty for none
	Error   string // why the server refused it
}

// StaffReservation is a reservation as staff see it.
type StaffReservation struct {
	ID            string
	Code          string
	Name          string
	PhoneTail     string // the last four digits
	Party         int
	From          time.Time
	Until         time.Time // the end of a stay over several slots; zero for one
	Stays         bool      // the party came in an earlier slot, and stays in this one
	State         booking.State
	Items         []booking.Item
	Note          string
	Allergies     string
	Paid          int64
	GivenBack     int64 // of Paid, by staff
	Left          int64 // of Paid: neither back nor to come back
	Discount      booking.Discount
	HoldExpiresAt time.Time // for booking.Temporary
	AskedToPay    bool      // staff booked by phone, and asked for the deposit
	CanArrive     bool
	CanSeat       bool
	CanComplete   bool
	CanWaive      bool // or be given more time to pay
	CanNoShow     bool
	CanCancel     bool
	CanUndo       bool     // what State says
	JustMarked    bool     // some seconds ago: the undo is offered at the top
	Seats         []string // labels; none where they have no names
}
