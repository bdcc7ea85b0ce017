package reports

import (
	"time"

	"github.com/a-h/templ"

	"lunchgo/views"
	"lunchgo/views/components"
	"lunchgo/views/i18n"
)

// field is a field of the filter; its label is "reports.field_<name>".
func field(p views.ReportPage, name, value, kind string) components.Field {
	f := components.Field{Name: name, Label: p.T("reports.field_" + name), Value: value, Error: p.Errors[name],
		Attributes: templ.Attributes{}}
	if kind != "" {
		f.Attributes["type"] = kind
	}
	return f
}

// weekdays are the days to filter by, Monday first.
func weekdays(p views.ReportPage) []views.Choice {
	all := []views.Choice{{Label: p.T("reports.any")}}
	for i := range 7 {
		day := (i + 1) % 7
		all = append(all, views.Choice{Value: views.WeekdayValue(day), Label: i18n.Weekday(p.Lang, time.Weekday(day))})
	}
	return all
}
