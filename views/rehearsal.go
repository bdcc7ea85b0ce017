package views

import (
	"time"

	"lunchgo/app/rehearsal"
)

// Names of the fields of a rehearsal's form, besides FieldDate and FieldTime.
const (
	FieldGuests = "guests"
	FieldAtOnce = "atOnce" // guests who press in one second
)

// Rehearsal is the page on which staff rehearse a rush, with the latest one. Component:
// rehearsals.Rehearsal(views.Rehearsal).
type Rehearsal struct {
	StaffShell
	Fault  string      // why none has begun; empty for none
	Errors FieldErrors // of the form
	Form   RehearsalForm
	Times  []Choice // of the slots of a week
	First  time.Time
	Last   time.Time // dates to choose from
	Live   RehearsalLive
}

// RehearsalForm is what the form has, as typed.
type RehearsalForm struct {
	Date, Time, Guests, AtOnce string
	MinGuests, MaxGuests       int
	MinAtOnce, MaxAtOnce       int
}

// RehearsalLive is the part of the page that the stream updates: the latest rehearsal. Component:
// rehearsals.Live(views.RehearsalLive).
type RehearsalLive struct {
	Lang    string
	Has     bool // there was one in the last day; the rest is empty if not
	Running bool
	Broken  bool      // its process died
	At      time.Time // it began
	Slot    time.Time // zero for one of before there was a choice

	rehearsal.Report
}

// RehearsalURL is where staff rehearse a rush. GET: rehearsals.Rehearsal; POST: 303 to it; 409, 422 and 429 render it
// again.
func RehearsalURL(restaurant int64) string { return staffRestaurantURL(restaurant) + "/rehearsal" }

// RehearsalEventsURL is the stream of RehearsalURL: "rehearsal" with rehearsals.Live, and "done" at the end.
func RehearsalEventsURL(restaurant int64) string { return RehearsalURL(restaurant) + "/events" }
