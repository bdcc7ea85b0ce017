package e2e_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"lunchgo/app/seed"
	"lunchgo/db/dbtest"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// mostToEnd is how long a server may take to end once it was asked to.
const mostToEnd = 5 * time.Second

// TestOutage breaks a diner's connection, and the server itself, while the diner waits in line. Nothing is pressed or
// loaded again: the page comes back by itself, and so does the place.
func TestOutage(t *testing.T) {
	skipShort(t)
	t.Parallel()
	p := newProduct(t)
	s := p.freeSlot("sotbul", 2)
	line := p.holdLine(s, 2)
	b := p.newVisitor(phoneEn).newTab().remember(p.newDiner(0))
	for _, broken := range []string{"net::ERR_", "[object Event]"} { // the browser's words for it, and htmx's
		b.expect(broken)
	}
	b.open(views.BookURL(s.slug, s.at, s.party))
	b.click(".pay-bar button")
	b.untilAt("/tickets/")
	b.untilPlace("en", 3, 3)
	board := p.newVisitor(desktopKo).newTab().remember(p.account(seed.StaffEmail))
	board.expect("net::ERR_")
	board.expect("[object Event]")
	board.open(slotsTab(s))
	board.untilRow(s, s.capacity, 4, 0, 0)
	for _, tab := range []*tab{b, board} {
		tab.mark()
	}

	p.kill()
	b.untilSays("[data-stream-state]", i18n.T("en", "waiting.reconnecting"))
	p.restart()
	b.untilBack("en", 3)
	line.leave()
	line.next()
	b.untilPlace("en", 2, 2)

	if took := p.interrupt(); took > mostToEnd+5*time.Second { // on a busy machine
		t.Errorf("the server took %s to end, want %s at most", took, mostToEnd)
	}
	p.restart()
	b.untilBack("en", 2)
	line.leave()
	line.next()
	b.untilPlace("en", 1, 1)
	for _, tab := range []*tab{b, board} {
		tab.mustBeMarked()
	}
	line.leave()
	b.untilAt("/reservations/")
	b.untilSays("h1", i18n.T("en", "payment.headline"))
	board.untilRow(s, s.capacity-2, 0, 2, 0)
	board.mustBeMarked()
}

// untilBack waits until the stream is back, and the place in the line with it.
func (b *tab) untilBack(lang string, position int) {
	b.t.Helper()
	b.until("the stream is back", `document.querySelector("[data-stream-state]").textContent === ""`)
	b.untilPlace(lang, position, position)
}

// dropTheStream cuts the connections of a diner who waits: the page says so, the place stays, and the stream comes
// back.
func dropTheStream(p *product) {
	w := p.newWire()
	s := p.freeSlot("sotbul", 2)
	line := p.holdLine(s, 1)
	b := w.product.newVisitor(phoneKo).newTab().remember(p.newDiner(0))
	b.expect("net::ERR_")
	b.expect("[object Event]")
	b.open(views.BookURL(s.slug, s.at, s.party))
	b.click(".pay-bar button")
	b.untilAt("/tickets/")
	b.untilPlace("ko", 2, 2)
	b.mark()
	w.Cut()
	b.untilSays("[data-stream-state]", i18n.T("ko", "waiting.reconnecting"))
	b.check("waiting without connection")
	line.leave() // the line moves while the diner does not see it
	line.next()
	w.Mend()
	b.untilBack("ko", 1)
	b.mustBeMarked()
	line.leave()
	b.untilAt("/reservations/")
}

// stay keeps the page from going where its stream leads, however long somebody looks at it. goOn lets it go there.
func (b *tab) stay() (goOn func()) {
	b.t.Helper()
	evaluate[bool](b, `(() => {
		window.held = [];
		window.hold = event => { event.preventDefault(); held.push(event.detail.issueRequest); };
		document.addEventListener("htmx:confirm", hold);
		return true;
	})()`)
	return func() {
		b.t.Helper()
		evaluate[bool](b, `(() => {
			document.removeEventListener("htmx:confirm", hold);
			held.forEach(request => request(true));
			return true;
		})()`)
	}
}

// TestRedisAway presses while the line cannot be asked: the server keeps the place by itself, says so, and gives the
// table when nothing else can. Once Redis is back all is as before.
func TestRedisAway(t *testing.T) {
	skipShort(t)
	t.Parallel()
	p := newProduct(t)
	s := p.freeSlot("sotbul", 2)
	b := p.newVisitor(desktopKo).newTab().remember(p.newDiner(0))
	b.open(views.BookURL(s.slug, s.at, s.party))
	p.redisServer.Kill()
	b.click(".pay-bar button")
	b.untilAt("/tickets/")
	goOn := b.stay()
	b.untilSays(".status-local", i18n.T("ko", "waiting.local"))
	b.check("waiting without Redis")
	goOn()
	b.untilAt("/reservations/")
	b.untilSays("h1", i18n.T("ko", "payment.headline"))
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	dbtest.Must(t, p.redisServer.Revive(ctx))
	other := p.newVisitor(phoneEn).newTab().remember(p.newDiner(0))
	other.open(views.BookURL(s.slug, s.at, s.party))
	other.click(".pay-bar button")
	other.untilSays("h1", i18n.T("en", "payment.headline"))
	if n := p.number(fmt.Sprintf(`SELECT count(*) FROM reservations r JOIN slots s ON s.id = r.slot_id
		WHERE s.restaurant_id = %d AND s.service_date = '%s'`, s.restaurantID, s.date)); n != 2 {
		t.Errorf("there are %d reservations, want two", n)
	}
}
