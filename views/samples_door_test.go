package views_test

import (
	"time"

	"github.com/a-h/templ"

	"lunchgo/app/door"
	"lunchgo/views"
	"lunchgo/views/pages"
	"lunchgo/views/staff"
)

// doorParties are parties at the door in all states.
func doorParties(lang string) []views.DoorParty {
	now := minutes(20)
	ago := func(minutes int) time.Time { return now.Add(-time.Duration(minutes) * time.Minute) }
	var shown []views.DoorParty
	for _, p := range []door.Party{
		{ID: "A", Number: 3, Name: pick(lang, "김하늘", "Haneul Kim"), Phone: "010-1234-5678", PartySize: 2,
			State: door.Called, JoinedAt: ago(35), CalledAt: ago(2), Place: door.Place{FitsNow: true, At: now}},
		{ID: "B", Number: 4, PartySize: 4, State: door.Waiting, JoinedAt: ago(31), Passed: 1,
			Place: door.Place{FitsNow: true, At: now}},
		{ID: "C", Number: 5, Name: hostile, Phone: "010-1234-5678", PartySize: 2, State: door.Waiting,
			JoinedAt: ago(12), Place: door.Place{Until: "20:30", At: minutes(90)}},
		{ID: "D", Number: 12, PartySize: 12, State: door.Waiting, JoinedAt: ago(1)},
		{ID: "E", Number: 2, PartySize: 2, State: door.Gone},
		{ID: "F", Number: 1, Name: pick(lang, "박지우", "Jiwoo Park"), PartySize: 3, State: door.Seated},
		{ID: "G", Number: 6, PartySize: 3, State: door.Left},
	} {
		p.RestaurantID = 1
		shown = append(shown, views.DoorParty{Lang: lang, Party: p, Now: now, Next: p.ID == "B"})
	}
	return shown
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

	for name, p := range map[string]door.Party{ // in any order
		"waiting": {State: door.Waiting, Passed: 1, Place: door.Place{Ahead: 3, At: minutes(45)}},
		"first":   {State: door.Waiting, Place: door.Place{FitsNow: true, At: minutes(20)}},
		"unknown": {State: door.Waiting, Place: door.Place{Ahead: 1}},
		"called":  {State: door.Called}, "seated": {State: door.Seated}, "gone": {State: door.Gone},
		"left": {State: door.Left}, "over": {State: views.DoorOver},
	} {
		p.Number, p.PartySize = 14, 2
		status := views.DoorStatus{Lang: lang, Restaurant: head().Name.In(lang), Party: p, At: p.Place.At}
		status.Wait, status.WaitKnown = p.Place.Wait(minutes(20))
		all["door-"+name] = pages.Door(views.Door{Layout: layout(lang, views.DoorURL("T")), Token: "T", Status: status,
			CanMail: status.State == door.Waiting, Mails: status.State == door.Called})
	}
}
