package web_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
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
	link := views.CompanionURL(h.CompanionLinks.Seal(id))
	other := h.browser()
	other.get(link).must(200, "cannot be seen now")
	own := b.send(payment, views.PayURL(id), "kind", "deposit").must(200, "For those who come along")
	if !strings.Contains(own.body, link) {
		t.Errorf("the link is not there to be copied:\n%s", own.body)
	}

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
	checkHidden(t, id, strings.TrimPrefix(link, "/with/"), file.body)
	other.send(page, link, "name", "Jimin").must(422, "Please check again")
	other.send(page, link, "name", "Jimin", "allergies", " Shell\r\nfish ").must(200, "The restaurant knows.")
	other.send(page, link, "allergies", "Milk").must(409, "As many as come along")
	own = b.open(own.url.Path).must(200, "Peanuts", "Jimin: Shell fish")
	h.signedIn(0).post(views.CompanionRemoveURL(id), own.form(views.CompanionRemoveURL(id))).must(404)
	b.send(own, views.CompanionRemoveURL(id)).must(200, "Taken back.")
	if again := b.open(own.url.Path); strings.Contains(again.body, "Shell fish") {
		t.Error("it is still there")
	}
	other.send(page, link, "allergies", "Milk").must(200, "The restaurant knows.")

	other.get(link + "x").must(404)
	other.get(views.CompanionURL(h.Offers.Sign(id))).must(404)
	b.send(b.open(views.CancelURL(id)), views.CancelURL(id)).must(200)
	if gone := other.get(link).must(200, "cannot be seen now"); strings.Contains(gone.body, "Haru Table") {
		t.Error("the link shows a reservation that is cancelled")
	}
	other.send(page, link, "allergies", "Milk").must(409)
}

// checkHidden decodes what companions get of a reservation, and looks for its id.
func checkHidden(t *testing.T, id, token, calendar string) {
	t.Helper()
	texts := []string{token, strings.ReplaceAll(calendar, "\r\n ", "")}
	for part := range strings.SplitSeq(token, ".") {
		raw, err := base64.RawURLEncoding.DecodeString(part)
		dbtest.Must(t, err)
		texts = append(texts, string(raw))
	}
	for _, text := range texts {
		if strings.Contains(text, id) || strings.Contains(text, booking.Reservation{ID: id}.Code()) {
			t.Errorf("a companion finds the id in %q", text)
		}
	}
}

// The link is over with the visit: its page, what it takes and its calendar alike.
func TestCompanion_LinkIsOverWithTheVisit(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	b, other := h.signedIn(100_000), h.browser()
	at := h.start(h.slot("19:00"))
	payment := b.send(b.open(views.BookURL("haru", at, 2)), "/restaurants/haru/reservations", "time", "19:00")
	id := strings.Split(payment.url.Path, "/")[2]
	token := h.CompanionLinks.Seal(id)
	b.send(payment, views.PayURL(id), "kind", "deposit").must(200)
	page := other.get(views.CompanionURL(token)).must(200, "A meal together")
	h.exec(`
		WITH past AS (
			INSERT INTO slots (restaurant_id, service_date, service_time, capacity)
			SELECT restaurant_id, current_date - 7, service_time, capacity FROM slots LIMIT 1
			RETURNING id
		)
		UPDATE reservations SET slot_id = past.id FROM past WHERE reservations.id = $1`, id)
	other.get(views.CompanionURL(token)).must(200, "cannot be seen now")
	other.send(page, views.CompanionURL(token), "allergies", "Milk").must(409)
	other.get(views.CompanionCalendarURL(token)).must(409)
}
