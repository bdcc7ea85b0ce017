// Package reports shows a restaurant's staff what came of a period: as a page with charts, and as a file for
// spreadsheets.
package reports

import (
	"bytes"
	"errors"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/reports"
	"lunchgo/app/sheet"
	"lunchgo/app/team"
	"lunchgo/app/web/respond"
	"lunchgo/app/web/workplace"
	"lunchgo/views"
	"lunchgo/views/i18n"
	pages "lunchgo/views/reports"
)

// Pages answers the requests of staff.
type Pages struct {
	Places  workplace.Finder
	Reports *reports.Service
	Now     func() time.Time
}

// Mount adds the routes.
func (p *Pages) Mount(r fiber.Router, gates respond.Gates) {
	r.Get("/staff/restaurants/:restaurant/reports", gates.Shed, p.Places.For(team.SeeReports, p.page))
	r.Get("/staff/restaurants/:restaurant/reports/file.csv", gates.Shed, respond.ForBoth(p.asked, p.file))
	r.Get("/staff/restaurants/:restaurant/reports/payouts.csv", gates.Shed, respond.ForBoth(p.asked, p.payouts))
}

// ReadQuery reads the filter of a request as it was typed.
func ReadQuery(c *fiber.Ctx) reports.Query {
	text := func(name string) string { return strings.Clone(c.Query(name)) }
	return reports.Query{From: text(views.FieldFrom), To: text(views.FieldTo), Weekday: text(views.FieldWeekday),
		Time: text(views.FieldTime), Party: text(views.FieldParty), Source: text(views.FieldSource)}
}

// page answers GET /staff/restaurants/{id}/reports; a filter that makes no sense comes back with what is wrong, as a
// 422.
func (p *Pages) page(c *fiber.Ctx, w workplace.Workplace) error {
	query, today := ReadQuery(c), w.Today(p.Now())
	filter, err := reports.Parse(query, today)
	var invalid *booking.InvalidError
	model := model{shell: p.Places.Shell(c, w, views.SectionReports), place: w, today: today, filter: filter}
	if errors.As(err, &invalid) {
		return respond.Render(c, fiber.StatusUnprocessableEntity, pages.Page(model.refused(query, invalid)))
	}
	if err != nil {
		return err
	}
	report, err := p.Reports.Read(c.UserContext(), w.By, w.Restaurant, filter)
	if err != nil {
		return err
	}
	payouts, err := p.Reports.Payouts(c.UserContext(), w.By, w.Restaurant, filter.Period)
	if err != nil {
		return err
	}
	return respond.Render(c, fiber.StatusOK, pages.Page(model.page(report, payouts)))
}

// asked returns the restaurant of a request for a file, and what the file is about.
func (p *Pages) asked(c *fiber.Ctx) (workplace.Workplace, reports.Filter, error) {
	w, err := p.Places.Allowed(c, team.SeeReports)
	if err != nil {
		return w, reports.Filter{}, err
	}
	filter, err := reports.Parse(ReadQuery(c), w.Today(p.Now()))
	return w, filter, err
}

// file answers GET /staff/restaurants/{id}/reports/file.csv.
func (p *Pages) file(c *fiber.Ctx, w workplace.Workplace, filter reports.Filter) error {
	report, err := p.Reports.Read(c.UserContext(), w.By, w.Restaurant, filter)
	if err != nil {
		return err
	}
	lang := respond.Lang(c)
	return SendFile(c, w.Restaurant, report, Words(lang, w.Restaurant))
}

// Words are what a file is called and calls things in a language.
func Words(lang string, r booking.Restaurant) reports.Words {
	return reports.Words{Restaurant: r.Name.In(lang), Heading: func(key string) string {
		return i18n.T(lang, "reports.column_"+key)
	},
		Weekday: func(day int) string { return i18n.Weekday(lang, time.Weekday(day)) }}
}

// SendFile answers with a report as a file for spreadsheets. It has a row a slot of a year at most, and so is made in
// memory.
func SendFile(c *fiber.Ctx, r booking.Restaurant, report reports.Report, words reports.Words) error {
	var file bytes.Buffer
	if err := reports.WriteCSV(&file, report, words); err != nil {
		return err
	}
	return sendCSV(c, r, report.Period, file.Bytes())
}

// payouts answers GET /staff/restaurants/{id}/reports/payouts.csv.
func (p *Pages) payouts(c *fiber.Ctx, w workplace.Workplace, filter reports.Filter) error {
	payouts, err := p.Reports.Payouts(c.UserContext(), w.By, w.Restaurant, filter.Period)
	if err != nil {
		return err
	}
	return SendPayouts(c, w.Restaurant, filter.Period, payouts, Words(respond.Lang(c), w.Restaurant))
}

// SendPayouts answers with payouts as a file for spreadsheets.
func SendPayouts(c *fiber.Ctx, r booking.Restaurant, period reports.Period, payouts []reports.Payout,
	words reports.Words) error {
	var file bytes.Buffer
	if err := reports.WritePayouts(&file, payouts, words); err != nil {
		return err
	}
	return sendCSV(c, r, period, file.Bytes())
}

func sendCSV(c *fiber.Ctx, r booking.Restaurant, period reports.Period, file []byte) error {
	dates := string(period.From) + "-" + string(period.To)
	respond.CSV(r.Slug+"-"+dates+".csv",
		sheet.FileName(r.Name.In(respond.Lang(c)), string(period.From), string(period.To))).Attach(c)
	return c.Send(file)
}
