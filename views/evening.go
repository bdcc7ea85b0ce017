package views

import (
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/evening"
)

// EveningTab is a part of a restaurant's evening; also the end of its address.
type EveningTab string

// The tabs of an evening.
const (
	TabGuests   EveningTab = "guests"
	TabRoom     EveningTab = "room"
	TabTimeline EveningTab = "timeline"
	TabSlots    EveningTab = "slots"
	TabLine     EveningTab = "line"
	TabDoor     EveningTab = "door"
)

// EveningTabs are all of them, in order.
var EveningTabs = [...]EveningTab{TabGuests, TabRoom, TabTimeline, TabSlots, TabLine, TabDoor}

// Tonight is a tab of a restaurant's evening. Component: staff.Tonight(views.Tonight).
type Tonight struct {
	StaffShell
	Today  time.Time
	Marked *StaffReservation // just now, by the reader; nil: none

	MoveBack *MoveBack // of the party that the reader moved just now; nil: none
	Live     TonightLive

	Door     DoorForm // TabDoor, for who may add a party
	CanQueue bool

	Refused  string // why a party was not moved just now; empty: none was refused
	OtherWay string // address of the form that moves it for a shorter stay, or over the plan; empty if neither helps

	CanStop     bool // the reader's role may stop the restaurant
	CanRehearse bool

	Push BookingPush
}

// BookingPush is how new bookings are pushed to the browser that shows a page.
type BookingPush struct {
	Push
	Follows bool // they are
}

// TonightLive is the live part of a tab; the stream sends it as event "evening", and htmx morphs it into place.
// Component: staff.TonightLive(views.TonightLive).
type TonightLive struct {
	Lang    string
	Address EveningAddress
	Booked  []time.Time // when the latest bookings by diners were confirmed: a new one chimes
	Totals  evening.Totals
	// LongestLine is how many parties wait in the longest line. It stands for Totals.Waiting where one party stands in the
	// lines of several slots; else 0.
	LongestLine int
	Alerts      []EveningAlert

	Groups []EveningGroup // with how many parties there are in each
	Hours  []EveningHour  // TabGuests
	Ended  EveningHour    // TabGuests: today's parties of all times that are gone; At is zero
	Tables []EveningTable // TabRoom, where seats have names
	Room   *Room          // TabRoom, where seats have names
	Seated []EveningParty // TabRoom: who sits there, where seats have no names; else who has no table
	Slots  []EveningSlot  // TabSlots, and TabLine with those for which somebody waits
	Served EstimateFigures

	Timeline Timeline    // TabTimeline
	Door     []DoorParty // TabDoor: those that wait, by number, then those that do not
}

// EveningAlert is something that asks for attention.
type EveningAlert struct {
	Kind  string // key of "evening.alert_<kind>"
	Items []EveningAlertItem
}

// EveningAlertItem is a party or a slot of an alert.
type EveningAlertItem struct {
	Label  string
	Detail string
	URL    string // empty: none
}

// EveningGroup is a choice of parties by their state.
type EveningGroup struct {
	Name  string // key of "evening.group_<name>"; empty for all
	Count int
}

// EveningHour is the parties that come in one slot.
type EveningHour struct {
	At      time.Time
	Covers  int
	Parties []EveningParty
}

// Add adds a party and its covers.
func (h *EveningHour) Add(p EveningParty) {
	h.Covers += p.Party
	h.Parties = append(h.Parties, p)
}

// EveningParty is a party as the list of the evening shows it.
type EveningParty struct {
	StaffReservation
	Phone      string // to be called; empty on other days than the party's
	FirstVisit bool
	Coming     bool   // its diner has said so, and it is expected
	Override   string // why staff seated it over the plan; empty: it is in the plan
	Dishes     int    // portions that were ordered in advance
	Late       int    // minutes since it should have come; 0 if it is not late
	Here       int    // minutes since it came, for booking.Arrived
	Ends       time.Time
	TableLeft  int // minutes for which it still has its table, for booking.Seated; negative: it is over
	SeatedAt   time.Time
	GuestURL   string   // of their history; empty for nobody whom the restaurant knows again
	GuestTags  []string // as shown
	GuestNote  string   // the latest of staff
}

// EveningTable is a named seat, with who sits there and who comes next.
type EveningTable struct {
	ID     int64
	Label  string
	Places int
	Now    *EveningParty
	Next   []EveningParty // who come there, by time
	IsMain bool           // it is the first seat of Now, or else of the first of Next: its buttons stand here only

	IsBlocked  bool // it is given to nobody now, on another day to nobody all day
	BlockedFor []evening.Hours
	IsFree     bool // nobody sits there or waits for it now; on another day nobody has it
}

// NeedsHost returns whether the party waits for its table, or should have come.
func (p EveningParty) NeedsHost() bool { return p.State == booking.Arrived || p.Late > 0 }

// First is who comes there next; nil: nobody.
func (t EveningTable) First() *EveningParty {
	if len(t.Next) == 0 {
		return nil
	}
	return &t.Next[0]
}

// StaffTable is what can be done at a table on a day. Component: staff.Table(views.StaffTable).
type StaffTable struct {
	StaffShell
	Address    EveningAddress // of the tab that it was opened from
	Label      string
	ID         int64
	Places     int
	Now        *EveningParty
	Parties    []EveningParty // that have it on the day besides Now, by time
	WalkIns    []TableWalkIn  // by size
	Door       []DoorParty    // that wait at the door and could sit down there now
	Movable    []TableMove    // that could have it at their own time, and are there or come soon; all on other days
	Later      []TableMove    // those that come later
	Key        string         // begins the keys of the forms that move a party
	CanBlock   bool           // it is given away in a slot that has not begun
	CanUnblock bool           // it is not in one of them
	BlockedFor []evening.Hours
	Refused    string // why what was asked for here just now was not done; empty: it was, or nothing was asked
	OtherWay   string // as in Tonight
}

// TableMove is a party that could have a table instead of its own.
type TableMove struct {
	EveningParty
	EndTime string // of a shorter stay, HH:MM; empty: it could have the table for all of its own
}

// TableWalkIn is a party at the door that could sit down at a table.
type TableWalkIn struct {
	Party   int
	At      time.Time // the slot in which it does
	Until   string    // when its stay ends, HH:MM
	EndTime string    // Until, where it has to leave earlier than such parties do; empty: it need not
	Key     string    // of its form
}

// EveningSlot is a slot as staff see it. Its covers are Seated, Confirmed, OnHold and Left; OpensAt is zero, or to come.
type EveningSlot struct {
	evening.Slot
	State evening.SlotState // now
}

// Moves returns whether who waits for the slot is served now.
func (s EveningSlot) Moves() bool {
	return s.State == evening.SlotOpen || s.State == evening.SlotSoldOut
}

// EveningSheet is who comes on a day by time and table, to be printed or to hang in the kitchen. Component:
// staff.Sheet(views.EveningSheet).
type EveningSheet struct {
	StaffShell
	Kitchen  bool // with dishes and diets only; else with names
	HasSeats bool // seats have names
	Day      time.Time
	Today    time.Time
	Now      time.Time
	Times    []SheetTime
}

// URL is the sheet, or the other one, of a day.
func (s EveningSheet) URL(day time.Time, kitchen bool) string {
	return StaffSheetURL(s.RestaurantID, day, kitchen)
}

// SheetTime is who comes at one time, with what they have ordered together.
type SheetTime struct {
	EveningHour
	Dishes []booking.Item
}

// StaffScan is where staff read a guest's QR code. Component: staff.Scan(views.StaffScan).
type StaffScan struct {
	StaffShell
	Code  string // as typed
	Error string
}

// MoveBack is the form that moves a party back which was moved just now.
type MoveBack struct {
	ID, Name       string
	Was            string // when and at which tables the party was
	Date, Time     string
	EndTime        string // HH:MM, where it stays for another time than it did; else empty
	Party          int
	Seats          []int64
	IdempotencyKey string
}
