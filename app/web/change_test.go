package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/views"
)

func TestChange_ByFormsAlone(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	b := h.signedIn(50_000)
	res := h.reserve(b, h.slot("19:00"))
	pay, change := views.PayURL(res.ID), views.ChangeURL(res.ID)
	b.send(b.open(pay), pay, views.FieldKind, views.KindDeposit).must(200, "Your table is confirmed",
		"Change booking")
	form := b.open(change).must(200, "Change your booking", "Your table stays yours")
	answers := form.form(change)
	if answers.Get(views.FieldTime) != "19:00" || answers.Get(views.FieldParty) != "2" ||
		answers.Get(views.FieldDate) != string(res.Slot.Date) {
		t.Errorf("the form is filled in with %v", answers)
	}
	same := url.Values{views.FieldAction: {views.ActionPreview}}
	for name := range answers {
		same[name] = answers[name]
	}
	b.post(change, same).must(http.StatusConflict, "It is booked like that already.")
	preview := b.send(form, change, views.FieldAction, views.ActionPreview, views.FieldTime, "20:00", views.FieldParty,
		"3")
	preview.must(200, "Is this what you want?", "2 people", "3 people", "8:00", "You pay now from your wallet",
		"₩10,000")
	again := b.send(preview, change, views.FieldAction, views.ActionRefresh).must(200, "Change your booking")
	if got := again.form(change).Get(views.FieldParty); got != "3" {
		t.Errorf("back in the form the party is %s", got)
	}
	done := b.send(preview, change, views.FieldAction, views.ActionChange)
	done.must(200, "Your booking is changed.", "3 people", "Changes", "Paid: ₩10,000")
	if done.url.Path != views.ReservationURL(res.ID) {
		t.Errorf("it led to %s", done.url)
	}
	b.open("/wallet").must(200, "Change", "₩20,000")
	if now, err := h.Stores.Reservations.Find(t.Context(), res.ID); err != nil || now.PartySize != 3 ||
		now.PaidAmount != 30_000 || now.State != booking.Confirmed {
		t.Errorf("it is %+v, %v", now, err)
	}
	calendar := b.get(views.CalendarURL(res.ID))
	if !strings.Contains(calendar.body, "SEQUENCE:1\r\n") || !strings.Contains(calendar.body, "UID:"+res.ID) {
		t.Errorf("calendar: %s", calendar.body)
	}
}

func TestChange_RefusalKeepsAnswersAndReservation(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	b, rival := h.signedIn(20_000), h.signedIn(0)
	res := h.reserve(b, h.slot("19:00"))
	full := bookingAnswers(h.slot("20:00"))
	full.Set("party", "6")
	rival.follow(rival.post("/restaurants/haru/reservations", full)).must(200)
	h.reserve(h.signedIn(0), h.slot("20:00"))
	pay, change := views.PayURL(res.ID), views.ChangeURL(res.ID)
	stale := b.open(pay)
	press := func(answers ...string) page {
		form := b.open(change)
		preview := b.send(form, change,
			append([]string{views.FieldAction, views.ActionPreview}, answers...)...).must(200)
		return b.send(preview, change, views.FieldAction, views.ActionChange)
	}
	press(views.FieldTime, "20:00", views.FieldParty, "3").must(http.StatusConflict, "2 seats")
	press(views.FieldParty, "3").must(200, "Your booking is changed.")
	b.post(pay, stale.form(pay)).must(http.StatusConflict, "The amount has changed.")
	press(views.FieldParty, "2").must(200, "Your booking is changed.")
	b.send(b.open(pay), pay, views.FieldKind, views.KindDeposit).must(200, "Your table is confirmed")
	press(views.FieldParty, "3").must(http.StatusPaymentRequired, "Your wallet does not hold enough")

	form := b.open(change).form(change)
	for _, nonsense := range []string{"", "all", "99999999999999999999"} {
		form.Set(views.FieldAction, views.ActionChange)
		form.Set(views.FieldParty, "1")
		form.Set(views.FieldIdempotencyKey, "key")
		form.Set(views.FieldQuoted, nonsense)
		b.post(change, form).must(http.StatusBadRequest)
	}
	form.Set(views.FieldQuoted, "-20000")
	b.post(change, form).must(http.StatusConflict, "The amount has changed", "₩10,000")
	form.Set(views.FieldParty, "1000000000")
	b.post(change, form).must(http.StatusUnprocessableEntity)
	rival.get(change).must(404)
	rival.post(change, form).must(404)
	h.browser().get(change).must(http.StatusSeeOther)
	b.follow(b.post(views.CancelURL(res.ID), url.Values{})).must(200)
	b.follow(b.get(change)).must(200, "Your refund is on its way")
	b.follow(b.post(change, form)).must(200)
	if now, err := h.Stores.Reservations.Find(t.Context(), res.ID); err != nil || now.PartySize != 2 || now.Changes != 2 {
		t.Errorf("it is %+v, %v", now, err)
	}
}
