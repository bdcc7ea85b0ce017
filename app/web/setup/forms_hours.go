package setup

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/setup"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// presets are the usual hours, by name.
var presets = map[string][]booking.Span{
	"lunch":  {{From: "11:30", Last: "13:30"}},
	"dinner": {{From: "17:30", Last: "20:30"}},
	"both":   {{From: "11:30", Last: "13:30"}, {From: "17:30", Last: "20:30"}},
}

// weekdays are days that mostly have the same hours, by name; all of them without one.
var weekdays = map[string][]int{"": {0, 1, 2, 3, 4, 5, 6}, "weekdays": {1, 2, 3, 4, 5}, "weekend": {6, 0}}

// writeHours puts the hours into the fields. Of a restaurant without any they are a proposal: lunch and dinner on every
// day.
func writeHours(v values, r booking.Restaurant) {
	h, _ := setup.Of(setup.DocHours, r).(setup.Hours)
	for i, o := range h.Weekly {
		v.opening(i, int(o.Weekday), o.Span())
	}
	if len(h.Weekly) == 0 && r.Draft {
		v.onDays(weekdays[""], presets["both"])
	}
	for i, day := range h.Special {
		v[at("special", i, "date")] = string(day.Date)
		for j, span := range day.Spans {
			v[special(i, j, "from")], v[special(i, j, "last")] = string(span.From), string(span.Last)
			v[special(i, j, "service")] = span.Service
		}
	}
	v.services(h.Services, r.SlotMinutes)
}

func (v values) opening(i, weekday int, span booking.Span) {
	v[at("weekly", i, "weekday")] = strconv.Itoa(weekday)
	v[at("weekly", i, "from")], v[at("weekly", i, "last")] = string(span.From), string(span.Last)
	v[at("weekly", i, "service")] = span.Service
}

// onDays replaces the hours of some weekdays by the same on each.
func (v values) onDays(days []int, spans []booking.Span) {
	for _, day := range days {
		v.closeDay(day)
	}
	for _, day := range days {
		for _, span := range spans {
			v.opening(v.rows("weekly"), day, span)
		}
	}
}

// copyDay replaces the hours of some weekdays by those of one.
func (v values) copyDay(weekday int, days []int) {
	var spans []booking.Span
	for i := range v.rows("weekly") {
		if v[at("weekly", i, "weekday")] == strconv.Itoa(weekday) && v[at("weekly", i, "from")] != "" {
			spans = append(spans, booking.Span{From: booking.TimeOfDay(v[at("weekly", i, "from")]),
				Last: booking.TimeOfDay(v[at("weekly", i, "last")]), Service: v[at("weekly", i, "service")]})
		}
	}
	v.onDays(days, spans)
}

// closeDay removes the weekly hours of one weekday.
func (v values) closeDay(weekday int) {
	for i := range v.rows("weekly") {
		if v[at("weekly", i, "weekday")] == strconv.Itoa(weekday) {
			v[at("weekly", i, "from")], v[at("weekly", i, "last")] = "", ""
		}
	}
	v.compact("weekly", "from", "last")
}

// spansShown is how many spans a special day has on the form at least.
const spansShown = 2

func special(i, j int, member string) string {
	return fmt.Sprintf("special[%d].spans[%d].%s", i, j, member)
}

func readHours(in *reader, _ booking.Restaurant) []setup.Document {
	in.compact("weekly", "from", "last")
	in.compact("special", "date", "spans[0].from", "spans[0].last", "spans[1].from", "spans[1].last")
	h := setup.Hours{Weekly: []booking.Opening{}, Special: []booking.SpecialDay{}, Services: readServices(in)}
	known := booking.Restaurant{Services: h.Services}.FindService // that of a service which was removed is none
	for i := range in.rows("weekly") {
		h.Weekly = append(h.Weekly, booking.Opening{Weekday: time.Weekday(in.number(at("weekly", i, "weekday"))),
			From:    booking.TimeOfDay(in.values[at("weekly", i, "from")]),
			Last:    booking.TimeOfDay(in.values[at("weekly", i, "last")]),
			Service: known(in.values[at("weekly", i, "service")]).Key})
	}
	for i := range in.rows("special") {
		in.compact(fmt.Sprintf("special[%d].spans", i), "from", "last")
		day := booking.SpecialDay{Date: booking.Date(in.values[at("special", i, "date")]), Spans: []booking.Span{}}
		for j := range in.rows(fmt.Sprintf("special[%d].spans", i)) {
			day.Spans = append(day.Spans, booking.Span{From: booking.TimeOfDay(in.values[special(i, j, "from")]),
				Last:    booking.TimeOfDay(in.values[special(i, j, "last")]),
				Service: known(in.values[special(i, j, "service")]).Key})
		}
		h.Special = append(h.Special, day)
	}
	return []setup.Document{h}
}

func drawHours(b builder) []views.SetupGroup {
	groups := []views.SetupGroup{{Legend: b.t("group_presets"), Hint: b.t("presets_hint"), Buttons: []views.SetupButton{
		{Action: "preset:lunch", Label: b.t("preset_lunch")}, {Action: "preset:dinner", Label: b.t("preset_dinner")},
		{Action: "preset:both", Label: b.t("preset_both")}}}}
	groups = append(groups, drawServices(b)...)
	for n := range 7 {
		groups = append(groups, b.weekday(time.Weekday((n+1)%7)))
	}
	days := views.SetupGroup{Legend: b.t("group_special"), Hint: b.t("special_hint"),
		Buttons: []views.SetupButton{{Action: "add:special", Label: b.t("add_special")}}}
	for i := range b.rows("special") {
		fields := []views.SetupField{b.field(at("special", i, "date"), "date")}
		for j := range max(spansShown, b.rows(fmt.Sprintf("special[%d].spans", i))) {
			fields = append(fields, b.serviceOf(special(i, j, "service"), b.field(special(i, j, "from"), "time"),
				b.field(special(i, j, "last"), "time"))...)
		}
		days.Rows = append(days.Rows, row(fields...))
	}
	return append(groups, days)
}

// weekday is the group of a day's spans.
func (b builder) weekday(day time.Weekday) views.SetupGroup {
	name := i18n.Weekday(b.lang, day)
	g := views.SetupGroup{Legend: name, Buttons: []views.SetupButton{
		{Action: "add:weekly:" + strconv.Itoa(int(day)), Label: b.t("add_span"),
			About: b.t("add_span_to", "Day", name)}}}
	for _, to := range []string{"day", "weekdays", "weekend"} {
		action := "copy:" + strconv.Itoa(int(day)) + strings.TrimSuffix(":"+to, ":day")
		g.Buttons = append(g.Buttons, views.SetupButton{Action: action, Label: b.t("copy_" + to),
			About: b.t("copy_"+to+"_of", "Day", name)})
	}
	closing := views.SetupButton{Action: "close:" + strconv.Itoa(int(day)), Label: b.t("close_day"),
		About: b.t("close_day_of", "Day", name)}
	for i := range b.rows("weekly") {
		if b.values[at("weekly", i, "weekday")] != strconv.Itoa(int(day)) {
			continue
		}
		hidden := b.field(at("weekly", i, "weekday"), "hidden")
		g.Rows = append(g.Rows,
			row(b.serviceOf(at("weekly", i, "service"), hidden, b.field(at("weekly", i, "from"), "time"),
				b.field(at("weekly", i, "last"), "time"))...))
	}
	if len(g.Rows) == 0 {
		g.Hint = b.t("closed_day")
	} else {
		g.Buttons = append(g.Buttons, closing)
	}
	return g
}
