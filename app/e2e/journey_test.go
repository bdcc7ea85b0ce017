package e2e_test

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"

	"lunchgo/db/dbtest"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// journey is the main job, from the start page to the money that comes back.
type journey struct {
	*tab
	diner  diner
	slot   slot
	lang   string
	party  int
	menu   int64 // what the chosen dishes cost
	rivals *rivals
}

// newJourney brings a diner with an empty wallet to the start page. Their browser asks for the other language: the
// switch of the page brings the look's.
func (p *product) newJourney(l look, slug string) *journey {
	p.t.Helper()
	asked := l
	asked.lang = i18n.Korean
	if l.lang == i18n.Korean {
		asked.lang = i18n.English
	}
	v := p.newVisitor(asked)
	j := &journey{tab: v.newTab(), diner: p.newDiner(0), slot: p.freeSlot(slug, 2), lang: l.lang}
	j.open(views.HomeURL())
	j.until("the page asks in its reader's language", fmt.Sprintf(`document.documentElement.lang === %q`, asked.lang))
	j.click(`form[action="/language"] button`)
	j.until("the page has the other language", fmt.Sprintf(`document.documentElement.lang === %q`, l.lang))
	v.look = l
	return j
}

func (j *journey) run() {
	j.signInByForm()
	j.search()
	j.fillIn()
	j.press()
	j.waitInLine()
	j.takeTurn()
	j.pay()
	j.keep()
	j.cancel()
}

func (j *journey) signInByForm() {
	j.check("search")
	j.click(`a[href^="/signin"]`)
	j.untilAt("/signin")
	j.check("sign in")
	j.signIn(j.diner.email, password)
	j.untilAt("/")
}

// search finds the restaurant by a word of its name, without a new page, and goes on to the slot.
func (j *journey) search() {
	j.mark()
	j.openSearch()
	j.choose("#field-date", j.slot.date)
	j.until("the search has the date", fmt.Sprintf(`new URLSearchParams(location.search).get("date") === %q`,
		j.slot.date))
	day, err := time.ParseInLocation(time.DateOnly, j.slot.date, seoul)
	dbtest.Must(j.t, err)
	j.untilSays("#search-pill", i18n.Date(j.lang, day))
	name := j.text("#name-" + j.slot.slug)
	j.enter("#field-q", name)
	card := fmt.Sprintf(`article[aria-labelledby="name-%s"]`, j.slot.slug)
	j.until("the search finds "+name, `document.querySelectorAll("#results article").length === 1 && `+exists(card))
	j.until("the search has an address", fmt.Sprintf(`new URLSearchParams(location.search).get("q") === %q`, name))
	j.click("h1")
	j.until("the form is out of the way", `document.querySelector(".search-submit").offsetParent === null`)
	j.mustBeMarked()
	j.check("search results")
	j.click("#name-" + j.slot.slug + " a")
	j.untilAt(views.RestaurantURL(j.slot.slug))
	j.check("restaurant")
	j.click(fmt.Sprintf(`#slots a[href*="time=%s"]`, url.QueryEscape(j.slot.time)))
	j.untilAt(views.RestaurantURL(j.slot.slug) + "/book")
}

// fillIn chooses one guest more and some dishes, and sees what they cost before anything is sent.
func (j *journey) fillIn() {
	j.mark()
	j.party = j.slot.party + 1
	j.choose("#field-party", strconv.Itoa(j.party))
	j.untilSays("#summary .sum-strong", i18n.Won(j.lang, int64(j.party)*j.slot.deposit))
	prices := evaluate[[]int64](j.tab,
		`[...document.querySelectorAll("input[data-price]")].map(i => Number(i.dataset.price))`)
	for _, dish := range []int{1, 1, 2} { // the first is a course, for which people stay longer
		j.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(
			`document.querySelectorAll("[data-step='1']")[%d].click()`, dish)))
		j.menu += prices[dish]
	}
	j.untilSays("[data-menu-total]", i18n.Won(j.lang, j.menu))
	j.click("#notes-title")
	j.enter("#field-note", "창가 자리 부탁드려요 <b>&</b> 🎂")
	j.mustBeMarked()
	j.check("booking")
}

// press presses "pay the deposit" while others hold the line.
func (j *journey) press() {
	j.rivals = j.product.holdLine(j.slot, 2)
	j.click(".pay-bar button")
	j.untilAt("/tickets/")
	j.untilPlace(3, 3)
	j.rivals.join(1)
	j.untilPlace(3, 4)
	j.check("waiting")
}

// untilPlace waits until the page shows that place in a line of so many.
func (j *journey) untilPlace(position, count int) { j.tab.untilPlace(j.lang, position, count) }

// untilPlace waits until the page shows that place among so many parties.
func (b *tab) untilPlace(lang string, position, count int) {
	b.t.Helper()
	b.untilPlaceAmong(position, i18n.T(lang, "party.parties", "Count", count))
}

func (b *tab) untilPlaceAmong(position int, waiters string) {
	b.t.Helper()
	b.untilSays(".status-position strong", strconv.Itoa(position))
	b.untilSays(".tiles div:nth-child(2) dd", waiters)
	b.until("the status has the same place", fmt.Sprintf(`document.querySelector(".status").dataset.position === "%d"`,
		position))
}

// waitInLine sees the line move, in the page itself and for ears, and finds the same place in a reload and another tab.
func (j *journey) waitInLine() {
	j.mark()
	j.rivals.leave()
	j.rivals.next()
	j.untilPlace(2, 3)
	j.untilHeard()
	j.until("the title tells the place", `document.title.startsWith("(2)")`)
	j.mustBeMarked()

	j.do(chromedp.Reload())
	j.untilPlace(2, 3)
	second := j.newTab()
	second.open(j.path())
	second.untilPlace(j.lang, 2, 3)
	j.mark()
	j.rivals.leave()
	j.rivals.next()
	for _, b := range []*tab{j.tab, second} {
		b.untilPlace(j.lang, 1, 2)
		b.untilHeard()
	}
	j.mustBeMarked()
	j.rivals.leave()
	second.untilAt("/reservations/")
}

// untilHeard waits until the live region says the place that the page shows.
func (b *tab) untilHeard() {
	b.t.Helper()
	b.until("the live region tells the place", `(() => {
		const region = document.querySelector("[data-announcer]");
		return region.getAttribute("role") === "status" && region.textContent !== "" &&
			region.textContent === document.querySelector("[data-announce]").dataset.announce;
	})()`)
}

// takeTurn finds itself at the payment, with nothing pressed, and the time that is left.
func (j *journey) takeTurn() {
	j.rivals.next() // the one behind is served next
	j.rivals.leave()
	j.until("the payment page is there", `location.pathname.endsWith("/pay")`)
	j.untilSays("h1", i18n.T(j.lang, "payment.headline"))
	j.until("the time left is counted down",
		`/^\d+:\d\d$/.test(document.querySelector("[data-remaining]").textContent)`)
	before := j.text("[data-remaining]")
	j.until("the time runs", fmt.Sprintf(`document.querySelector("[data-remaining]").textContent !== %q`, before))
	j.check("payment")
}

// pay pays the deposit by card, in the window of the practice bank.
func (j *journey) pay() {
	j.click(`input[value="deposit"]`)
	j.click(".pay-now button")
	j.untilAt("/practice-bank/")
	j.untilSays(".bank-amount", i18n.Won(j.lang, int64(j.party)*j.slot.deposit))
	j.check("practice bank")
	j.click(`button[value="pay"]`)
	j.until("the table is confirmed", exists("svg.qr"))
	j.untilSays("h1", i18n.T(j.lang, "reservation.confirmed"))
	j.untilSays(".texts", "창가 자리 부탁드려요 <b>&</b> 🎂")
	j.check("reservation confirmed")
}

// keep takes the calendar entry along.
func (j *journey) keep() {
	dir := j.t.TempDir()
	_, err := chromedp.CallBrowser(j.ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: dir,
		BrowserContextID: chromedp.FromContext(j.ctx).BrowserContextID})
	dbtest.Must(j.t, err)
	j.click("a[download]")
	var entry string
	dbtest.Eventually(j.t, "the calendar entry is downloaded", func() bool {
		files, _ := filepath.Glob(filepath.Join(dir, "*.ics"))
		if len(files) == 0 {
			return false
		}
		content, err := os.ReadFile(files[0])
		entry = string(content)
		return err == nil && strings.HasSuffix(entry, "END:VCALENDAR\r\n")
	})
	checkCalendar(j.t, entry, j.slot, j.url+j.path())
}

// cancel changes its mind, and sees the money go back to the card.
func (j *journey) cancel() {
	j.click(`a[data-dialog="cancel-dialog"]`)
	j.until("it asks first", exists("#cancel-dialog[open]"))
	deposit := int64(j.party) * j.slot.deposit
	j.untilSays("#cancel-dialog .sum-strong", i18n.Won(j.lang, deposit))
	j.check("cancel dialog")
	j.click("#cancel-dialog .button-danger")
	j.untilSays(".toast", i18n.Won(j.lang, deposit))
	j.check("reservation cancelled")
	j.open(views.WalletURL())
	j.untilAfterReloads("the refund has gone on to the card", fmt.Sprintf(
		`document.querySelector(".ledger").textContent.includes(%q)`, i18n.T(j.lang, "entry.card_refund")))
	j.untilSays(".ledger", i18n.SignedWon(j.lang, deposit))
	j.check("wallet")
	j.open(views.ReservationsURL())
	j.check("reservations")
}

// untilAfterReloads waits until a page that does not move by itself shows what the server does by itself.
func (b *tab) untilAfterReloads(what, condition string) {
	b.t.Helper()
	dbtest.Eventually(b.t, what, func() bool {
		if evaluate[bool](b, condition) {
			return true
		}
		b.do(chromedp.Reload())
		return false
	})
}
