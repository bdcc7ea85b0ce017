package setup

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"lunchgo/app/booking"
)

// Hours are when slots start: weekly, and on dates with hours of their own.
type Hours struct {
	// By weekday and time; spans of a day do not overlap.
	Weekly  []booking.Opening    `json:"weekly"`
	Special []booking.SpecialDay `json:"special"` // by date
}

func hoursOf(r booking.Restaurant) Hours {
	h := Hours{Weekly: append([]booking.Opening{}, r.Hours...),
		Special: append([]booking.SpecialDay{}, r.SpecialDays...)}
	slices.SortFunc(h.Weekly, compareOpenings)
	slices.SortFunc(h.Special, func(a, b booking.SpecialDay) int { return byDate(a.Date, b.Date) })
	return h
}

func compareOpenings(a, b booking.Opening) int {
	return cmp.Or(cmp.Compare(a.Weekday, b.Weekday), cmp.Compare(a.From, b.From))
}

// Name implements Document.
func (h Hours) Name() Name { return DocHours }

// apply implements Document.
func (h Hours) apply(r booking.Restaurant) booking.Restaurant {
	r.Hours, r.SpecialDays = slices.Clone(h.Weekly), slices.Clone(h.Special)
	return r
}

// check implements Document.
func (h Hours) check(was booking.Restaurant, now time.Time) []booking.FieldError {
	var f wrongs
	f.tooMany("weekly", len(h.Weekly), 7*booking.MaxSpansADay)
	f.tooMany("special", len(h.Special), booking.MaxSpecialDays)
	if len(f) > 0 {
		return f
	}
	for i, o := range h.Weekly {
		at := fmt.Sprintf("weekly[%d]", i)
		f.within(at+".weekday", int(o.Weekday), 0, 6)
		f.span(at, o.Span(), h.before(i))
	}
	today := booking.DateOf(now, was.Location)
	for i, day := range h.Special {
		f.special(fmt.Sprintf("special[%d]", i), day, today.AddDays(booking.MaxHorizonDays))
		twice := slices.ContainsFunc(h.Special[:i], func(d booking.SpecialDay) bool { return d.Date == day.Date })
		f.add(twice, fmt.Sprintf("special[%d].date", i), "duplicate")
	}
	return f
}

// before are the spans of a weekday that stand before one in the document.
func (h Hours) before(i int) (spans []booking.Span) {
	for _, o := range h.Weekly[:i] {
		if o.Weekday == h.Weekly[i].Weekday {
			spans = append(spans, o.Span())
		}
	}
	return spans
}

// special checks a date with hours of its own. Those of the past may stay: they harm nobody.
func (f *wrongs) special(at string, day booking.SpecialDay, last booking.Date) {
	if _, err := booking.ParseDate(string(day.Date)); err != nil {
		f.add(true, at+".date", "invalid_date")
	} else {
		f.add(day.Date > last, at+".date", "too_far")
	}
	f.add(len(day.Spans) == 0, at+".spans", "required") // a day without any is a closure
	f.tooMany(at+".spans", len(day.Spans), booking.MaxSpansADay)
	for i, span := range day.Spans[:min(len(day.Spans), booking.MaxSpansADay)] {
		f.span(fmt.Sprintf("%s.spans[%d]", at, i), span, day.Spans[:i])
	}
}
