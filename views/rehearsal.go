package views

import "time"

// Rehearsal is the page on which staff rehearse a rush, with the latest one. Component: rehearsals.Rehearsal(views.Rehearsal).
// Times are milliseconds.
type Rehearsal struct {
	StaffShell
	Guests  int    // who would press
	Fault   string // why none has begun; empty for none
	Has     bool   // there was one in the last day; the rest is empty if not
	Running bool
	At      time.Time

	Of, Answered, Seated, SoldOut, Failed int
	Seats, Taken, Oversold, Inversions    int
	First, Median, Last, SoldOutAfter     int64
	LongestLine                           int
	EstimatePercent                       int // -1: nobody was shown a time
	Waits                                 []int
	Line                                  []int
}

// RehearsalURL is where staff rehearse a rush. GET: rehearsals.Rehearsal; POST: 303 to it, 409 and 429 render it again.
func RehearsalURL(restaurant int64) string { return staffRestaurantURL(restaurant) + "/rehearsal" }
