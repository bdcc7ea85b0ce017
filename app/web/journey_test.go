package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/views"
)

// The main job without a line of JavaScript, from making an account to having the money back.
func TestBooking_ByFormsAlone(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	b := h.browser()
	slot := h.slot("19:00")
	at := h.start(slot)

	b.open("/signup").must(200, "Sign up")
	sent := b.send(b.open("/signup"), "/signup", "email", "kim@example.com", "name", "Kim", "phone", "010-1234-5678",
		"password", password).must(200, "Look into your mail", "kim@example.com")
	b.send(sent, "/signin", "password", password).must(200, "Kim", "Confirm your address")
	letter := b.open("/mailbox").must(200, "Confirm your email address for LunchGo").links("/link?token=")
	b.send(b.open(letter[0]).must(200, "Confirm your address"), "/link").must(200, "Your address is confirmed.")
	home := b.open("/").must(200, "Kim")
	if strings.Contains(home.body, "Confirm your address") {
		t.Error("a confirmed address is asked for again")
	}
	if len(home.links("/restaurants/haru")) == 0 {
		t.Fatal("the start page leads to no restaurant")
	}
	b.send(b.open("/wallet"), "/wallet/charges", "amount", "100000").must(200, "₩100,000 added to your wallet.",
		"₩100,000")

	found := b.open(views.SearchURL(views.SearchForm{Date: string(slot.Date), Time: "19:00", Party: "2",
		Words: "haru"}))
	found.must(200, "1 restaurant", "Haru Table", "Nearest to the time you asked for")
	form := b.open(views.BookURL("haru", at, 2)).must(200, "Bibimbap")
	dish := views.ItemField(h.menu[0].ID)
	payment := b.send(form, "/restaurants/haru/reservations", "time", "19:00", dish, "2", "note",
		"<script>alert(1)</script>")
	payment.must(200, "Your table is held", "₩20,000", "₩24,000")

	id := strings.Split(payment.url.Path, "/")[2]
	done := b.send(payment, views.PayURL(id), "kind", "prepay").must(200, "Your table and dishes are confirmed",
		"Bibimbap")
	if strings.Contains(done.body, "<script>alert") {
		t.Error("a note runs as a script")
	}
	if !strings.Contains(done.body, `class="qr"`) {
		t.Error("there is no QR code")
	}
	checkCalendar(t, b.get(views.CalendarURL(id)), at)
	kept := done.element("data-keep")
	if attr(kept, "data-keep") != views.ReservationURL(id)+" /reservations /offline" ||
		attr(kept, "data-session") == "" {
		t.Errorf("kept without a connection: %+v", kept)
	}
	b.open(views.OfflineURL()).must(200, "You are offline")
	checkHost(t, b, id)
	b.open("/wallet").must(200, "₩76,000", "Haru Table")
	b.open("/reservations").must(200, "Haru Table", "Confirmed, prepaid")

	cancel := b.open(views.CancelURL(id)).must(200, "Cancel this booking?", "100%", "₩24,000")
	b.send(cancel, views.CancelURL(id)).must(200, "Your booking is cancelled. ₩24,000 goes back the way you paid.",
		"Your refund is on its way")
	if _, err := h.Stores.Reservations.SettleRefunds(t.Context(), 10); err != nil {
		t.Fatal(err)
	}
	b.open("/wallet").must(200, "₩100,000")
	b.open(views.ReservationURL(id)).must(200, "Refunded")
	b.get(views.CalendarURL(id)).must(http.StatusConflict)
	b.send(b.open("/"), "/signout").must(200, "You are signed out.", "Sign in")
}

// checkHost has the calendar and the QR code say where the server is, whatever the request's Host says.
func checkHost(t *testing.T, b *browser, id string) {
	t.Helper()
	qr := regexp.MustCompile(`(?s)class="qr".*?</svg>`)
	u, err := url.Parse(b.URL)
	b.must(err)
	var session []string // a cookie jar goes by the Host
	for _, cookie := range b.client.Jar.Cookies(u) {
		session = append(session, cookie.String())
	}
	evil := []string{"Host", "evil.example", "Cookie", strings.Join(session, "; ")}
	honest, forged := b.get(views.ReservationURL(id)), b.get(views.ReservationURL(id), evil...)
	if code := qr.FindString(honest.body); code == "" || code != qr.FindString(forged.body) {
		t.Errorf("the QR code follows the Host header, or there is none: %.60q", code)
	}
	entry := strings.ReplaceAll(b.get(views.CalendarURL(id), evil...).body, "\r\n ", "")
	if want := "URL:" + b.URL + views.ReservationURL(id); !strings.Contains(entry, want) ||
		strings.Contains(entry, "evil") {
		t.Errorf("want %s in\n%s", want, entry)
	}
}

// checkCalendar reads a calendar as RFC 5545 has it.
func checkCalendar(t *testing.T, p page, at time.Time) {
	t.Helper()
	p.must(200)
	if got := p.header.Get("Content-Type"); got != "text/calendar; charset=utf-8" {
		t.Errorf("the calendar's type is %q", got)
	}
	for line := range strings.SplitSeq(p.body, "\r\n") {
		if len(line) > 75 || strings.Contains(line, "\n") {
			t.Errorf("a line of %d bytes, not folded: %q", len(line), line)
		}
	}
	properties := map[string]string{}
	for line := range strings.SplitSeq(strings.ReplaceAll(p.body, "\r\n ", ""), "\r\n") {
		name, value, _ := strings.Cut(line, ":")
		properties[name] = value
	}
	want := map[string]string{
		"DTSTART":  at.UTC().Format("20060102T150405Z"),
		"DTEND":    at.Add(time.Hour).UTC().Format("20060102T150405Z"),
		"SUMMARY":  `Haru Table\, table for 2 people`,
		"LOCATION": `1 Jongno\; Seoul\, 2F`,
		"STATUS":   "CONFIRMED",
	}
	for name, value := range want {
		if properties[name] != value {
			t.Errorf("%s is %q, want %q", name, properties[name], value)
		}
	}
	for _, name := range []string{"UID", "DTSTAMP", "URL", "PRODID", "VERSION"} {
		if properties[name] == "" {
			t.Errorf("%s is missing", name)
		}
	}
}

func TestSignIn_LeadsWhereItWasAskedFor(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	_, err := h.Identity.SignUp(t.Context(), identity.SignUp{Email: "kim@example.com", Password: password, Name: "Kim",
		Phone: "010-1234-5678"})
	h.must(err)
	b := h.browser()

	asked := b.open("/wallet").must(200, "New here?", "Demo accounts")
	b.send(asked, "/signin", "email", "kim@example.com", "password", "wrong horse").must(422,
		"The email address or the password is wrong.")
	inside := b.send(asked, "/signin", "email", "kim@example.com", "password", password).must(200, "Wallet", "Kim")
	if inside.url.Path != "/wallet" {
		t.Errorf("signing in leads to %s, want what was asked for", inside.url)
	}
	p := b.post("/signin", url.Values{"email": {"kim@example.com"}, "password": {password}, "next": {"//evil.example"}})
	if p.must(303); p.header.Get("Location") != "/" {
		t.Errorf("signing in with a foreign next leads to %q", p.header.Get("Location"))
	}
	h.exec(`INSERT INTO staff_members (restaurant_id, user_id, role) SELECT $1, id, 'host' FROM users WHERE email = $2`,
		h.restaurant.ID, "kim@example.com")
	p = b.post("/signin", url.Values{"email": {"kim@example.com"}, "password": {password}})
	if p.must(303); p.header.Get("Location") != "/staff" {
		t.Errorf("staff begin at %q, want their restaurants", p.header.Get("Location"))
	}
	b.open("/signin?next="+url.QueryEscape(views.BookURL("haru", h.start(h.slot("19:00")), 2))).must(200, "Sign in and go on booking")
	for _, evil := range []string{"//evil.example", "https://evil.example", `/\evil.example`, "javascript:alert(1)",
		"/\t/evil.example"} {
		if got := b.get("/signin?next=" + url.QueryEscape(evil)).form("/signin").Get("next"); got != "" {
			t.Errorf("the form to sign in takes on next=%q", got)
		}
		p := b.post("/language", url.Values{"language": {"en"}, "next": {evil}})
		if p.must(303); p.header.Get("Location") != "/" {
			t.Errorf("a language with next=%q leads to %q", evil, p.header.Get("Location"))
		}
	}
	b.setCookie("session", "made.up.session.token")
	b.open("/wallet").must(200, "New here?")
}

// A link that signs in leads back to the page that asked, on any device; a path of another site is none.
func TestSignInLink_LeadsBack(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	b := h.signedIn(0)
	for next, to := range map[string]string{"/wallet?from=1": "/wallet?from=1", "//evil.example": "/", // in any order
		"/wallet?" + strings.Repeat("x", 2000): "/"} {
		// No address gets two letters at once.
		h.exec(`UPDATE email_links SET created_at = created_at - interval '1 hour'`)
		asked := h.browser()
		asked.post("/signin/link", url.Values{"email": {b.user.Email}, "next": {next}}).must(200)
		link := b.open("/mailbox").links("/link?token=")[0]
		elsewhere := h.browser()
		form := elsewhere.open(link).filled("/link")
		if got := elsewhere.post("/link", form).must(303).header.Get("Location"); got != to {
			t.Errorf("asked for at %.40q it leads to %.40q, want %q", next, got, to)
		}
	}
}

func TestPages_InBothLanguages(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	b := h.signedIn(100_000)
	slot := h.slot("18:00")
	res := h.reserve(b, slot)
	pages := map[string]struct{ ko, en string }{
		"/":                                     {"하루식당", "Haru Table"},
		"/restaurants/haru":                     {"하루 한 상", "One table a day"},
		views.BookURL("haru", h.start(slot), 2): {"비빔밥", "Bibimbap"},
		views.PayURL(res.ID):                    {"결제", "Payment"},
		views.ReservationURL(res.ID):            {"하루식당", "Haru Table"},
		views.CancelURL(res.ID):                 {"취소", "Cancel"},
		"/reservations":                         {"하루식당", "Haru Table"},
		"/wallet":                               {"100,000원", "₩100,000"},
		"/signin":                               {"로그인", "Sign in"},
		"/signup":                               {"가입", "Sign up"},
	}
	for path, words := range pages {
		b.language = "ko-KR,ko;q=0.9,en;q=0.5"
		b.open(path).must(200, words.ko, "김손님")
		b.language = "en-GB"
		p := b.open(path).must(200, words.en)
		for _, field := range strings.Fields(p.text()) {
			if strings.Count(field, ".") == 1 && strings.HasPrefix(field, "error.") {
				t.Errorf("%s shows the key %s", path, field)
			}
		}
	}
	b.send(b.open("/wallet"), "/language").must(200, "지갑")
	b.language = "en"
	b.open("/wallet").must(200, "지갑") // the choice outlives what the browser asks for
}

// reserve takes a table for two, past the line.
func (h *harness) reserve(b *browser, slot booking.SlotKey) booking.Reservation {
	h.t.Helper()
	form := b.open(views.BookURL("haru", h.start(slot), 2))
	paying := b.send(form, "/restaurants/haru/reservations").must(200)
	res, err := h.Bookings.Find(h.t.Context(), b.user.ID, strings.Split(paying.url.Path, "/")[2])
	h.must(err)
	return res
}
