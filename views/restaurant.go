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
	Days     []Day // every day of the month, in order
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

// Weeks are the month's days in rows from Monday to Sunday; a Day without a date fills a place outside the month.
func (m Month) Weeks() [][]Day {
	var weeks [][]Day
	for _, day := range m.Days {
		column := (int(day.Date.Weekday()) + 6) % 7
		if len(weeks) == 0 || column == 0 {
			weeks = append(weeks, make([]Day, 7))
		}
		weeks[len(weeks)-1][column] = day
	}
	return weeks
}
