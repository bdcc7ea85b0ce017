package booking

import (
	"time"
)

// OpeningKind is how a rule finds the moment at which a day begins to take reservations.
type OpeningKind string

// The kinds of rules. Without one, days take reservations as soon as they are within HorizonDays.
const (
	OpensMonthly OpeningKind = "monthly" // a whole month opens on a day of the month before
	OpensDaily   OpeningKind = "daily"   // each day opens some days ahead
)

// OpeningRule is a restaurant's rule for when its days begin to take reservations. Who asks before that waits. What
// staff plan for a slot comes before the rule.
type OpeningRule struct {
	Kind OpeningKind `json:"kind,omitempty"`
	// Of monthly: the day of the month before; in a shorter month its last day.
	Day int `json:"day,omitempty"`
	// Of daily: how many days ahead.
	DaysAhead int       `json:"daysAhead,omitempty"`
	Time      TimeOfDay `json:"time,omitempty"` // at which days open, in the restaurant's zone
	// Who waits when a day opens is served in drawn order, not in that of arrival.
	Draw bool `json:"draw,omitempty"`
}

// Plain returns the rule without what another kind of rules has.
func (o OpeningRule) Plain() OpeningRule {
	if o.Kind == OpensDaily {
		o.Day = 0
	} else {
		o.DaysAhead = 0
	}
	return o
}

// IsSet returns whether there is a rule.
func (o OpeningRule) IsSet() bool { return o.Kind != "" }

// OpensAt returns when the slots of a date begin to take reservations by the restaurant's rule; zero without one. A
// time that the clock change skips stands for the moment of the change, one that occurs twice for the first.
func (r Restaurant) OpensAt(date Date) time.Time {
	if !r.OpeningRule.IsSet() {
		return time.Time{}
	}
	return r.firstInstant(r.OpeningRule.opensOn(date), r.OpeningRule.Time)
}

// opensOn is the date on which another one opens.
func (o OpeningRule) opensOn(date Date) Date {
	if o.Kind == OpensDaily {
		return date.AddDays(-o.DaysAhead)
	}
	first := date.AddDays(1 - date.dayOfMonth())
	last := first.AddDays(-1) // of the month before
	return last.AddDays(min(o.Day, last.dayOfMonth()) - last.dayOfMonth())
}

func (d Date) dayOfMonth() int {
	t, ok := d.midnight()
	if !ok {
		return 1
	}
	return t.Day()
}

// firstInstant returns the first instant at which the clock of the restaurant shows a local time or a later one.
func (r Restaurant) firstInstant(date Date, at TimeOfDay) time.Time {
	for day := range 3 { // zones have skipped a whole day
		for m := at.Minutes(); m < minutesADay; m++ {
			if t, err := r.Start(date.AddDays(day), timeOfDay(m)); err == nil {
				return t
			}
		}
		at = ""
	}
	return time.Time{}
}

// Planned returns the occupancy of a slot of a date with the opening that the restaurant's rule gives it, unless staff
// have planned one.
func (r Restaurant) Planned(date Date, o Occupancy) Occupancy {
	return o.planned(r.OpensAt(date), r.OpeningRule.Draw)
}

// planned returns the occupancy with an opening, unless staff have planned another.
func (o Occupancy) planned(at time.Time, draw bool) Occupancy {
	if o.OpensAt.IsZero() && !at.IsZero() {
		o.OpensAt, o.Draw = at, draw
	}
	return o
}

// daysAheadRange returns how many days before a date it opens, at least and at most.
func (o OpeningRule) daysAheadRange() (least, most int) {
	if o.Kind == OpensDaily {
		return o.DaysAhead, o.DaysAhead
	}
	return max(1, shortestMonth+1-o.Day), 2*LongestMonth - o.Day
}

// The lengths of months, in days.
const (
	shortestMonth = 28
	LongestMonth  = 31
)
