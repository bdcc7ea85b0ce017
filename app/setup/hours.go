package setup

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"time"

	"lunchgo/app/booking"
)

// Hours are when slots start: weekly, and on dates with hours of their own.
type Hours struct {
	// By weekday and time; spans of a day do not overlap.
	Weekly  []booking.Opening    `json:"weekly"`
	Special []booking.SpecialDay `json:"special"` // by date
	// Parts of the day, such as lunch and dinner, to which spans belong by their keys. Without, the day is one.
	Services []booking.Service `json:"services,omitempty"`
}

func hoursOf(r booking.Restaurant) Hours {
	h := Hours{Weekly: append([]booking.Opening{}, r.Hours...),
		Special: append([]booking.SpecialDay{}, r.SpecialDays...)}
	for _, service := range r.Services {
		h.Services = append(h.Services, service.Brief(r.SlotMinutes))
	}
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
	r.Services = nil
	for _, service := range h.Services {
		service.Name = service.Name.Trimmed()
		r.Services = append(r.Services, service.In(r.SlotMinutes))
	}
	return r
}

// check implements Document.
func (h Hours) check(was booking.Restaurant, now time.Time) []booking.FieldError {
	var f wrongs
	f.tooMany("weekly", len(h.Weekly), 7*booking.MaxSpansADay)
	f.tooMany("special", len(h.Special), booking.MaxSpecialDays)
	f.tooMany("services", len(h.Services), booking.MaxServices)
	if len(f) > 0 {
		return f
	}
	h.checkServices(&f, was.SlotMinutes)
	for i, o := range h.Weekly {
		at := fmt.Sprintf("weekly[%d]", i)
		h.checkService(&f, at, o.Service)
		f.within(at+".weekday", int(o.Weekday), 0, 6)
		f.span(at, o.Span(), h.before(i))
	}
	today := booking.DateOf(now, was.Location)
	for i, day := range h.Special {
		f.special(fmt.Sprintf("special[%d]", i), day, today.AddDays(booking.MaxHorizonDays))
		twice := slices.ContainsFunc(h.Special[:i], func(d booking.SpecialDay) bool { return d.Date == day.Date })
		f.add(twice, fmt.Sprintf("special[%d].date", i), "duplicate")
		for j, span := range day.Spans {
			h.checkService(&f, fmt.Sprintf("special[%d].spans[%d]", i, j), span.Service)
		}
	}
	return f
}

// checkService checks the service of a span.
func (h Hours) checkService(f *wrongs, at, key string) {
	known := key == "" || slices.ContainsFunc(h.Services, func(s booking.Service) bool { return s.Key == key })
	f.add(!known, at+".service", "unknown")
}

var serviceKey = regexp.MustCompile(`^[a-z0-9-]{1,32}$`)

func (h Hours) checkServices(f *wrongs, slotMinutes int) {
	for i, service := range h.Services {
		at := fmt.Sprintf("services[%d].", i)
		f.add(!serviceKey.MatchString(service.Key), at+"key", "invalid_key")
		twice := slices.ContainsFunc(h.Services[:i], func(s booking.Service) bool { return s.Key == service.Key })
		f.add(twice, at+"key", "duplicate")
		f.text(at+"name.ko", service.Name.Ko, textRule{max: booking.MaxServiceName, required: true})
		f.text(at+"name.en", service.Name.En, textRule{max: booking.MaxServiceName})
		f.stays(at+"stays", service.Stays, slotMinutes, slotMinutes)
	}
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
