package views

import (
	"time"

	"lunchgo/app/booking"
)

// Timeline is who has which table when, on one day.
type Timeline struct {
	Slots []TimelineSlot
	Rows  []TimelineRow
}

// TimelineSlot is a column.
type TimelineSlot struct {
	At    time.Time
	Ends  time.Time
	Left  int    // covers
	Shut  string // why no party can be moved there: key of "evening.move_<shut>"; empty if one can
	IsNow bool   // it is the one that runs
	IsGap bool   // no stay goes on from the slot before into this one
}

// TimelineRow is a table, or parties that have none.
type TimelineRow struct {
	Seat  booking.Seat // zero: the parties have none
	Spans []TimelineSpan
}

// TimelineSpan is a part of a row.
type TimelineSpan struct {
	From    int           // the first slot
	Slots   int           // how many there are
	Party   *EveningParty // nil: nobody
	SeatIDs []int64       // all of the party's
	IsTaken bool          // although no party is there: it is blocked, or kept for somebody
	Blocked bool

	CanMove bool // the party, to another table
	AnyTime bool // and to another time
	Part    int  // which of the party's tables it is, from 0 on
}
