package pages

import (
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"lunchgo/app/booking"
	"lunchgo/views"
	"lunchgo/views/components"
	"lunchgo/views/i18n"
)

// periodText says when a service begins; of hours without a name, from when until when they go: 오전 11:30–오후 1:30.
func periodText(lang string, p booking.ServiceHours) string {
	if p.Key == "" {
		return period(lang, p.Span)
	}
	return i18n.T(lang, "service.from", "Service", p.Name.In(lang), "Time", i18n.Clock(lang, string(p.From)))
}

func period(lang string, p booking.Span) string {
	return i18n.Clocks(lang, string(p.From), string(p.Last))
}

// servedText says to whom a dish is served.
func servedText(lang string, p booking.Span) string {
	return i18n.T(lang, "dish.served", "Times", period(lang, p))
}

// openingText says by which rule days begin to take reservations.
func openingText(lang string, rule booking.OpeningRule) string {
	at := i18n.Clock(lang, string(rule.Time))
	if rule.Kind == booking.OpensDaily {
		return i18n.T(lang, "opening.daily", "Count", rule.DaysAhead, "Time", at)
	}
	return i18n.T(lang, "opening.monthly", "Day", rule.Day, "Time", at)
}

// dateField chooses the day where there is no calendar.
func dateField(r views.Restaurant) components.Field {
	return components.Field{
		Name: views.FieldDate, Label: r.T("field.date"), Value: views.DateValue(r.Day.Date),
		Attributes: templ.Attributes{"type": "date", "required": true, "min": views.DateValue(r.Month.Today)},
	}
}

func partyField(r views.Restaurant) components.Field {
	return components.Field{
		Name: views.FieldParty, Label: r.T("field.party"), Value: strconv.Itoa(r.Day.Party),
		Attributes: templ.Attributes{
			"type": "number", "inputmode": "numeric", "required": true,
			"min": strconv.Itoa(r.Of.PartyMin), "max": strconv.Itoa(r.Of.PartyMax),
		},
	}
}

// dayTitle says which day and party the times are for.
func dayTitle(d views.DaySlots) string {
	return i18n.Date(d.Lang, d.Date) + " · " + i18n.Party(d.Lang, d.Party)
}

// week starts on Monday.
var week = []time.Weekday{
	time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday, time.Saturday, time.Sunday,
}

// dayKeys are the catalogue's keys of what a day can still give.
var dayKeys = map[views.DayState]string{
	views.DayOpen:   "day.open",
	views.DayFew:    "day.scarce",
	views.DayFull:   "day.full",
	views.DayLater:  "day.later",
	views.DayClosed: "day.closed",
}

// dayLabel is what a screen reader says of a day of the calendar.
func dayLabel(m views.Month, d views.Day) string {
	return i18n.Date(m.Lang, d.Date) + ", " + i18n.T(m.Lang, dayKeys[d.State])
}

// dayLink swaps another day's slots into the page, and what else shows which day it is.
func dayLink(url, others string) templ.Attributes {
	return templ.Attributes{
		"hx-get": url, "hx-target": "#slots", "hx-select": "#slots", "hx-select-oob": others,
		"hx-swap": "morph:outerHTML", "hx-push-url": "true",
	}
}

func dayAttributes(m views.Month, d views.Day) templ.Attributes {
	// The id keeps the focus on the day when htmx swaps the calendar.
	attributes := templ.Attributes{"id": "day-" + views.DateValue(d.Date)}
	if sameDay(d.Date, m.Selected) {
		attributes["aria-current"] = "date"
	}
	return attributes
}

func sameDay(a, b time.Time) bool { return views.DateValue(a) == views.DateValue(b) }

// dialled is a phone number without what only eyes need.
func dialled(phone string) string {
	return strings.Map(func(r rune) rune {
		if r == '+' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, phone)
}
