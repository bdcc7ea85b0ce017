package views

import (
	"strconv"
)

// Names of the fields of a report's filter, besides FieldFrom, FieldTime and FieldParty.
const (
	FieldTo      = "to"      // YYYY-MM-DD
	FieldWeekday = "weekday" // 0 for Sunday to 6
)

// ReportQuery is the filter of a report as it is in an address; empty texts mean any, and the usual period.
type ReportQuery struct {
	From, To, Weekday, Time, Party, Source string
}

// ReportsURL is the look back of a restaurant. The query is from=, to=, weekday=, time=, party=, source=.
// GET: reports.Page.
func ReportsURL(restaurant int64, q ReportQuery) string {
	return withQuery(StaffSectionURL(restaurant, SectionReports), q.pairs()...)
}

// ReportFileURL downloads the look back as a file for spreadsheets, with the query of ReportsURL.
func ReportFileURL(restaurant int64, q ReportQuery) string {
	return withQuery(StaffSectionURL(restaurant, SectionReports)+"/file.csv", q.pairs()...)
}

// PayoutFileURL downloads the payouts of the period.
func PayoutFileURL(restaurant int64, q ReportQuery) string {
	return withQuery(StaffSectionURL(restaurant, SectionReports)+"/payouts.csv", q.pairs()...)
}

func (q ReportQuery) pairs() []string {
	return []string{FieldFrom, q.From, FieldTo, q.To, FieldWeekday, q.Weekday, FieldTime, q.Time, FieldParty, q.Party,
		FieldSource, q.Source}
}

// ReportPage is the look back of a restaurant. Component: reports.Page(views.ReportPage).
type ReportPage struct {
	StaffShell
	Query   ReportQuery // as typed
	Errors  FieldErrors
	Presets []ReportPreset
	Times   []Choice // to filter by
	Parties []Choice
	Sources []Choice

	Period  string // in words; empty while the filter is wrong
	Before  string // the period that it is compared with
	Since   string // the day of the first booking, where Before is no match for it; empty: it is
	IsEmpty bool
	IsPart  bool // of the parties only, so that some figures are left out
	Figures []ReportFigure
	Covers  BarChart
	Heat    HeatTable
	SellOut LineChart
	Line    ShareBar
	Ranks   []RankList // sources, party sizes, days ahead, dishes, turn times, no-shows, tables
	Money   []ReportFigure
	Methods []MethodRow // the sum last; empty where nothing was paid
	Payouts []PayoutRow // by day, the sum last; empty where no provider moved money
}

// MethodRow is what was paid by a method, and what goes back that way.
type MethodRow struct {
	Label, Paid, Refunded, Net string
}

// PayoutRow is what a payment provider moved on a day.
type PayoutRow struct {
	Label    string
	Taken    string
	Returned string
	Fees     string
	Net      string
	PaidOut  string // a date; empty while it is not known
}

// ReportPreset is a way to a usual period.
type ReportPreset struct {
	Label   string
	URL     string
	Current bool
}

// ReportFigure is a number with what it was in the period before.
type ReportFigure struct {
	Label   string
	Value   string // empty: nothing to count
	Note    string
	Change  string // in words, with its sign; empty where there is nothing to compare
	Outlook Outlook
}

// Outlook says whether a change is welcome.
type Outlook string

// The outlooks of changes.
const (
	Neutral   Outlook = ""
	Welcome   Outlook = "good"
	Unwelcome Outlook = "bad"
)

// Bar is one value of a chart. Label names it in full, Tick below the axis.
type Bar struct {
	Label, Tick string
	Value       int
	Text        string // the value as it is read
	Missing     bool   // there is none: a line has a gap here
}

// BarChart is values side by side. Component: reports.Bars.
type BarChart struct {
	Lang        string
	ID          string // of the page's elements
	Title       string
	Description string // what is to be seen, in a sentence
	Of, Unit    string // headings of its table
	Bars        []Bar
}

// LineChart is values over time, joined where there are some. Component: reports.Lines.
type LineChart struct {
	BarChart
	Axis func(value int) string // writes a value beside the axis
}

// HeatTable is covers by slot time and weekday. Component: reports.Heat.
type HeatTable struct {
	Lang, Title, Description string
	Weekdays                 []string
	Rows                     []HeatRow
}

// HeatRow is one slot time.
type HeatRow struct {
	Time  string
	Cells []HeatCell
}

// HeatCell is an average; Level is from 0 to 5, -1 where there was no slot.
type HeatCell struct {
	Value, Level int
}

// Share is a part of a whole.
type Share struct {
	Label    string
	Count    int
	PerMille int
}

// ShareBar is a whole in its parts. Component: reports.Shares.
type ShareBar struct {
	Lang, ID, Title, Description string
	Shares                       []Share
}

// Rank is an entry of a RankList.
type Rank struct {
	Label string
	Value int
	Text  string
}

// RankList is values with their names. Component: reports.Ranked.
type RankList struct {
	ID, Title   string
	Description string // what is counted, in a sentence; empty where the title says it
	Of, Unit    string // headings
	Ranks       []Rank
}

// Largest is the largest value, at least 1.
func (l RankList) Largest() int {
	most := 1
	for _, r := range l.Ranks {
		most = max(most, r.Value)
	}
	return most
}

// WeekdayValue is a day of the week as forms have it.
func WeekdayValue(day int) string { return strconv.Itoa(day) }

// PerCent writes thousandths as a share: 12.3%.
func PerCent(perMille int) string {
	sign := ""
	if perMille < 0 {
		sign, perMille = "−", -perMille
	}
	text := sign + strconv.Itoa(perMille/10)
	if tenth := perMille % 10; tenth > 0 {
		text += "." + strconv.Itoa(tenth)
	}
	return text + "%"
}
