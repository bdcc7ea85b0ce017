package reports

import (
	"time"

	"lunchgo/app/reports"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// figures are the numbers above the charts.
func (m model) figures(r reports.Report) []views.ReportFigure {
	now, past := r.Total, r.Past
	all := []views.ReportFigure{
		m.count("covers", pair{now.Covers, past.Covers}, views.Welcome),
		m.came(now, past),
		m.averageParty(pair{now.AverageParty(), past.AverageParty()}),
		m.won("revenue", pair64{now.Revenue(), past.Revenue()}, views.Welcome),
		m.noShows(now, past),
		m.count("cancelled", pair{now.CancelledParties, past.CancelledParties}, views.Unwelcome),
		m.count("expired", pair{now.ExpiredHolds + now.AbandonedHolds, past.ExpiredHolds + past.AbandonedHolds},
			views.Neutral),
	}
	all = append(all, m.turn(r.Turn()), m.returning(r.Guests))
	if !r.IsOfAll() {
		return all
	}
	return append(all, m.seatHour(now, past), m.seatUse(now, past), m.served(now.Line, past.Line),
		m.soldOut(now, past), m.waitlist(now.Waitlist, past.Waitlist))
}

// money are the amounts that the revenue is made of.
func (m model) money(r reports.Report) []views.ReportFigure {
	now, past := r.Total, r.Past
	if now.Deposits+now.Prepaid == 0 {
		return nil
	}
	return []views.ReportFigure{
		m.won("deposits", pair64{now.Deposits, past.Deposits}, views.Neutral),
		m.won("prepaid", pair64{now.Prepaid, past.Prepaid}, views.Neutral),
		m.won("refunds", pair64{now.Refunds + now.RefundsDue, past.Refunds + past.RefundsDue}, views.Unwelcome),
		m.won("revenue", pair64{now.Revenue(), past.Revenue()}, views.Welcome),
	}
}

// methods are what was paid by each method, and their sum.
func (m model) methods(r reports.Report) []views.MethodRow {
	if r.Total.Deposits+r.Total.Prepaid == 0 {
		return nil
	}
	var rows []views.MethodRow
	row := func(key string, of reports.Money) {
		won := func(n int64) string { return i18n.Won(m.shell.Lang, n) }
		rows = append(rows, views.MethodRow{Label: m.t(key), Paid: won(of.Paid), Refunded: won(of.Refunded), Net: won(of.Net())})
	}
	var sum reports.Money
	for _, of := range r.Total.ByMethod() {
		row("method_"+string(of.Method), of)
		sum.Paid, sum.Refunded = sum.Paid+of.Paid, sum.Refunded+of.Refunded
	}
	row("method_sum", sum)
	return rows
}

// pair is a number now and in the period before; pair64 is one of won.
type (
	pair   struct{ now, past int }
	pair64 struct{ now, past int64 }
)

// count is a number of parties or people; more says what more of it is.
func (m model) count(key string, of pair, more views.Outlook) views.ReportFigure {
	f := views.ReportFigure{Label: m.t(key)}
	if of.now != 0 {
		f.Value = i18n.Number(of.now)
	}
	m.compare(&f, of, i18n.Number, more)
	return f
}

func (m model) won(key string, of pair64, more views.Outlook) views.ReportFigure {
	f := views.ReportFigure{Label: m.t(key)}
	if of.now != 0 {
		f.Value = i18n.Won(m.shell.Lang, of.now)
	}
	m.compare(&f, pair{int(of.now), int(of.past)}, func(n int) string { return i18n.Won(m.shell.Lang, int64(n)) }, more)
	return f
}

// compare adds by how much a figure differs from the one before, with sign and words.
func (m model) compare(f *views.ReportFigure, of pair, write func(int) string, more views.Outlook) {
	opposite := map[views.Outlook]views.Outlook{views.Welcome: views.Unwelcome, views.Unwelcome: views.Welcome}
	switch by := of.now - of.past; {
	case of == pair{} || !m.comparable:
	case by > 0:
		f.Change, f.Outlook = m.t("more", "By", write(by)), more
	case by < 0:
		f.Change, f.Outlook = m.t("less", "By", write(-by)), opposite[more]
	default:
		f.Change = m.t("same")
	}
}

func (m model) averageParty(of pair) views.ReportFigure {
	tenths := func(hundredths int) string { return m.t("people", "People", decimal((hundredths+5)/10)) }
	f := views.ReportFigure{Label: m.t("average_party")}
	if of.now != 0 {
		f.Value = tenths(of.now)
	}
	if of.past != 0 && of.now != 0 {
		m.compare(&f, of, tenths, views.Neutral)
	}
	return f
}

// decimal writes tenths: 2.5.
func decimal(tenths int) string {
	text := i18n.Number(tenths / 10)
	if tenths%10 != 0 {
		text += "." + i18n.Number(tenths%10)
	}
	return text
}

// came are all parties that came, or are expected, with how many of them nobody marked.
func (m model) came(now, past reports.Figures) views.ReportFigure {
	f := m.count("parties", pair{now.Parties, past.Parties}, views.Welcome)
	if now.NotMarkedParties > 0 {
		f.Note = m.t("not_marked_note", "Count", now.NotMarkedParties)
	}
	return f
}

func (m model) noShows(now, past reports.Figures) views.ReportFigure {
	f := views.ReportFigure{Label: m.t("no_shows")}
	if now.NoShowParties > 0 {
		f.Value = i18n.Number(now.NoShowParties)
		f.Note = m.t("no_show_note", "Share", views.PerCent(now.NoShowShare()), "People", i18n.Number(now.NoShowCovers))
	}
	m.compare(&f, pair{now.NoShowParties, past.NoShowParties}, i18n.Number, views.Unwelcome)
	return f
}

func (m model) served(now, past reports.Line) views.ReportFigure {
	f := views.ReportFigure{Label: m.t("line_served")}
	share := func(l reports.Line) int { return reports.Figures{Line: l}.Served() }
	if now.Asked() > 0 {
		f.Value = views.PerCent(share(now))
		f.Note = m.t("line_note", "Asked", i18n.Number(now.Asked()), "Served", i18n.Number(now.Served))
	}
	if now.Asked() > 0 && past.Asked() > 0 {
		points := func(n int) string { return m.t("points", "Points", decimal(n)) }
		m.compare(&f, pair{share(now), share(past)}, points, views.Neutral)
	}
	return f
}

func (m model) soldOut(now, past reports.Figures) views.ReportFigure {
	f := views.ReportFigure{Label: m.t("sold_out")}
	if now.SoldOutSlots > 0 {
		f.Value = i18n.Number(now.SoldOutSlots)
		f.Note = m.t("sold_out_note_at_once")
	}
	if now.TimedSoldOutSlots > 0 {
		f.Note = m.t("sold_out_note", "Time", m.length(now.SellOutMean()))
	}
	m.compare(&f, pair{now.SoldOutSlots, past.SoldOutSlots}, i18n.Number, views.Neutral)
	return f
}

func (m model) waitlist(now, past reports.Waitlist) views.ReportFigure {
	f := views.ReportFigure{Label: m.t("waitlist")}
	if now.Joined > 0 {
		f.Value = i18n.Number(now.Joined)
		f.Note = m.t("waitlist_note", "Offered", i18n.Number(now.Offered), "Accepted", i18n.Number(now.Accepted))
	}
	m.compare(&f, pair{now.Joined, past.Joined}, i18n.Number, views.Neutral)
	return f
}

// turn is how long parties stayed.
func (m model) turn(of reports.TurnTime) views.ReportFigure {
	f := views.ReportFigure{Label: m.t("turn"), Note: m.t("turn_note_none")}
	if of.Parties > 0 {
		f.Value = m.length(60 * int64(of.Minutes))
		f.Note = m.t("turn_note", "Count", of.Parties)
	}
	return f
}

// returning are the parties whose guest had come before.
func (m model) returning(of reports.Guests) views.ReportFigure {
	f := views.ReportFigure{Label: m.t("returning")}
	if of.New+of.Returning > 0 {
		f.Value = views.PerCent(of.ReturningShare())
		f.Note = m.t("returning_note", "Returning", i18n.Number(of.Returning), "New", i18n.Number(of.New))
	}
	return f
}

// seatHour is the revenue per seat and hour.
func (m model) seatHour(now, past reports.Figures) views.ReportFigure {
	f := m.won("seat_hour", pair64{now.SeatHourRevenue(), past.SeatHourRevenue()}, views.Welcome)
	f.Note = m.t("seat_hour_note", "Hours", i18n.Number((now.SeatMinutesOpen+30)/60))
	return f
}

// seatUse is the share of the seats' open hours that was taken.
func (m model) seatUse(now, past reports.Figures) views.ReportFigure {
	f := views.ReportFigure{Label: m.t("seat_use"), Note: m.t("seat_use_note")}
	if now.SeatMinutesTaken > 0 {
		f.Value = views.PerCent(now.SeatUse())
	}
	if now.SeatMinutesOpen > 0 && past.SeatMinutesOpen > 0 {
		points := func(n int) string { return m.t("points", "Points", decimal(n)) }
		m.compare(&f, pair{now.SeatUse(), past.SeatUse()}, points, views.Welcome)
	}
	return f
}

// length is a duration as exactly as it needs to be: seconds, minutes, hours, or days.
func (m model) length(seconds int64) string {
	switch d := time.Duration(seconds) * time.Second; {
	case d < time.Minute:
		return m.t("seconds", "Count", seconds)
	case d < 48*time.Hour:
		if d > 3*time.Hour {
			d = d.Round(time.Hour)
		}
		return i18n.Length(m.shell.Lang, d.Round(time.Minute))
	default:
		return m.t("days", "Count", int(d.Round(24*time.Hour)/(24*time.Hour)))
	}
}
