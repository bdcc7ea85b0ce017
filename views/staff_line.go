package views

import (
	"time"

	"lunchgo/app/reserve"
)

// StaffLine is the line of a slot as staff see it. Component: staff.Line(views.StaffLine).
type StaffLine struct {
	StaffShell
	At        time.Time
	Status    StaffLineStatus
	Pager     Pager
	Removing  *reserve.Waiter // whom the reader asks to remove; nil: nobody
	MayPause  bool
	Reason    string // as typed
	Notice    string // as typed, else what is said now
	MaxReason int    // characters
	MaxNotice int
	Errors    FieldErrors
}

// StaffLineStatus is the live part of the page; the stream sends it as event "line". Component: staff.LineStatus.
type StaffLineStatus struct {
	Lang         string
	RestaurantID int64
	At           time.Time
	Steering     Steering
	Count        int
	Waiters      []reserve.Waiter // in order; Since in the restaurant's zone
}
