package views_test

import (
	"github.com/a-h/templ"

	"lunchgo/app/booking"
	board "lunchgo/app/evening"
	"lunchgo/app/reserve"
	"lunchgo/views"
	"lunchgo/views/staff"
)

// steeredSlots are slots in each state that staff can set.
func steeredSlots(lang string) []views.EveningSlot {
	slot := func(after, taken int) views.EveningSlot {
		return views.EveningSlot{State: board.SlotOpen, Slot: board.Slot{Start: minutes(after),
			Occupancy: booking.Occupancy{Capacity: 20, Held: taken}}}
	}
	over, open, closed, paused, planned := slot(-60, 18), slot(0, 12), slot(60, 8), slot(120, 4), slot(180, 0)
	over.State, open.Line.Waiting = board.SlotOver, 14
	closed.Closed, closed.Reason = true, pick(lang, "대관", "Private party")
	paused.Paused, paused.Reason = true, hostile
	planned.OpensAt, planned.Draw = minutes(-600), true
	return []views.EveningSlot{over, open, closed, paused, planned}
}

func addSteering(lang string, all map[string]templ.Component) {
	slots := steeredSlots(lang)
	page := views.StaffControls{StaffShell: shell(lang, views.StaffSlotControlsURL(1, evening)),
		SlotOrDay: views.SlotOrDay{Restaurant: 1, At: evening}, Today: evening, Slots: slots[1:2], CanPlan: true, CanStop: true, HasSeats: true, MaxCapacity: 200}
	all["staff-controls"] = staff.Controls(page)
	refused := page
	refused.Typed = views.SteerForm{Part: views.PartCapacity, Capacity: "8"}
	refused.Errors = views.FieldErrors{views.FieldCapacity: page.T("steer.conflict_sold", "N", 12)}
	refused.Conflict = views.Conflict{Sold: 12, Parties: []views.StaffParty{
		{Name: pick(lang, "김하늘", "Haneul Kim"), Party: 4, At: evening, Seats: []string{"A1"}},
		{Name: hostile, Party: 8, At: evening}}}
	all["staff-controls-refused"] = staff.Controls(refused)
	day := page
	day.Layout, day.IsDay, day.Slots = layout(lang, views.StaffDayURL(1, evening)), true, slots
	all["staff-day"] = staff.Controls(day)
	day.IsOver, day.Slots = true, slots[:1]
	all["staff-day-over"] = staff.Controls(day)
	all["staff-what-if"] = staff.Preview(views.StaffPreview{StaffShell: page.StaffShell,
		Title: page.T("steerask.close", "When", pick(lang, "11월 21일 오후 7:00", "Nov 21, 7:00 pm")),
		Lines: []string{page.T("steer.line_reason", "Reason", hostile), page.T("steertext.close")},
		Part:  views.PartClose, Danger: true,
		Affected: reserve.Affected{Waiting: 14, Holds: 1, Reservations: 5, Money: 260_000},
		Action:   views.StaffSlotControlsURL(1, evening), Back: views.StaffSlotControlsURL(1, evening)})
	all["staff-blocked-seats"] = staff.BlockedSeats(views.StaffBlockedSeats{StaffShell: page.StaffShell,
		SlotOrDay: page.SlotOrDay,
		Room:      hall(), Seats: []views.BlockableSeat{{ID: 1, Label: "A1", Blocked: true,
			Reason: pick(lang, "의자 수리", "Broken chair")},
			{ID: 2, Label: "A2", Guest: pick(lang, "김하늘", "Haneul Kim")}, {ID: 3, Label: "B1", Partly: true},
			{ID: 4, Label: "B2"}}})
	all["staff-blocked-seats-day"] = staff.BlockedSeats(views.StaffBlockedSeats{StaffShell: page.StaffShell,
		SlotOrDay: day.SlotOrDay, MaxDays: 31, Room: hall(),
		Seats: []views.BlockableSeat{{ID: 1, Label: "A1", Partly: true},
			{ID: 2, Label: "A2"}}})
	stop := views.StaffStop{StaffShell: shell(lang, views.StaffStopURL(1))}
	all["staff-stop"] = staff.Stop(stop)
	stop.Stopped, stop.Reason = true, pick(lang, "주방 화재 점검", "Fire check in the kitchen")
	all["staff-stop-stopped"] = staff.Stop(stop)
}
