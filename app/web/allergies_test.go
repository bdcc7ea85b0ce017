package web_test

import (
	"strings"
	"testing"

	"lunchgo/views"
)

// A diner writes their allergies once, and finds them in the booking form. What they send with a booking counts: what
// they empty there is sent to no restaurant, and stays in the account.
func TestAllergies_FillInTheBookingForm(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	b := h.signedIn(100_000)
	own := b.open(views.AccountURL())
	b.send(own, views.AccountURL(), "language", "en", "allergies", strings.Repeat("x", 501)).must(422,
		"At most 500 characters, please.")
	b.send(own, views.AccountURL(), "language", "en", "allergies", " Peanuts ").must(200, "It is saved.")
	if export := b.get("/account/export").must(200).body; !strings.Contains(export, `"allergies":"Peanuts"`) {
		t.Errorf("the export is %s", export)
	}
	action := views.ReserveURL("haru")
	form := b.open(views.BookURL("haru", h.start(h.slot("19:00")), 2))
	if got := form.form(action).Get("allergies"); got != "Peanuts" {
		t.Errorf("the form says %q", got)
	}
	again := b.send(form, action, "time", "19:00", "allergies", "", "party", "99").must(422)
	if got := again.form(action).Get("allergies"); got != "" {
		t.Errorf("the form brings %q back", got)
	}
	held := b.send(form, action, "time", "19:00", "allergies", "").must(200, "Your table is held")
	without := b.open(strings.TrimSuffix(held.url.Path, "/pay")).must(200, "Haru Table")
	held = b.send(b.open(views.BookURL("haru", h.start(h.slot("20:00")), 2)), action, "time", "20:00").must(200,
		"Your table is held")
	with := b.open(strings.TrimSuffix(held.url.Path, "/pay")).must(200, "Peanuts")
	if strings.Contains(without.body, "Peanuts") {
		t.Errorf("emptied allergies are sent: %s", without.text())
	}
	if with.url.Path == without.url.Path {
		t.Error("both lead to one reservation")
	}
}
