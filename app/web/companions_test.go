package web_test

import (
	"strings"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/views"
)

// Whoever has the link of a reservation sees when and where, and nothing of its diner, and tells the restaurant an
// allergy, once for each who comes along. The link ends with the reservation.
func TestCompanion_SeesWhenAndWhere(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	b := h.signedIn(100_000)
	at := h.start(h.slot("19:00"))
	payment := b.send(b.open(views.BookURL("haru", at, 2)), "/restaurants/haru/reservations", "time", "19:00",
		"allergies", "Peanuts", "note", "By the window")
	id := strings.Split(payment.url.Path, "/")[2]
	link := views.CompanionURL(h.CompanionLinks.Sign(id))
	other := h.browser()
	other.get(link).must(200, "cannot be seen now")
	own := b.send(payment, views.PayURL(id), "kind", "deposit").must(200, "For those who come along", link)

	page := other.get(link).must(200, "A meal together", "Haru Table", "2 people")
	for _, secret := range []string{b.user.Name, "Peanuts", "By the window", booking.Reservation{ID: id}.Code(), id} {
		if strings.Contains(page.body, secret) {
			t.Errorf("a companion reads %q", secret)
		}
	}
	file := other.get(views.CompanionCalendarURL(strings.TrimPrefix(link, "/with/"))).must(200)
	if !strings.Contains(file.body, "BEGIN:VALARM") || strings.Contains(file.body, views.ReservationURL(id)) {
		t.Errorf("the calendar has\n%s", file.body)
	}
	other.send(page, link, "name", "Jimin").must(422, "Please check again")
	other.send(page, link, "name", "Jimin", "allergies", " Shell\r\nfish ").must(200, "The restaurant knows.")
	other.send(page, link, "allergies", "Milk").must(409, "As many as come along")
	b.open(own.url.Path).must(200, "Peanuts", "Jimin: Shell fish")

	other.get(link + "x").must(404)
	other.get(views.CompanionURL(h.Offers.Sign(id))).must(404)
	b.send(b.open(views.CancelURL(id)), views.CancelURL(id)).must(200)
	if gone := other.get(link).must(200, "cannot be seen now"); strings.Contains(gone.body, "Haru Table") {
		t.Error("the link shows a reservation that is cancelled")
	}
	other.send(page, link, "allergies", "Milk").must(409)
}
