package views_test

import (
	"time"

	"github.com/a-h/templ"

	"lunchgo/app/booking"
	"lunchgo/views"
	"lunchgo/views/pages"
)

func addChanges(lang string, all map[string]templ.Component) {
	now := views.ChangeSide{At: evening, Party: 2, Items: lines()}
	form := views.Change{Booking: bookingPage(lang), ReservationID: "r1", Now: now}
	form.Press, form.Dishes.Press = views.ChangeURL("r1"), views.ChangeURL("r1")
	all["change"] = pages.Change(form)
	form.Errors = views.FieldErrors{views.FieldForm: form.T("fault.nothing_to_change")}
	form.Problem = &views.BookingProblem{Kind: views.OutcomeSoldOut, Remaining: 1}
	all["change-sold-out"] = pages.Change(form)
	addMoveOffers(lang, all)

	then := views.ChangeSide{At: evening.AddDate(0, 0, 1), Until: evening.AddDate(0, 0, 1).Add(2 * time.Hour), Party: 5,
		Items: lines()[:1], Seats: []string{"T3", "T4"}}
	now.Seats = []string{"T1"}
	preview := views.ChangePreview{Layout: layout(lang, views.ChangeURL("r1")), ReservationID: "r1",
		Restaurant: head(), From: now, To: then, Texts: true, Deposit: [2]int64{20_000, 50_000},
		MenuTotal: [2]int64{48_000, 32_000}, Amount: 30_000, Policy: head().Policy, Form: form.Form}
	all["change-preview"] = pages.ChangePreview(preview)
	preview.Changed, preview.Balance, preview.Errors = true, 100,
		views.FieldErrors{views.FieldForm: form.T("fault.balance_too_low")}
	all["change-preview-short"] = pages.ChangePreview(preview)
	byCard := preview
	byCard.Changed, byCard.Card, byCard.Errors = false, 29_900, nil
	all["change-preview-card"] = pages.ChangePreview(byCard)
	preview.Changed, preview.Errors, preview.Amount, preview.Kept, preview.CouponBack = false, nil, -10_000, 10_000,
		true
	preview.Off = [2]int64{5_000, 0}
	all["change-preview-back"] = pages.ChangePreview(preview)
	preview.Unpaid, preview.Amount, preview.Kept, preview.CouponBack = true, 0, 0, false
	all["change-preview-unpaid"] = pages.ChangePreview(preview)

	changed := reservation(lang, booking.Confirmed)
	changed.Changeable, changed.Flash = true, views.Flash{Kind: views.FlashSuccess, Message: changed.T("flash.changed")}
	changed.History = []views.PastChange{{When: evening.AddDate(0, 0, -3), From: now, To: then, Charged: 30_000},
		{When: evening.AddDate(0, 0, -1), From: then, To: now, Refunded: 15_000, Kept: 15_000}}
	all["reservation-changed"] = pages.Reservation(changed)
}

// addMoveOffers adds the page on which a restaurant offers another time.
func addMoveOffers(lang string, all map[string]templ.Component) {
	refund := int64(20_000)
	offer := views.MoveOffer{Refund: &refund, Layout: layout(lang, views.MoveOfferURL("r1")), Day: pick(lang, "11월 22일 일요일",
		"Sunday, November 22"), Proposed: "19:00", Key: "KEY", Text: pick(lang, "주방 공사로 토요일에 쉽니다.\n죄송합니다.",
		"We are closed on Saturday for repairs.\nWe are sorry.") + "\n" + hostile,
		Booked: views.Booked{ReservationID: "r1", Visit: visit(2), Seats: []string{"T1"}}, Slots: slots()}
	offer.Until = evening.Add(2 * time.Hour)
	all["move-offer"] = pages.MoveOffer(offer)
	booked := reservation(lang, booking.Confirmed)
	booked.MoveOffer = offer.Day
	all["reservation-move-offer"] = pages.Reservation(booked)
	booked.MoveOffer, booked.Withdrawn = "", true
	all["reservation-move-offer-withdrawn"] = pages.Reservation(booked)
	refused := offer
	refused.Refused = refused.T("error.sold_out")
	refused.Refund = nil
	all["move-offer-refused"] = pages.MoveOffer(refused)
	offer.Declined = true
	all["move-offer-declined"] = pages.MoveOffer(offer)
	offer.Slots = nil
	all["move-offer-full"] = pages.MoveOffer(offer)
}
