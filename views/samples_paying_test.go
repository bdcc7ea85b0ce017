package views_test

import (
	"time"

	"github.com/a-h/templ"

	"lunchgo/app/booking"
	"lunchgo/static"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// paidBy is a payment whose provider takes what the wallet lacks.
func paidBy(lang string) views.PaidBy {
	return views.PaidBy{Layout: layout(lang, "/payments/p1/return"), PaymentID: "p1", Amount: 15_000,
		Booked: views.Booked{ReservationID: "r1", Visit: visit(2), Seats: []string{"W1", "W2"}}}
}

func addPaying(lang string, all map[string]templ.Component) {
	pay := payment(lang)
	pay.Cards, pay.Balance, pay.DepositByCard, pay.PrepayByCard = true, 5_000, 15_000, 43_000
	all["payment-both"] = pages.Payment(pay)
	pay.Balance, pay.DepositByCard, pay.Items, pay.MenuTotal, pay.Prepay = 0, 20_000, nil, 0, 0
	pay.Policy = booking.Policy{}
	all["payment-card"] = pages.Payment(pay)
	pay.Errors = views.FieldErrors{views.FieldForm: pay.T("error.payments_away")}
	all["payment-away"] = pages.Payment(pay)
	pay.Errors, pay.PaymentID = nil, "p1"
	all["payment-under-way"] = pages.Payment(pay)
	held := reservation(lang, booking.Temporary)
	held.PaymentID = "p1"
	all["reservation-under-way"] = pages.Reservation(held)

	before := evening.AddDate(0, 0, -1)
	link := views.PaymentLink{Layout: layout(lang, "/pay/t"), Token: "t", Open: true, Other: true, Visit: visit(4),
		Deposit: 40_000, HoldExpiresAt: before, Now: before.Add(-time.Hour), Policy: pay.Policy}
	link.Consent = asks(lang, "legal.by_payment")
	all["payment-link"] = pages.PaymentLink(link)
	link.Open = false
	all["payment-link-over"] = pages.PaymentLink(link)
	all["paying-window"] = pages.PaymentWindow(views.PaymentWindow{PaidBy: paidBy(lang),
		CheckoutURL: "https://pay.example/p1"})
	all["paying-window-script"] = pages.PaymentWindow(views.PaymentWindow{PaidBy: paidBy(lang),
		CheckoutURL: "/payments/p1", Script: static.URL("js/app.js"), Data: "{}"})
	bank := views.PracticeBank{Layout: layout(lang, "/practice-bank/p1"), PaymentID: "QX7R2M5DNB3CT6YKHVW4ZGJ2EA",
		Title: pick(lang, "솔밥 · 11월 21일 (토) 오후 7:00 · 2명", "Sol Bap · Sat, 21 Nov, 7:00 PM · 2 people"), Amount: 15_000,
		ReturnURL: views.PaymentReturnURL("p1")}
	all["paying-bank"] = pages.PracticeBank(bank)
	bank.Decided = true
	all["paying-bank-decided"] = pages.PracticeBank(bank)
	for _, outcome := range []views.PaymentOutcome{views.PaymentRefused, views.PaymentLeft, views.PaymentLate,
		views.PaymentChanged, views.PaymentCancelled, views.PaymentFailed} {
		all["paying-"+string(outcome)] = pages.PaymentReturn(views.PaymentReturn{PaidBy: paidBy(lang), Outcome: outcome,
			Held: outcome == views.PaymentRefused || outcome == views.PaymentLeft || outcome == views.PaymentChanged,
			Now:  evening, HoldExpiresAt: evening.Add(6 * time.Minute)})
	}
	again := views.LookAgain("p1", nil)
	again.After = 3600 // no test leaves the page for what comes then
	all["paying-checking"] = pages.PaymentReturn(views.PaymentReturn{PaidBy: paidBy(lang), Outcome: views.PaymentChecking,
		Again: again, Now: evening})
	all["paying-checking-long"] = pages.PaymentReturn(views.PaymentReturn{PaidBy: paidBy(lang),
		Outcome: views.PaymentChecking, Now: evening})
	change := paidBy(lang)
	change.ForChange, change.Party, change.Seats = true, 4, nil
	all["paying-change-window"] = pages.PaymentWindow(views.PaymentWindow{PaidBy: change,
		CheckoutURL: "https://pay.example/p1"})
	for _, outcome := range []views.PaymentOutcome{views.PaymentChecking, views.PaymentRefused, views.PaymentLeft,
		views.PaymentLate, views.PaymentUnchanged, views.PaymentCancelled, views.PaymentFailed} {
		page := views.PaymentReturn{PaidBy: change, Outcome: outcome, Now: evening, Changeable: true}
		switch outcome {
		case views.PaymentUnchanged:
			page.Why = "flash.unchanged_seats"
		case views.PaymentChecking:
			page.Again = again
		}
		all["paying-change-"+string(outcome)] = pages.PaymentReturn(page)
	}
}
