package views_test

import (
	"slices"
	"time"

	"github.com/a-h/templ"

	"lunchgo/app/booking"
	guestbook "lunchgo/app/guests"
	"lunchgo/views"
	"lunchgo/views/i18n"
	"lunchgo/views/staff"
)

// addGuests adds the pages on which staff book for a guest, and those of a party.
func addGuests(lang string, all map[string]templ.Component) {
	midnight := time.Date(2026, 11, 21, 0, 0, 0, 0, seoul)
	book := views.StaffBooking{StaffShell: shell(lang, views.StaffBookURL(1, evening)), Day: midnight, Today: midnight,
		Source: views.SourceWalkIn, StaffSeating: views.StaffSeating{Seats: staffSeats(lang)}, Times: staffTimes(lang),
		Answers: views.StaffBookingForm{Date: "2026-11-21", Time: "19:00", Party: "2", IdempotencyKey: "KEY"}}
	all["staff-book-walk-in"] = staff.Book(book)
	shorter := book
	shorter.Answers.Time, shorter.EndTime, shorter.Shorter = "18:00", "19:00", true
	shorter.Times = append([]views.Choice{{Value: "18:00", Label: book.T("guests.time_until", "Time", "18:00", "Until",
		"19:00", "Left", 4)}}, staffTimes(lang)[1:]...)
	all["staff-book-shorter"] = staff.Book(shorter)
	book.Answers.SeatIDs, book.Answers.Name = []int64{2}, hostile
	book.Seats[1].Chosen = true
	book.Refusal = views.Refusal{Text: book.T("error.seat_taken"), Seats: book.T("guests.seats_instead",
		"Taken", book.T("guests.seat_of", "Seat", "T2", "Name", pick(lang, "박민수", "Minsu Park")), "Free", "T1, T3")}
	all["staff-book-seat-taken"] = staff.Book(book)
	over := book
	over.CanOverride = true
	over.Refusal = views.Refusal{Text: over.T("error.sold_out", "Remaining", 0)}
	over.Errors = views.FieldErrors{views.FieldOverride: over.T("error.field.required")}
	all["staff-book-over-plan"] = staff.Book(over)
	phone := book
	phone.Deposit, phone.Within = 120_000, []views.Choice{{Label: phone.T("guests.pay_nothing")},
		{Value: "3h", Label: phone.T("guests.pay_3h")}}
	phone.Answers.PayWithin = "3h"
	phone.Source, phone.Answers.Party, phone.Answers.Phone = views.SourcePhone, "12", "010-12"
	phone.Errors = views.FieldErrors{views.FieldPhone: phone.T("error.field.invalid_phone"),
		views.FieldName: phone.T("error.field.required")}
	phone.Refusal = views.Refusal{Text: phone.T("error.sold_out", "Remaining", 3), Times: []views.Choice{
		{Value: views.StaffBookURL(1, evening) + "&time=20:00", Label: "20:00"}, {Value: views.StaffBookURL(1, evening) + "&time=21:00", Label: "21:00"}}}
	all["staff-book-phone"] = staff.Book(phone)
	phone.Refusal.Text, phone.Refusal.Seats = phone.T("guests.paused", "Time", "19:00"),
		pick(lang, "주방이 밀렸습니다", "The kitchen is behind")
	phone.Refusal.Part, phone.Refusal.Action, phone.Refusal.Ahead = views.PartResume,
		views.StaffSlotControlsURL(1, evening), true
	all["staff-book-paused"] = staff.Book(phone)
	phone.Refusal, phone.Errors = views.Refusal{}, nil
	phone.Answers.Phone, phone.Answers.Name = "010-1234-5678", pick(lang, "김하늘", "Haneul Kim")
	phone.Callers = []guestbook.Guest{
		{ID: "AAAA", Name: phone.Answers.Name, Phone: phone.Answers.Phone, LastVisit: evening, Visits: 12, NoShows: 1,
			Allergies: []string{pick(lang, "땅콩", "Peanuts")}, Tags: []string{"vip"}},
		{ID: "BBBB", Name: hostile, Phone: "010-1234-5679"}}
	all["staff-book-caller"] = staff.Book(phone)
	ticket := views.StaffTicket{StaffShell: shell(lang, "/staff/restaurants/1/tickets/T"), At: evening, Ticket: "T",
		Status: views.StaffTicketStatus{Lang: lang, Party: 4, Position: 3}}
	all["staff-ticket"] = staff.Ticket(ticket)
	ticket.Status.Steering = views.Steering{Paused: true, Reason: pick(lang, "주방이 밀렸습니다", "The kitchen is behind"),
		Now: evening}
	all["staff-ticket-paused"] = staff.Ticket(ticket)
	ticket.Problem = ticket.T("error.sold_out", "Remaining", 0)
	all["staff-ticket-refused"] = staff.Ticket(ticket)
	party := views.StaffReservationPage{StaffShell: shell(lang, views.StaffReservationURL("AAAA")),
		Phone: "010-1234-5678", Source: views.SourcePhone,
		Override: pick(lang, "단골, 30분만", "A regular, 30 minutes"), BookedAt: evening.Add(-48 * time.Hour),
		ArrivedAt: evening.Add(-5 * time.Minute), CanGiveBack: true, CanMove: true, CanMoveSlot: true, Date: "2026-11-21", Time: "19:00",
		Times: staffTimes(lang), Party: "4", StaffSeating: views.StaffSeating{Seats: staffSeats(lang)}, Key: "KEY"}
	party.Reservation = views.StaffReservation{ID: "AAAABBBBCCCC", Code: "AAAABB",
		Name: pick(lang, "김하늘", "Haneul Kim"), PhoneTail: "5678", Party: 4, From: evening, State: booking.Arrived,
		Allergies: pick(lang, "땅콩", "Peanuts"), Note: hostile, CanSeat: true, CanComplete: true, CanUndo: true,
		JustMarked: true, CanCancel: true, Paid: 40_000, GivenBack: 10_000, Left: 30_000, Seats: []string{"T2"}}
	party.SeatsWhy = party.T("guests.seats_why_over")
	party.OtherSeats = party.T("guests.seats_move", "Was", "T2", "Is", "T6")
	all["staff-reservation"] = staff.Reservation(party)
	offered := party
	offered.Offered, offered.OfferDeclined, offered.CanWrite = i18n.DateTime(lang, evening.AddDate(0, 0, 1)), true, true
	all["staff-reservation-offered"] = staff.Reservation(offered)
	conflict := party
	conflict.OtherSeats, conflict.EndTime, conflict.CanOverride = "", "20:00", true
	conflict.Seats = slices.Clone(party.Seats)
	conflict.Seats[1].Chosen = true
	conflict.Why = conflict.Override
	conflict.Refusal = views.Refusal{Text: book.Refusal.Seats, Ahead: true}
	all["staff-reservation-conflict"] = staff.Reservation(conflict)
	conflict.Refusal = views.Refusal{Text: conflict.T("error.sold_out", "Remaining", 0)}
	conflict.Why, conflict.Errors = "", views.FieldErrors{views.FieldOverride: conflict.T("error.field.required")}
	all["staff-reservation-over-plan"] = staff.Reservation(conflict)
	details := views.StaffDetails{StaffShell: party.StaffShell, ID: "MZ4Q7C", Title: hostile, HasName: true, CanTag: true,
		Is: views.StaffDetailsForm{Name: hostile, Phone: "010-1234-5678", Allergies: pick(lang, "땅콩", "Peanuts"),
			Note: hostile, Tags: views.TagForm{Kinds: []string{"vip"}, Own: hostile}}}
	details.Was = details.Is
	all["staff-reservation-details"] = staff.Details(details)
	details.HasName, details.Refused = false, details.T("error.no_consent")
	all["staff-reservation-details-diner"] = staff.Details(details)
	details.HasName, details.Refused, details.Errors = true, "", views.FieldErrors{
		views.FieldName: details.T("error.field.required"), views.FieldPhone: details.T("error.field.invalid_phone"),
		views.FieldTags: details.T("error.field.unknown_guest")}
	all["staff-reservation-details-errors"] = staff.Details(details)
	all["staff-reservation-cancel"] = staff.CancelReservation(party)
	party.Amount = "30000"
	all["staff-reservation-refund"] = staff.GiveBack(party)
	party.Amount, party.Errors = "40000", views.FieldErrors{
		views.FieldAmount: party.T("error.more_than_left", "Amount", 30_000), views.FieldReason: party.T("error.field.required")}
	all["staff-reservation-refund-errors"] = staff.GiveBack(party)
}

func staffTimes(lang string) []views.Choice {
	l := views.Layout{Lang: lang}
	return []views.Choice{{Value: "18:00", Label: l.T("guests.time_full", "Time", "18:00")},
		{Value: "19:00", Label: l.T("guests.time", "Time", "19:00", "Left", 6)},
		{Value: "19:30", Label: l.T("guests.time_few", "Time", "19:30", "Left", 2)},
		{Value: "20:00", Label: l.T("guests.time", "Time", "20:00", "Left", 12)}}
}

func staffSeats(lang string) []views.StaffSeat {
	return []views.StaffSeat{{ID: 1, Label: "T1", Places: 2},
		{ID: 2, Label: "T2", Places: 4, State: booking.SeatTaken, Guest: pick(lang, "박민수", "Minsu Park")},
		{ID: 3, Label: "T3", Places: 4}, {ID: 4, Label: "C1", Places: 1, State: booking.SeatBlocked},
		{ID: 5, Label: "C2", Places: 1, State: booking.SeatHeld}}
}
