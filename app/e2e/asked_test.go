package e2e_test

import (
	"strings"

	"lunchgo/app/reserve"
	"lunchgo/app/token"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// payByLink has a host book for a caller, who pays the deposit at the practice bank by the link of the letter.
func payByLink(p *product) {
	s := p.freeSlot("sotbul", 2)
	host := p.staffTab(desktopKo)
	host.open(views.StaffBookURL(s.restaurantID, s.at) + "&" + views.FieldSource + "=" + views.SourcePhone + "&" +
		views.FieldTime + "=" + s.time)
	host.enter("#field-name", "김하늘")
	host.click("details.book-more summary")
	host.choose("#field-"+views.FieldPayWithin, "3h")
	host.enter("#field-email", "caller@example.com")
	host.check("booking of a caller who pays")
	host.click("#book button.wide:not([name])")
	host.untilAt("/staff/reservations/")
	host.untilSays(".guest", "예약금 대기")
	host.check("a caller who is to pay")
	id := host.path()[strings.LastIndexByte(host.path(), '/')+1:]

	guest := p.newVisitor(phoneKo).newTab()
	guest.open(views.PaymentLinkURL(reserve.NewPaymentLinks(token.Secrets{secret}).Sign(id)))
	guest.untilSays("h1", i18n.T("ko", "paying.link"))
	guest.check("payment link")
	guest.click("main form button")
	guest.untilSays("h1", i18n.T("ko", "payment.headline"))
	guest.click(".pay-now button")
	guest.untilAt("/practice-bank/")
	guest.click(`button[value="pay"]`)
	guest.untilSays("h1", i18n.T("ko", "reservation.confirmed"))

	host.open(views.StaffReservationURL(id))
	host.untilSays(".guest", i18n.T("ko", "state.confirmed"))
}
