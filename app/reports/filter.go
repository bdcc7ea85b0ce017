package reports

import (
	"strconv"
	"strings"
	"time"

	"lunchgo/app/booking"
)

// MaxDays is the longest period of a report.
const MaxDays = 366

// usualDays is the period of a report that names none; it ends today.
const usualDays = 28

// maxParty bounds the party size of a filter.
const maxParty = booking.MaxCapacity

// Source is how a reservation was made.
type Source string

// The sources of reservations.
const (
	Web    Source = "web"
	Phone  Source = "phone"
	WalkIn Source = "walk_in"
)

// Sources are all of them, in the order of the page.
func Sources() []Source { return []Source{Web, Phone, WalkIn} }

// Period is the dates from From to To, both included, in the restaurant's zone.
type Period struct {
	From, To booking.Date
}

// Days is the number of dates.
func (p Period) Days() int { return int(at(p.To).Sub(at(p.From)).Hours()/24) + 1 }

// Before is the period of the same length that ends the day before.
func (p Period) Before() Period {
	return Period{From: p.From.AddDays(-p.Days()), To: p.From.AddDays(-1)}
}

// Contains says whether a date is in the period.
func (p Period) Contains(date booking.Date) bool { return p.From <= date && date <= p.To }

// Last is the period of n days that ends at a date.
func Last(n int, end booking.Date) Period { return Period{From: end.AddDays(1 - n), To: end} }

// MonthOf is the whole month in which a date is.
func MonthOf(date booking.Date) Period {
	first := at(date).AddDate(0, 0, 1-at(date).Day())
	return Period{From: booking.Date(first.Format(time.DateOnly)),
		To: booking.Date(first.AddDate(0, 1, -1).Format(time.DateOnly))}
}

// at is a date as an instant for arithmetic; dates are checked when they are read.
func at(date booking.Date) time.Time {
	t, _ := time.Parse(time.DateOnly, string(date))
	return t
}

// Filter says which reservations a report is about. Zero values but Weekday's mean any.
type Filter struct {
	Period
	Weekday int // 0 is Sunday; -1: any
	Time    booking.TimeOfDay
	Party   int
	Source  Source
}

// admits says whether a filter has the day of the week of a date.
func (f Filter) admits(date booking.Date) bool {
	return f.Weekday < 0 || int(date.Weekday()) == f.Weekday
}

// IsOfAll says whether the reservations of a slot are all in the report. Those who asked in line are known by slot
// only, so a report on some of the parties does not have them; nor does it say when a slot was sold out.
func (f Filter) IsOfAll() bool { return f.Party == 0 && f.Source == "" }

// Query is a filter as it was typed. Empty texts mean any, and the usual period.
type Query struct {
	From, To, Weekday, Time, Party, Source string
}

// Parse reads a filter; today is the date it is at the restaurant. Returns *booking.InvalidError with every invalid
// field.
func Parse(q Query, today booking.Date) (Filter, error) {
	f := Filter{Period: Last(usualDays, today), Weekday: -1}
	invalid := &booking.InvalidError{}
	refuse := func(field, reason string, bounds ...int) {
		fault := booking.FieldError{Field: field, Reason: reason}
		if len(bounds) == 2 {
			fault.Min, fault.Max = bounds[0], bounds[1]
		}
		invalid.Fields = append(invalid.Fields, fault)
	}
	f.readPeriod(q, refuse)
	var err error
	if q.Weekday != "" {
		if f.Weekday, err = strconv.Atoi(q.Weekday); err != nil || f.Weekday < 0 || f.Weekday > 6 {
			refuse("weekday", "out_of_range", 0, 6)
		}
	}
	if q.Time != "" {
		if f.Time, err = booking.ParseTimeOfDay(q.Time); err != nil {
			refuse("time", "invalid_time")
		}
	}
	if q.Party != "" {
		if f.Party, err = strconv.Atoi(q.Party); err != nil || f.Party < 1 || f.Party > maxParty {
			refuse("party", "out_of_range", 1, maxParty)
		}
	}
	if f.Source = Source(strings.Clone(q.Source)); f.Source != "" && !f.Source.isKnown() {
		refuse("source", "unknown")
	}
	if len(invalid.Fields) > 0 {
		return f, invalid
	}
	return f, nil
}

// readPeriod reads the dates. With one of them the other is that of the usual period.
func (f *Filter) readPeriod(q Query, refuse func(field, reason string, bounds ...int)) {
	from, fromErr := booking.ParseDate(q.From)
	to, toErr := booking.ParseDate(q.To)
	if q.From != "" && fromErr != nil {
		refuse("from", "invalid_date")
	}
	if q.To != "" && toErr != nil {
		refuse("to", "invalid_date")
	}
	switch {
	case q.From != "" && fromErr != nil || q.To != "" && toErr != nil:
		return
	case q.From != "" && q.To != "":
		f.Period = Period{From: from, To: to}
	case q.From != "":
		f.Period = Period{From: from, To: max(f.To, from)}
	case q.To != "":
		f.Period = Last(usualDays, to)
	}
	switch {
	case f.To < f.From:
		refuse("to", "before_from")
	case f.Days() > MaxDays:
		refuse("to", "too_many", 1, MaxDays)
	}
}

func (s Source) isKnown() bool {
	for _, known := range Sources() {
		if s == known {
			return true
		}
	}
	return false
}
