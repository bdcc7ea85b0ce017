package web_test

import (
	"bufio"
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// press sends the booking form for two and returns where it leads.
func (b *browser) press(slot booking.SlotKey) page {
	b.t.Helper()
	form := b.open(views.BookURL("haru", b.start(slot), 2)).must(200)
	return b.post("/restaurants/haru/reservations", form.form("/restaurants/haru/reservations"))
}

// event of a stream.
type event struct{ name, data string }

// stream opens an event stream and returns its events; the channel closes with the stream.
func (b *browser) stream(ctx context.Context, path string) <-chan event {
	b.t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, b.URL+path, nil)
	b.must(err)
	r.Header.Set("Accept", "text/event-stream")
	r.Header.Set("Accept-Language", b.language)
	client := *b.client
	client.Timeout = 0
	answer, err := client.Do(r)
	b.must(err)
	if got := answer.Header.Get("Content-Type"); answer.StatusCode != 200 ||
		!strings.HasPrefix(got, "text/event-stream") {
		b.t.Fatalf("%s answers %d, %s", path, answer.StatusCode, got)
	}
	events := make(chan event, 100)
	go func() {
		defer close(events)
		defer answer.Body.Close()
		var e event
		for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
			field, value, _ := strings.Cut(lines.Text(), ": ")
			switch {
			case field == "event":
				e.name = value
			case field == "data":
				e.data += value + "\n"
			case lines.Text() == "" && e.name != "":
				events <- e
				e = event{}
			}
		}
	}()
	return events
}

// await takes events until one of that name holds the text.
func await(t *testing.T, events <-chan event, name, text string) {
	t.Helper()
	deadline := time.After(dbtest.Patience)
	var seen []event
	for {
		select {
		case e, ok := <-events:
			if !ok {
				t.Fatalf("the stream ended before %q with %q", name, text)
			}
			if e.name == name && strings.Contains(e.data, text) {
				return
			}
			seen = append(seen, e)
		case <-deadline:
			t.Fatalf("no %q with %q within 15 s, but %q", name, text, seen)
		}
	}
}

func TestLine_WaitingBehindOthers(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	slot := h.slot("19:00")
	release := h.rival(slot)
	first, second := h.signedIn(50_000), h.signedIn(50_000)

	one := first.press(slot).must(http.StatusSeeOther)
	two := second.press(slot).must(http.StatusSeeOther)
	if !strings.Contains(two.location(), "from=2") {
		t.Fatalf("the second press leads to %s, want a ticket that stood second", two.location())
	}
	waiting := second.get(two.location()).must(200, "Your place now", "2 nd", "1 party is ahead of you",
		"10 seats left", "Leave the line")
	if !regexp.MustCompile(`<noscript><meta http-equiv="refresh" content="[2-4];url=`).MatchString(waiting.body) {
		t.Error("without JavaScript the page does not ask again after 2 to 4 s")
	}
	if again := second.press(slot); again.location() != two.location() &&
		!strings.HasPrefix(again.location(), h.URL+"/tickets/") &&
		again.status != http.StatusConflict {
		t.Errorf("a second press leads to %d %s", again.status, again.location())
	}

	path := strings.TrimPrefix(two.location(), h.URL)
	ticket := strings.Split(strings.TrimPrefix(path, "/tickets/"), "?")[0]
	events := second.stream(t.Context(), views.TicketEventsURL(ticket, 2))
	await(t, events, "waiting", "<strong>2</strong>")
	leave := strings.Split(strings.TrimPrefix(one.location(), h.URL), "?")[0] + "/leave"
	first.send(first.get(one.location()), leave).must(200, "You have left the line")
	await(t, events, "waiting", "<strong>1</strong>")
	release()
	await(t, events, "done", "")
	if _, more := <-events; more {
		t.Error("the stream goes on after it is done")
	}

	sent := second.get(path, "HX-Request", "true")
	if to := sent.header.Get("HX-Redirect"); sent.status != 200 || !strings.HasSuffix(to, "/pay") {
		t.Errorf("htmx is answered %d, HX-Redirect %q", sent.status, to)
	}
	second.open(path).must(200, "Your table is held")
	first.open(leave[:len(leave)-len("/leave")]).must(200, "You have left the line", "Book again")
}

func TestAccess_StrangersSeeNothing(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	slot := h.slot("19:00")
	owner, stranger := h.signedIn(50_000), h.signedIn(50_000)
	res := h.reserve(owner, h.slot("18:00"))
	h.rival(slot)
	ticket := strings.Split(strings.TrimPrefix(owner.press(slot).location(), h.URL), "?")[0]

	for _, path := range []string{views.ReservationURL(res.ID), views.PayURL(res.ID), views.CancelURL(res.ID),
		views.CalendarURL(res.ID), ticket, ticket + "/events", "/reservations/none", "/tickets/none",
		"/tickets/none/events", ticket[:len(ticket)-2], "/restaurants/none", "/restaurants/none/slots",
		"/restaurants/none/book", "/none", "/static/0123456789ab/css/app.css", "/static/../go.mod"} {
		stranger.get(path).must(404)
	}
	form := url.Values{views.FieldIdempotencyKey: {"a-key"}, views.FieldKind: {views.KindDeposit}}
	for _, path := range []string{views.PayURL(res.ID), views.CancelURL(res.ID), ticket + "/leave"} {
		stranger.post(path, form).must(404)
	}
	owner.get(ticket).must(200, "Your place now")
	if now, err := h.Bookings.Find(t.Context(), owner.user.ID, res.ID); err != nil || now.State != booking.Temporary {
		t.Errorf("the reservation is %s (%v), want it untouched", now.State, err)
	}

	nobody := h.browser()
	for _, path := range []string{ticket, "/wallet", "/reservations", views.ReservationURL(res.ID)} {
		p := nobody.get(path).must(http.StatusSeeOther)
		if want := "/signin?next=" + url.QueryEscape(path); !strings.HasSuffix(p.location(), want) {
			t.Errorf("%s sends nobody to %s, want %s", path, p.location(), want)
		}
	}
	await(t, nobody.stream(t.Context(), ticket+"/events"), "done", "")
}

func TestSoldOut_OffersAlternatives(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	slot := h.slot("19:00")
	for range 5 {
		h.reserve(h.signedIn(0), slot)
	}
	late := h.signedIn(0)
	dbtest.Eventually(t, "the cache knows that the slot is full", func() bool {
		known, err := h.Bookings.Availability.List(t.Context(), slot.RestaurantID, slot.Date)
		return err == nil && known[slot.Time].Remaining() == 0
	})
	form := late.open(views.BookURL("haru", h.start(slot), 2)).must(200,
		"Sold out").form("/restaurants/haru/reservations")
	form.Set("time", "19:00")
	refused := late.post("/restaurants/haru/reservations", form)
	refused.must(http.StatusConflict, "This time is fully booked", "Other times nearby", "6:00 PM")
	if key := refused.form("/restaurants/haru/reservations").Get(views.FieldIdempotencyKey); key == "" ||
		key == form.Get(views.FieldIdempotencyKey) {
		t.Errorf("the form comes back with key %q, want a new one", key)
	}
}

func TestPress_Twice(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	b := h.signedIn(50_000)
	slot := h.slot("19:00")
	form := b.open(views.BookURL("haru", h.start(slot), 2)).form("/restaurants/haru/reservations")
	one, two := b.post("/restaurants/haru/reservations", form), b.post("/restaurants/haru/reservations", form)
	if one.must(303).location() != two.must(303).location() {
		t.Errorf("the same press leads to %s and %s", one.location(), two.location())
	}
	form.Set(views.FieldIdempotencyKey, "another-key")
	b.post("/restaurants/haru/reservations", form).must(409, "You already have a table at this time",
		"See my booking")
	all, err := h.Bookings.List(t.Context(), b.user.ID, keyset.Request{})
	if err != nil || len(all.Items) != 1 {
		t.Errorf("there are %d reservations (%v), want 1", len(all.Items), err)
	}
}

func TestPay_Once(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	b := h.signedIn(5_000)
	res := h.reserve(b, h.slot("19:00"))
	pay := views.PayURL(res.ID)

	short := b.open(pay).must(200, "₩15,000 is missing")
	b.post(pay, short.form(pay)).must(402, "Your wallet does not hold enough")
	b.post(pay, url.Values{views.FieldIdempotencyKey: {"k"}, views.FieldKind: {"gold"}}).must(422)
	b.post(pay, url.Values{views.FieldIdempotencyKey: {"k"}, views.FieldKind: {views.KindPrepay}}).must(409,
		"There is no menu to pay in advance")
	b.post(pay, url.Values{views.FieldKind: {views.KindDeposit}}).must(400)
	back := b.send(short, "/wallet/charges", "amount", "15000").must(200, "₩15,000 added to your wallet.",
		"Your table is held")
	paying := back.form(pay)
	b.follow(b.post(pay, paying)).must(200, "Your table is confirmed")
	b.follow(b.post(pay, paying)).must(200, "Your table is confirmed")
	if account, err := h.Stores.Wallets.Find(t.Context(), b.user.ID); err != nil || account.Balance != 0 {
		t.Errorf("the balance is %d (%v), want to have paid once", account.Balance, err)
	}
	paying.Set(views.FieldIdempotencyKey, "another")
	b.follow(b.post(pay, paying)).must(200, "Your table is confirmed")
}

// lateForm is the form of a payment page that was opened in time, of a diner who sends it too late.
func (h *harness) lateForm(b *browser) (booking.Reservation, url.Values) {
	res := h.reserve(b, h.slot("19:00"))
	form := b.open(views.PayURL(res.ID)).form(views.PayURL(res.ID))
	h.endHold(res.ID)
	_, err := h.Stores.Reservations.ExpireHolds(h.t.Context(), 10)
	h.must(err)
	return res, form
}

func TestPay_LongAfterTheHold(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	b := h.signedIn(50_000)
	res, form := h.lateForm(b)
	h.exec(`UPDATE reservations SET hold_expires_at = now() - interval '1 hour'`)
	b.post(views.PayURL(res.ID), form).must(409, "The time to pay is over and the seats have gone back.")
	b.open(views.PayURL(res.ID)).must(200, "The time to pay is over")
	b.get(views.CalendarURL(res.ID)).must(409)
	b.open("/wallet").must(200, "₩50,000")
}

func TestPay_ALittleLate(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	lucky, unlucky := h.signedIn(50_000), h.signedIn(50_000)
	res, form := h.lateForm(lucky)
	lucky.open(views.PayURL(res.ID)).must(200, "The time to pay is over")
	lucky.follow(lucky.post(views.PayURL(res.ID), form)).must(200, "Your table is confirmed")

	res, form = h.lateForm(unlucky)
	h.exec(`UPDATE slots SET capacity = 2`)
	for range 2 {
		unlucky.follow(unlucky.post(views.PayURL(res.ID), form)).must(200,
			"The time to pay was over, and the seats have gone or you have another booking at that time.",
			"The time to pay is over")
	}
	unlucky.open("/wallet").must(200, "₩50,000", "Refund")
}
