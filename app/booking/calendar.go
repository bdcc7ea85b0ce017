package booking

import (
	"slices"
	"time"
)

// Date is a civil date in a restaurant's zone, written 2006-01-02.
type Date string

// TimeOfDay is a local wall-clock time in a restaurant's zone, written 15:04.
type TimeOfDay string

// SlotKey names a bookable time of one restaurant.
type SlotKey struct {
	RestaurantID int64
	Date         Date
	Time         TimeOfDay
}

// ParseDate accepts exactly 2006-01-02. Returns ErrInvalidDate for anything else, including dates that do not exist.
func ParseDate(s string) (Date, error) {
	if t, ok := Date(s).midnight(); !ok || t.Year() < 2000 {
		return "", ErrInvalidDate
	}
	return Date(s), nil
}

// ParseTimeOfDay accepts exactly 15:04. Returns ErrInvalidTime for anything else.
func ParseTimeOfDay(s string) (TimeOfDay, error) {
	if _, err := time.Parse("15:04", s); err != nil || len(s) != len("15:04") {
		return "", ErrInvalidTime
	}
	return TimeOfDay(s), nil
}

// DateOf returns the civil date of an instant in a zone.
func DateOf(t time.Time, loc *time.Location) Date { return Date(t.In(loc).Format(time.DateOnly)) }

// AddDays returns the date n days later.
func (d Date) AddDays(n int) Date {
	t, ok := d.midnight()
	if !ok {
		return d
	}
	return Date(t.AddDate(0, 0, n).Format(time.DateOnly))
}

// Weekday returns the weekday of the date.
func (d Date) Weekday() time.Weekday {
	t, ok := d.midnight()
	if !ok {
		return time.Sunday
	}
	return t.Weekday()
}

// midnight returns the first instant of the date in UTC; false for what is no date. A list of slots calls it, and
// Minutes, hundreds of times, so neither uses time.Parse.
func (d Date) midnight() (time.Time, bool) {
	if len(d) != len("2006-01-02") || d[4] != '-' || d[7] != '-' {
		return time.Time{}, false
	}
	year, month, day := number(d[:4]), number(d[5:7]), number(d[8:])
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	return t, year >= 0 && t.Year() == year && int(t.Month()) == month && t.Day() == day
}

// Minutes returns the minutes since midnight; 0 for an invalid time.
func (t TimeOfDay) Minutes() int {
	if len(t) != len("15:04") || t[2] != ':' {
		return 0
	}
	hours, minutes := number(t[:2]), number(t[3:])
	if hours < 0 || minutes < 0 {
		return 0
	}
	return hours*60 + minutes
}

// number reads decimal digits; -1 if there is anything else.
func number[T ~string](digits T) (n int) {
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return -1
		}
		n = n*10 + int(digits[i]-'0')
	}
	return n
}

// timeOfDay is the inverse of minutes, for numbers within a day.
func timeOfDay(minutes int) TimeOfDay {
	h, m := minutes/60, minutes%60
	return TimeOfDay([]byte{byte('0' + h/10), byte('0' + h%10), ':', byte('0' + m/10), byte('0' + m%10)})
}

// minutesOf is the wall clock of an instant in its zone, in minutes since midnight.
func minutesOf(t time.Time) int { return t.Hour()*60 + t.Minute() }

// Start returns the instant at which a slot begins. Returns ErrNoSuchTime for a local time that the clock change skips;
// of a local time that occurs twice it returns the first.
func (r Restaurant) Start(date Date, at TimeOfDay) (time.Time, error) {
	day, ok := date.midnight()
	if !ok {
		return time.Time{}, ErrInvalidDate
	}
	m := at.Minutes()
	t := time.Date(day.Year(), day.Month(), day.Day(), m/60, m%60, 0, 0, r.Location)
	if minutesOf(t) != m || t.Day() != day.Day() || timeOfDay(m) != at {
		return time.Time{}, ErrNoSuchTime
	}
	if earlier := t.Add(-time.Hour); minutesOf(earlier) == m {
		return earlier, nil
	}
	return t, nil
}

// Times returns the local times at which a date's slots start, in order; none on a closed day. It omits times that the
// clock change skips.
func (r Restaurant) Times(date Date) []TimeOfDay {
	var times []TimeOfDay
	r.eachSpan(date, func(span Span) (last bool) {
		for m := span.From.Minutes(); m <= span.Last.Minutes(); m += r.SlotMinutes {
			if _, err := r.Start(date, timeOfDay(m)); err == nil {
				times = append(times, timeOfDay(m))
			}
		}
		return false
	})
	slices.Sort(times)
	return slices.Compact(times)
}

// eachSpan visits the spans of a date until one is the last: those of a special day, else those of its weekday; none on
// a closed day.
func (r Restaurant) eachSpan(date Date, visit func(Span) (last bool)) {
	if slices.Contains(r.Closures, date) {
		return
	}
	special := slices.IndexFunc(r.SpecialDays, func(day SpecialDay) bool { return day.Date == date })
	if special >= 0 {
		for _, span := range r.SpecialDays[special].Spans {
			if visit(span) {
				return
			}
		}
		return
	}
	weekday := date.Weekday()
	for _, o := range r.Hours {
		if o.Weekday == weekday && visit(o.Span()) {
			return
		}
	}
}

// opensAt returns whether Times contains a time that is known to exist. Every submission and every listed slot calls
// it, so it does not build the list.
func (r Restaurant) opensAt(date Date, at TimeOfDay) bool {
	m, opens := at.Minutes(), false
	r.eachSpan(date, func(span Span) bool {
		from := span.From.Minutes()
		opens = m >= from && m <= span.Last.Minutes() && (m-from)%r.SlotMinutes == 0
		return opens
	})
	return opens
}

// CheckBookable returns nil if a slot takes reservations at now, else ErrPast, ErrTooSoon, ErrTooFar, ErrNoSuchTime, or
// ErrOutsideHours when the restaurant has no slot at that time.
func (r Restaurant) CheckBookable(date Date, at TimeOfDay, now time.Time) error {
	start, err := r.Start(date, at)
	switch {
	case err != nil:
		return err
	case !start.After(now):
		return ErrPast
	case start.Sub(now) < time.Duration(r.LeadMinutes)*time.Minute:
		return ErrTooSoon
	case date > DateOf(now, r.Location).AddDays(r.HorizonDays):
		return ErrTooFar
	case !r.opensAt(date, at):
		return ErrOutsideHours
	}
	return nil
}
