package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/views"
)

func TestDeposit_FormAsksThatOfTheParty(t *testing.T) {
	t.Parallel()
	h := newHarness(t, func(h *harness) {
		h.terms = func(r *booking.Restaurant) {
			r.ExtensionMinutes = 5
			r.DepositTiers = []booking.DepositTier{{FromParty: 3, Kind: booking.PerParty, Amount: 70_000},
				{FromParty: 5, Kind: booking.NoDeposit}}
		}
	})
	b, slot := h.signedIn(100_000), h.slot("19:00")
	form := func(party int) page { return b.get(views.BookURL("haru", h.start(slot), party)).must(200) }
	form(2).must(200, "Deposit ₩20,000", "2 people × ₩10,000", "Book · deposit ₩20,000")
	form(4).must(200, "Deposit ₩70,000", "₩70,000 for the party")
	form(5).must(200, "Deposit ₩0", "A party of this size books without a deposit.", "Book")
	b.get("/restaurants/haru").must(200, "1–2 people Deposit ₩10,000 a person", "3–4 people Deposit ₩70,000 a party",
		"5 people or more No deposit", "If you need longer, you can add 5 minutes once.")
	b.get("/?party=4").must(200, "Deposit ₩70,000 a party")
	b.get("/?party=5").must(200, "No deposit")

	free := bookingAnswers(slot)
	free.Set("party", "5")
	b.follow(b.post("/restaurants/haru/reservations", free)).must(200, "Your table is confirmed")
	unconfirmed := h.signedIn(0)
	h.exec(`UPDATE users SET email_confirmed_at = NULL WHERE id = $1`, unconfirmed.user.ID)
	later := bookingAnswers(h.slot("20:00"))
	later.Set("party", "5")
	pay := unconfirmed.follow(unconfirmed.post("/restaurants/haru/reservations", later)).must(200, "No deposit",
		"Confirm the booking")
	path := pay.url.Path
	unconfirmed.follow(unconfirmed.post(path, pay.form(path))).must(200, "Your table is confirmed")
	b.open("/wallet").must(200, "₩100,000")
}

func TestExtend_Once(t *testing.T) {
	t.Parallel()
	h := newHarness(t, func(h *harness) { h.terms = func(r *booking.Restaurant) { r.ExtensionMinutes = 5 } })
	b := h.signedIn(50_000)
	res := h.reserve(b, h.slot("19:00"))
	pay, extend := views.PayURL(res.ID), views.ExtendURL(res.ID)
	b.send(b.open(pay).must(200, "5 more minutes"), extend).must(200, "You have 5 more minutes to pay.",
		"You have prolonged the time to pay.")
	if again := b.open(pay); strings.Contains(again.body, extend) {
		t.Error("it can be prolonged twice")
	}
	b.follow(b.post(extend, url.Values{})).must(200, "once only")
	h.signedIn(0).post(extend, url.Values{}).must(404)
	longer, err := h.Stores.Reservations.Find(t.Context(), res.ID)
	if err != nil || longer.HoldExpiresAt.Sub(res.HoldExpiresAt).Minutes() != 5 {
		t.Errorf("%v after %v, %v", longer.HoldExpiresAt, res.HoldExpiresAt, err)
	}
	h.endHold(res.ID)
	b.follow(b.post(extend, url.Values{})).must(200, "The time to pay is over")
	b.get(extend).must(405)
	if list := b.get(views.ReservationsURL()).must(200, "Cancelled or expired"); strings.Contains(list.body, `id="past-title"`) {
		t.Error("a hold of a day to come is past")
	}
}

func TestCancel_RefundIsShownBeforeTheClick(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	b := h.signedIn(50_000)
	res := h.reserve(b, h.slot("19:00"))
	pay, cancel := views.PayURL(res.ID), views.CancelURL(res.ID)
	b.send(b.open(pay), pay, views.FieldKind, views.KindDeposit).must(200, "Your table is confirmed")
	asked := b.open(cancel).must(200, "₩20,000", "100%")
	for _, nonsense := range []string{"-1", "all", "99999999999999999999"} {
		b.post(cancel, url.Values{views.FieldRefund: {nonsense}}).must(http.StatusBadRequest)
	}
	h.exec(`UPDATE reservations SET policy = '{"tiers": [{"hoursBefore": 1, "percent": 40}]}'`)
	again := b.post(cancel, asked.form(cancel)).must(http.StatusConflict, "The refund has changed", "₩8,000",
		"40%")
	if still, err := h.Stores.Reservations.Find(t.Context(), res.ID); err != nil || still.State != booking.Confirmed {
		t.Errorf("afterwards %+v, %v", still, err)
	}
	b.follow(b.post(cancel, again.form(cancel))).must(200, "₩8,000")
}
