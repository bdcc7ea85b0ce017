package views_test

import (
	"fmt"
	"time"

	"github.com/a-h/templ"

	"lunchgo/views"
	"lunchgo/views/i18n"
	"lunchgo/views/reports"
)

func staffShell(lang string, section views.StaffSection) views.StaffShell {
	return views.StaffShell{Layout: layout(lang, views.StaffSectionURL(1, section)), RestaurantID: 1, Location: seoul,
		Restaurant: head().Name.In(lang), Role: pick(lang, "주인", "Owner"), Current: section,
		Sections: []views.StaffSection{views.SectionTonight, views.SectionGuests,
			views.SectionReviews, views.SectionReports, views.SectionSetup, views.SectionTeam}}
}

func addReports(lang string, all map[string]templ.Component) {
	page := reportForm(lang)
	page.Query.To, page.Errors = "2026-10-01", views.FieldErrors{views.FieldTo: page.T("error.field.before_from")}
	all["reports-errors"] = reports.Page(page)
	page = reportForm(lang)
	page.Period, page.Before, page.IsEmpty = "2026-10-25 – 2026-11-21", "2026-09-27 – 2026-10-24", true
	all["reports-empty"] = reports.Page(page)
	page.IsEmpty = false
	page.Figures = []views.ReportFigure{
		{Label: page.T("reports.covers"), Value: "1,284", Change: page.T("reports.more", "By", "112"), Outlook: views.Welcome},
		{Label: page.T("reports.revenue"), Value: i18n.Won(lang, 12_840_000), Change: page.T("reports.less", "By", i18n.Won(lang, 900_000)), Outlook: views.Unwelcome},
		{Label: page.T("reports.no_shows"), Value: "14", Note: page.T("reports.no_show_note", "Share", "2.8%", "People", "31"), Change: page.T("reports.same")},
		{Label: page.T("reports.turn"), Value: i18n.Length(lang, 85*time.Minute), Note: page.T("reports.turn_note", "Count", 212)},
		{Label: page.T("reports.returning"), Value: "34.1%", Note: page.T("reports.returning_note", "Returning", "72", "New", "139")},
		{Label: page.T("reports.seat_hour"), Value: i18n.Won(lang, 4_280), Note: page.T("reports.seat_hour_note", "Hours", "3,000")},
		{Label: page.T("reports.seat_use"), Value: "61.2%", Note: page.T("reports.seat_use_note"), Change: page.T("reports.more", "By", page.T("reports.points", "Points", "4"))},
		{Label: page.T("reports.waitlist")},
	}
	page.Money = page.Figures[1:2]
	page.Covers = bars(page, "covers")
	page.SellOut = views.LineChart{BarChart: bars(page, "sell_out"), Axis: i18n.Number}
	page.SellOut.Bars[4].Missing, page.SellOut.Bars[5].Missing = true, true
	page.Heat = views.HeatTable{Lang: lang, Title: page.T("reports.heat_title"),
		Description: page.T("reports.heat_text"), Weekdays: []string{"월", "화", "수", "목", "금", "토", "일"}}
	for hour := range 6 {
		row := views.HeatRow{Time: fmt.Sprintf("%d:00", 12+hour)}
		for day := range 7 {
			row.Cells = append(row.Cells, views.HeatCell{Value: hour * day * 3, Level: hour * day / 6})
		}
		page.Heat.Rows = append(page.Heat.Rows, row)
	}
	page.Line = views.ShareBar{Lang: lang, ID: "chart-line", Title: page.T("reports.line_title"),
		Description: page.T("reports.line_text", "Asked", "1,000", "Served", "320", "Share", "32%"),
		Shares: []views.Share{
			{Label: page.T("reports.line_got"), Count: 320, PerMille: 320}, {Label: page.T("reports.line_sold_out"), Count: 612, PerMille: 612},
			{Label: page.T("reports.line_left"), Count: 68, PerMille: 68}, {Label: page.T("reports.line_timed_out")}}}
	dishes := views.RankList{ID: "rank-dishes", Title: page.T("reports.dishes_title"), Of: page.T("reports.dishes_of"),
		Unit: page.T("reports.dishes_unit")}
	for i, name := range []string{pick(lang, "솔잎 돌솥비빔밥", "Pine stone-pot bibimbap"), hostile,
		pick(lang, "식혜", "Sikhye")} {
		dishes.Ranks = append(dishes.Ranks,
			views.Rank{Label: name, Value: 300 - 120*i, Text: page.T("reports.portions", "Count", 300-120*i)})
	}
	page.Ranks = []views.RankList{dishes, explained(page, "turns", views.Rank{Label: i18n.Party(lang, 2), Value: 70,
		Text: page.T("reports.turn_of", "Time", i18n.Length(lang, 70*time.Minute), "Count", 180)}),
		explained(page, "no_shows_payment", views.Rank{Label: page.T("reports.payment_paid"), Value: 12,
			Text: page.T("reports.no_show_share", "Share", "1.2%", "NoShows", "4", "Of", "333")},
			views.Rank{Label: page.T("reports.payment_unpaid"), Value: 83,
				Text: page.T("reports.no_show_share", "Share", "8.3%", "NoShows", "10", "Of", "120")}),
		explained(page, "tables", views.Rank{Label: "T1", Value: 612, Text: "61.2%"}, views.Rank{Label: "T2", Text: "0%"})}
	won := func(n int64) string { return i18n.Won(lang, n) }
	page.Methods = []views.MethodRow{
		{Label: page.T("reports.method_wallet"), Paid: won(4_120_000), Refunded: won(240_000), Net: won(3_880_000)},
		{Label: page.T("reports.method_card"), Paid: won(9_600_000), Refunded: won(640_000), Net: won(8_960_000)},
		{Label: page.T("reports.method_sum"), Paid: won(13_720_000), Refunded: won(880_000), Net: won(12_840_000)}}
	for i := range int64(3) {
		page.Payouts = append(page.Payouts, views.PayoutRow{Label: i18n.Date(lang, evening.AddDate(0, 0, int(i))),
			Taken: won(240_000 + 20_000*i), Returned: won(20_000 * i), Fees: won(6_720), Net: won(233_280),
			PaidOut: i18n.Date(lang, evening.AddDate(0, 0, int(i)+2))})
	}
	page.Payouts[2].PaidOut = ""
	all["reports"] = reports.Page(page)
}

func explained(page views.ReportPage, id string, ranks ...views.Rank) views.RankList {
	return views.RankList{ID: "rank-" + id, Title: page.T("reports." + id + "_title"),
		Description: page.T("reports." + id + "_text"), Of: page.T("reports." + id + "_of"),
		Unit: page.T("reports." + id + "_unit"), Ranks: ranks}
}

func reportForm(lang string) views.ReportPage {
	page := views.ReportPage{StaffShell: staffShell(lang, views.SectionReports),
		Query: views.ReportQuery{From: "2026-10-25", To: "2026-11-21"}}
	for _, key := range []string{"today", "days_7", "days_28", "days_90", "month", "last_month", "year"} {
		page.Presets = append(page.Presets, views.ReportPreset{Label: page.T("reports." + key),
			URL: views.ReportsURL(1, page.Query), Current: key == "days_28"})
	}
	page.Times = []views.Choice{{Label: page.T("reports.any")}, {Value: "19:00", Label: i18n.Clock(lang, "19:00")}}
	page.Parties = []views.Choice{{Label: page.T("reports.any")}, {Value: "2", Label: i18n.Party(lang, 2)}}
	page.Sources = []views.Choice{{Label: page.T("reports.any")},
		{Value: "phone", Label: page.T("reports.source_phone")}}
	return page
}

func bars(page views.ReportPage, id string) views.BarChart {
	c := views.BarChart{Lang: page.Lang, ID: "chart-" + id, Title: page.T("reports." + id + "_title"),
		Of: page.T("reports.day"), Unit: page.T("reports." + id + "_unit"),
		Description: page.T("reports.covers_text", "Total", "1,284", "Best",
			i18n.Date(page.Lang, evening), "Most", "98")}
	for i := range 28 {
		day := evening.AddDate(0, 0, i-27)
		c.Bars = append(c.Bars, views.Bar{Label: i18n.Date(page.Lang, day), Tick: day.Format("1/2"), Value: i * 37 % 98,
			Text: fmt.Sprint(i * 37 % 98)})
	}
	return c
}
