package views_test

import (
	"strings"

	"github.com/a-h/templ"

	"lunchgo/app/messages"
	"lunchgo/views"
	"lunchgo/views/staff"
)

// addMessages adds the pages on which staff write to guests.
func addMessages(lang string, all map[string]templ.Component) {
	guest := func(id, name, phone string, party int) views.MessageGuest {
		return views.MessageGuest{ReservationID: id, Name: name, When: pick(lang, "오후 7:00", "7:00 PM"), Party: party,
			Phone: phone}
	}
	guests := views.MessageGuests{
		Reached: []views.MessageGuest{guest("A", pick(lang, "김하늘", "Haneul Kim"), "010-1234-5678", 2), guest("B",
			hostile, "", 4)},
		Unreached: []views.MessageGuest{guest("C", pick(lang, "박민수", "Minsu Park"), "010-2222-3333", 3),
			guest("D", hostile, "010-4444-5555", 2), guest("E", pick(lang, "워크인", "Walk-in"), "", 1)}}
	form := views.StaffMessage{StaffShell: shell(lang, views.StaffMessagesURL(1)), Guests: guests, MaxRunes: 500,
		Key: "KEY",
		Back: views.StaffMessageBack{URL: views.StaffSlotURL(1, evening), Label: pick(lang, "11월 21일 오후 7:00",
			"Nov 21, 7:00 PM")},
		Fields: []views.FormValue{{Name: views.FieldReservation}, {Name: views.FieldDate, Value: "2026-11-21"},
			{Name: views.FieldTime, Value: "19:00"}}}
	form.Title = form.T("message.to_slot", "When", form.Back.Label)
	form.Offer = offerForm(lang)
	all["staff-message-offer"] = staff.Message(form)
	form.Offer.Date = ""
	all["staff-message"] = staff.Message(form)
	refused := form
	refused.Errors = views.FieldErrors{views.FieldMessage: refused.T("error.field.required")}
	all["staff-message-errors"] = staff.Message(refused)
	alone := form
	alone.Guests, alone.Title = views.MessageGuests{Unreached: guests.Unreached[:1]}, form.T("message.to_guest", "Name",
		hostile)
	all["staff-message-unreached"] = staff.Message(alone)
	nobody := form
	nobody.Guests, nobody.Nobody = views.MessageGuests{}, form.T("error.nobody_to_write_to")
	all["staff-message-nobody"] = staff.Message(nobody)
	sent := views.StaffMessageSent{StaffShell: form.StaffShell, Title: form.Title, Back: form.Back, Guests: guests,
		At: evening,
		By: pick(lang, "이매니저", "Ms Lee"),
		Text: pick(lang, "주방 사정으로 30분 늦어집니다.\n죄송합니다.", "The kitchen is half an hour late.\nWe are sorry.") +
			"\n" + hostile + strings.Repeat("x", 80)}
	all["staff-message-sent"] = staff.MessageSent(sent)
	sent.Offer, sent.Guests.Reached = pick(lang, "12월 26일 토요일, 각자 예약한 시간", "Saturday, December 26, the time each has booked"),
		nil
	for _, answer := range []messages.Answer{messages.Waiting, messages.Moved, messages.Declined, messages.Withdrawn,
		messages.Ended} {
		answered := guest("A", pick(lang, "김하늘", "Haneul Kim"), "", 2)
		answered.Answer, answered.Moved = answer, pick(lang, "12월 26일 오후 7:00", "Dec 26, 7:00 PM")
		sent.Guests.Reached = append(sent.Guests.Reached, answered)
	}
	all["staff-message-answers"] = staff.MessageSent(sent)
}
