package e2e_test

import (
	"fmt"
	"strings"

	"lunchgo/views"
	"lunchgo/views/i18n"
)

// spendAnEvening has staff and diners at it in windows of their own, in which nothing is loaded again: a booking
// appears, a line is paused, gets a message and goes on, and a walk-in takes the last table.
func spendAnEvening(p *product) {
	s := p.freeSlot("sotbul", 2)
	p.setCapacity(s, 3*s.party)
	e := evening{product: p, slot: s, host: p.staffTab(desktopEn),
		late: p.newVisitor(phoneKo).newTab().remember(p.newDiner(0))}
	e.late.open(views.RestaurantDayURL(s.slug, s.at, s.party))
	e.late.until("the time can be booked", exists(e.bookLink()))
	e.late.mark()
	e.host.open(views.EveningAddress{RestaurantID: s.restaurantID, Day: s.at, Tab: views.TabGuests}.URL())
	e.host.mark()
	e.seeABooking()
	e.steer()
	e.seatAWalkIn()
	e.host.mustBeMarked()
	e.late.mustBeMarked()
}

// evening is a slot with three tables.
type evening struct {
	*product
	slot slot
	host *tab // of staff, with the list of guests
	late *tab // of a diner who looks at the restaurant, and books too late
}

func (e evening) bookLink() string {
	return fmt.Sprintf(`#slots a[href=%q]`, views.BookURL(e.slot.slug, e.slot.at, e.slot.party))
}

// press has a diner press the button of the slot's form.
func (e evening) press(won int64) *tab {
	e.t.Helper()
	b := e.newVisitor(phoneKo).newTab().remember(e.newDiner(won))
	b.open(views.BookURL(e.slot.slug, e.slot.at, e.slot.party))
	b.click(".pay-bar button")
	return b
}

// seeABooking sees a party come to the list, and its deposit.
func (e evening) seeABooking() {
	b := e.press(500_000)
	b.until("the payment page is there", `location.pathname.endsWith("/pay")`)
	party := "#g-" + strings.Split(b.path(), "/")[2]
	e.host.untilSays(party+" .badge", i18n.T("en", "state.temporary"))
	b.click(".pay-now button")
	e.host.untilSays(party+" .badge", i18n.T("en", "state.confirmed"))
}

// steer pauses the line before a diner in it, sends a message, and lets it go on.
func (e evening) steer() {
	line := e.holdLine(e.slot, 0)
	b := e.press(0)
	b.untilAt("/tickets/")
	b.untilPlace("ko", 1, 1)
	b.mark()
	host := e.host.newTab()
	host.open(views.StaffLineURL(e.slot.restaurantID, e.slot.at))
	host.untilSays(".waiters", "한여름")
	host.enter("#pause-reason", "The kitchen is full")
	host.click(`form[action$="/line/pause"] button`)
	b.untilSays(".steering-pause", i18n.T("ko", "steering.paused"))
	b.untilSays(".steering-pause", "The kitchen is full")
	host.enter("#line-notice", "Ten minutes")
	host.click(`form[action$="/line/notice"] button`)
	b.untilSays(".steering-notice", "Ten minutes")
	line.leave() // the turn is free, and nobody gets it
	b.untilPlace("ko", 1, 1)
	b.mustBeMarked()
	host.click(`form[action$="/line/resume"] button`)
	b.untilAt("/reservations/")
}

// seatAWalkIn gives the last table away at the door: the page of the restaurant shows it by itself, and a press from a
// form that was open before learns it.
func (e evening) seatAWalkIn() {
	s := e.slot
	form := e.late.newTab()
	form.open(views.BookURL(s.slug, s.at, s.party))
	door := e.host.newTab()
	door.open(views.StaffBookWalkInURL(s.restaurantID, s.at))
	door.choose("#field-time", s.time)
	door.click(fmt.Sprintf(`.party-button:has(input[value="%d"])`, s.party))
	door.click(".book-form button.wide")
	door.untilAt("/staff/reservations/")
	e.host.until("the walk-in is in the list", exists("#g-"+strings.TrimPrefix(door.path(), "/staff/reservations/")))
	form.expect("status of 409") // the form comes back with why
	form.click(".pay-bar button")
	form.untilSays("main", i18n.T("ko", "outcome.sold_out"))
	e.late.until("the time is sold out", fmt.Sprintf(`[...document.querySelectorAll("#slots li")].some((slot) =>
		slot.querySelector(".slot-time").textContent === %q && slot.textContent.includes(%q))`,
		i18n.Time("ko", s.at), i18n.T("ko", "slot.sold_out")))
}
