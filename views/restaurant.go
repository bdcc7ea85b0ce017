package views

import (
	"slices"
	"time"

	"lunchgo/app/booking"
)

// Restaurant is a restaurant's page. Component: pages.Restaurant(views.Restaurant).
type Restaurant struct {
	Layout
	Listing
	Of    *booking.Restaurant
	Hours []HoursOfDay // Monday first
	Other []OtherDay   // that are to come, by date
	Menu  []MenuSection
	Day   DaySlots
	Month Month

	Saved   bool       // by the reader
	Reviews ReviewList // the newest; empty in a preview
}

// HoursOfDay is when a restaurant is open on a day of the week.
type HoursOfDay struct {
	Day     time.Weekday
	Periods []booking.ServiceHours // none: closed
}

// OtherDay is a date on which a restaurant has other hours than on its day of the week.
type OtherDay struct {
	Date    time.Time
	Periods []booking.ServiceHours // none: closed
	Reason  string                 // of a closure; may be empty
}

// MenuSection is a part of a menu. A menu without parts is one section without title.
type MenuSection struct {
	Title string
	Items []MenuItem
}

// MenuItem is a dish on a day.
type MenuItem struct {
	booking.MenuItem
	Stay  time.Duration // of whoever orders it; 0 for one slot
	Stock int           // left on that day; negative means not limited
}

// IsSoldOut returns whether none is left on that day.
func (i MenuItem) IsSoldOut() bool { return i.Stock == 0 }

// fewPortions is the number of portions from which on a dish counts as nearly gone.
const fewPortions = 3

// IsNearlyGone returns whether the last portions are going.
func (i MenuItem) IsNearlyGone() bool { return i.Stock > 0 && i.Stock <= fewPortions }

// DaySlots are the slots of one day; htmx polls RestaurantSlotsURL into "#slots".
// Component: pages.DaySlots(views.DaySlots).
type DaySlots struct {
	Lang    string
	Slug    string
	Date    time.Time
	Party   int
	Stay    time.Duration // of the party; 0 for one slot
	Closed  bool          // the restaurant does not open on that day
	Reason  string        // why; may be empty
	Stopped bool          // it takes no new bookings in any slot
	Hours   []booking.ServiceHours
	Slots   []Slot
}

// DayState is what a day of the month view can still give.
type DayState string

// States of a day.
const (
	DayOpen  DayState = "open"
	DayFew   DayState = "few"
	DayLater DayState = "later" // it takes no reservations yet
	DayFull  DayState = "full"
	// the restaurant does not open, or takes no reservations for the day (past, too far ahead)
	DayClosed DayState = "closed"
)

// Day is a day of the month view.
type Day struct {
	Date  time.Time
	State DayState
}

// Month is the calendar of days with room, swapped into "#month". Component: pages.Month(views.Month).
type Month struct {
	Lang     string
	Slug     string
	Party    int
	First    time.Time // the first day of the month
	Selected time.Time // the day whose slots are shown
	Today    time.Time
	Days     []Day // of the month's weeks from Monday to Sunday, in order
	Turned   bool  // the reader looks through the months
	Previous bool  // there is something to book in the month before
	Next     bool  // there is something to book in the month after
}

// Legend are the states that the calendar explains.
func (m Month) Legend() []DayState {
	states := []DayState{DayOpen, DayFew, DayFull}
	if slices.ContainsFunc(m.Days, func(d Day) bool { return d.State == DayLater }) {
		states = append(states, DayLater)
	}
	return states
}

// Weeks are the rows of the calendar from Monday to Sunday that are not past.
func (m Month) Weeks() [][]Day {
	return slices.DeleteFunc(slices.Collect(slices.Chunk(m.Days, 7)), func(week []Day) bool {
		return week[len(week)-1].Date.Before(m.Today)
	})
}

// IsChosen returns whether a week has the day whose slots are shown.
func (m Month) IsChosen(week []Day) bool {
	return slices.ContainsFunc(week, func(d Day) bool { return DateValue(d.Date) == DateValue(m.Selected) })
}

// IsUnfolded returns whether all weeks are shown, not only that of the chosen day.
func (m Month) IsUnfolded() bool { return m.Turned || !slices.ContainsFunc(m.Weeks(), m.IsChosen) }
