package api

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/reports"
	"lunchgo/app/team"
	"lunchgo/app/web/access"
	reportpages "lunchgo/app/web/reports"
	workplaces "lunchgo/app/web/workplace"
)

func (a *API) reportsRoutes() group {
	return group{"reports", "A restaurant's figures.", []operation{
		{route: "GET /staff/restaurants/{restaurant}/reports", id: "findReport",
			right: access.Staff(team.SeeReports), run: does(a.period, a.findReport),
			summary: "Look back at a period",
			text: "Figures of the reservations for a period, in the restaurant's time zone. With `Accept: " +
				"text/csv` a file for spreadsheets, a row a slot.",
			query: []parameter{
				{name: "from", is: day, says: "The first date; 27 days before the last one if it is " +
					"missing."},
				{name: "to", is: day, says: "The last date; today if it is missing. A period has at " +
					"most 366 days."},
				{name: "weekday", is: number, says: "Only that day of the week; Sunday is 0.", bound: between(0, 6)},
				{name: "time", is: clock, says: "Only slots at that time."},
				{name: "party", is: number, says: "Only parties of that size.", bound: atLeast(1)},
				{name: "source", is: text, says: "Only reservations that were made like this.",
					bound: oneOf(constants["booking.Source"]...)},
			},
			gives: report{}, media: []string{fiber.MIMEApplicationJSON, mimeCSV}, says: "The report."},
		{route: "GET /staff/restaurants/{restaurant}/payouts", id: "listPayouts",
			right: access.Staff(team.SeeReports), run: does(a.period, a.listPayouts),
			summary: "What the payment provider moved, by day",
			text: "As the provider lists it: each past day is compared with the payments and kept. With `Accept: " +
				"text/csv` a file for spreadsheets.",
			query: []parameter{
				{name: "from", is: day, says: "The first date; 27 days before the last one if it is missing."},
				{name: "to", is: day, says: "The last date; today if it is missing. A period has at most 366 days."},
			},
			gives: payoutList{}, media: []string{fiber.MIMEApplicationJSON, mimeCSV},
			says: "The days on which money was moved, the first one first."},
	}}
}

func (a *API) rehearsalsRoutes() group {
	return group{"rehearsals", "Rushes of simulated guests, on a copy of the restaurant.", []operation{
		{route: "POST /staff/restaurants/{restaurant}/rehearsals", id: "runRehearsal",
			right: access.Staff(team.RunRehearsal), lacks: true, run: takes(a.staff, a.runRehearsal),
			summary: "Rehearse a rush",
			text: "Simulated guests press for one slot of a copy of the restaurant, which has its capacity, " +
				"seats, hours, length of slots, party sizes, deposit and menu with portions; some of them each " +
				"second. They go through the same checks, line and database as real guests; the network, " +
				"browsers and payments are left out. Nothing of it appears in figures or searches, and the copy " +
				"is deleted afterwards. One at a time of a restaurant and two in the installation, 3 an hour, " +
				"for 2 minutes at most. While real guests wait for a table elsewhere, fewer press at once.",
			status: 202, says: "It has begun.",
			refuses: []string{"rehearsal_running", "rehearsals_elsewhere", "guests_waiting",
				"too_many_rehearsals"}},
		{route: "GET /staff/restaurants/{restaurant}/rehearsals/{rehearsal}", id: "findRehearsal",
			right: access.Staff(team.RunRehearsal), run: answers(a.staff, a.findRehearsal),
			summary: "What the guests of a rehearsal live through",
			text:    "While it runs, what is known so far.",
			says:    "The rehearsal."},
	}}
}

// report is the look back at a period.
type report struct {
	From         booking.Date `json:"from"`
	To           booking.Date `json:"to"`
	ComparedFrom booking.Date `json:"comparedFrom"`
	ComparedTo   booking.Date `json:"comparedTo"`
	Totals       figures      `json:"totals"`
	Before       figures      `json:"before"` // totals of the period that it is compared with
	// false: of the first open days of that period nothing is stored, so that both are no match for each other
	Comparable bool               `json:"comparable"`
	Days       []dayFigures       `json:"days"`       // every date of the period
	Times      []timeFigures      `json:"times"`      // by slot time
	Weekdays   []weekdayFigures   `json:"weekdays"`   // covers by weekday and slot time
	Sources    []sourceFigures    `json:"sources"`    // by how they booked
	PartySizes []partySizeFigures `json:"partySizes"` // by party size
	LeadDays   []leadFigures      `json:"leadDays"`   // by days ahead
	Dishes     []dishFigures      `json:"dishes"`     // the ten most ordered
	Payments   []paymentFigures   `json:"payments"`   // by whether they had paid something before they were to come
	// Median minutes from seating to leaving, of parties for which staff marked both; null where there are none.
	TurnMinutes *int           `json:"turnMinutes"`
	Turns       []turnFigures  `json:"turns"` // by party size
	Guests      reports.Guests `json:"guests"`
	Tables      []tableFigures `json:"tables"` // named seats of today's plan; empty where seats have no names
}

// figures are reports.Figures, and what follows from them.
type figures struct {
	reports.Figures
	Revenue int64 `json:"revenue"` // won paid that does not come back
	// Won of revenue per seat and hour that the restaurant was open; null where it was not.
	RevenuePerSeatHour *int64 `json:"revenuePerSeatHour"`
	// What of this came by the wallets, and what by a payment provider: what comes back goes the way it came.
	Methods []methodMoney `json:"methods"`
	// From the opening of a slot, or its first reservation, until no seat was left, on average; null when no slot
	// was sold out, or the first party filled each at once.
	SellOutSeconds *int64      `json:"sellOutSeconds"`
	Line           lineFigures `json:"line"`
}

// methodMoney is what was paid by one method. What a change of a reservation gave back is in neither sum.
type methodMoney struct {
	Method   reports.Method `json:"method"`
	Paid     int64          `json:"paid"`     // won paid as deposits and for menus
	Refunded int64          `json:"refunded"` // won that is back, or will be
	Net      int64          `json:"net"`      // won paid that does not come back
}

type lineFigures struct {
	Asked int `json:"asked"` // people who asked for a table in line
	reports.Line
}

type dayFigures struct {
	Date booking.Date `json:"date"`
	figures
}

type timeFigures struct {
	Time booking.TimeOfDay `json:"time"`
	figures
}

// weekdayFigures is the covers of a weekday and time over so many dates.
type weekdayFigures struct {
	Weekday int               `json:"weekday"` // sunday is 0
	Time    booking.TimeOfDay `json:"time"`
	Covers  int               `json:"covers"`
	Dates   int               `json:"dates"` // how many dates have such a slot
}

type sourceFigures struct {
	Source  string `json:"source"`
	Parties int    `json:"parties"`
	Covers  int    `json:"covers"`
	NoShows int    `json:"noShows"` // parties that did not come
}

type paymentFigures struct {
	Paid    bool `json:"paid"` // a deposit, or menus in advance
	Parties int  `json:"parties"`
	NoShows int  `json:"noShows"` // parties that did not come
}

type turnFigures struct {
	PartySize int `json:"partySize"`
	Parties   int `json:"parties"`
	Minutes   int `json:"minutes"` // median
}

type tableFigures struct {
	SeatID     int64  `json:"seatId"`
	Label      string `json:"label"`
	SlotsTaken int    `json:"slotsTaken"`
	SlotsOpen  int    `json:"slotsOpen"` // of the restaurant
}

type partySizeFigures struct {
	PartySize int `json:"partySize"`
	Parties   int `json:"parties"`
}

type leadFigures struct {
	Days    int `json:"days"` // from booking to coming
	Parties int `json:"parties"`
}

type dishFigures struct {
	MenuItemID int64  `json:"menuItemId"`
	Name       string `json:"name"`
	Quantity   int    `json:"quantity"`
	Amount     int64  `json:"amount"` // won, at the prices of the orders
}

func newFigures(f reports.Figures) figures {
	out := figures{Figures: f, Revenue: f.Revenue(), Line: lineFigures{f.Line.Asked(), f.Line},
		Methods: list(f.ByMethod(), func(m reports.Money) methodMoney {
			return methodMoney{m.Method, m.Paid, m.Refunded, m.Net()}
		})}
	if mean := f.SellOutMean(); f.TimedSoldOutSlots > 0 {
		out.SellOutSeconds = &mean
	}
	if won := f.SeatHourRevenue(); f.SeatMinutesOpen > 0 {
		out.RevenuePerSeatHour = &won
	}
	return out
}

func newReport(lang string, r reports.Report) report {
	before := r.Period.Before()
	out := report{From: r.From, To: r.To, ComparedFrom: before.From, ComparedTo: before.To,
		Totals: newFigures(r.Total), Before: newFigures(r.Past), Comparable: r.Comparable, Times: []timeFigures{},
		Weekdays: []weekdayFigures{},
		Sources:  []sourceFigures{}, PartySizes: []partySizeFigures{}, LeadDays: []leadFigures{},
		Days: list(r.Days, func(d reports.Day) dayFigures { return dayFigures{d.Date, newFigures(d.Figures)} }),
		Dishes: list(r.Dishes, func(d reports.Dish) dishFigures {
			return dishFigures{d.MenuItemID, d.Name.In(lang), d.Quantity, d.Amount}
		}),
		Payments: []paymentFigures{}, Guests: r.Guests,
		Turns: list(r.Turns, func(t reports.TurnTime) turnFigures { return turnFigures{t.Size, t.Parties, t.Minutes} }),
		Tables: list(r.Tables, func(t reports.Table) tableFigures {
			return tableFigures{t.SeatID, t.Label, t.Slots, r.Total.OpenSlots}
		})}
	if turn := r.Turn(); turn.Parties > 0 {
		out.TurnMinutes = &turn.Minutes
	}
	for i, row := range r.Heat() {
		out.Times = append(out.Times, timeFigures{r.Times[i].Time, newFigures(r.Times[i].Figures)})
		for column, cell := range row {
			if cell.Dates > 0 {
				out.Weekdays = append(out.Weekdays,
					weekdayFigures{int(reports.WeekdayOf(column)), r.Times[i].Time, cell.Covers, cell.Dates})
			}
		}
	}
	for _, g := range r.Groups {
		switch g.Kind {
		case reports.BySource:
			out.Sources = append(out.Sources, sourceFigures{g.Value, g.Parties, g.Covers, g.NoShows})
		case reports.ByPayment:
			out.Payments = append(out.Payments, paymentFigures{g.Value == reports.Paid, g.Parties, g.NoShows})
		case reports.ByParty:
			out.PartySizes = append(out.PartySizes, partySizeFigures{g.Number, g.Parties})
		case reports.ByLead:
			out.LeadDays = append(out.LeadDays, leadFigures{g.Number, g.Parties})
		}
	}
	return out
}

// mimeCSV is the media type of a report as a file for spreadsheets.
const mimeCSV = "text/csv"

// period reads of which reports a request asks for.
func (a *API) period(c *fiber.Ctx) (of period, err error) {
	if of.Workplace, err = a.staff(c); err == nil {
		of.Filter, err = reports.Parse(reportpages.ReadQuery(c), of.Today(a.Bookings.Now()))
	}
	return of, err
}

type period struct {
	workplaces.Workplace
	reports.Filter
}

// prefersFile says whether a request asks for CSV, whose headings are names for programs.
func prefersFile(c *fiber.Ctx) bool {
	c.Vary(fiber.HeaderAccept)
	return c.Accepts(fiber.MIMEApplicationJSON, mimeCSV) == mimeCSV
}

func (a *API) findReport(c *fiber.Ctx, of period) error {
	r, err := a.Reports.Read(c.UserContext(), of.By, of.Restaurant, of.Filter)
	if err != nil {
		return err
	}
	lang := speak(c)
	if prefersFile(c) {
		words := reportpages.Words(lang, of.Restaurant)
		words.Heading = func(key string) string { return key }
		return reportpages.SendFile(c, of.Restaurant, r, words)
	}
	return c.JSON(newReport(lang, r))
}

type payoutList struct {
	Payouts []payout `json:"payouts"`
}

// payout is what a payment provider took and gave back for a restaurant on a day.
type payout struct {
	reports.Payout
	Net int64 `json:"net"` // won that the provider pays out; negative when more went back
	// On which the last of it is paid out; null while that is not known.
	PaidOut *booking.Date `json:"paidOut"`
}

func newPayout(p reports.Payout) payout { return payout{p, p.Net(), orNull(p.PaidOut)} }

func (a *API) listPayouts(c *fiber.Ctx, of period) error {
	days, err := a.Reports.Payouts(c.UserContext(), of.By, of.Restaurant, of.Period)
	if err != nil {
		return err
	}
	speak(c)
	if prefersFile(c) {
		words := reports.Words{Heading: func(key string) string { return key }}
		return reportpages.SendPayouts(c, of.Restaurant, of.Period, days, words)
	}
	return c.JSON(payoutList{list(days, newPayout)})
}
