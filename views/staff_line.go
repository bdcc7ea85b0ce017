package views

import "time"

// StaffLine is the line of a slot as staff see it. Component: staff.Line(views.StaffLine).
type StaffLine struct {
	StaffShell
	At        time.Time
	Status    StaffLineStatus
	Pager     Pager
	Removing  *StaffWaiter // whom the reader asks to remove; nil: nobody
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
	Waiters      []StaffWaiter // in order
}

// StaffWaiter is somebody who waits in a line.
type StaffWaiter struct {
	ID       string
	Name     string
	Party    int
	Position int // 1 is next; 0 while the turn is being served
	Since    time.Time
}
