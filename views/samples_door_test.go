package views_test

import (
	"time"

	"github.com/a-h/templ"

	"lunchgo/views"
	"lunchgo/views/i18n"
	"lunchgo/views/pages"
	"lunchgo/views/staff"
)

// doorParties are parties at the door in all states.
func doorParties(lang string) []views.DoorParty {
	wait := func(minutes int, at time.Time) string {
		return i18n.T(lang, "door.table_in", "Wait", i18n.Duration(lang, time.Duration(minutes)*time.Minute), "Time",
			i18n.Time(lang, at))
	}
	nameless := i18n.T(lang, "door.nameless")
	return []views.DoorParty{
		{ID: "A", Number: 3, Name: pick(lang, "김하늘", "Haneul Kim"), Phone: "010-1234-5678", Party: 2, State: "called",
			Since: 35, Called: 2, Free: true, Wait: wait(0, minutes(20))},
		{ID: "B", Number: 4, Name: nameless, Party: 4, State: "waiting", Since: 31, Passed: 1, Next: true, Free: true,
			Wait: wait(0, minutes(20))},
		{ID: "C", Number: 5, Name: hostile, Phone: "010-1234-5678", Party: 2, State: "waiting", Since: 12, Until: "20:30",
			Wait: wait(70, minutes(90))},
		{ID: "D", Number: 12, Name: nameless, Party: 12, State: "waiting", Since: 1},
		{ID: "E", Number: 2, Name: nameless, Party: 2, State: "gone"},
		{ID: "F", Number: 1, Name: pick(lang, "박지우", "Jiwoo Park"), Party: 3, State: "seated"},
		{ID: "G", Number: 6, Name: nameless, Party: 3, State: "left"},
	}
}

// addDoor adds the queue at the door as a party and as staff see one party of it.
func addDoor(lang string, all map[string]templ.Component) {
	queue := views.EveningAddress{RestaurantID: 1, Day: evening, Tab: views.TabDoor}
	party := views.StaffDoorParty{StaffShell: shell(lang, views.StaffDoorPartyURL(1, "B")), Address: queue, QR: qr(),
		CanOverride: true,
		Party:       doorParties(lang)[1], URL: "https://lunchgo.example/door/AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHHIIII"}
	all["staff-door"] = staff.DoorParty(party)
	refused := tonight(lang, views.TabDoor)
	refused.Door.Errors = views.FieldErrors{views.FieldForm: refused.T("error.door_full"),
		views.FieldPhone:     refused.T("error.field.invalid_phone"),
		views.FieldPartyMore: refused.T("error.field.out_of_range", "Min", 1, "Max", 40)}
	refused.Door.Phone, refused.Door.Party = "1234", "400"
	all["staff-evening-door-refused"] = staff.Tonight(refused)

	for name, status := range map[string]views.DoorStatus{ // in any order
		"waiting": {State: "waiting", Ahead: 3, Wait: 25 * time.Minute, WaitKnown: true, At: minutes(45), Passed: 1},
		"first":   {State: "waiting", Free: true, WaitKnown: true, At: minutes(20)},
		"unknown": {State: "waiting", Ahead: 1},
		"called":  {State: "called"}, "seated": {State: "seated"}, "gone": {State: "gone"}, "left": {State: "left"},
		"over": {State: "over"},
	} {
		status.Lang, status.Restaurant, status.Number, status.Party = lang, head().Name.In(lang), 14, 2
		all["door-"+name] = pages.Door(views.Door{Layout: layout(lang, views.DoorURL("T")), Token: "T", Status: status,
			CanMail: status.State == "waiting", Mails: status.State == "called"})
	}
}
