package e2e_test

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"lunchgo/app/seed"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// staffTab is the browser of the demo's staff.
func (p *product) staffTab(l look) *tab {
	p.t.Helper()
	return p.newVisitor(l).newTab().remember(p.account(seed.StaffEmail))
}

// row is the slot's row on the board.
func (s slot) row() string { return "#slot-" + strings.ReplaceAll(s.time, ":", "") }

// slotsTab is the address of a day's slots.
func slotsTab(s slot) string {
	return views.EveningAddress{RestaurantID: s.restaurantID, Day: s.at, Tab: views.TabSlots}.URL()
}

// untilRow waits until the board shows those figures of a slot, and that nobody is on its waitlist.
func (b *tab) untilRow(s slot, left, waiting, held, confirmed int) {
	b.t.Helper()
	want := strings.ReplaceAll(fmt.Sprintf("%d,%d,0,%d,%d,0", left, waiting, held, confirmed)+",", ",0,", ",–,")
	want = strings.TrimSuffix(strings.ReplaceAll(want, ",0,", ",–,"), ",")
	b.until("the board shows "+want, fmt.Sprintf(
		`[...document.querySelectorAll(%q)].map((cell) => cell.textContent.trim()).join() === %q`, s.row()+
			" > td.number", want))
}

// watchTheBoard sees a day fill by itself, while tables are held, paid, waited for and cancelled elsewhere.
func watchTheBoard(p *product) {
	s := p.freeSlot("sotbul", 4)
	b := p.newVisitor(desktopEn).newTab()
	b.open(views.StaffURL())
	b.untilAt("/signin")
	b.signIn(seed.StaffEmail, seed.DemoPassword)
	b.untilAt(views.StaffURL())
	b.check("staff home")
	b.click("a.cover")
	b.untilAt("/staff/restaurants/")
	b.open(slotsTab(s))
	b.untilRow(s, s.capacity, 0, 0, 0)
	b.mark()

	d := p.newDiner(500_000)
	id := d.reserve(s, false)
	b.untilRow(s, s.capacity-4, 0, 4, 0)
	d.call("POST", "/api/reservations/"+id+"/payment", 200, body{"kind": "deposit"}, nil)
	b.untilRow(s, s.capacity-4, 0, 0, 4)
	line := p.holdLine(s, 2)
	b.untilRow(s, s.capacity-4, 3, 0, 4)
	b.check("staff board")
	for range 2 {
		line.leave()
		line.next()
	}
	line.leave()
	b.untilRow(s, s.capacity-4, 0, 0, 4)
	d.call("DELETE", "/api/reservations/"+id, 200, nil, nil)
	b.untilRow(s, s.capacity, 0, 0, 0)
	b.mustBeMarked()
}

// closeTheSlot sends home everybody who waits for it, at once, and keeps further ones out until it is open again.
func closeTheSlot(p *product) {
	s := p.freeSlot("sotbul", 2)
	line := p.holdLine(s, 1)
	b := p.newVisitor(phoneEn).newTab().remember(p.newDiner(0))
	b.open(views.BookURL(s.slug, s.at, s.party))
	b.click(".pay-bar button")
	b.untilAt("/tickets/")
	b.untilPlace("en", 2, 2)

	staff := p.staffTab(desktopKo)
	staff.open(views.StaffSlotURL(s.restaurantID, s.at))
	staff.check("staff slot empty")
	staff.click(".slot-links a")
	staff.click(steerButton(views.PartClose))
	staff.untilSays(".steer-affected", i18n.T("ko", "steer.waiting", "N", 3))
	staff.click(".steer-preview button")
	staff.untilSays(".steer-slots .badge", i18n.T("ko", "steer.state_closed"))
	b.untilSays("h1", i18n.T("en", "outcome.closed"))
	b.check("slot closed")
	line.leave()

	b.expect("status of 422") // the form comes back with what is wrong
	b.expect("status of 409")
	b.open(views.BookURL(s.slug, s.at, s.party))
	if !evaluate[bool](b, fmt.Sprintf(`document.querySelector("input[name=time][value='%s']").disabled`, s.time)) {
		b.t.Error("the form offers a time that is closed")
	}
	staff.check("staff slot closed")
	staff.click(steerButton(views.PartOpen))
	staff.click(".steer-preview button")
	staff.untilSays(".steer-slots .badge", i18n.T("ko", "steer.state_open"))
	b.untilAfterReloads("the form offers the time again", fmt.Sprintf(
		`!document.querySelector("input[name=time][value='%s']").disabled`, s.time))
}

// steerButton is the button of one form on the page of a slot.
func steerButton(part string) string { return fmt.Sprintf("[aria-labelledby=steer-%s] button", part) }

// changeTheCapacity is refused below what is sold, with the least that can be, and else shown.
func changeTheCapacity(p *product) {
	s := p.freeSlot("sotbul", 6)
	p.newDiner(500_000).reserve(s, true)
	b := p.staffTab(desktopEn)
	b.open(views.StaffSlotURL(s.restaurantID, s.at))
	b.check("staff slot")
	b.click(".slot-links a")
	b.expect("status of 409")
	b.enter("#field-capacity", "5")
	b.click(steerButton(views.PartCapacity))
	b.untilSays(".field-error", i18n.T("en", "steer.conflict_sold", "N", 6))
	b.check("staff capacity refused")
	b.enter("#field-capacity", "7")
	b.click(steerButton(views.PartCapacity))
	b.click(".steer-preview button")
	b.untilSays(".toast", i18n.T("en", "flash.steered"))
	b.open(slotsTab(s))
	b.untilRow(s, 0, 0, 0, 6) // nobody comes here alone
	if n := p.number(`SELECT capacity FROM slots WHERE restaurant_id = $1 AND service_date = $2 AND service_time = $3`,
		s.restaurantID, s.date, s.time); n != 7 {
		p.t.Errorf("the capacity is %d, want 7", n)
	}
}

// receiveTheParty marks a party on its way to the table and away from it, a mistake among the marks, and another party
// as a no-show.
func receiveTheParty(p *product) {
	s := p.freeSlot("sotbul", 2)
	came, stayed := p.newDiner(100_000).reserve(s, true), p.newDiner(100_000).reserve(s, true)
	today := p.bringToToday(s)
	b := p.staffTab(phoneKo)
	b.open(views.StaffSlotURL(s.restaurantID, today))
	b.check("staff slot tonight")
	mark := func(url, state string) {
		b.click(fmt.Sprintf(`#guest-%s form[action="%s"] button`, came, url))
		b.untilSays("#guest-"+came+" .badge", i18n.T("ko", "state."+state))
	}
	mark(views.StaffArrivedURL(came), "arrived")
	b.untilSays(".toast", i18n.T("ko", "flash.arrived"))
	b.click(".undo-bar button")
	b.untilSays("#guest-"+came+" .badge", i18n.T("ko", "state.confirmed"))
	mark(views.StaffArrivedURL(came), "arrived")
	b.check("staff slot arrived")
	mark(views.StaffSeatedURL(came), "seated")
	mark(views.StaffCompletedURL(came), "completed")
	b.click(fmt.Sprintf(`form[action="%s"] button`, views.StaffNoShowURL(stayed)))
	b.untilSays("#guest-"+stayed+" .badge", i18n.T("ko", "state.no_show"))
	b.check("staff slot over")
	if n := p.number(`SELECT count(*) FROM audit_log WHERE reservation_id IN ($1, $2)`, came, stayed); n != 6 {
		p.t.Errorf("%d acts are written down, want 6", n)
	}
	stranger := p.newVisitor(desktopEn).newTab().remember(p.newDiner(0))
	stranger.expect("status of 404")
	stranger.open(views.StaffSlotURL(s.restaurantID, today))
	if strings.Contains(evaluate[string](stranger, "document.body.textContent"), "한여름") &&
		evaluate[bool](stranger, exists("#guest-"+came)) {
		p.t.Error("a stranger sees who comes")
	}
	stranger.check("error staff only")
}

// bringToToday lets a slot come: it has begun a minute ago.
func (p *product) bringToToday(s slot) time.Time {
	p.t.Helper()
	begun := time.Now().In(seoul).Add(-time.Minute).Truncate(time.Minute)
	p.exec(`UPDATE slots SET service_date = $4, service_time = $5
		WHERE restaurant_id = $1 AND service_date = $2 AND service_time = $3`,
		s.restaurantID, s.date, s.time, begun.Format(time.DateOnly), begun.Format("15:04"))
	return begun
}

// setCapacity is what staff do to a slot, by their form.
func (p *product) setCapacity(s slot, capacity int) {
	p.t.Helper()
	p.account(seed.StaffEmail).send(views.StaffSlotControlsURL(s.restaurantID, s.at),
		url.Values{views.FieldPart: {views.PartCapacity},
			views.FieldCapacity: {strconv.Itoa(capacity)}, views.FieldConfirmed: {views.Yes}})
}
