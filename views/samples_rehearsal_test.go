package views_test

import (
	"time"

	"github.com/a-h/templ"

	"lunchgo/app/booking"
	"lunchgo/app/rehearsal"
	"lunchgo/views"
	"lunchgo/views/rehearsals"
)

func addRehearsal(lang string, all map[string]templ.Component) {
	page := views.Rehearsal{StaffShell: teamShell(lang, "owner"), First: evening, Last: evening.AddDate(0, 0, 14),
		Times: []views.Choice{
			{Value: "18:00", Label: "18:00"}, {Value: "19:00", Label: "19:00"}}}
	page.Form = views.RehearsalForm{Date: evening.Format(time.DateOnly), Time: "18:00", Guests: "500", AtOnce: "50",
		MinGuests: 50, MaxGuests: 500, MinAtOnce: 10, MaxAtOnce: 100}
	page.Path, page.Current, page.Fault = views.RehearsalURL(7), views.SectionSetup, page.T("error.guests_waiting")
	page.Live.Lang = lang
	all["rehearsal-refused"] = rehearsals.Rehearsal(page)
	page.Fault, page.Form.Guests = "", "5000"
	page.Errors = views.FieldErrors{views.FieldGuests: page.T("error.field.out_of_range", "Min", 50, "Max", 500)}
	all["rehearsal-wrong"] = rehearsals.Rehearsal(page)
	page.Errors, page.Form.Guests = nil, "500"
	page.Live = views.RehearsalLive{Lang: lang, Has: true, Running: true,
		At: evening.Add(-time.Hour), Slot: evening,
		Report: rehearsal.Report{Guests: 500, Answered: 212, AtOnce: 50, EstimatePercent: -1}}
	all["rehearsal-running"] = rehearsals.Rehearsal(page)
	page.Live.Running, page.Live.Broken = false, true
	page.Live.FirstMs, page.Live.MedianMs, page.Live.P95Ms, page.Live.LastMs, page.Live.TookMs = 41, 312, 904, 1_204, 10_300
	page.Live.Waits, page.Live.Line = []int{158, 92, 60, 60, 40, 40, 30, 10, 7, 3},
		[]int{38, 49, 46, 44, 20, 12, 3, 3, 2, 0}
	all["rehearsal-broken"] = rehearsals.Rehearsal(page)
	page.Live.Broken, page.Live.Answered, page.Live.Seated, page.Live.SoldOut, page.Live.Seats, page.Live.Taken = false,
		500, 8, 488, 20, 20
	page.Live.SoldOutMs, page.Live.LongestLine, page.Live.EstimatePercent = 1_300, 49, 97
	page.Live.Left, page.Live.Rechosen, page.Live.Slowed = 4, 21, true
	page.Live.Dishes = []rehearsal.SoldOutDish{{Name: booking.Text{Ko: "오늘의 반상", En: "Set of the day"}, AfterMs: 820},
		{Name: booking.Text{Ko: hostile}, AfterMs: 900}}
	all["rehearsal"] = rehearsals.Rehearsal(page)
	page.Live.Oversold, page.Live.OrderInversions, page.Live.Failed = 2, 1, 3
	all["rehearsal-not-ready"] = rehearsals.Rehearsal(page)
}
