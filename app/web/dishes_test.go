package web_test

import (
	"net/http"
	"strings"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// limit gives a dish of the harness so many portions a day.
func (h *harness) limit(item booking.MenuItem, portions int) {
	h.t.Helper()
	h.exec(`UPDATE menu_items SET daily_quantity = $2 WHERE id = $1`, item.ID, portions)
}

// order sends the booking form for two with so many of the first dish.
func (b *browser) order(slot booking.SlotKey, quantity string) page {
	b.t.Helper()
	form := bookingAnswers(slot)
	form.Set(views.ItemField(b.menu[0].ID), quantity)
	return b.post("/restaurants/haru/reservations", form)
}

func TestBookingForm_ShowsWhatIsLeftOfADish(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	slot := h.slot("19:00")
	h.limit(h.menu[0], 3)
	first, second, third := h.signedIn(50_000), h.signedIn(50_000), h.signedIn(50_000)
	form, dishes := views.BookURL("haru", h.start(slot), 2), views.DishesURL("haru", h.start(slot))
	if at := first.get(form).must(200, "3 left").body; !strings.Contains(at, `max="3"`) ||
		!strings.Contains(at, `hx-get="`+dishes) {
		t.Error("as many as anybody likes can be ordered, or nobody asks again")
	}
	first.order(slot, "2").must(http.StatusSeeOther)

	dbtest.Eventually(t, "one is left", func() bool { return strings.Contains(first.get(dishes).body, "1 left") })
	refused := second.order(slot, "2").must(http.StatusConflict, "Not enough is left of a dish you chose",
		"Bibimbap (1 left)")
	if !strings.Contains(refused.body, `value="2"`) || !strings.Contains(refused.body, `max="1"`) {
		t.Error("the form forgets what was ordered, or what is left")
	}
	third.order(slot, "1").must(http.StatusSeeOther)

	dbtest.Eventually(t, "none is left", func() bool { return strings.Contains(first.get(dishes).body, "dish-off") })
	gone := first.get(form).must(200, "Sold out")
	if strings.Contains(gone.body, `name="`+views.ItemField(h.menu[0].ID)+`"`) {
		t.Error("a dish that has run out can be ordered")
	}
	another := h.slot("19:00")
	another.Date = another.Date.AddDays(1)
	first.get(views.BookURL("haru", h.start(another), 2)).must(200, "3 left")
}

func TestTicketPage_NamesTheDishThatHasRunOut(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	slot := h.slot("19:00")
	h.limit(h.menu[0], 1)
	release := h.rival(slot)
	b := h.signedIn(50_000)
	ticket := b.order(slot, "1").must(http.StatusSeeOther).location()
	h.exec(`INSERT INTO menu_stock (menu_item_id, service_date, offered, remaining) VALUES ($1, $2, 1, 0)`,
		h.menu[0].ID, string(slot.Date))
	release()
	path := strings.TrimPrefix(ticket, h.URL)
	dbtest.Eventually(t, "the turn comes", func() bool { return !strings.Contains(b.get(path).body, "Your place now") })
	b.get(path).must(200, "Not enough is left of a dish you chose", "Bibimbap (sold out)", "Book again")
	b.language = "ko"
	b.get(path).must(200, "비빔밥(매진)")
}
