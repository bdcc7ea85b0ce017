package api

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/reports"
	"lunchgo/app/team"
	reportpages "lunchgo/app/web/reports"
)

// report is the look back at a period.
type report struct {
	From         booking.Date `json:"from"`
	To           booking.Date `json:"to"`
	ComparedFrom booking.Date `json:"comparedFrom"`
	ComparedTo   booking.Date `json:"comparedTo"`
	Totals       figures      `json:"totals"`
	Before       figures      `json:"before"`     // totals of the period that it is compared with
	Days         []dayFigures `json:"days"`       // every date of the period
	Times        []timeFigure `json:"times"`      // by slot time
	Weekdays     []heatCell   `json:"weekdays"`   // covers by weekday and slot time
	Sources      []sourceSum  `json:"sources"`    // by how they booked
	PartySizes   []partySum   `json:"partySizes"` // by party size
	LeadDays     []leadSum    `json:"leadDays"`   // by days ahead
	Dishes       []dishSum    `json:"dishes"`     // the ten most ordered
}

// figures are reports.Figures, and what follows from them.
type figures struct {
	Parties       int `json:"parties"` // that came, or are expected
	Covers        int `json:"covers"`  // their people
	NoShowParties int `json:"noShowParties"`
	NoShowCovers  int `json:"noShowCovers"`
	// Cancelled after they were confirmed.
	CancelledParties int `json:"cancelledParties"`
	CancelledCovers  int `json:"cancelledCovers"`
	ExpiredHolds     int `json:"expiredHolds"`   // not paid in time
	AbandonedHolds   int `json:"abandonedHolds"` // cancelled before they were paid
	// Won paid as deposits, and what changes kept.
	Deposits   int64 `json:"deposits"`
	Prepaid    int64 `json:"prepaid"`    // won paid for menus in advance
	Refunds    int64 `json:"refunds"`    // won that is back in the wallets
	RefundsDue int64 `json:"refundsDue"` // won that will be
	Revenue    int64 `json:"revenue"`    // won paid that does not come back
	// What of this came by the wallets, and what by a payment provider: what comes back goes the way it came.
	Methods []methodMoney `json:"methods"`
	// Slots in which no seat was left once.
	SoldOutSlots int `json:"soldOutSlots"`
	// From the opening of a slot, or its first reservation, until no seat was left, on average; null when no slot
	// was sold out.
	SellOutSeconds *int64          `json:"sellOutSeconds"`
	Line           lineFigures     `json:"line"`
	Waitlist       waitlistFigures `json:"waitlist"`
}

// methodMoney is what was paid by one method. What a change of a reservation gave back is in neither sum.
type methodMoney struct {
	Method   reports.Method `json:"method"`
	Paid     int64          `json:"paid"`     // won paid as deposits and for menus
	Refunded int64          `json:"refunded"` // won that is back, or will be
	Net      int64          `json:"net"`      // won paid that does not come back
}

type lineFigures struct {
	Asked    int `json:"asked"`    // people who asked for a table in line
	Served   int `json:"served"`   // who got one
	SoldOut  int `json:"soldOut"`  // for whom no seat was left
	Left     int `json:"left"`     // who left
	TimedOut int `json:"timedOut"` // who waited too long
	// Tries that were refused for another reason; not among those who asked.
	Refused int `json:"refused"`
}

type waitlistFigures struct {
	Joined   int `json:"joined"`
	Offered  int `json:"offered"`
	Accepted int `json:"accepted"`
}

type dayFigures struct {
	Date booking.Date `json:"date"`
	figures
}

type timeFigure struct {
	Time booking.TimeOfDay `json:"time"`
	figures
}

// heatCell is the covers of a weekday and time over so many dates.
type heatCell struct {
	Weekday int               `json:"weekday"` // sunday is 0
	Time    booking.TimeOfDay `json:"time"`
	Covers  int               `json:"covers"`
	Dates   int               `json:"dates"` // how many dates have such a slot
}

type sourceSum struct {
	Source  string `json:"source"`
	Parties int    `json:"parties"`
	Covers  int    `json:"covers"`
}

type partySum struct {
	PartySize int `json:"partySize"`
	Parties   int `json:"parties"`
}

type leadSum struct {
	Days    int `json:"days"` // from booking to coming
	Parties int `json:"parties"`
}

type dishSum struct {
	MenuItemID int64  `json:"menuItemId"`
	Name       string `json:"name"`
	Quantity   int    `json:"quantity"`
	Amount     int64  `json:"amount"` // won, at the prices of the orders
}

func newFigures(f reports.Figures) figures {
	out := figures{Parties: f.Parties, Covers: f.Covers, NoShowParties: f.NoShowParties, NoShowCovers: f.NoShowCovers,
		CancelledParties: f.CancelledParties, CancelledCovers: f.CancelledCovers, ExpiredHolds: f.ExpiredHolds,
		AbandonedHolds: f.AbandonedHolds, Deposits: f.Deposits, Prepaid: f.Prepaid, Refunds: f.Refunds,
		RefundsDue: f.RefundsDue, Revenue: f.Revenue(), SoldOutSlots: f.SoldOutSlots,
		Line: lineFigures{Asked: f.Line.Asked(), Served: f.Line.Served, SoldOut: f.Line.SoldOut, Left: f.Line.Left,
			TimedOut: f.Line.TimedOut, Refused: f.Line.Refused},
		Waitlist: waitlistFigures(f.Waitlist)}
	for _, m := range f.ByMethod() {
		out.Methods = append(out.Methods, methodMoney{m.Method, m.Paid, m.Refunded, m.Net()})
	}
	if mean := f.SellOutMean(); f.SoldOutSlots > 0 {
		out.SellOutSeconds = &mean
	}
	return out
}

func newReport(lang string, r reports.Report) report {
	before := r.Period.Before()
	out := report{From: r.From, To: r.To, ComparedFrom: before.From, ComparedTo: before.To,
		Totals: newFigures(r.Total), Before: newFigures(r.Past), Days: []dayFigures{}, Times: []timeFigure{},
		Weekdays: []heatCell{}, Sources: []sourceSum{}, PartySizes: []partySum{}, LeadDays: []leadSum{},
		Dishes: []dishSum{}}
	for _, d := range r.Days {
		out.Days = append(out.Days, dayFigures{d.Date, newFigures(d.Figures)})
	}
	for i, row := range r.Heat() {
		out.Times = append(out.Times, timeFigure{r.Times[i].Time, newFigures(r.Times[i].Figures)})
		for column, cell := range row {
			if cell.Dates > 0 {
				out.Weekdays = append(out.Weekdays,
					heatCell{int(reports.WeekdayOf(column)), r.Times[i].Time, cell.Covers, cell.Dates})
			}
		}
	}
	for _, g := range r.Groups {
		switch g.Kind {
		case reports.BySource:
			out.Sources = append(out.Sources, sourceSum{g.Value, g.Parties, g.Covers})
		case reports.ByParty:
			out.PartySizes = append(out.PartySizes, partySum{g.Number, g.Parties})
		case reports.ByLead:
			out.LeadDays = append(out.LeadDays, leadSum{g.Number, g.Parties})
		}
	}
	for _, d := range r.Dishes {
		out.Dishes = append(out.Dishes, dishSum{d.MenuItemID, d.Name.In(lang), d.Quantity, d.Amount})
	}
	return out
}

// mimeCSV is the media type of a report as a file for spreadsheets.
const mimeCSV = "text/csv"

// findReport answers GET /api/staff/restaurants/{restaurant}/reports, as JSON unless the request prefers CSV. The
// headings of CSV are names for programs.
func (a *API) findReport(c *fiber.Ctx) error {
	w, err := a.Places.Allowed(c, team.SeeReports)
	if err != nil {
		return err
	}
	filter, err := reports.Parse(reportpages.ReadQuery(c), w.Today(a.Bookings.Now()))
	if err != nil {
		return err
	}
	r, err := a.Reports.Read(c.UserContext(), w.By, w.Restaurant, filter)
	if err != nil {
		return err
	}
	c.Vary(fiber.HeaderAccept)
	speak(c)
	if c.Accepts(fiber.MIMEApplicationJSON, mimeCSV) == mimeCSV {
		words := reportpages.Words(language(c), w.Restaurant)
		words.Heading = func(key string) string { return key }
		return reportpages.SendFile(c, w.Restaurant, r, words)
	}
	return c.JSON(newReport(language(c), r))
}

type payoutList struct {
	Payouts []payout `json:"payouts"`
}

// payout is what a payment provider took and gave back for a restaurant on a day.
type payout struct {
	Date     booking.Date `json:"date"`
	Payments int          `json:"payments"`
	Refunds  int          `json:"refunds"`
	Taken    int64        `json:"taken"`    // won
	Returned int64        `json:"returned"` // won
	Fees     int64        `json:"fees"`     // won that the provider keeps
	Net      int64        `json:"net"`      // won that the provider pays out; negative when more went back
	// On which the last of it is paid out; null while that is not known.
	PaidOut *booking.Date `json:"paidOut"`
}

// listPayouts answers GET /api/staff/restaurants/{restaurant}/payouts, as JSON unless the request prefers CSV.
func (a *API) listPayouts(c *fiber.Ctx) error {
	w, err := a.Places.Allowed(c, team.SeeReports)
	if err != nil {
		return err
	}
	filter, err := reports.Parse(reportpages.ReadQuery(c), w.Today(a.Bookings.Now()))
	if err != nil {
		return err
	}
	list, err := a.Reports.Payouts(c.UserContext(), w.By, w.Restaurant, filter.Period)
	if err != nil {
		return err
	}
	c.Vary(fiber.HeaderAccept)
	speak(c)
	if c.Accepts(fiber.MIMEApplicationJSON, mimeCSV) == mimeCSV {
		words := reports.Words{Heading: func(key string) string { return key }}
		return reportpages.SendPayouts(c, w.Restaurant, filter.Period, list, words)
	}
	out := payoutList{Payouts: []payout{}}
	for _, p := range list {
		day := payout{Date: p.Date, Payments: p.Payments, Refunds: p.Refunds, Taken: p.Taken, Returned: p.Returned,
			Fees: p.Fees, Net: p.Net()}
		if p.PaidOut != "" {
			day.PaidOut = &p.PaidOut
		}
		out.Payouts = append(out.Payouts, day)
	}
	return c.JSON(out)
}
