package setup

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"lunchgo/app/booking"
)

// Opening is a span of a weekday in which slots start; Sunday is 0.
type Opening struct {
	Weekday int               `json:"weekday"`
	From    booking.TimeOfDay `json:"from"` // the first slot
	Last    booking.TimeOfDay `json:"last"` // the last slot starts then at the latest
}

// Hours are when slots start: weekly, and on dates with hours of their own.
type Hours struct {
	// By weekday and time; spans of a day do not overlap.
	Weekly  []Opening            `json:"weekly"`
	Special []booking.SpecialDay `json:"special"` // by date
}

func hoursOf(r booking.Restaurant) Hours {
	h := Hours{Weekly: []Opening{}, Special: append([]booking.SpecialDay{}, r.SpecialDays...)}
	for _, o := range r.Hours {
		h.Weekly = append(h.Weekly, Opening{Weekday: int(o.Weekday), From: o.From, Last: o.Last})
	}
	slices.SortFunc(h.Weekly, compareOpenings)
	slices.SortFunc(h.Special, func(a, b booking.SpecialDay) int { return byDate(a.Date, b.Date) })
	return h
}

func compareOpenings(a, b Opening) int {
	return cmp.Or(a.Weekday-b.Weekday, cmp.Compare(a.From, b.From))
}

// Name implements Document.
func (h Hours) Name() Name { return DocHours }

// apply implements Document.
func (h Hours) apply(r booking.Restaurant) booking.Restaurant {
	r.Hours, r.SpecialDays = nil, slices.Clone(h.Special)
	for _, o := range h.Weekly {
		r.Hours = append(r.Hours, booking.Opening{Weekday: time.Weekday(o.Weekday), From: o.From, Last: o.Last})
	}
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
		f.within(at+".weekday", o.Weekday, bounds{0, 6})
		f.span(at, booking.Span{From: o.From, Last: o.Last}, h.before(i))
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
			spans = append(spans, booking.Span{From: o.From, Last: o.Last})
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

// span checks a span of a day beside the ones before it.
func (f *wrongs) span(at string, span booking.Span, before []booking.Span) {
	_, fromErr := booking.ParseTimeOfDay(string(span.From))
	_, lastErr := booking.ParseTimeOfDay(string(span.Last))
	f.add(fromErr != nil, at+".from", "invalid_time")
	f.add(lastErr != nil, at+".last", "invalid_time")
	if fromErr != nil || lastErr != nil {
		return
	}
	f.add(span.Last < span.From, at+".last", "ends_before")
	overlaps := slices.ContainsFunc(before, func(b booking.Span) bool {
		return span.From <= b.Last && b.From <= span.Last
	})
	f.add(span.Last >= span.From && overlaps, at+".from", "overlaps")
	f.tooMany(at+".from", len(before)+1, booking.MaxSpansADay)
}
