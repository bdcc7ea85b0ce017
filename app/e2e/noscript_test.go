package e2e_test

import (
	"fmt"
	"net/url"
	"strconv"

	"lunchgo/views"
	"lunchgo/views/i18n"
)

// bookWithoutScript is the main job by forms, links and refreshes alone.
func bookWithoutScript(p *product) {
	d, s := p.newDiner(0), p.freeSlot("sotbul", 2)
	b := p.newVisitor(phoneEn).newTab().withoutScript()
	b.open(views.SignInURL(""))
	b.signIn(d.email, password)

	b.untilAt("/")
	b.openSearch()
	b.choose("#field-date", s.date)
	b.choose("#field-time", s.time)
	b.click(".search-submit")
	b.until("the search has an address", fmt.Sprintf(`new URLSearchParams(location.search).get("date") === %q`, s.date))
	b.click(fmt.Sprintf(`article a[href^="%s/book"][href*="time=%s"]`, views.RestaurantURL(s.slug),
		url.QueryEscape(s.time)))
	b.untilAt(views.RestaurantURL(s.slug) + "/book")
	b.click("#when-title")
	b.enter("#field-party", "3")
	b.click(`button[value="refresh"]`)
	b.untilSays("#summary .sum-strong", i18n.Won("en", 3*s.deposit))
	b.click("#dishes-title")
	b.enter(".dish:nth-child(2) input", "2")
	b.shoot("booking without script", "light")

	b.waitWithoutScript(p.holdLine(s, 1))
	payWithoutScript(b, s)
	cancelWithoutScript(b, 3*s.deposit)
}

// waitWithoutScript presses, and sees the line move by the page that asks again by itself.
func (b *tab) waitWithoutScript(line *rivals) {
	b.t.Helper()
	b.click(".pay-bar button")
	b.untilAt("/tickets/")
	b.untilPlace("en", 2, 2)
	b.shoot("waiting without script", "light")
	b.mark()
	line.leave()
	line.next()
	b.untilPlace("en", 1, 1)
	if evaluate[bool](b, "window.stillHere === true") {
		b.t.Error("the page moved without being loaded again, although it has no script")
	}
	line.leave()
	b.untilAt("/reservations/")
}

func payWithoutScript(b *tab, s slot) {
	b.t.Helper()
	b.untilSays("h1", i18n.T("en", "payment.headline"))
	b.untilSays(".countdown", i18n.T("en", "hold.until", "Time", ""))
	b.untilSays(".order", "× 2")
	b.click(".pay-now button")
	b.untilAt("/practice-bank/")
	b.untilSays(".bank-amount", i18n.Won("en", 3*s.deposit))
	b.shoot("practice bank without script", "light")
	b.click(`button[value="late"]`)
	b.untilSays("h1", i18n.T("en", "paying.checking"))
	b.shoot("payment checked without script", "light")
	b.untilSays("h1", i18n.T("en", "reservation.confirmed"))
	b.until("there is a QR code", exists("svg.qr"))
	b.shoot("reservation without script", "light")
}

func cancelWithoutScript(b *tab, deposit int64) {
	b.t.Helper()
	b.click(`a[data-dialog="cancel-dialog"]`)
	b.untilSays("h1", i18n.T("en", "cancel.title"))
	b.shoot("cancel without script", "light")
	b.click("main .button-danger")
	b.untilSays(".toast", i18n.Won("en", deposit))
	b.open(views.WalletURL())
	b.untilAfterReloads("the refund has gone on to the card", fmt.Sprintf(
		`document.querySelector(".ledger").textContent.includes(%q)`, i18n.T("en", "entry.card_refund")))
}

// leaveTheLine gives a place up: the ones behind move on, and nothing was booked.
func leaveTheLine(p *product) {
	d, s := p.newDiner(0), p.freeSlot("sotbul", 2)
	line := p.holdLine(s, 0)
	b := p.newVisitor(phoneKo).newTab().remember(d)
	b.open(views.BookURL(s.slug, s.at, s.party))
	b.click(".pay-bar button")
	b.untilAt("/tickets/")
	b.untilPlace("ko", 1, 1)
	line.join(1)
	b.untilPlace("ko", 1, 2)
	b.click("#leave button")
	b.until("it asks first", exists("#leave-dialog[open]"))
	b.check("leave dialog")
	b.click("#leave-dialog [data-confirmed]")
	b.untilSays("h1", i18n.T("ko", "outcome.left"))
	b.check("left the line")
	line.leave()
	line.next() // nobody stands in between any more
	line.leave()
	if n := p.number(`SELECT count(*) FROM reservations r JOIN slots s ON s.id = r.slot_id
		WHERE s.restaurant_id = $1 AND s.service_date = $2 AND s.service_time = $3`, s.restaurantID, s.date, s.time); n != 0 {
		p.t.Error("who left the line got " + strconv.FormatInt(n, 10) + " reservations")
	}
}
