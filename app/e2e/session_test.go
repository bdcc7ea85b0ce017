package e2e_test

import (
	"fmt"

	"lunchgo/views"
	"lunchgo/views/i18n"
)

// pressSignedOut fills the booking form in, signs out in another tab, and presses: the form comes back as it was, also
// after signing in again, and books.
func pressSignedOut(p *product) {
	d, s := p.newDiner(0), p.freeSlot("sotbul", 2)
	v := p.newVisitor(phoneKo)
	b := v.newTab().remember(d)
	b.open(views.BookURL(s.slug, s.at, s.party))
	b.click("#dishes-title")
	b.enter(".dish:nth-child(2) input", "2")
	b.click("#notes-title")
	b.enter("#field-note", "창가 자리")
	filled := func(when string) {
		b.t.Helper()
		b.until("the form is as it was "+when, fmt.Sprintf(`document.querySelector(".dish:nth-child(2) input").value === "2" &&
			document.querySelector("#field-note").value === "창가 자리" && document.querySelector("#field-note").checkVisibility() &&
			document.querySelector("#times [name=time]:checked").value === %q`, s.time))
	}
	filled("at first")

	other := v.newTab()
	other.open(views.AccountURL())
	other.click(`form[action="/signout"] button`)
	other.untilAt("/")

	b.expect("status of 422") // a stranger has to say who it is
	b.click(".pay-bar button")
	b.until("the form asks who it is", exists("#field-name[aria-invalid]"))
	filled("without a session")
	b.click("[data-keeps-form]")
	b.untilAt("/signin")
	b.signIn(d.email, password)
	b.untilAt(views.RestaurantURL(s.slug) + "/book")
	filled("after signing in")
	b.click(".pay-bar button")
	b.untilSays("h1", i18n.T("ko", "payment.headline"))
	b.untilSays(".order", "× 2")
}
