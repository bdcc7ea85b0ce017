package e2e_test

import "testing"

// TestProduct is what people do with one running installation, at the same time.
func TestProduct(t *testing.T) {
	skipShort(t)
	t.Parallel()
	p := newProduct(t)
	t.Cleanup(func() { p.run("audit") }) // when all of them are through
	for _, test := range []struct {
		name string
		run  func(*product)
	}{
		// Together they see each language, width and scheme; what pages look like in every combination of them, the
		// tests of package views see.
		{"main job ko 390", func(p *product) { p.newJourney(phoneKo.in("light"), "sotbul").run() }},
		{"main job en 1280", func(p *product) { p.newJourney(desktopEn.in("dark"), "sotbul").run() }},
		{"main job without script", bookWithoutScript},
		{"main job of a stranger", bookAsStranger},
		{"main job without a deposit", bookWithoutDeposit},
		{"leave the line", leaveTheLine},
		{"a session ends before the press", pressSignedOut},
		{"a stream breaks", dropTheStream},
		{"staff watch the board", watchTheBoard},
		{"staff close a slot", closeTheSlot},
		{"caller pays by a link", payByLink},
		{"staff change a capacity", changeTheCapacity},
		{"staff receive a party", receiveTheParty},
		{"an evening", spendAnEvening},
		{"taps of an evening", tapThroughAnEvening},
		{"an opening", openARestaurant},
		{"accounts", checkAccounts},
		{"coupons", useACoupon},
		{"coupons without script", useACouponWithoutScript},
		{"outcomes", checkOutcomes},
		{"reservations", checkReservations},
		{"errors", checkErrors},
		{"too many lines", checkTooMany},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(p.in(t))
		})
	}
}
