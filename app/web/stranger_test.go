package web_test

import (
	"maps"
	"net/url"
	"strings"
	"testing"
	"time"

	"lunchgo/app/identity"
	"lunchgo/app/payments"
	"lunchgo/app/program"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// stranger fills the booking form in without being signed in.
func stranger(email string) []string {
	return []string{"time", "19:00", "name", "Kim", "email", email, "phone", "010-1234-5678"}
}

// Somebody without an account gets a table by one form, and finds it again by the letter's link on another device.
func TestStranger_BooksByOneForm(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	b := h.browser()
	at := h.start(h.slot("19:00"))
	form := b.open(views.BookURL("haru", at, 2)).must(200, "Who is coming?", "Bibimbap")

	dish := views.ItemField(h.menu[0].ID)
	again := b.send(form, "/restaurants/haru/reservations", "time", "19:00", dish, "2", "note", "By the window",
		"name", "Kim", "email", "kim@nowhere").must(422, "By the window")
	if got := again.form("/restaurants/haru/reservations"); got.Get(dish) != "2" || got.Get("name") != "Kim" {
		t.Errorf("the form has lost answers: %v", got)
	}
	payment := b.send(again, "/restaurants/haru/reservations", stranger("kim@example.com")...).must(200,
		"Your table is held", "₩20,000")
	id := strings.Split(payment.url.Path, "/")[2]
	link := b.open("/mailbox").must(200, "Confirm your email address for LunchGo").links("/link?token=")[0]
	back := b.send(b.open(link).must(200, "Confirm your address"), "/link").must(200, "Your address is confirmed.", "Haru Table")
	if back.url.Path != views.ReservationURL(id) {
		t.Errorf("the letter's link leads to %s, not back to the booking", back.url.Path)
	}
	b.open(views.ReservationURL(id)).must(200, "Haru Table")

	other := h.browser()
	h.must(h.Identity.SendSignInLink(t.Context(), "kim@example.com", ""))
	link = b.open("/mailbox").links("/link?token=")[0]
	other.send(other.open(link), "/link").must(200)
	other.open(views.ReservationURL(id)).must(200, "Haru Table", "By the window")
}

// Whose session ends over an open form is asked who they are, and reads why.
func TestStranger_WasSignedIn(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	b := h.signedIn(50_000)
	form := b.open(views.BookURL("haru", h.start(h.slot("19:00")), 2)).must(200)
	b.send(form, "/signout").must(200)
	again := b.send(form, "/restaurants/haru/reservations", "time", "19:00").must(422, "Who is coming?",
		"You are signed out. Your answers are still here.")
	if got := b.send(again, "/restaurants/haru/reservations", "name", "Kim", "email", "kim@nowhere").must(422); strings.Contains(
		got.body, "answers are still here") {
		t.Error("a form that has asked who it is says that nobody is signed in")
	}
}

// Whoever types somebody else's address learns nothing of their account, and gets into nothing of it.
func TestStranger_WithAnAddressOfSomebodyElse(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	owner, err := h.Identity.SignUp(t.Context(), identity.SignUp{Email: "kim@example.com", Password: password,
		Name: "Kim", Phone: "010-1234-5678"})
	h.must(err)
	h.exec(`UPDATE email_links SET created_at = created_at - interval '1 hour'`) // no address gets two letters at once
	at := h.start(h.slot("19:00"))
	press := func(b *browser, email string) page {
		form := b.open(views.BookURL("haru", at, 2)).filled("/restaurants/haru/reservations", stranger(email)...)
		return b.post("/restaurants/haru/reservations", form).must(303)
	}
	b, b2 := h.browser(), h.browser()
	known, unknown := press(b, "KIM@example.com "), press(b2, "nobody@example.com")
	shape := func(p page) string { return strings.Split(p.location(), "/")[1] + p.text() }
	if shape(known) != shape(unknown) {
		t.Errorf("answers differ: %s, %s", known.location(), unknown.location())
	}
	theirs := h.browser()
	theirs.send(theirs.open("/signin"), "/signin", "email", "kim@example.com", "password", password).must(200)
	if mine := theirs.open("/reservations").must(200); strings.Contains(mine.body, "Haru Table") {
		t.Error("a stranger has booked in the owner's name")
	}

	link := b.open("/mailbox").must(200).links("/link?token=")[0]
	b.send(b.open(link), "/link").must(200, "Your address is confirmed.")
	b.open("/reservations").must(200, "Haru Table")
	if user, err := h.Identity.Store.FindUserByEmail(t.Context(), "kim@example.com"); err != nil || user.ID != owner.ID {
		t.Errorf("the address leads to %+v, %v, want its owner", user, err)
	}
}

// Who books by name and address alone and pays by card has the booking and its money: confirming the address takes
// neither away, and an account of the same address gets neither.
func TestStranger_PaysByCard(t *testing.T) {
	t.Parallel()
	h := newHarness(t, func(h *harness) {
		h.setup.Config.Payments = program.PaymentsConfig{Practice: true, Grace: 3 * time.Minute}
	})
	_, err := h.Identity.SignUp(t.Context(), identity.SignUp{Email: "kim@example.com", Password: password, Name: "Kim",
		Phone: "010-1234-5678"})
	h.must(err)
	h.exec(`UPDATE email_links SET created_at = created_at - interval '1 hour'`) // no address gets two letters at once
	b, owner := h.browser(), h.browser()
	owner.send(owner.open("/signin"), "/signin", "email", "kim@example.com", "password", password).must(200)

	form := b.open(views.BookURL("haru", h.start(h.slot("19:00")), 2))
	held := b.send(form, "/restaurants/haru/reservations", stranger("kim@example.com")...).must(200, "Pay ₩20,000")
	id := strings.Split(held.url.Path, "/")[2]
	window := b.send(held, views.PayURL(id)).must(200, "Open the payment page")
	payment := strings.Split(window.url.Path, "/")[2]
	b.follow(b.post("/practice-bank/"+payment, url.Values{views.FieldResult: {"pay"}}))
	dbtest.Eventually(t, "the reservation is paid", func() bool {
		return strings.Contains(b.open(views.ReservationURL(id)).body, "Your table is confirmed")
	})
	for _, path := range []string{views.ReservationURL(id), views.PayURL(id), views.PaymentURL(payment)} {
		owner.open(path).must(404)
	}

	link := b.open("/mailbox").must(200).links("/link?token=")[0]
	b.send(b.open(link), "/link").must(200, "Your address is confirmed.")
	b.send(b.open(views.CancelURL(id)).must(200, "100%"), views.CancelURL(id)).must(200)
	_, err = h.Stores.Reservations.SettleRefunds(t.Context(), 10)
	h.must(err)
	dbtest.Eventually(t, "the money goes back to the card", func() bool {
		p, err := h.Stores.Payments.Find(t.Context(), payment)
		return err == nil && (p.State == payments.Refunded || p.State == payments.Cancelled)
	})
	owner.open("/wallet").must(200, "₩0")
	b.open("/wallet").must(200, "₩0")
}

// A form that is sent again because its answer was lost leads to the same account and the same table, until the address
// is confirmed.
func TestStranger_SendsAgain(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	at := h.start(h.slot("19:00"))
	form := h.browser().open(views.BookURL("haru", at, 2)).filled("/restaurants/haru/reservations",
		stranger("kim@example.com")...)
	first := h.browser()
	was := first.post("/restaurants/haru/reservations", form).must(303).location()
	if again := h.browser().post("/restaurants/haru/reservations", form).must(303).location(); again != was {
		t.Errorf("again: %s, want %s", again, was)
	}
	other := maps.Clone(form)
	other.Set("email", "lee@example.com")
	if p := h.browser().post("/restaurants/haru/reservations", other).must(303); p.location() == was {
		t.Error("another address with the same key leads to the same reservation")
	}
	link := first.open("/mailbox").links("/link?token=")[0]
	first.send(first.open(link), "/link").must(200)
	if p := h.browser().post("/restaurants/haru/reservations", form).must(303); p.location() == was {
		t.Errorf("a form leads into a confirmed account: %s", p.location())
	}
}
