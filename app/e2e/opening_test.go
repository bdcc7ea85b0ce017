package e2e_test

import (
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"lunchgo/app/booking"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// mostPresses is how often somebody presses the mouse, in fields too, from the start page to the first booking of a
// restaurant of their own: at seven seconds each, with what is typed, that is less than five minutes.
const mostPresses = 40

// counter is a tab that counts how often the mouse is pressed.
type counter struct {
	*tab
	presses *int
}

func (b counter) open(path string) {
	b.t.Helper()
	*b.presses++ // of the link that leads there
	b.tab.open(path)
}

func (b counter) click(selector string) {
	b.t.Helper()
	*b.presses++
	b.tab.click(selector)
}

func (b counter) enter(selector, text string) {
	b.t.Helper()
	*b.presses++
	b.tab.enter(selector, text)
}

// openARestaurant has somebody without an account open a restaurant by its forms, and a diner make its first booking.
func openARestaurant(p *product) {
	presses := 0
	owner := counter{p.newVisitor(desktopEn).newTab(), &presses}
	owner.open(views.StaffURL())
	owner.makeAccount()
	owner.open(views.OpenRestaurantURL())
	owner.enter("#field-name", "밤의 식탁")
	owner.click("form.panel button")
	owner.saveStep(views.SetupBasics, func() { owner.enter(`[name="address.ko"]`, "서울 종로구 북촌로 12") })
	owner.saveStep(views.SetupHours, func() {})
	owner.saveStep(views.SetupParties, func() {})
	owner.saveStep(views.SetupTerms, func() {
		owner.choose(`[name="tiers[0].kind"]`, string(booking.PerPerson))
		presses++
		owner.enter(`[name="tiers[0].amount"]`, "10000")
	})
	// all can be left out
	for _, page := range []views.SetupPage{views.SetupPicture, views.SetupMenu, views.SetupSeats} {
		owner.untilStep(page)
		owner.click(fmt.Sprintf(`a[href$="/setup/%s"].button-secondary`, views.NextStep(page)))
	}
	owner.untilStep(views.SetupPublish)
	owner.click(`form[action$="/setup/publish"] button`)
	owner.untilSays(".toast", i18n.T("en", "flash.setup_published"))
	owner.click(".setup-actions a.button-large")
	owner.untilAt("/restaurants/")

	diner := counter{p.newVisitor(phoneKo).newTab().remember(p.newDiner(500_000)), &presses}
	diner.open(owner.path())
	diner.untilSays("h1", "밤의 식탁")
	presses++
	day := time.Now().In(seoul).AddDate(0, 0, firstDay).Format(time.DateOnly)
	diner.choose("#field-date", day)
	diner.click(fmt.Sprintf(`#slots a[href*="/book?"][href*="date=%s"]`, day))
	diner.untilAt(owner.path() + "/book")
	diner.click(".pay-bar button")
	diner.untilAt("/reservations/")
	diner.click(".pay-now button")
	diner.untilSays("h1", i18n.T("ko", "reservation.confirmed"))
	p.t.Logf("%d presses", presses)
	if presses > mostPresses {
		p.t.Errorf("the mouse was pressed %d times, want %d at most", presses, mostPresses)
	}
}

// makeAccount signs somebody up, in, and confirms their address by the letter in the demo's mailbox.
func (b counter) makeAccount() {
	b.untilAt("/signin")
	email := strings.ToLower(rand.Text()) + "@example.com"
	b.click(`a[href^="/signup"]`)
	b.untilAt("/signup")
	for _, field := range [][2]string{{"name", "서하늘"}, {"email", email}, {"phone", "010-2345-6789"},
		{"password", password}} {
		b.enter("#field-"+field[0], field[1])
	}
	b.click("form.panel button")
	b.untilSays("h1", i18n.T("en", "link.sent_title"))
	b.enter("#field-password", password)
	b.click("form.panel button")
	b.until("somebody is signed in", exists(`form[action="/signout"]`))
	b.open(views.MailboxURL())
	b.click("article .ways a")
	b.untilAt("/link")
	b.click("form.panel button")
	b.untilSays(".toast", i18n.T("en", "flash.link_confirm"))
}

// untilStep waits for a step of the guide.
func (b counter) untilStep(page views.SetupPage) {
	b.t.Helper()
	b.until("the guide is at "+string(page), fmt.Sprintf(
		`document.readyState === "complete" && location.pathname.endsWith("/setup/%s")`, page))
}

// saveStep fills a form of the guide in, over what it proposes, and saves it.
func (b counter) saveStep(page views.SetupPage, fill func()) {
	b.t.Helper()
	b.untilStep(page)
	fill()
	b.click(".setup-actions button")
}
