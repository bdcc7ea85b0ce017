package web_test

import (
	"testing"

	"lunchgo/app/booking"
	"lunchgo/views"
)

// The link of a reminder asks, and says what its reader presses. Who only looks at it says nothing.
func TestComing_IsSaidByTheLinkOfAReminder(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	b := h.signedIn(100_000)
	id := h.reserve(b, h.slot("19:00")).ID
	link := views.ComingURL(h.ComingLinks.Seal(id))
	anybody := h.browser()
	anybody.get(link).must(200, "No table waits for you")
	b.send(b.open(views.PayURL(id)), views.PayURL(id), "kind", "deposit").must(200)

	asked := anybody.get(link).must(200, "Are you still coming?", "Haru Table")
	anybody.get(link).must(200, "Are you still coming?")
	anybody.send(asked, link).must(200, "The restaurant knows")
	anybody.get(link).must(200, "The restaurant knows")
	anybody.get(link + "x").must(404)
	anybody.get(views.ComingURL(h.CompanionLinks.Seal(id))).must(404)

	b.send(b.open(views.CancelURL(id)), views.CancelURL(id)).must(200)
	anybody.send(asked, link).must(409)
	if res, err := h.Bookings.Reservations.Find(t.Context(), id); err != nil || res.State == booking.Confirmed {
		t.Errorf("%+v, %v", res, err)
	}
}
