package e2e_test

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"time"

	"lunchgo/db/dbtest"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// Pages that nobody passes on the way of the main job.

// checkAccounts signs somebody up, with faults first, and out again.
func checkAccounts(p *product) {
	b := p.newVisitor(phoneKo).newTab()
	b.expect("status of 422")
	b.open(views.SignUpURL(""))
	b.check("sign up")
	b.enter("#field-email", "no address")
	b.click("form.panel button")
	b.until("the errors show", exists(`[role="alert"] a[href="#field-password"]`))
	b.check("sign up with faults")
	b.click(`[role="alert"] a[href="#field-password"]`)
	b.until("a fault leads to its field", `document.activeElement.id === "field-password"`)
	d := p.newDiner(0)
	b.enter("#field-name", "윤슬")
	b.enter("#field-email", "new-"+d.email)
	b.enter("#field-phone", "010-9876-5432")
	b.enter("#field-password", password)
	b.click("form.panel button")
	b.untilSays("h1", i18n.T("ko", "link.sent_title"))
	b.check("sign up sent")
	b.enter("#field-password", password)
	b.click("form.panel button")
	b.until("the diner is signed in, and asked to confirm", exists(".unconfirmed"))
	b.check("unconfirmed")
	b.open(views.ReservationsURL())
	b.check("reservations empty")
	b.open(views.WalletURL())
	b.check("wallet empty")
	b.click(`form[action="/signout"] button`)
	b.until("nobody is signed in", exists(`a[href^="/signin"]`))
	b.open(views.SignInURL(""))
	b.enter("#field-email", d.email)
	b.enter("#field-password", "not the password")
	b.click("form.panel button")
	b.untilSays(`[role="alert"]`, i18n.T("ko", "fault.wrong_credentials"))
	b.check("sign in with faults")
}

// checkOutcomes waits for what does not come: the seats go while the diner stands in line, and then the form says so.
func checkOutcomes(p *product) {
	s := p.freeSlot("sotbul", 2)
	line := p.holdLine(s, 0)
	b := p.newVisitor(desktopKo).newTab().remember(p.newDiner(0))
	b.open(views.BookURL(s.slug, s.at, s.party))
	b.click(".pay-bar button")
	b.untilAt("/tickets/")
	b.untilPlace("ko", 1, 1)
	p.setCapacity(s, 0)
	b.untilSays("h1", i18n.T("ko", "outcome.sold_out"))
	b.check("outcome sold out")
	line.leave()

	b.expect("status of 422")
	b.expect("status of 409")
	other := p.freeSlot(s.slug, s.party)
	b.open(views.BookURL(other.slug, other.at, other.party))
	b.check("booking at first")
	p.setCapacity(other, 0)
	b.click(".pay-bar button")
	b.until("the form says that it is sold out", exists(`.notice[role="alert"] .slots`))
	b.check("booking sold out")
	b.expect("does not conform to the required format") // the browser, of a date that is none
	b.open(views.RestaurantURL(s.slug) + "/book?date=2020-13-45&party=99")
	b.until("the form says what is wrong", exists(`[role="alert"] a[href="#field-party"]`))
	b.check("booking with faults")
	b.open("/?date=2020-01-01&party=0")
	b.until("the search says what is wrong", exists(`#results [role="alert"]`))
	b.check("search with faults")
	b.open("/?q=nothing+is+called+so")
	b.check("search without results")
}

// checkReservations shows a reservation in each state of its life.
func checkReservations(p *product) {
	d := p.newDiner(1_000_000)
	b := p.newVisitor(phoneEn).newTab().remember(d)
	show := func(name, id, state string) { // the words of the state, of a confirmed one in its headline
		b.open(views.ReservationURL(id))
		b.untilAfterReloads("it is "+state, fmt.Sprintf(
			`document.querySelector(".page-head .badge, .page-head h1").textContent.trim() === %q`,
			i18n.T("en", state)))
		b.check("reservation " + name)
	}
	held := d.reserve(p.freeSlot("sotbul", 2), false)
	show("temporary", held, "state.temporary")
	p.exec(`UPDATE reservations SET hold_expires_at = now() - interval '1 second' WHERE id = $1`, held)
	show("expired", held, "state.expired")

	given := d.reserve(p.freeSlot("sotbul", 2), false)
	d.call("DELETE", "/api/reservations/"+given, 200, nil, nil)
	show("cancelled", given, "state.cancelled")

	s := p.freeSlot("sotbul", 2)
	back := d.reserve(s, true)
	show("paid", back, "reservation.confirmed")
	b.click(`a[data-dialog="cancel-dialog"]`)
	b.click("#cancel-dialog .button-danger")
	b.untilSays(".toast", i18n.T("en", "flash.cancelled_refund", "Amount", i18n.Won("en", 2*s.deposit)))
	show("refunded", back, "state.refunded")

	for _, state := range []string{"completed", "no_show"} {
		id := d.reserve(p.freeSlot("sotbul", 2), true)
		p.exec(`UPDATE reservations SET state = $2 WHERE id = $1`, id, state)
		show(state, id, "state."+state)
	}
	b.open(views.ReservationsURL())
	b.check("reservations of all kinds")
}

// checkErrors asks for what is not there, or not theirs.
func checkErrors(p *product) {
	b := p.newVisitor(desktopKo).newTab().remember(p.newDiner(0))
	b.expect("status of 4")
	s := p.freeSlot("sotbul", 2)
	others := p.newDiner(0).reserve(s, false)
	for name, path := range map[string]string{
		"no page":       "/nothing/here",
		"no restaurant": views.RestaurantURL("nobody-knows-it"),
		"not theirs":    views.ReservationURL(others),
		"no ticket":     views.TicketURL("made.up"),
		"staff only":    views.StaffBoardURL(s.restaurantID, s.at),
		"no method":     views.SignOutURL(),
	} {
		b.open(path)
		b.until(name+" shows", exists(".error-page h1"))
		b.check("error " + name)
	}
	b.open(views.StaffURL())
	b.check("staff of nothing")
}

// checkTooMany stands in as many lines of an evening as anybody may, and wants one more.
func checkTooMany(p *product) {
	d := p.newDiner(0)
	evening := time.Now().In(seoul).AddDate(0, 0, lastDay+1)
	for evening.Weekday() == time.Saturday || evening.Weekday() == time.Sunday { // no lunch, and so too few slots
		evening = evening.AddDate(0, 0, 1)
	}
	s := p.freeSlot("sotbul", 2)
	next := func() {
		if !p.fill(&s, evening.Format(time.DateOnly)) {
			p.t.Fatal("the day has too few slots")
		}
	}
	for range 5 {
		next()
		p.holdLine(s, 0)
		status, answer, err := d.try(http.MethodPost, "/api/reservations", s.order(), "Idempotency-Key", rand.Text(),
			"Prefer", "respond-async")
		dbtest.Must(p.t, err)
		if status != http.StatusAccepted {
			p.t.Fatalf("a press is answered by %d %s", status, answer)
		}
	}
	next()
	b := p.newVisitor(phoneEn).newTab().remember(d)
	b.expect("status of 429")
	b.open(views.BookURL(s.slug, s.at, s.party))
	b.click(".pay-bar button")
	b.untilSays(".error-page .lead", i18n.T("en", "error.too_many_lines"))
	b.check("error too many lines")
}

// exec changes the database behind the server's back, where time would have to pass.
func (p *product) exec(statement string, args ...any) {
	p.t.Helper()
	done, err := p.db.ExecContext(p.t.Context(), statement, args...)
	dbtest.Must(p.t, err)
	if n, err := done.RowsAffected(); err != nil || n != 1 {
		p.t.Fatalf("%d rows were changed (%v), want one: %s", n, err, statement)
	}
}
