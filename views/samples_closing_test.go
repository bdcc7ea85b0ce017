package views_test

import (
	"slices"
	"time"

	"github.com/a-h/templ"

	"lunchgo/app/messages"
	"lunchgo/views"
	"lunchgo/views/i18n"
	"lunchgo/views/staff"
)

// addClosing adds the page that closes a day.
func addClosing(lang string, all map[string]templ.Component) {
	midnight := time.Date(2026, 12, 25, 0, 0, 0, 0, seoul)
	party := func(id, name, phone string, paid int64) views.ClosingParty {
		return views.ClosingParty{Paid: paid, Reached: paid > 0, MessageGuest: views.MessageGuest{ReservationID: id,
			Name: name, When: pick(lang, "오후 7:00", "7:00 PM"), Party: 4, Phone: phone}}
	}
	there := party("D", pick(lang, "워크인", "Walk-in"), "", 0)
	there.There = true
	open := views.StaffClosing{StaffShell: shell(lang, views.StaffClosingURL(1, midnight)), Day: midnight, People: 16,
		Named: []string{"A", "B", "C", "D"}, Cancels: 3, Money: 80_000, Coming: []views.ClosingParty{
			party("A", pick(lang, "김하늘", "Haneul Kim"), "010-1234-5678", 40_000),
			party("B", hostile, "010-2222-3333", 40_000),
			party("C", pick(lang, "박민수", "Minsu Park"), "010-4444-5555", 0), there}}
	all["staff-closing"] = staff.Closing(open)
	refused := open
	refused.Chosen, refused.Reason = views.ReservationsCancel, hostile
	refused.Errors = views.FieldErrors{views.FieldMessage: refused.T("error.field.too_long", "Max", 500),
		views.FieldForm: refused.T("closing.more_now")}
	all["staff-closing-errors"] = staff.Closing(refused)
	offering := open
	offering.Chosen, offering.Offer = views.ReservationsOffer, offerForm(lang)
	offering.Coming = slices.Clone(open.Coming)
	offering.Coming[0].Answer, offering.Coming[1].Answer = messages.Waiting, messages.Declined
	offering.Errors = views.FieldErrors{views.FieldOfferDate: offering.T("fault.outside_hours")}
	all["staff-closing-offer"] = staff.Closing(offering)
	slots := open
	slots.Day, slots.Last = time.Date(2026, 12, 25, 18, 0, 0, 0, seoul), "19:30"
	for _, at := range []string{"18:00", "18:30", "19:00", "19:30", "20:00"} {
		slots.Lasts = append(slots.Lasts, views.Choice{Value: at, Label: i18n.Clock(lang, at)})
	}
	all["staff-closing-slots"] = staff.Closing(slots)
	running := open
	running.Closed, running.Done, running.Pending = true, 120, 14
	running.Coming, running.Named = open.Coming[:2], make([]string, 14)
	all["staff-closing-running"] = staff.Closing(running)
	done := running
	done.Done, done.Pending, done.Coming, done.People, done.Money, done.Named, done.Cancels = 133, 0, open.Coming[3:],
		4, 0, []string{"D"}, 0
	failed := party("E", hostile, "010-6666-7777", 40_000)
	failed.Failure = done.T("error.wrong_state")
	done.Failed = []views.ClosingParty{failed}
	done.Others = []views.ClosingDay{{Day: midnight.AddDate(0, 0, 1), Parties: 3}}
	all["staff-closing-done"] = staff.Closing(done)
	none := views.StaffClosing{StaffShell: open.StaffShell, Day: midnight, Closed: true, Done: 4}
	all["staff-closing-over"] = staff.Closing(none)
}

// offerForm is another time that staff offer.
func offerForm(lang string) views.OfferForm {
	form := views.OfferForm{Date: "2026-12-26", First: "2026-12-20", CanRefund: true, Refund: true,
		Times: []views.Choice{{Label: i18n.T(lang, "message.offer_same")}}}
	for _, at := range []string{"18:00", "19:00", "20:00"} {
		form.Times = append(form.Times, views.Choice{Value: at, Label: i18n.Clock(lang, at)})
	}
	return form
}
