package e2e_test

import (
	"fmt"
	"net/url"
	"regexp"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"lunchgo/db/dbtest"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// How long a person takes, by the keystroke-level model of Card, Moran and Newell (1980): to point, to press a key, and
// to make up one's mind; a page is there after a moment.
const (
	keyTime    = 280 * time.Millisecond
	pointTime  = 1100 * time.Millisecond
	decideTime = 1350 * time.Millisecond
	loadTime   = 500 * time.Millisecond
)

// between are pages that nobody has to do anything on: the window of a payment's provider, the page that leads there by
// itself, and that of the line, which is shown where a busy machine does not serve a press at once.
var between = regexp.MustCompile(`^https?://[^/]+/(payments|practice-bank|tickets)/`)

// effort counts what a visitor does to get a table.
type effort struct {
	*tab
	loads      atomic.Int64
	taps, keys int
}

// countEffort counts from here on.
func (b *tab) countEffort() *effort {
	b.t.Helper()
	e := &effort{tab: b}
	dbtest.Must(b.t, chromedp.Listen(b.ctx, func(event any) {
		to, ok := event.(*page.EventFrameNavigated)
		if ok && to.Frame.ParentID == "" && !between.MatchString(to.Frame.URL) {
			e.loads.Add(1)
		}
	}))
	return e
}

func (e *effort) tap(selector string) {
	e.t.Helper()
	e.taps++
	e.click(selector)
}

// fill types into an empty field.
func (e *effort) fill(selector, text string) {
	e.t.Helper()
	e.taps++
	e.keys += utf8.RuneCountInString(text)
	e.enter(selector, text)
}

// time is how long all this takes a person who decides before each tap but those into the fields of a form.
func (e *effort) time(decisions int) time.Duration {
	return time.Duration(e.taps)*pointTime + time.Duration(e.keys)*keyTime + time.Duration(decisions)*decideTime +
		time.Duration(e.loads.Load())*loadTime
}

// bookAsStranger follows a link to a restaurant, without an account, to a table that is paid for: it counts what that
// takes.
func bookAsStranger(p *product) {
	s := p.freeSlot("sotbul", 2)
	b := p.newVisitor(phoneKo).newTab()
	e := b.countEffort()
	b.open(views.RestaurantURL(s.slug) + "?date=" + s.date)
	e.tap(fmt.Sprintf(`#slots a[href*="time=%s"]`, url.QueryEscape(s.time)))
	b.untilAt(views.RestaurantURL(s.slug) + "/book")
	e.fill("#field-name", "김하늘")
	e.fill("#field-email", "stranger@example.com")
	e.fill("#field-phone", "01012345678")
	e.tap(".pay-bar button")
	b.untilSays("h1", i18n.T("ko", "payment.headline"))
	b.check("payment of a stranger")
	e.tap(".pay-now button")
	b.untilAt("/practice-bank/")
	e.tap(`button[value="pay"]`)
	b.untilSays("h1", i18n.T("ko", "reservation.confirmed"))

	took := e.time(3) // which time, that it is right, that it is worth the money
	p.t.Logf("%d loads, %d taps, %d keys, %s", e.loads.Load(), e.taps, e.keys, took)
	if e.loads.Load() > 4 || e.taps > 8 || took > 30*time.Second {
		p.t.Errorf("a stranger's table takes %d loads, %d taps, %s; want at most 4, 8, 30 s", e.loads.Load(), e.taps, took)
	}
}

// bookWithoutDeposit has somebody who is signed in book a table that costs nothing: two taps lead from the restaurant's
// page to the reservation, with no payment on the way.
func bookWithoutDeposit(p *product) {
	s := p.freeSlot("yeonnam-myeonok", 2)
	d := p.newDiner(0)
	b := p.newVisitor(phoneKo).newTab()
	b.open(views.SignInURL(""))
	b.signIn(d.email, password)
	b.untilAt("/")
	b.open(views.RestaurantURL(s.slug) + "?date=" + s.date)
	e := b.countEffort()
	e.tap(fmt.Sprintf(`#slots a[href*="time=%s"]`, url.QueryEscape(s.time)))
	b.untilAt(views.RestaurantURL(s.slug) + "/book")
	e.tap(".pay-bar button")
	b.untilSays("h1", i18n.T("ko", "reservation.confirmed"))
	b.check("reservation without a deposit")
	p.t.Logf("%d loads, %d taps", e.loads.Load(), e.taps)
	if e.loads.Load() > 2 || e.taps > 2 {
		p.t.Errorf("a table without a deposit takes %d loads and %d taps, want 2 of each", e.loads.Load(), e.taps)
	}
}
