package e2e_test

import (
	"fmt"
	"net/http"

	"lunchgo/app/lineup"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// What the demo's campaigns take off: the one for every restaurant, and the one for the menu of a single one.
const (
	welcomeOff = 5_000
	menuOff    = 12_000
	menuPlace  = "damdam-bansang"
)

// campaign is the id of one of the demo's.
func (p *product) campaign(slug string) int64 {
	p.t.Helper()
	return p.number(`SELECT id FROM coupons WHERE slug = $1`, slug)
}

// useACoupon sees the coupons go while others take them, gets one through the line, and pays less with it.
func useACoupon(p *product) {
	d, id := p.newDiner(100_000), p.campaign("welcome")
	b := p.newVisitor(phoneKo).newTab().remember(d)
	b.open(views.CouponsURL())
	b.untilSays("#campaigns", i18n.T("ko", "coupon.left", "Left", "1,000"))
	b.check("coupons")
	b.mark()
	p.newDiner(0).call(http.MethodPost, "/api"+views.ClaimCouponURL(id), http.StatusCreated, nil, nil)
	b.untilSays("#campaigns", i18n.T("ko", "coupon.left", "Left", "999"))
	b.mustBeMarked()

	line := p.holdLineOf(lineup.OfCampaign(id), 1)
	b.click(fmt.Sprintf(`form[action=%q] button`, views.ClaimCouponURL(id)))
	b.untilAt("/tickets/")
	b.untilPlaceAmong(2, "2명")
	b.check("waiting for a coupon")
	line.leave()
	line.next()
	b.untilPlaceAmong(1, "1명")
	line.leave()
	b.untilAt(views.CouponsURL())
	b.untilSays(".toast", i18n.T("ko", "flash.coupon"))
	b.untilSays("#campaigns", i18n.T("ko", "coupon.free"))
	b.check("coupons of one's own")

	s := p.freeSlot("sotbul", 2)
	b.open(views.BookURL(s.slug, s.at, s.party))
	b.click(fmt.Sprintf(`input[name="coupon"][value="%d"]`, id))
	less := i18n.Won("ko", 2*s.deposit-welcomeOff)
	b.untilSays("#summary .sum-strong", less)
	b.check("booking with a coupon")
	b.click(".pay-bar button")
	b.untilAt("/reservations/")
	b.untilSays(".notice-info", i18n.T("ko", "payment.deposit_coupon", "Amount", i18n.Won("ko", welcomeOff)))
	b.check("payment with a coupon")
	b.click(".pay-now button")
	b.untilSays("h1", i18n.T("ko", "reservation.confirmed"))
	b.untilSays(".sums", less)
	b.check("reservation with a coupon")
	b.open(views.CouponsURL())
	b.untilSays("#campaigns", i18n.T("ko", "coupon.used"))
	b.check("coupons of which one is used")
}

// useACouponWithoutScript gets a coupon for a menu and prepays with it, by forms alone.
func useACouponWithoutScript(p *product) {
	d, id := p.newDiner(500_000), p.campaign(menuPlace+"-menu")
	b := p.newVisitor(desktopEn).newTab().withoutScript().remember(d)
	b.open(views.CouponsURL())
	b.click(fmt.Sprintf(`form[action=%q] button`, views.ClaimCouponURL(id)))
	b.untilSays(".toast", i18n.T("en", "flash.coupon"))
	s := p.freeSlot(menuPlace, 2)
	b.open(views.BookURL(s.slug, s.at, s.party))
	b.click("#dishes-title")
	b.enter(".dish:nth-child(1) input", "2")
	b.click(fmt.Sprintf(`input[name="coupon"][value="%d"]`, id))
	b.click(".pay-bar button")
	b.untilAt("/reservations/")
	b.untilSays(".notice-info", i18n.T("en", "payment.menu_coupon", "Amount", i18n.Won("en", menuOff)))
	menu := p.number(`SELECT menu_amount FROM reservations WHERE coupon_id = $1`, id)
	b.click(`input[value="prepay"]`)
	b.click(".pay-prepay button")
	b.untilSays("h1", i18n.T("en", "reservation.prepaid"))
	b.untilSays(".sums", i18n.Won("en", menu-menuOff))
}
