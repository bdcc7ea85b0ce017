package setup

import (
	"fmt"
	"slices"
	"time"

	"lunchgo/app/booking"
)

// Closure is a range of dates on which the restaurant does not open; one date where From and To are the same.
type Closure struct {
	From booking.Date `json:"from"`
	// The last date of the range. In requests it may be empty: one date.
	To     booking.Date `json:"to"`
	Reason string       `json:"reason"` // may be empty
}

// Closures are the dates on which a restaurant does not open, in order. Ranges with the same reason that follow one
// another are one.
type Closures struct {
	// By date. Ranges with the same reason that follow one another are one.
	Closures []Closure `json:"closures"`
}

func closuresOf(r booking.Restaurant) Closures {
	c := Closures{Closures: []Closure{}}
	for _, date := range slices.SortedFunc(slices.Values(r.Closures), byDate) {
		reason := r.ClosureReasons[date]
		last := len(c.Closures) - 1
		if last >= 0 && c.Closures[last].To.AddDays(1) == date && c.Closures[last].Reason == reason {
			c.Closures[last].To = date
			continue
		}
		c.Closures = append(c.Closures, Closure{From: date, To: date, Reason: reason})
	}
	return c
}

// Name implements Document.
func (c Closures) Name() Name { return DocClosures }

// apply implements Document.
func (c Closures) apply(r booking.Restaurant) booking.Restaurant {
	r.Closures, r.ClosureReasons = []booking.Date{}, map[booking.Date]string{}
	for _, closure := range c.Closures {
		for date := closure.From; date <= max(closure.To, closure.From); date = date.AddDays(1) {
			r.Closures = append(r.Closures, date)
			if closure.Reason != "" {
				r.ClosureReasons[date] = closure.Reason
			}
		}
	}
	slices.SortFunc(r.Closures, byDate)
	return r
}

// check implements Document.
func (c Closures) check(booking.Restaurant, time.Time) []booking.FieldError {
	var f wrongs
	f.tooMany("closures", len(c.Closures), booking.MaxClosures)
	if len(f) > 0 {
		return f
	}
	days := 0
	for i, closure := range c.Closures {
		at := fmt.Sprintf("closures[%d]", i)
		f.text(at+".reason", closure.Reason, textRule{max: booking.MaxReason})
		from, fromErr := time.Parse(time.DateOnly, string(closure.From))
		to, toErr := from, fromErr
		if closure.To != "" {
			to, toErr = time.Parse(time.DateOnly, string(closure.To))
		}
		f.add(fromErr != nil || from.Year() < minYear || from.Year() > maxYear, at+".from", "invalid_date")
		f.add(closure.To != "" && (toErr != nil || to.Year() > maxYear), at+".to", "invalid_date")
		if fromErr != nil || toErr != nil {
			continue
		}
		f.add(to.Before(from), at+".to", "ends_before")
		days += int(to.Sub(from).Hours()/24) + 1
		overlaps := slices.ContainsFunc(c.Closures[:i], func(b Closure) bool {
			return closure.From <= max(b.To, b.From) && b.From <= max(closure.To, closure.From)
		})
		f.add(overlaps, at+".from", "overlaps")
	}
	f.tooMany("closures", days, booking.MaxClosedDays)
	return f
}

// The years in which a closure may lie.
const (
	minYear = 2000
	maxYear = 2999
)
