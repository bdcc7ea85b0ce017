package reports

import (
	"slices"
	"strconv"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/reports"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// model makes the page of a report.
type model struct {
	shell  views.StaffShell
	place  workplace.Workplace
	today  booking.Date
	filter reports.Filter

	comparable bool // the period with the one before
}

func (m model) t(key string, args ...any) string { return m.shell.T("reports."+key, args...) }

// refused is the page of a filter that makes no sense: what was typed, and what is wrong with it.
func (m model) refused(typed reports.Query, invalid *booking.InvalidError) views.ReportPage {
	page := m.form(views.ReportQuery(typed))
	page.Errors = views.FieldErrors{}
	for _, fault := range invalid.Fields {
		page.Errors[fault.Field] = m.shell.T("error.field."+fault.Reason, "Min", fault.Min, "Max", fault.Max)
	}
	if fault := page.Errors[views.FieldTo]; fault != "" && m.filter.Days() > reports.MaxDays {
		page.Errors[views.FieldTo] = m.t("too_long", "Max", reports.MaxDays)
	}
	return page
}

// query is the filter as an address has it.
func (m model) query() views.ReportQuery {
	f := m.filter
	q := views.ReportQuery{From: string(f.From), To: string(f.To), Time: string(f.Time), Source: string(f.Source)}
	if f.Weekday >= 0 {
		q.Weekday = strconv.Itoa(f.Weekday)
	}
	if f.Party > 0 {
		q.Party = strconv.Itoa(f.Party)
	}
	return q
}

// form is the page without a report.
func (m model) form(q views.ReportQuery) views.ReportPage {
	page := views.ReportPage{StaffShell: m.shell, Query: q, Presets: m.presets(q)}
	any := views.Choice{Label: m.t("any")}
	page.Times, page.Parties, page.Sources = []views.Choice{any}, []views.Choice{any}, []views.Choice{any}
	for _, at := range m.times() {
		page.Times = append(page.Times, views.Choice{Value: string(at), Label: i18n.Clock(m.shell.Lang, string(at))})
	}
	for n := 1; n <= m.place.Restaurant.PartyMax; n++ {
		page.Parties = append(page.Parties, views.Choice{Value: strconv.Itoa(n), Label: i18n.Party(m.shell.Lang, n)})
	}
	for _, source := range reports.Sources() {
		page.Sources = append(page.Sources, views.Choice{Value: string(source), Label: m.t("source_" + string(source))})
	}
	return page
}

// times are the slot times of a week, and the one that is filtered by.
func (m model) times() []booking.TimeOfDay {
	var all []booking.TimeOfDay
	if m.filter.Time != "" {
		all = append(all, m.filter.Time)
	}
	for day := range 7 {
		all = append(all, m.place.Restaurant.Times(m.today.AddDays(-day))...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// presets are the ways to the usual periods; they keep the rest of the filter.
func (m model) presets(q views.ReportQuery) []views.ReportPreset {
	month := reports.MonthOf(m.today)
	before := reports.MonthOf(month.From.AddDays(-1))
	var all []views.ReportPreset
	for _, preset := range []struct {
		key string
		reports.Period
	}{
		{"today", reports.Last(1, m.today)}, {"days_7", reports.Last(7, m.today)},
		{"days_28", reports.Last(28, m.today)},
		{"days_90", reports.Last(90, m.today)}, {"month", month}, {"last_month", before},
		{"year", reports.Last(365, m.today)},
	} {
		q.From, q.To = string(preset.From), string(preset.To)
		all = append(all, views.ReportPreset{Label: m.t(preset.key), URL: views.ReportsURL(m.place.Restaurant.ID, q),
			Current: preset.Period == m.filter.Period})
	}
	return all
}

// page is the page of a report.
func (m model) page(r reports.Report, payouts []reports.Payout) views.ReportPage {
	page := m.form(m.query())
	page.Payouts = m.payouts(payouts)
	page.Period, page.Before = m.span(r.Period), m.span(r.Before())
	page.IsEmpty, page.IsPart = r.IsEmpty(), !r.IsOfAll()
	if page.IsEmpty {
		return page
	}
	m.comparable = r.Comparable
	if !r.Comparable {
		page.Since = i18n.LongDate(m.shell.Lang, m.midnight(r.Since))
	}
	page.Figures, page.Money, page.Methods = m.figures(r), m.money(r), m.methods(r)
	page.Covers, page.Heat = m.covers(r), m.heat(r)
	if r.IsOfAll() {
		page.SellOut, page.Line = m.sellOut(r), m.line(r)
	}
	page.Ranks = []views.RankList{m.dishes(r), m.parties(r), m.leads(r), m.sources(r), m.turns(r)}
	if r.Total.NoShowParties > 0 {
		page.Ranks = append(page.Ranks, m.noShowsBy(r, reports.BySource, "no_shows_source"),
			m.noShowsBy(r, reports.ByPayment, "no_shows_payment"))
	}
	if r.IsOfAll() && r.Total.Covers > 0 {
		page.Ranks = append(page.Ranks, m.tables(r))
	}
	return page
}

// payouts are the days on which the payment provider moved money, and their sum.
func (m model) payouts(days []reports.Payout) []views.PayoutRow {
	if len(days) == 0 {
		return nil
	}
	var rows []views.PayoutRow
	var sum reports.Payout
	row := func(label string, p reports.Payout) {
		won := func(n int64) string { return i18n.Won(m.shell.Lang, n) }
		shown := views.PayoutRow{Label: label, Taken: won(p.Taken), Returned: won(p.Returned), Fees: won(p.Fees),
			Net: won(p.Net())}
		if p.PaidOut != "" {
			shown.PaidOut = i18n.Date(m.shell.Lang, m.midnight(p.PaidOut))
		}
		rows = append(rows, shown)
	}
	for _, p := range days {
		row(i18n.Date(m.shell.Lang, m.midnight(p.Date)), p)
		sum.Taken, sum.Returned, sum.Fees = sum.Taken+p.Taken, sum.Returned+p.Returned, sum.Fees+p.Fees
	}
	row(m.t("payout_sum"), sum)
	return rows
}

// span is a period in words.
func (m model) span(p reports.Period) string {
	from, to := i18n.LongDate(m.shell.Lang, m.midnight(p.From)), i18n.LongDate(m.shell.Lang, m.midnight(p.To))
	if p.From == p.To {
		return from
	}
	return from + " – " + to
}

func (m model) midnight(date booking.Date) time.Time {
	return respond.Midnight(date, m.place.Restaurant.Location)
}
