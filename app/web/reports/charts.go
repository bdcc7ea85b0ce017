package reports

import (
	"strconv"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/reports"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// daysAlone is up to how many days each has a bar of its own; of longer periods a bar is a week.
const daysAlone = 62

// step is a bar's part of the period: a day, or a week that begins with the date.
type step struct {
	date booking.Date
	reports.Figures
}

// steps are the days of a report, or its weeks.
func steps(r reports.Report) (all []step, weekly bool) {
	weekly = r.Period.Days() > daysAlone
	for _, day := range r.Days {
		date := day.Date
		if weekly {
			date = monday(date)
		}
		if n := len(all); n > 0 && all[n-1].date == date {
			all[n-1].Figures = all[n-1].Plus(day.Figures)
			continue
		}
		all = append(all, step{date, day.Figures})
	}
	return all, weekly
}

// monday is the first day of a date's week.
func monday(date booking.Date) booking.Date {
	return date.AddDays(-((int(date.Weekday()) + 6) % 7))
}

// chart is the frame of a chart over time.
func (m model) chart(id string, all []step, weekly bool) views.BarChart {
	of, label := m.t("day"), func(t time.Time) string { return i18n.Date(m.shell.Lang, t) }
	if weekly {
		of, label = m.t("week"), func(t time.Time) string { return m.t("week_of", "Date", i18n.Date(m.shell.Lang, t)) }
	}
	c := views.BarChart{Lang: m.shell.Lang, ID: "chart-" + id, Title: m.t(id + "_title"), Of: of,
		Unit: m.t(id + "_unit")}
	for _, s := range all {
		t := m.midnight(s.date)
		c.Bars = append(c.Bars, views.Bar{Label: label(t), Tick: strconv.Itoa(int(t.Month())) + "/" +
			strconv.Itoa(t.Day())})
	}
	return c
}

func (m model) covers(r reports.Report) views.BarChart {
	all, weekly := steps(r)
	if len(all) < 2 || r.Total.Covers == 0 {
		return views.BarChart{}
	}
	c := m.chart("covers", all, weekly)
	most := 0
	for i, s := range all {
		c.Bars[i].Value, c.Bars[i].Text = s.Covers, i18n.Party(m.shell.Lang, s.Covers)
		if s.Covers > all[most].Covers {
			most = i
		}
	}
	c.Description = m.t("covers_text", "Total", i18n.Number(r.Total.Covers), "Best", c.Bars[most].Label, "Most",
		i18n.Number(all[most].Covers))
	return c
}

// sellOut is how many minutes the slots of a day took to sell out, on average.
func (m model) sellOut(r reports.Report) views.LineChart {
	all, weekly := steps(r)
	if len(all) < 2 || r.Total.TimedSoldOutSlots == 0 {
		return views.LineChart{}
	}
	c := views.LineChart{BarChart: m.chart("sell_out", all, weekly), Axis: i18n.Number}
	unit := int64(60)
	if r.Total.SellOutMean() > 3*24*3600 {
		unit, c.Unit = 24*3600, m.t("sell_out_days")
	} else if r.Total.SellOutMean() > 3*3600 {
		unit, c.Unit = 3600, m.t("sell_out_hours")
	}
	for i, s := range all {
		c.Bars[i].Missing = s.TimedSoldOutSlots == 0
		c.Bars[i].Value, c.Bars[i].Text = int((s.SellOutMean()+unit/2)/unit), m.length(s.SellOutMean())
	}
	c.Description = m.t("sell_out_text", "Count", r.Total.SoldOutSlots, "Time", m.length(r.Total.SellOutMean()), "Unit",
		c.Unit)
	if untimed := r.Total.SoldOutSlots - r.Total.TimedSoldOutSlots; untimed > 0 {
		c.Description += " " + m.t("sell_out_at_once", "Count", untimed)
	}
	return c
}

// heat is the average covers by slot time and weekday.
func (m model) heat(r reports.Report) views.HeatTable {
	h := views.HeatTable{Lang: m.shell.Lang, Title: m.t("heat_title"), Description: m.t("heat_text")}
	if r.Total.Covers == 0 {
		return h
	}
	for column := range 7 {
		h.Weekdays = append(h.Weekdays, i18n.Weekday(m.shell.Lang, reports.WeekdayOf(column)))
	}
	rows, most := r.Heat(), 1
	for _, row := range rows {
		for _, cell := range row {
			most = max(most, cell.Average())
		}
	}
	for i, row := range rows {
		shown := views.HeatRow{Time: string(r.Times[i].Time)}
		for _, cell := range row {
			average := cell.Average()
			shown.Cells = append(shown.Cells, views.HeatCell{Value: average, Level: (average*5 + most - 1) / most})
		}
		h.Rows = append(h.Rows, shown)
	}
	return h
}

func (m model) line(r reports.Report) views.ShareBar {
	l := r.Total.Line
	bar := views.ShareBar{Lang: m.shell.Lang, ID: "chart-line", Title: m.t("line_title")}
	if l.Asked() == 0 {
		return bar
	}
	bar.Description = m.t("line_text", "Asked", i18n.Number(l.Asked()), "Served", i18n.Number(l.Served),
		"Share", views.PerCent(r.Total.Served()))
	for _, part := range []struct {
		key   string
		count int
	}{{"line_got", l.Served}, {"line_sold_out", l.SoldOut}, {"line_left", l.Left}, {"line_timed_out", l.TimedOut}} {
		bar.Shares = append(bar.Shares,
			views.Share{Label: m.t(part.key), Count: part.count, PerMille: part.count * 1000 / l.Asked()})
	}
	return bar
}

func (m model) rank(id string) views.RankList {
	return views.RankList{ID: "rank-" + id, Title: m.t(id + "_title"), Of: m.t(id + "_of"), Unit: m.t(id + "_unit")}
}

// explained is a list with a sentence on what it counts.
func (m model) explained(id string) views.RankList {
	list := m.rank(id)
	list.Description = m.t(id + "_text")
	return list
}

func (m model) dishes(r reports.Report) views.RankList {
	list := m.rank("dishes")
	for _, d := range r.Dishes {
		list.Ranks = append(list.Ranks, views.Rank{Label: d.Name.In(m.shell.Lang), Value: d.Quantity,
			Text: m.t("portions", "Count", d.Quantity)})
	}
	return list
}

func (m model) parties(r reports.Report) views.RankList {
	list := m.rank("sizes")
	for _, g := range r.Of(reports.ByParty) {
		list.Ranks = append(list.Ranks, views.Rank{Label: i18n.Party(m.shell.Lang, g.Number), Value: g.Parties,
			Text: i18n.Number(g.Parties)})
	}
	return list
}

func (m model) sources(r reports.Report) views.RankList {
	list := m.rank("sources")
	for _, g := range r.Of(reports.BySource) {
		list.Ranks = append(list.Ranks, views.Rank{Label: m.t("source_" + g.Value), Value: g.Parties,
			Text: i18n.Number(g.Parties)})
	}
	return list
}

// noShowsBy are the shares of parties that did not come, by source or by payment.
func (m model) noShowsBy(r reports.Report, kind reports.GroupKind, id string) views.RankList {
	list := m.explained(id)
	for _, g := range r.Of(kind) {
		list.Ranks = append(list.Ranks, views.Rank{Label: m.t(string(kind) + "_" + g.Value), Value: g.NoShowShare(),
			Text: m.t("no_show_share", "Share", views.PerCent(g.NoShowShare()), "NoShows",
				i18n.Number(g.NoShows), "Of", i18n.Number(g.Parties+g.NoShows))})
	}
	return list
}

// turns are the turn times by party size.
func (m model) turns(r reports.Report) views.RankList {
	list := m.explained("turns")
	for _, t := range r.Turns {
		list.Ranks = append(list.Ranks, views.Rank{Label: i18n.Party(m.shell.Lang, t.Size), Value: t.Minutes,
			Text: m.t("turn_of", "Time", m.length(60*int64(t.Minutes)), "Count", t.Parties)})
	}
	return list
}

// tables are the shares of the open times in which somebody had a table.
func (m model) tables(r reports.Report) views.RankList {
	list := m.explained("tables")
	for _, t := range r.Tables {
		use := r.TableUse(t)
		list.Ranks = append(list.Ranks, views.Rank{Label: t.Label, Value: use, Text: views.PerCent(use)})
	}
	return list
}

func (m model) leads(r reports.Report) views.RankList {
	list := m.rank("leads")
	for _, lead := range r.Leads() {
		label := m.t("lead_range", "From", lead.From, "To", lead.To)
		switch {
		case lead.To == 0:
			label = m.t("lead_same_day")
		case lead.From == lead.To:
			label = m.t("lead_day")
		case lead.To < 0:
			label = m.t("lead_from", "From", lead.From)
		}
		if lead.Parties > 0 {
			list.Ranks = append(list.Ranks,
				views.Rank{Label: label, Value: lead.Parties, Text: i18n.Number(lead.Parties)})
		}
	}
	return list
}
