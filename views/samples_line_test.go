package views_test

import (
	"time"

	"github.com/a-h/templ"

	"lunchgo/app/reserve"
	"lunchgo/views"
	"lunchgo/views/pages"
	"lunchgo/views/staff"
)

// addSteered adds the pages of a line that its restaurant steers.
func addSteered(lang string, all map[string]templ.Component) {
	paused := views.Steering{Paused: true, Now: evening, Reason: pick(lang, "주방이 밀렸습니다", "The kitchen is full"),
		Notice: pick(lang, "10분 뒤에 다시 받습니다. 기다려 주셔서 고맙습니다.", "We go on in ten minutes. Thank you for waiting.")}
	opening := views.Steering{OpensAt: evening.Add(64*time.Minute + 5*time.Second), Draw: true, Now: evening}
	waiting := views.Waiting{Layout: layout(lang, "/tickets/T.s"), Ticket: "T.s", Visit: visit(2),
		HoldUnseen: 3 * time.Minute, Refresh: 5, Status: status(lang)}
	waiting.Status.Steering = paused
	all["line-paused"] = pages.Waiting(waiting)
	waiting.Status.Steering = opening
	all["line-draw"] = pages.Waiting(waiting)
	waiting.Status.Steering.Draw = false
	all["line-opening"] = pages.Waiting(waiting)
	all["line-removed"] = pages.Outcome(views.Outcome{Layout: layout(lang, "/tickets/T.s"),
		Visit: visit(2), Kind: views.OutcomeRemoved,
		Reason: waiting.T("steering.said", "Text", paused.Reason)})

	page := views.StaffLine{StaffShell: shell(lang, "/staff/restaurants/1/slots/2026-11-21/19:00/line"), At: evening,
		MayPause: true, MaxReason: 200, MaxNotice: 300,
		Status: views.StaffLineStatus{Lang: lang, RestaurantID: 1, At: evening,
			Count: 128}}
	for i, name := range []string{pick(lang, "정하린", "Harin Jung"),
		pick(lang, "남궁민수", "Bartholomew Featherstonehaugh-Cholmondeley"), ""} {
		page.Status.Waiters = append(page.Status.Waiters, reserve.Waiter{ID: "w" + string(rune('a'+i)), Name: name,
			PartySize: 2 + i, Position: i, Since: evening.Add(-time.Minute)})
	}
	all["staff-line"] = staff.Line(page)
	page.Status.Steering, page.Notice, page.Removing = paused, paused.Notice, &page.Status.Waiters[1]
	page.Errors = views.FieldErrors{views.FieldReason: page.T("error.field.required")}
	all["staff-line-remove"] = staff.Line(page)
	page.Removing, page.Errors, page.Status.Waiters, page.Status.Count = nil, nil, nil, 0
	page.Status.Steering = opening
	all["staff-line-nobody"] = staff.Line(page)
}
